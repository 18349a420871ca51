//! Links to this service, wherever they were harvested, and their targets.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use store_catalogue::model::{FORMAT_SUFFIXES, PIPELINE_TOOLS, ResourceType};

use crate::read::Relation;

/// The placeholder for scheme, host and port in resources that were published without them.
const BASE_URL: &str = "{base_url}";

/// The prefixes of the paths of the service; a proxy may put more in front.
const PREFIXES: [&str; 2] = ["/metagenomics/api/v1", "/metagenomics/api/latest"];

/// A part of the paths of files to download. Links to these still point to the harvested server.
const FILE: &str = "/file/";

/// The prefix of the paths of tools. They have no files: `file` is the name of a tool there.
const TOOLS: &str = "/pipeline-tools/";

/// A part of the paths of the downloads of a resource, which may be files.
const DOWNLOADS: &str = "/downloads/";

/// The format of exports, which are loaded again.
const EXPORT: &str = "ndjson";

/// The parameter that links in an answer copy from the request.
const FORMAT: &str = "format";

const ESCAPES: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'\\').add(b'<').add(b'>');

/// Returns the path and query of a link to this service below its prefix, or `None` for any other
/// link. `format` and the fragment are left out, since a `format` may be appended.
pub(crate) fn own_path(url: &str) -> Option<String> {
    let (rest, is_absolute) = match url.strip_prefix(BASE_URL) {
        Some(rest) => (rest, false),
        None => (after_host(url)?, true),
    };
    let link = rest.split('#').next()?;
    let (path, query) = link.split_once('?').unwrap_or((link, ""));
    let below = PREFIXES.iter().find_map(|prefix| below(path, prefix))?;
    if is_absolute && below.contains(FILE) && !below.starts_with(TOOLS) {
        return None;
    }
    let below = without_format(below);
    let mut own = utf8_percent_encode(below, ESCAPES).to_string();
    let kept: Vec<&str> = query.split('&').filter(|part| is_kept(part)).collect();
    if !kept.is_empty() {
        own.push('?');
        own.extend(utf8_percent_encode(&kept.join("&"), ESCAPES));
    }
    Some(own)
}

/// Returns a path without the suffix that selects a format. File names keep their suffixes, but
/// none ends with that of exports.
fn without_format(path: &str) -> &str {
    let is_file = [FILE, DOWNLOADS].iter().any(|part| path.contains(part)) && !path.starts_with(TOOLS);
    let stem = |suffix: &&str| path.strip_suffix(suffix)?.strip_suffix('.').filter(|stem| !stem.ends_with('/'));
    FORMAT_SUFFIXES.iter().filter(|suffix| !is_file || **suffix == EXPORT).find_map(stem).unwrap_or(path)
}

/// Returns the part of a path below a prefix, with its leading slash. The prefix alone is the root.
fn below<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = path.match_indices(prefix).map(|(start, prefix)| &path[start + prefix.len()..]);
    rest.map(|rest| if rest.is_empty() { "/" } else { rest }).find(|rest| rest.starts_with('/'))
}

/// Returns the related collection of a link, `/{collection}/{id}/{relation}`. The relation may have
/// two segments if the model has a type with such a relation, such as `taxonomy/ssu`.
pub(crate) fn related(url: &str) -> Option<Relation> {
    let own = own_path(url)?;
    let path = own.split('?').next()?.strip_prefix('/')?;
    let mut segments = path.trim_end_matches('/').splitn(3, '/');
    let (collection, id, relation) = (segments.next()?, segments.next()?, segments.next()?);
    // The path of a tool has two segments after its collection, so this would be the tool itself.
    if collection == PIPELINE_TOOLS || [collection, id, relation].contains(&"") {
        return None;
    }
    let known = ResourceType::at_path(collection);
    let resource_type = known.map_or(collection, |known| known.name);
    let is_known = || known.is_some_and(|known| known.relations.iter().any(|known| known.name == relation));
    if relation.contains('/') && !is_known() {
        return None;
    }
    let [resource_type, id, relation] = [resource_type, id, relation].map(decoded);
    Some((resource_type, id, relation))
}

fn is_kept(parameter: &str) -> bool {
    !parameter.is_empty() && parameter.split('=').next() != Some(FORMAT)
}

/// Returns the part of a URL after scheme and host.
fn after_host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return None;
    }
    rest.find(['/', '?', '#']).map(|start| &rest[start..])
}

