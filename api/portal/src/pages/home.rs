//! The first page: the search box, counts, and the biome tree.

use api_catalogue::lookup;
use api_http::paths;
use api_proteins::Citation;
use askama::Template;
use axum::response::Response;
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, PUBLICATIONS, RUNS, SAMPLES, STUDIES};
use store_proteins::ProteinQuery;

use crate::context::address::encoded;
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::biome_tree::BiomeTree;
use crate::parts::number::Number;
use crate::plots;

/// The levels of the biome tree below the root. The page of all biomes has the others.
const DEPTH: usize = 2;

/// The types of resources whose counts are shown.
const COUNTED: [&str; 6] = [STUDIES, SAMPLES, RUNS, ASSEMBLIES, ANALYSIS_JOBS, PUBLICATIONS];

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    layout: Layout,
    finds_similar: bool,
    numbers: Vec<Count>,
    /// The line that names the release.
    citation: Option<Citation>,
    /// The sources of own data.
    sources: Vec<Count>,
    biomes: Option<BiomeTree>,
}

struct Count {
    number: Number,
    what: String,
    /// The path of the list, below the portal.
    path: String,
}

pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let mut layout = context.layout("Metagenomic proteins and samples").section("home");
    let (mut numbers, mut biomes) = (Vec::new(), None);
    if let Some(proteins) = context.proteins.as_ref() {
        let num_proteins = Number(proteins.statistics().num_proteins);
        numbers.push(Count { number: num_proteins, what: "proteins".to_owned(), path: "search".to_owned() });
        let tree = BiomeTree::new(proteins, &ProteinQuery::Everything, None, DEPTH)?;
        biomes = Some(tree.drawn("Proteins by biome".to_owned(), context.root(), ""));
        layout = layout.call("Proteins by biome", &format!("{}?by=biome&top=1000", paths::FACETS_ROUTE));
    }
    if let Some(catalogue) = context.catalogue.as_ref() {
        for resource_type in COUNTED {
            if let Some(contents) = catalogue.contents().types.get(resource_type) {
                let path = lookup::of_type(resource_type).path.to_string();
                numbers.push(Count { number: Number(u64::from(contents.num_resources)), what: path.clone(), path });
            }
        }
        layout = layout.call("Collections of the catalogue", paths::CATALOGUE);
    }
    let sources = context.proteins.iter().flat_map(|data| data.sources()).map(|source| Count {
        number: Number(source.num_proteins),
        what: source.name.clone(),
        path: format!("search?source={}", encoded(&source.name)),
    });
    let sources: Vec<Count> = sources.collect();
    if !sources.is_empty() {
        layout = layout.call("Sources of own data", paths::SOURCES_ROUTE);
    }
    let finds_similar = context.finds_similar();
    let citation = context.proteins.as_deref().and_then(Citation::of);
    let page = HomePage { layout, finds_similar, numbers, citation, sources, biomes };
    plots::answer(context, &page, page.biomes.iter().flat_map(|tree| &tree.picture))
}
