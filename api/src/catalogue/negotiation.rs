//! In which format an answer is given.

use axum::http::{HeaderMap, header};

use super::problem::CatalogueProblem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    JsonApi,
    Csv,
    /// One resource object a line.
    Ndjson,
}

/// The formats by what clients call them, by falling preference of the server. A browser gets JSON.
const OFFERS: [(&str, &str, Format); 5] = [
    ("application", "json", Format::Json),
    ("text", "html", Format::Json),
    ("application", "vnd.api+json", Format::JsonApi),
    ("text", "csv", Format::Csv),
    ("application", "x-ndjson", Format::Ndjson),
];

impl Format {
    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::JsonApi => "application/vnd.api+json",
            Self::Csv => "text/csv",
            Self::Ndjson => "application/x-ndjson",
        }
    }

    /// Tells whether an answer in this format is the whole result and not one page of it.
    pub(super) const fn is_stream(self) -> bool {
        matches!(self, Self::Csv | Self::Ndjson)
    }
}

/// How much a client wants something: the weight in thousandths, then how exactly it is named.
type Preference = (u16, u8);

/// Chooses the format: by the name that the path ends with, else the one that the query has, else by what the client accepts.
pub(super) fn negotiate(
    suffix: Option<&str>,
    parameter: Option<&str>,
    headers: &HeaderMap,
) -> Result<Format, CatalogueProblem> {
    match (suffix.map(named).transpose()?, parameter.map(named).transpose()?) {
        (Some(format), _) | (None, Some(format)) => Ok(format),
        (None, None) => accepted(headers).ok_or(CatalogueProblem::NotAcceptable),
    }
}

fn named(name: &str) -> Result<Format, CatalogueProblem> {
    match name {
        "api" | "json" | "" => Ok(Format::Json),
        "csv" => Ok(Format::Csv),
        "ndjson" => Ok(Format::Ndjson),
        _ => Err(CatalogueProblem::NotFound),
    }
}

fn accepted(headers: &HeaderMap) -> Option<Format> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<Range<'_>> = values.flat_map(|value| value.split(',')).filter_map(Range::parse).collect();
    if ranges.is_empty() && !headers.get_all(header::ACCEPT).iter().any(|value| !value.is_empty()) {
        return Some(Format::Json);
    }
    let mut best: Option<(Preference, Format)> = None;
    for (kind, name, format) in OFFERS {
        // The most exact range decides, also where it refuses.
        let matching = ranges.iter().filter_map(|range| range.matches(kind, name).map(|exact| (exact, range.weight)));
        let Some((exact, weight)) = matching.max() else { continue };
        if weight > 0 && best.is_none_or(|(preference, _)| (weight, exact) > preference) {
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
        let mut parts = text.split(';').map(str::trim);
        let (kind, name) = parts.next()?.split_once('/')?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        Some(Self { kind, name, weight: weight.map_or(Some(1000), thousandths)? })
    }

    /// Tells how exactly the range names a media type, or returns `None` where it does not.
    fn matches(&self, kind: &str, name: &str) -> Option<u8> {
        let is_kind = self.kind.eq_ignore_ascii_case(kind);
        if is_kind && self.name.eq_ignore_ascii_case(name) {
            return Some(2);
        }
        // A page for browsers is what nobody means who does not name it.
        match (self.kind, self.name) {
            _ if name == "html" => None,
            ("*", "*") => Some(0),
            (_, "*") if is_kind => Some(1),
            _ => None,
        }
    }
}

fn thousandths(text: &str) -> Option<u16> {
    let weight: f32 = text.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 1000")]
    (0.0..=1.0).contains(&weight).then_some((weight * 1000.0).round() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_accept(value: &str) -> Option<Format> {
        accepted(&HeaderMap::from_iter([(header::ACCEPT, value.parse().expect("printable"))]))
    }

    #[test]
    fn the_accepted_format_is_chosen() {
        use Format::{Csv, Json, JsonApi, Ndjson};
        for (value, expected) in [
            ("", Some(Json)),
            ("*/*", Some(Json)),
            ("application/json", Some(Json)),
            ("Application/JSON", Some(Json)),
            ("application/*", Some(Json)),
            ("application/json; indent=4", Some(Json)),
            ("text/html", Some(Json)),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Some(Json)),
            ("image/png, */*;q=0.1", Some(Json)),
            ("application/vnd.api+json", Some(JsonApi)),
            ("application/vnd.api+json, application/json", Some(Json)),
            ("application/vnd.api+json, application/json;q=0.9", Some(JsonApi)),
            ("application/vnd.api+json, */*", Some(JsonApi)),
            ("text/csv", Some(Csv)),
            ("text/*", Some(Csv)),
            ("text/csv, */*;q=0.5", Some(Csv)),
            ("application/x-ndjson", Some(Ndjson)),
            ("application/json;q=0, */*", Some(JsonApi)),
            ("application/xml", None),
            ("text/html;q=0", None),
            ("nonsense", None),
            ("application/json;q=2", None),
        ] {
            assert_eq!(of_accept(value), expected, "{value:?}");
        }
    }

    #[test]
    fn a_named_format_wins() {
        let headers = HeaderMap::from_iter([(header::ACCEPT, "text/csv".parse().expect("printable"))]);
        for (suffix, parameter, expected) in [
            (None, None, Some(Format::Csv)),
            (None, Some(""), Some(Format::Json)),
            (None, Some("api"), Some(Format::Json)),
            (None, Some("json"), Some(Format::Json)),
            (None, Some("csv"), Some(Format::Csv)),
            (None, Some("ndjson"), Some(Format::Ndjson)),
            (None, Some("xml"), None),
            (None, Some("JSON"), None),
            (Some("json"), None, Some(Format::Json)),
            (Some("ndjson"), Some("json"), Some(Format::Ndjson)),
            (Some("json"), Some("\""), None),
        ] {
            assert_eq!(negotiate(suffix, parameter, &headers).ok(), expected, "{suffix:?} {parameter:?}");
        }
    }
}
