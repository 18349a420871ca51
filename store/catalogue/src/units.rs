//! Units of metadata.

use std::borrow::Cow;

use super::index::key::parse_number;

/// Units that may follow a number in one text, except for the one of several words.
const KNOWN: &str = "% ‰ °C °F K m cm mm km µm nm m² m2 m³ m3 ha g kg mg µg ng L l mL ml µL µl M mM µM nM mol/L mmol/L µmol/L nmol/L µmol/kg \
    g/L mg/L µg/L ng/L mg/kg g/kg mS/cm psu PSU ppt ppm s min hours days weeks months years bar hPa DD";

const OF_SALINITY: &str = "practical salinity units";

/// Returns a unit as people write it: without entities of HTML (the real service has `&deg;C` for
/// `°C`), and with one form of similar letters.
pub(super) fn plain(unit: &str) -> String {
    let unit = match html_escape::decode_html_entities(unit.trim()) {
        Cow::Borrowed(unit) => unit.to_owned(),
        Cow::Owned(unit) => unit,
    };
    unit.replace('μ', "µ").replace('\u{2126}', "Ω").replace('\u{212b}', "Å")
}

/// Splits a text such as `5 m` into a number and its unit, if the unit is known.
///
/// # Examples
///
/// ```
/// assert_eq!(store_catalogue::measured("12.4 &deg;C"), Some(("12.4", "°C".to_owned())));
/// assert_eq!(store_catalogue::measured("0-5 cm"), None);
/// ```
pub fn measured(text: &str) -> Option<(&str, String)> {
    let (number, unit) = text.trim().split_once(' ')?;
    parse_number(number)?;
    Some((number, plain(unit))).filter(|(_, unit)| is_known(unit))
}

/// Returns whether a text is a unit that may follow a number.
pub(super) fn is_known(unit: &str) -> bool {
    unit == OF_SALINITY || KNOWN.split(' ').any(|known| known == unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unit_has_one_form() {
        for unit in ["&micro;mol/L", "&#181;mol/L", "&#xB5;mol/L", "μmol/L", " µmol/L "] {
            assert_eq!(plain(unit), "µmol/L", "{unit}");
        }
        assert_eq!(
            ["m&sup2;", "&permil;", "&Omega;", "A&amp;B", "Ω", "&nonsense;"].map(plain),
            ["m²", "‰", "Ω", "A&B", "Ω", "&nonsense;"]
        );
    }

    #[test]
    fn a_number_with_a_known_unit_is_measured() {
        assert_eq!(measured(" -5.5 m\r"), Some(("-5.5", "m".to_owned())));
        assert_eq!(measured("20 practical salinity units"), Some(("20", "practical salinity units".to_owned())));
        for text in ["5", "5m", "0-5 cm", "5 trees", "m 5", "5 ", "5 m cm", "16 S rRNA", "inf m", "2016 m to 5 m"] {
            assert_eq!(measured(text), None, "{text}");
        }
    }
}
