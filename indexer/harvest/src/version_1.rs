//! The walk through version 1: its lists show all that is loaded, but for a few relations that are lists of their own.

use indexer::{Error, Result};
use serde_json::{Map, Value, json};

use super::Analyses;
use super::client::Said;
use super::objects::{hash, member};
use super::pages::{List, Row, count};
use super::report::LINKS;
use super::walk::{Walk, segment};
use super::writer::Kind;

const STUDIES: &str = "studies";
const TOOLS: &str = "pipeline-tools";

/// The files of a harvest, which are the collections that are asked for, in the order of their stages, and one of partial resources.
pub(super) const KINDS: &[Kind] = &[
    kind("biomes"),
    kind("pipelines"),
    kind(TOOLS),
    kind("experiment-types"),
    kind("cogs"),
    kind("kegg-modules"),
    kind("publications"),
    kind(STUDIES),
    kind("super-studies"),
    kind("samples"),
    kind("runs"),
    kind("assemblies"),
    kind("analyses"),
    kind("genome-catalogues"),
    kind("genomes"),
    kind(LINKS),
];

/// Relations that the lists of resources do not tell, by collection.
const RELATIONS: [(&str, &[&str]); 2] = [
    (STUDIES, &["publications"]),
    ("super-studies", &["flagship-studies", "related-studies", "related-genome-catalogues"]),
];

const fn kind(name: &'static str) -> Kind {
    Kind { name, id: "id", adds_up: false }
}

fn list(path: &str) -> List<'_> {
    // Tools come in several versions of one name.
    let id: fn(&str) -> Option<String> = |text| member(text, "id");
    List { path, query: "", id: (path != TOOLS).then_some(id) }
}

/// Harvests a server.
pub(super) fn harvest(walk: &mut Walk) -> Result<()> {
    let root = match walk.object("", None)? {
        Said::Json(text) => serde_json::from_str(&text).unwrap_or(Value::Null),
        _ => Value::Null,
    };
    let has_collection = |name: &str| root.get("data").is_some_and(|collections| collections.get(name).is_some());
    let is_asked = |name: &str| walk.analyses > Analyses::None || name != "analyses";
    let names = KINDS.iter().map(|kind| kind.name);
    let asked: Vec<_> = names.filter(|name| has_collection(name) && is_asked(name)).collect();
    if asked.is_empty() {
        let problem =
            format!("{} lists no collections: is it the base of version 1, or broken?", walk.report.request.from);
        return Err(Error::Refused { problem });
    }
    let mut num_left = 0;
    for name in &asked {
        if let Said::Json(text) = walk.answers.ask(&format!("{name}?page=1&page_size=1"))? {
            let count = count(&text).unwrap_or_default();
            walk.report.listed.insert((*name).to_owned(), count);
            num_left += count / 100 + 1 + if *name == STUDIES { count } else { 0 };
        }
    }
    walk.expect(num_left);
    for (stage, name) in (0..).zip(KINDS.iter().map(|kind| kind.name)).filter(|(_, name)| asked.contains(name)) {
        let relations = RELATIONS.iter().find(|(collection, _)| *collection == name);
        if let Some((_, relations)) = relations {
            let listed = walk.listed(stage, list(name), |text| format!("{:016x}", hash(text)))?;
            walk.stage(stage, listed, |walk, id, row| related(walk, name, id, row, relations))?;
        } else {
            walk.whole_stage(stage, |walk| {
                let id = |text: &str| member(text, "id").unwrap_or_default();
                walk.list(list(name), |writer, row| writer.line(name, &id(row.text), row.text)).map(drop)
            })?;
        }
    }
    Ok(())
}

/// Writes a resource, and what its row does not tell of it as a partial resource.
fn related(walk: &mut Walk, name: &'static str, id: &str, row: &str, relations: &[&str]) -> Result<()> {
    walk.writer.line(name, id, row)?;
    let resource = serde_json::from_str(row).unwrap_or(Value::Null);
    let mut relationships = Map::new();
    for relation in relations {
        let Some(relationship) = resource.pointer(&format!("/relationships/{relation}")) else { continue };
        let mut named = Vec::new();
        walk.list(list(&format!("{name}/{}/{relation}", segment(id))), |_, Row { text, .. }| {
            named.push(json!({"type": member(text, "type"), "id": member(text, "id")}));
            Ok(())
        })?;
        if !named.is_empty() {
            let relationship = json!({"links": relationship.get("links"), "data": named});
            relationships.insert((*relation).to_owned(), relationship);
        }
    }
    if relationships.is_empty() {
        return Ok(());
    }
    let partial = json!({"type": resource.get("type"), "id": id, "relationships": relationships});
    walk.writer.line(LINKS, id, &partial.to_string())
}