fn decoded(segment: &str) -> String {
    percent_decode_str(segment).decode_utf8().unwrap_or(Cow::Borrowed(segment)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_links_may_have_any_host() {
        for (url, path) in [
            ("{base_url}/metagenomics/api/v1/samples/ERS1", "/samples/ERS1"),
            ("{base_url}/metagenomics/api/v1/samples/ERS1?format=json", "/samples/ERS1"),
            ("https://www.ebi.ac.uk/metagenomics/api/latest/cogs", "/cogs"),
            ("http://localhost:8000/some/proxy/metagenomics/api/v1/cogs?page=2&format=api", "/cogs?page=2"),
            ("https://a/metagenomics/api/v1/x?format=json&a=b+c&formats=1&format=", "/x?a=b+c&formats=1"),
            ("https://a/metagenomics/api/v1/biomes/root:A%20b%20(%3E90C)", "/biomes/root:A%20b%20(%3E90C)"),
            ("https://a/metagenomics/api/v1/biomes/root:A b\"\\\u{e9}", "/biomes/root:A%20b%22%5C%C3%A9"),
            (
                "{base_url}/metagenomics/api/v1/studies/M/pipelines/1.0/file/a.tsv",
                "/studies/M/pipelines/1.0/file/a.tsv",
            ),
            ("https://a/metagenomics/api/v1/x#top?format=json", "/x"),
            ("https://a/metagenomics/api/v1/x?page=2&format=json#top", "/x?page=2"),
            ("HTTPS://a/metagenomics/api/v1/x", "/x"),
            ("https://a/metagenomics/api/v1/", "/"),
            ("https://a/metagenomics/api/v1", "/"),
            ("https://a/metagenomics/api/latest?format=json", "/"),
            ("https://a/metagenomics/api/v1/pipeline-tools/file/1.0", "/pipeline-tools/file/1.0"),
            ("https://a/metagenomics/api/v1/studies/MGYS1.ndjson", "/studies/MGYS1"),
            ("https://a/metagenomics/api/v1/studies/MGYS1/samples.json?page=2", "/studies/MGYS1/samples?page=2"),
            ("https://a/metagenomics/api/v1/pipelines/4.1.ndjson", "/pipelines/4.1"),
            ("https://a/metagenomics/api/v1/genomes/G/downloads/tree.json", "/genomes/G/downloads/tree.json"),
            ("https://a/metagenomics/api/v1/genomes/G/downloads/tree.json.ndjson", "/genomes/G/downloads/tree.json"),
            ("https://a/file/metagenomics/api/v1/samples", "/samples"),
        ] {
            assert_eq!(own_path(url).as_deref(), Some(path), "{url}");
        }
    }

    #[test]
    fn other_links_are_unchanged() {
        for url in [
            "",
            "/metagenomics/api/v1/samples/ERS1",
            "https://www.ebi.ac.uk/ena/data/view/ERS1",
            "https://www.ebi.ac.uk/metagenomics/api/v2/samples/ERS1",
            "https://www.ebi.ac.uk/metagenomics/api/v10/samples",
            "https://www.ebi.ac.uk?next=/metagenomics/api/v1/samples",
            "https://www.ebi.ac.uk/x?next=/metagenomics/api/v1/samples",
            "https://www.ebi.ac.uk/metagenomics/api/v1/studies/M/pipelines/1.0/file/a.tsv?format=json",
            "ftp://a/metagenomics/api/v1/samples",
            "{base_url}",
        ] {
            assert_eq!(own_path(url), None, "{url}");
        }
    }

    #[test]
    fn related_collections_name_their_parent() {
        let found = |url: &str| related(&format!("https://a/metagenomics/api/v1{url}"));
        let place = |parts: [&str; 3]| Some((parts[0].to_owned(), parts[1].to_owned(), parts[2].to_owned()));
        assert_eq!(found("/studies/MGYS1/samples?page=1"), place(["studies", "MGYS1", "samples"]));
        assert_eq!(found("/cogs/7/things.json"), place(["cog-cats", "7", "things"]));
        assert_eq!(found("/biomes/root:A%20b%2F/children/"), place(["biomes", "root:A b/", "children"]));
        assert_eq!(
            found("/analyses/MGYA1/taxonomy/ssu.json?page=1"),
            place(["analysis-jobs", "MGYA1", "taxonomy/ssu"])
        );
        for url in ["/samples", "/samples/ERS1", "/pipeline-tools/x/1.0", "/studies//samples", "/a/b/c/d", "/"] {
            assert_eq!(found(url), None, "{url}");
        }
    }
}
