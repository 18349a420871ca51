//! The first page: one box, numbers, and the biomes as a way in.

use api_catalogue::lookup;
use api_http::paths;
use askama::Template;
use axum::response::Response;
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, PUBLICATIONS, RUNS, SAMPLES, STUDIES};
use store_proteins::ProteinQuery;

use crate::context::layout::Layout;
use crate::context::problem::PortalProblem;
use crate::context::visit::{Visit, page};
use crate::parts::biome_tree::BiomeTree;
use crate::parts::number::Number;
use crate::parts::own::{self, SourceRow};

const DEPTH: usize = 3;

/// The types of the catalogue whose numbers are shown.
const COUNTED: [&str; 6] = [STUDIES, SAMPLES, RUNS, ASSEMBLIES, ANALYSIS_JOBS, PUBLICATIONS];

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    layout: Layout,
    finds_similar: bool,
    numbers: Vec<Count>,
    sources: Vec<SourceRow>,
    biomes: Option<BiomeTree>,
}

struct Count {
    number: Number,
    what: String,
    /// The page below the portal that lists them.
    path: String,
}

pub(crate) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    let mut layout = visit.layout("Metagenomic proteins and samples").section("home");
    let (mut numbers, mut biomes) = (Vec::new(), None);
    if let Some(proteins) = visit.proteins.as_ref() {
        let num_proteins = Number(proteins.statistics().num_proteins);
        numbers.push(Count { number: num_proteins, what: "proteins".to_owned(), path: "search".to_owned() });
        biomes = Some(BiomeTree::new(proteins, &ProteinQuery::Everything, None, DEPTH)?);
        layout = layout.call("Proteins by biome", visit.base(), &format!("{}?by=biome&top=1000", paths::FACETS_ROUTE));
    }
    if let Some(catalogue) = visit.catalogue.as_ref() {
        for resource_type in COUNTED {
            if let Some(contents) = catalogue.contents().types.get(resource_type) {
                let path = lookup::of_type(resource_type).path.to_string();
                numbers.push(Count { number: Number(u64::from(contents.num_resources)), what: path.clone(), path });
            }
        }
        layout = layout.call("Collections of the catalogue", visit.base(), paths::CATALOGUE);
    }
    let sources = own::sources(visit);
    if !sources.is_empty() {
        layout = layout.call("Sources of own data", visit.base(), paths::SOURCES_ROUTE);
    }
    let finds_similar = visit.finds_similar();
    page(&HomePage { layout, finds_similar, numbers, sources, biomes })
}
