//! The pages of the biome tree and of single biomes.

use api_http::error::shown;
use api_http::paths;
use api_proteins::TOP_MAX;
use askama::Template;
use axum::response::Response;
use store::BiomeOrdinal;
use store_catalogue::model::{SAMPLES, STUDIES};
use store_proteins::{FacetKind, PAGE_BUDGET, ProteinQuery};

use crate::context::address::{Pairs, encoded, quoted, segment};
use crate::context::document::Resource;
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::biome_tree::{ALL_LEVELS, BiomeTree};
use crate::parts::differences::{Differences, Group};
use crate::parts::facets::Comparison;
use crate::parts::lineage::last_level;
use crate::parts::number::Number;
use crate::plots;

const SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "biomes.html")]
struct BiomesPage {
    layout: Layout,
    biomes: BiomeTree,
}

#[derive(Template)]
#[template(path = "biome.html")]
struct BiomePage {
    layout: Layout,
    lineage: String,
    /// The lineages of the ancestors, from the root.
    ancestors: Vec<String>,
    id: String,
    /// `true` if proteins are loaded, but none is from this biome.
    is_empty: bool,
    proteins: Option<BiomeProteins>,
    collections: Vec<Members>,
}

struct BiomeProteins {
    /// The number of proteins directly in the biome.
    num_alone: Number,
    /// The biome and those below it.
    biomes: BiomeTree,
    families: Differences,
}

/// The first resources of a collection from the biome.
struct Members {
    path: &'static str,
    count: Number,
    resources: Vec<Resource>,
    /// The attribute with their names.
    name: &'static str,
}

pub(crate) fn tree(context: &PageContext) -> Result<Response, PortalProblem> {
    let biomes = BiomeTree::new(context.proteins()?, &ProteinQuery::Everything, None, ALL_LEVELS)?;
    let biomes = biomes.drawn("Proteins by biome".to_owned(), context.root(), "");
    let layout = context
        .layout("Biomes")
        .section("biomes")
        .call("Proteins by biome", &format!("{}?by=biome&top=1000", paths::FACETS_ROUTE))
        .call("Biomes of the catalogue", &format!("{}/biomes", paths::CATALOGUE));
    let page = BiomesPage { layout, biomes };
    plots::answer(context, &page, &page.biomes.picture)
}

/// Answers with the page of a biome, by lineage or id.
pub(crate) fn answer(context: &PageContext, lineage_or_id: &str) -> Result<Response, PortalProblem> {
    let unknown = || PortalProblem::NotFound(format!("This release has no biome “{}”.", shown(lineage_or_id)));
    let biomes = context.proteins.as_ref().map(|data| data.biomes());
    let found = biomes.and_then(|biomes| {
        let by_id = || lineage_or_id.parse().ok().and_then(|id| biomes.find_id(id));
        biomes.find_lineage(lineage_or_id).or_else(by_id)
    });
    let known = biomes.zip(found).and_then(|(biomes, found)| biomes.get(found));
    let lineage = known.map_or(lineage_or_id, |biome| &biome.lineage).to_owned();
    let id = known.and_then(|biome| Some(biome.id?.to_string())).unwrap_or_default();
    let mut collections = Vec::new();
    let lineage_text = encoded(&lineage);
    if context.catalogue.is_some() {
        for (path, name) in [(STUDIES, "study-name"), (SAMPLES, "sample-name")] {
            let query = format!("lineage={lineage_text}&page_size={SHOWN}");
            // The catalogue rejects unknown lineages.
            let document = match context.document(&format!("/{path}"), &query) {
                Ok(document) => document,
                Err(PortalProblem::Refused(..) | PortalProblem::Parameters(..)) => continue,
                Err(problem) => return Err(problem),
            };
            let count = Number(document.pagination().count);
            collections.push(Members { path, count, resources: document.resources(), name });
        }
    }
    if found.is_none() && collections.is_empty() {
        return Err(unknown());
    }
    let proteins = found.map(|biome| BiomeProteins::new(context, biome, &lineage)).transpose()?.flatten();
    let query = format!("{}/proteins?biome={lineage_text}", paths::PROTEINS_V2);
    let condition = format!("biome:{}", quoted(&lineage));
    let mut layout = context.layout(&*lineage).section("biomes");
    if let Some(BiomeProteins { biomes, .. }) = &proteins {
        layout = layout
            .call("Its proteins", &query)
            .facet_calls("Its families", &condition, "pfam")
            .protein_downloads(&query, &biomes.total.counted("proteins"));
        let families = Pairs::default().with("q", &condition).with("by", "pfam");
        let families = families.with("top", &TOP_MAX.to_string()).with("format", "tsv").to_query();
        layout = layout.download("Families, compared (TSV)", &format!("{}{families}", paths::ENRICHMENT_ROUTE), "");
    }
    for Members { path, .. } in &collections {
        let what = format!("Its {path}");
        layout = layout.call(what, &format!("{}/{path}?lineage={lineage_text}", paths::CATALOGUE));
    }
    let ancestors = lineage.match_indices(':').map(|(end, _)| lineage[..end].to_owned()).collect();
    let is_empty = context.proteins.is_some() && proteins.is_none();
    let page = BiomePage { layout, lineage, ancestors, id, is_empty, proteins, collections };
    let plots = page.proteins.iter().flat_map(|found| found.biomes.picture.iter().chain(&found.families.plot));
    plots::answer(context, &page, plots)
}

impl BiomeProteins {
    /// Returns `None` if no protein is from the biome.
    fn new(context: &PageContext, biome: BiomeOrdinal, lineage: &str) -> Result<Option<Self>, PortalProblem> {
        let data = context.proteins()?;
        let query = ProteinQuery::Biome(biome);
        let biomes = BiomeTree::new(data, &query, Some(lineage), 2)?;
        if biomes.total.value == 0 {
            return Ok(None);
        }
        let biomes = biomes.drawn(format!("Proteins of {} by biome", last_level(lineage)), context.root(), "");
        let comparison = Comparison::new(data, &query, None, FacetKind::Pfam)?;
        let here = format!("biome:{}", quoted(lineage));
        let elsewhere = Group::new(data, "Elsewhere", &[&format!("NOT {here}")]);
        let groups = [Group { heading: last_level(lineage).to_owned(), text: here }, elsewhere];
        let (path, none) = (format!("biomes/{}", segment(lineage)), Pairs::default());
        let families = Differences::new(context, comparison, FacetKind::Pfam, groups, &path, &none, "families");
        let num_alone = Number(data.total(&ProteinQuery::BiomeExact(biome), PAGE_BUDGET)?.value);
        Ok(Some(Self { num_alone, biomes, families }))
    }
}
