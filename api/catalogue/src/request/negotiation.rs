//! The format of an answer.

use api_http::accept::{self, Offer};
use api_http::compression::PARQUET;
use axum::http::HeaderMap;
use store_catalogue::model::{Relation, SAMPLES};

use crate::problem::CatalogueProblem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    JsonApi,
    Csv,
    /// One resource object per line.
    Ndjson,
    /// Cells separated by tabs.
    Tsv,
    Parquet,
    /// A stream of Arrow record batches.
    Arrow,
    /// A collection of points, as `GeoJSON`.
    GeoJson,
}

/// The formats by the media types that clients use, in descending order of preference. Browsers get
/// JSON.
const OFFERS: [Offer<Format>; 9] = [
    ("application", "json", Format::Json),
    ("text", "html", Format::Json),
    ("application", "vnd.api+json", Format::JsonApi),
    ("text", "csv", Format::Csv),
    ("application", "x-ndjson", Format::Ndjson),
    ("application", "geo+json", Format::GeoJson),
    ("text", "tab-separated-values", Format::Tsv),
    ("application", "vnd.apache.parquet", Format::Parquet),
    ("application", "vnd.apache.arrow.stream", Format::Arrow),
];

impl Format {
    /// The formats for streams of resources that are made from other resources.
    pub(crate) const STREAMS_OF_DERIVED: &[Self] = &[Self::Csv];

    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::JsonApi => "application/vnd.api+json",
            Self::Csv => "text/csv",
            Self::Ndjson => "application/x-ndjson",
            Self::Tsv => "text/tab-separated-values",
            Self::Parquet => PARQUET,
            Self::Arrow => "application/vnd.apache.arrow.stream",
            Self::GeoJson => "application/geo+json",
        }
    }

    /// Returns the value of `format`, which is also the extension of files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::JsonApi => "api",
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Tsv => "tsv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::GeoJson => "geojson",
        }
    }

    /// Returns the formats in which all resources of a type can be streamed.
    pub(crate) fn streams_of(resource_type: &str) -> &'static [Self] {
        const STREAMS: [Format; 6] =
            [Format::Csv, Format::Ndjson, Format::GeoJson, Format::Tsv, Format::Parquet, Format::Arrow];
        if resource_type == SAMPLES { &STREAMS } else { &STREAMS[..2] }
    }

    /// Returns the formats in which all members of a relation can be streamed.
    pub(crate) fn streams_of_relation(relation: &Relation) -> &'static [Self] {
        if !relation.members.are_resources() {
            return Self::STREAMS_OF_DERIVED;
        }
        Self::streams_of(relation.member_types[0])
    }

    /// Returns whether an answer in this format has the whole result, not one page of it.
    pub(crate) const fn is_stream(self) -> bool {
        !matches!(self, Self::Json | Self::JsonApi)
    }
}

/// Chooses the format: from the end of the path, otherwise from the query, otherwise from the types
/// that the client accepts.
pub(crate) fn negotiate(
    suffix: Option<&str>,
    parameter: Option<&str>,
    headers: &HeaderMap,
) -> Result<Format, CatalogueProblem> {
    match (suffix.map(named).transpose()?, parameter.map(named).transpose()?) {
        (Some(format), _) | (None, Some(format)) => Ok(format),
        (None, None) => accept::preferred(headers, &OFFERS).ok_or(CatalogueProblem::NotAcceptable),
    }
}

fn named(name: &str) -> Result<Format, CatalogueProblem> {
    if ["api", ""].contains(&name) {
        return Ok(Format::Json);
    }
    let mut formats = OFFERS.iter().map(|(.., format)| *format);
    formats.find(|format| format.name() == name).ok_or(CatalogueProblem::NotFound)
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    fn of_accept(value: &str) -> Option<Format> {
        accept::preferred(&HeaderMap::from_iter([(header::ACCEPT, value.parse().expect("printable"))]), &OFFERS)
    }

    #[test]
    fn the_accepted_format_is_chosen() {
        use Format::{Csv, GeoJson, Json, JsonApi, Ndjson, Parquet};
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
            ("application/geo+json", Some(GeoJson)),
            ("application/vnd.apache.parquet", Some(Parquet)),
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
            (None, Some("geojson"), Some(Format::GeoJson)),
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
