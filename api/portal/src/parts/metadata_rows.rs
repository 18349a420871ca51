//! Conditions on metadata as rows of a form: key, operator, value and unit.

use api_catalogue::WHERE;
use store_catalogue::model::SAMPLES;

use crate::context::address::{Pairs, quoted, quoted_name};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::fault_words;

/// The prefix of the parameters of rows, which end with the number of the row: `m_key1`.
const PREFIX: &str = "m_";

/// The maximum number of rows.
const ROWS_MAX: usize = 10;

/// The operator for any value.
const PRESENT: &str = "*";

/// The unit of numbers without one.
const NO_UNIT: &str = "no unit";

#[derive(Default)]
pub(crate) struct MetadataRow {
    pub(crate) key: String,
    /// The start of the value in the query language, or `*` for any value.
    pub(crate) operator: String,
    pub(crate) value: String,
    pub(crate) unit: String,
    pub(crate) problem: String,
    /// The units of the key.
    pub(crate) units: Vec<String>,
}

/// Returns the rows that are not empty.
pub(crate) fn read(pairs: &Pairs) -> Vec<MetadataRow> {
    let rows = (1..=ROWS_MAX).map(|number| {
        let [key, operator, value, unit] =
            ["key", "is", "value", "unit"].map(|name| pairs.value(&format!("{PREFIX}{name}{number}")).to_owned());
        // Without a value, the key must be present.
        let operator = if value.is_empty() { PRESENT.to_owned() } else { operator };
        MetadataRow { key, operator, value, unit, ..MetadataRow::default() }
    });
    rows.filter(|row| !row.key.is_empty() || !row.value.is_empty()).collect()
}

/// Returns the number of the row of a parameter.
pub(crate) fn number(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX).map(|name| name.trim_start_matches(char::is_alphabetic))
}

/// Returns the parameters for the API, where each row is a condition.
pub(crate) fn for_api(pairs: &Pairs) -> Pairs {
    let others = pairs.filtered(|name| number(name).is_none());
    read(pairs).iter().fold(others, |pairs, row| pairs.and(WHERE, &row.condition()))
}

/// Returns the rows of a form and an empty one. If the API rejected the list at this path, each row
/// is checked alone, since the API does not say which one it rejects.
pub(crate) fn of_form(
    context: &PageContext,
    path: &str,
    pairs: &Pairs,
    is_refused: bool,
) -> Result<Vec<MetadataRow>, PortalProblem> {
    let mut rows = read(pairs);
    for row in &mut rows {
        let units = context.catalogue()?.units(SAMPLES, &row.key)?.into_iter();
        row.units = units.map(|unit| if unit.is_empty() { NO_UNIT.to_owned() } else { unit }).collect();
        let condition = row.condition();
        let alone = Pairs::default().with(WHERE, &condition);
        if is_refused && let Err(PortalProblem::Parameters(_, problems)) = context.document(path, &alone.to_query()) {
            row.problem = problems.iter().map(|(_, problem)| fault_words::describe(problem, &condition)).collect();
        }
    }
    if rows.len() < ROWS_MAX {
        rows.push(MetadataRow::default());
    }
    Ok(rows)
}

impl MetadataRow {
    /// Returns the condition in the query language.
    pub(crate) fn condition(&self) -> String {
        let unit = match &*self.unit {
            "" => String::new(),
            NO_UNIT => "[]".to_owned(),
            unit => format!("[{unit}]"),
        };
        let value = match &*self.operator {
            PRESENT => PRESENT.to_owned(),
            "" if self.value.parse::<f64>().is_err() => quoted(&self.value),
            operator => format!("{operator}{}", self.value),
        };
        format!("{}:{value}{unit}", quoted_name(&self.key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_conditions_of_the_api() {
        for (given, expected) in [
            ("m_key1=temperature&m_is1=>%3D&m_value1=30&m_unit1=°C", "temperature:>=30[°C]"),
            (
                "m_key1=geographic location (depth)&m_is1=<%3D&m_value1=5&m_unit1=no unit",
                "\"geographic location (depth)\":<=5[]",
            ),
            ("m_key1=sex&m_value1=ma\"le", "sex:\"ma\\\"le\""),
            ("m_key10=pH", "pH:*"),
            ("m_key3=pH&m_is3=*&m_value3=7", "pH:*"),
        ] {
            let pairs = Pairs::parse(given);
            assert_eq!(for_api(&pairs), Pairs::default().with(WHERE, expected), "{given}");
        }
        assert!(read(&Pairs::parse("m_key0=a&m_key11=a&m_is1=*&m_unit1=m")).is_empty());
        assert_eq!(["m_key1", "m_unit10", "search1"].map(number), [Some("1"), Some("10"), None]);
    }
}
