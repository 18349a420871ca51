//! The format that a client prefers (RFC 9110, section 12.5.1).

use axum::http::{HeaderMap, HeaderValue, header};

/// A format with its media type: kind, name.
pub type Offer<T> = (&'static str, &'static str, T);

/// A longer `Accept` or `Accept-Encoding` counts as missing: no client needs one.
pub(crate) const PREFERENCES_BYTES_MAX: usize = 1 << 10;

/// The preference of a client: the weight in thousandths, then the exactness of the range.
type Preference = (u16, u8);

/// Returns the offer that the client prefers, the first of equal ones, or `None` if it accepts
/// none.
pub fn preferred<T: Copy>(headers: &HeaderMap, offers: &[Offer<T>]) -> Option<T> {
    let values = headers.get_all(header::ACCEPT);
    if values.iter().map(HeaderValue::len).sum::<usize>() > PREFERENCES_BYTES_MAX {
        return offers.first().map(|(.., format)| *format);
    }
    let values = values.iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<Range<'_>> = values.flat_map(|value| value.split(',')).filter_map(Range::parse).collect();
    if ranges.is_empty() && !headers.get_all(header::ACCEPT).iter().any(|value| !value.is_empty()) {
        return offers.first().map(|(.., format)| *format);
    }
    let mut best: Option<(Preference, T)> = None;
    for &(kind, name, format) in offers {
        // The most exact range decides, even if it rejects the format.
        let matching = ranges.iter().filter_map(|range| range.matches(kind, name).map(|exact| (exact, range.weight)));
        let Some((exact, weight)) = matching.max() else { continue };
        if weight > 0 && best.as_ref().is_none_or(|(preference, _)| (weight, exact) > *preference) {
            best = Some(((weight, exact), format));
        }
    }
    best.map(|(_, format)| format)
}

struct Range<'a> {
    /// The part before the slash.
    kind: &'a str,
    name: &'a str,
    /// The weight, in thousandths.
    weight: u16,
}

impl<'a> Range<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (media_type, weight) = weighted(text)?;
        let (kind, name) = media_type.split_once('/')?;
        Some(Self { kind, name, weight })
    }

    /// Returns how exactly the range names a media type, or `None` if it does not match.
    fn matches(&self, kind: &str, name: &str) -> Option<u8> {
        let is_kind = self.kind.eq_ignore_ascii_case(kind);
        if is_kind && self.name.eq_ignore_ascii_case(name) {
            return Some(2);
        }
        // HTML is chosen only if it is named: clients that send `*/*` or `text/*` are programs.
        match (self.kind, self.name) {
            _ if name == "html" => None,
            ("*", "*") => Some(0),
            (_, "*") if is_kind => Some(1),
            _ => None,
        }
    }
}

/// Reads an element of a list of preferences: its value, and its weight in thousandths. Returns
/// `None` if the weight is invalid.
pub(crate) fn weighted(element: &str) -> Option<(&str, u16)> {
    let mut parts = element.split(';').map(str::trim);
    let value = parts.next()?;
    let Some(weight) = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q="))) else {
        return Some((value, 1000));
    };
    let weight: f32 = weight.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 1000")]
    (0.0..=1.0).contains(&weight).then_some((value, (weight * 1000.0).round() as u16))
}
