//! The demo: loads the bundled data and serves it.

mod keys;
mod profiles;

use std::net::SocketAddr;
use std::path::Path;

use api::paths::{CATALOGUE, PROTEIN_SEARCH, PROTEINS, protein_detail};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store::{ProteinGeneration, ProteinQuery};

use crate::bundled;
use crate::commands::proteins::open_proteins;
use crate::commands::serve::{self, ServeArguments};
use crate::commands::{index, summary};
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::Output;

const MEMORY_BYTES: usize = 64 << 20;

/// The characters of a lineage that are escaped: everything that a quoted URI query cannot have.
const LINEAGE_ESCAPES: AsciiSet = NON_ALPHANUMERIC.remove(b':').remove(b'-').remove(b'_').remove(b'.');

/// Loads the bundled proteins, catalogue and directory unless the data folder has its own, prints requests to try, and serves.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let prepared = serve::prepare(arguments)?;
    let generations = arguments.data.generations(Kind::Proteins);
    if is_empty(&arguments.data, Kind::Proteins)? {
        let plan = indexer::PortalPlan {
            generations: generations.root().to_owned(),
            portal: vec![bundled::PORTAL_ROWS],
            biomes: bundled::BIOMES,
            pfam: bundled::PFAM,
            superseded: None,
            checksums: true,
            memory_bytes: MEMORY_BYTES,
            num_threads: index::num_cores(),
            max_rejects: 0,
            without_own: false,
            acceptance: indexer::Acceptance::default(),
        };
        summary::log_proteins(&plan.run()?);
        add_synthetic(generations.root())?;
    }
    let generations = arguments.data.generations(Kind::Catalogue);
    if is_empty(&arguments.data, Kind::Catalogue)? {
        let plan = indexer::CataloguePlan {
            generations: generations.root().to_owned(),
            inputs: bundled::CATALOGUE.to_vec(),
            links: vec![bundled::CATALOGUE_LINKS],
            harvest: None,
            memory_bytes: MEMORY_BYTES,
            num_threads: index::num_cores(),
            max_rejects: Some(0),
            keep_sealed: false,
            acceptance: indexer::Acceptance::default(),
            tables: Vec::new(),
            table_type: indexer::TableType::Samples,
            change: indexer::CatalogueChange::Replace,
        };
        summary::log_catalogue(&plan.run()?);
    }
    let requests = example_requests(&open_proteins(&arguments.data)?)?;
    let (arguments, token) = profiles::prepare(arguments)?;
    let has_portal = !arguments.no_portal;
    serve::run_then(prepared, &arguments, |address| {
        match print_requests(address, has_portal, &requests, token.as_deref()) {
            // The server is useful even if nobody reads the requests.
            Err(Failure::ClosedPipe) => Ok(()),
            printed => printed,
        }
    })
}

/// Adds made-up proteins from real assemblies of the catalogue, as a source of own data that says so by its name.
fn add_synthetic(generations: &Path) -> Result<(), Failure> {
    let plan = indexer::OwnAddPlan {
        generations: generations.to_owned(),
        name: "synthetic".to_owned(),
        proteins: vec![bundled::SYNTHETIC_PROTEINS],
        annotations: vec![bundled::SYNTHETIC_ANNOTATIONS],
        memory_bytes: MEMORY_BYTES,
        ..indexer::OwnAddPlan::default()
    };
    summary::log_proteins(&plan.run()?);
    Ok(())
}

/// Returns whether nothing of a kind was ever published.
fn is_empty(data: &DataFolder, kind: Kind) -> Result<bool, Failure> {
    match data.lost_current(kind)? {
        Some(lost) => Err(Failure::Message(lost)),
        None => Ok(data.generations(kind).current()?.is_none()),
    }
}

/// Prints requests to try, and the address last, where it is in sight.
fn print_requests(
    address: SocketAddr,
    has_portal: bool,
    requests: &[String],
    token: Option<&Path>,
) -> Result<(), Failure> {
    let mut output = Output::new();
    output.line("Try:")?;
    for request in requests {
        output.line(format_args!("  curl 'http://{address}{request}'"))?;
    }
    if let Some(token) = token {
        let token = token.display();
        output
            .line(format_args!("  curl -H \"Authorization: Bearer $(cat '{token}')\" 'http://{address}/my/profile'"))?;
    }
    if has_portal {
        output.line(format_args!("Open http://{address}/ in a browser."))?;
    }
    output.finish()
}

/// Returns requests with interesting answers: a protein with a family, that family, the biome of the first protein, and lists of the catalogue.
fn example_requests(proteins: &ProteinGeneration) -> Result<Vec<String>, Failure> {
    let mut requests = Vec::new();
    let mut shown = proteins.statistics().first;
    for (family, _) in proteins.families().iter() {
        if let Some(hit) = proteins.search(&ProteinQuery::Family(family), 1)?.first() {
            shown = Some(hit.accession);
            requests.push(format!("{PROTEINS}{PROTEIN_SEARCH}?pfam_accession={}&limit=3", family.0));
            break;
        }
    }
    let first = proteins.statistics().first.map(|first| proteins.fetch(first)).transpose()?.flatten();
    if let Some(biome) = first.as_ref().and_then(|protein| protein.biomes.first()) {
        requests.push(format!(
            "{PROTEINS}{PROTEIN_SEARCH}?biome_lineage={}&limit=3",
            utf8_percent_encode(&biome.lineage, &LINEAGE_ESCAPES)
        ));
    }
    requests.splice(0..0, shown.map(protein_detail));
    requests.push(format!("{CATALOGUE}/studies?page_size=3"));
    requests.push(format!("{CATALOGUE}/samples?search=soil&ordering=accession&page_size=3"));
    Ok(requests)
}
