//! Pages of biomes: their tree, and one of them.

use askama::Template;
use axum::response::Response;
use store::model::{SAMPLES, STUDIES};
use store::{PAGE_BUDGET, ProteinQuery};

use super::address::encoded;
use super::biome_tree::{self, BiomeRow};
use super::document::Resource;
use super::family_shares::{self, FamilyShare};
use super::layout::Layout;
use super::number::Number;
use super::problem::PortalProblem;
use super::visit::{Visit, page};
use crate::http::error::shown;
use crate::paths;

/// More levels than any lineage has.
const WHOLE_TREE: usize = 20;

const SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "biomes.html")]
struct BiomesPage {
    layout: Layout,
    biomes: Vec<BiomeRow>,
}

#[derive(Template)]
#[template(path = "biome.html")]
struct BiomePage {
    layout: Layout,
    lineage: String,
    name: String,
    /// The biomes above it, from the top: lineages and names.
    ancestors: Vec<(String, String)>,
    id: String,
    /// The proteins found in it or below it, and in it alone.
    counts: Option<(Number, Number)>,
    below: Vec<BiomeRow>,
    /// The most common families of the release, those with the most proteins of the biome first.
    families: Vec<FamilyShare>,
    collections: Vec<Members>,
}

/// The first resources of a collection that are of the biome.
struct Members {
    path: &'static str,
    count: Number,
    rows: Vec<MemberRow>,
}

struct MemberRow {
    id: String,
    name: String,
}

pub(super) fn tree(visit: &Visit) -> Result<Response, PortalProblem> {
    let biomes = biome_tree::count(visit.proteins()?, &ProteinQuery::Everything, None, WHOLE_TREE)?;
    let layout = visit.layout("Biomes").section("biomes").scripts(&["icicle"]).call(
        "Biomes of the catalogue",
        visit.base(),
        &format!("{}/biomes", paths::CATALOGUE),
    );
    page(&BiomesPage { layout, biomes })
}

/// Answers with a biome, by its lineage or id.
pub(super) fn answer(visit: &Visit, asked: &str) -> Result<Response, PortalProblem> {
    let unknown = || PortalProblem::NotFound(format!("There is no biome “{}” in this release.", shown(asked)));
    let found = match visit.proteins.as_ref() {
        None => None,
        Some(data) => {
            let by_id = || asked.parse().ok().and_then(|id| data.biomes().find_id(id));
            data.biomes().find_lineage(asked).or_else(by_id)
        }
    };
    let (lineage, id) = match (found, visit.proteins.as_ref()) {
        (Some(biome), Some(data)) => {
            let found = data.biomes().get(biome).ok_or_else(unknown)?;
            (found.lineage.clone(), found.id.map(|id| id.to_string()).unwrap_or_default())
        }
        _ => (asked.to_owned(), String::new()),
    };
    let mut collections = Vec::new();
    let lineage_text = encoded(&lineage);
    if visit.catalogue.is_some() {
        for path in [STUDIES, SAMPLES] {
            let query = format!("lineage={lineage_text}&page_size={SHOWN}");
            // A lineage that the catalogue does not have is refused.
            let document = match visit.document(&format!("/{path}"), &query) {
                Ok(document) => document,
                Err(PortalProblem::Refused(..)) => continue,
                Err(problem) => return Err(problem),
            };
            let count = Number(document.pagination().count);
            collections.push(Members { path, count, rows: document.resources().into_iter().map(row).collect() });
        }
    }
    if found.is_none() && collections.is_empty() {
        return Err(unknown());
    }
    let (mut counts, mut below, mut families) = (None, Vec::new(), Vec::new());
    if let Some(biome) = found {
        let data = visit.proteins()?;
        let all = data.total(&ProteinQuery::Biome(biome), PAGE_BUDGET)?;
        let alone = data.total(&ProteinQuery::BiomeExact(biome), PAGE_BUDGET)?;
        counts = Some((Number(all.value), Number(alone.value)));
        below = biome_tree::count(data, &ProteinQuery::Everything, Some(biome), 2)?;
        families = family_shares::count(data, biome, all.value, &visit.family_counts()?)?;
    }
    let proteins = format!("{}/proteins?biome={lineage_text}", paths::PROTEINS_V2);
    let mut layout = visit.layout(&*lineage).section("biomes").scripts(&["icicle"]);
    if let Some((all, _)) = counts {
        layout = layout
            .call("Its proteins", visit.base(), &proteins)
            .protein_downloads(&proteins, &format!("{all} proteins"));
    }
    for Members { path, .. } in &collections {
        let what = format!("Its {path}");
        layout = layout.call(what, visit.base(), &format!("{}/{path}?lineage={lineage_text}", paths::CATALOGUE));
    }
    let ends = lineage.match_indices(':').map(|(end, _)| end);
    let ancestors = ends.map(|end| (lineage[..end].to_owned(), last_level(&lineage[..end]).to_owned())).collect();
    let name = last_level(&lineage).to_owned();
    page(&BiomePage { layout, lineage, name, ancestors, id, counts, below, families, collections })
}

fn last_level(lineage: &str) -> &str {
    lineage.rsplit(':').next().unwrap_or_default()
}

fn row(resource: Resource) -> MemberRow {
    let name = ["study-name", "sample-name"].into_iter().map(|attribute| resource.text(attribute));
    MemberRow { name: name.into_iter().find(|name| !name.is_empty()).unwrap_or_default(), id: resource.id }
}
