//! What a path asks for.

use percent_encoding::percent_decode_str;
use store::model::FORMAT_SUFFIXES;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) subject: Subject,
    /// The format that the path ends with, such as `csv`.
    pub(super) suffix: Option<&'static str>,
    /// The path as requested, without a slash at its end.
    pub(super) path: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Root,
    List {
        collection: String,
    },
    /// What hangs on a collection: a resource, or a choice of them.
    Single {
        collection: String,
        id: String,
    },
    Related {
        collection: String,
        id: String,
        relation: String,
    },
}

impl Target {
    /// Reads a path below the prefix, or returns `None` where it can be that of nothing.
    pub(super) fn parse(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let Some(below) = path.strip_prefix('/') else {
            return path.is_empty().then(|| Self { subject: Subject::Root, suffix: None, path: String::new() });
        };
        let decode = |segment| percent_decode_str(segment).decode_utf8().ok().map(std::borrow::Cow::into_owned);
        let mut segments: Vec<String> = below.split('/').map(decode).collect::<Option<_>>()?;
        let suffix = take_suffix(segments.last_mut()?);
        if segments.iter().any(String::is_empty) {
            return None;
        }
        let mut segments = segments.into_iter();
        let subject = match (segments.next(), segments.next(), segments.next(), segments.next()) {
            (Some(collection), None, ..) => Subject::List { collection },
            (Some(collection), Some(id), None, _) => Subject::Single { collection, id },
            (Some(collection), Some(id), Some(relation), None) => Subject::Related { collection, id, relation },
            _ => return None,
        };
        Some(Self { subject, suffix, path: path.to_owned() })
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

    fn list(collection: &str) -> Subject {
        Subject::List { collection: collection.into() }
    }

    fn single(collection: &str, id: &str) -> Subject {
        Subject::Single { collection: collection.into(), id: id.into() }
    }

    fn related(collection: &str, id: &str, relation: &str) -> Subject {
        Subject::Related { collection: collection.into(), id: id.into(), relation: relation.into() }
    }

    #[test]
    fn paths_are_read() {
        for (path, subject, suffix, without_slash) in [
            ("", Subject::Root, None, ""),
            ("/", Subject::Root, None, ""),
            ("/cogs", list("cogs"), None, "/cogs"),
            ("/cogs/", list("cogs"), None, "/cogs"),
            ("/cogs.json", list("cogs"), Some("json"), "/cogs.json"),
            ("/cogs.ndjson/", list("cogs"), Some("ndjson"), "/cogs.ndjson"),
            ("/cogs.xml", list("cogs.xml"), None, "/cogs.xml"),
            ("/cogs/1.api", single("cogs", "1"), Some("api"), "/cogs/1.api"),
            ("/pipelines/4.1", single("pipelines", "4.1"), None, "/pipelines/4.1"),
            ("/biomes/root:A%20(%3E9)", single("biomes", "root:A (>9)"), None, "/biomes/root:A%20(%3E9)"),
            ("/biomes/a%2Fb", single("biomes", "a/b"), None, "/biomes/a%2Fb"),
            ("/studies/1/samples.csv", related("studies", "1", "samples"), Some("csv"), "/studies/1/samples.csv"),
        ] {
            let expected = Target { subject, suffix, path: without_slash.into() };
            assert_eq!(Target::parse(path), Some(expected), "{path}");
        }
    }

    #[test]
    fn other_paths_are_those_of_nothing() {
        for path in ["//", "/cogs//", "//cogs", "/cogs//1", "/a/b/c/d", "/cogs/%FF", "/.json", "/cogs/.csv"] {
            assert_eq!(Target::parse(path), None, "{path}");
        }
    }
}
