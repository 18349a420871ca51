//! Paths of requests.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use store_catalogue::model::FORMAT_SUFFIXES;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The decoded segments: collection, resource, related collection. The root has none.
    pub(crate) segments: Vec<String>,
    /// The format at the end of the path, such as `csv`.
    pub(crate) suffix: Option<&'static str>,
    /// The requested path, without a slash at its end.
    pub(crate) path: String,
}

impl Target {
    /// Reads a path below the prefix. Returns `None` if a segment is empty or is not UTF-8.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let (mut segments, mut suffix): (Vec<String>, _) = (Vec::new(), None);
        if !path.is_empty() {
            let decode = |segment| percent_decode_str(segment).decode_utf8().ok().map(Cow::into_owned);
            segments = path.strip_prefix('/')?.split('/').map(decode).collect::<Option<_>>()?;
            suffix = take_suffix(segments.last_mut()?);
        }
        let is_whole = segments.iter().all(|segment| !segment.is_empty());
        is_whole.then(|| Self { segments, suffix, path: path.to_owned() })
    }
}

fn take_suffix(segment: &mut String) -> Option<&'static str> {
    let (stem, ending) = segment.rsplit_once('.')?;
    let suffix = FORMAT_SUFFIXES.into_iter().find(|suffix| *suffix == ending)?;
    segment.truncate(stem.len());
    Some(suffix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read() {
        for (path, segments, suffix, without_slash) in [
            ("", &[][..], None, ""),
            ("/", &[], None, ""),
            ("/cogs", &["cogs"], None, "/cogs"),
            ("/cogs/", &["cogs"], None, "/cogs"),
            ("/cogs.json", &["cogs"], Some("json"), "/cogs.json"),
            ("/cogs.ndjson/", &["cogs"], Some("ndjson"), "/cogs.ndjson"),
            ("/cogs.xml", &["cogs.xml"], None, "/cogs.xml"),
            ("/cogs/1.api", &["cogs", "1"], Some("api"), "/cogs/1.api"),
            ("/pipelines/4.1", &["pipelines", "4.1"], None, "/pipelines/4.1"),
            ("/biomes/root:A%20(%3E9)", &["biomes", "root:A (>9)"], None, "/biomes/root:A%20(%3E9)"),
            ("/biomes/a%2Fb", &["biomes", "a/b"], None, "/biomes/a%2Fb"),
            ("/studies/1/samples.csv", &["studies", "1", "samples"], Some("csv"), "/studies/1/samples.csv"),
        ] {
            let segments = segments.iter().map(|segment| (*segment).to_owned()).collect();
            let expected = Target { segments, suffix, path: without_slash.into() };
            assert_eq!(Target::parse(path), Some(expected), "{path}");
        }
    }

    #[test]
    fn malformed_paths_are_refused() {
        for path in ["//", "/cogs//", "//cogs", "/cogs//1", "/cogs/%FF", "/.json", "/cogs/.csv"] {
            assert_eq!(Target::parse(path), None, "{path}");
        }
    }
}
