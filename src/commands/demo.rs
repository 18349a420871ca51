//! The demo: loads the bundled data and serves it.

mod greeting;
mod keys;
mod profiles;

use std::path::Path;

use self::greeting::Greeting;
use crate::bundled;
use crate::commands::serve::{self, ServeArguments};
use crate::commands::{index, summary};
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::{is_terminal, print};

const MEMORY_BYTES: usize = 64 << 20;

/// Loads the bundled proteins, catalogue and directory unless the data folder has its own, prints
/// requests to try, and serves.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let prepared = serve::prepare(arguments)?;
    let lacks = |kind| is_empty(&arguments.data, kind);
    let (lacks_proteins, lacks_catalogue) = (lacks(Kind::Proteins)?, lacks(Kind::Catalogue)?);
    if (lacks_proteins || lacks_catalogue) && is_terminal() {
        print(format_args!("Loading a sample of MGnify's data into {} …", arguments.data.path.display()))?;
    }
    let generations = arguments.data.generations(Kind::Proteins);
    if lacks_proteins {
        let plan = indexer_release::PortalPlan {
            generations: generations.root().to_owned(),
            portal: vec![bundled::PORTAL_ROWS],
            biomes: bundled::BIOMES,
            pfam: bundled::PFAM,
            pfam_version: None,
            superseded: None,
            contigs: true,
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
    if lacks_catalogue {
        let plan = indexer_catalogue::CataloguePlan {
            generations: generations.root().to_owned(),
            inputs: bundled::CATALOGUE.to_vec(),
            links: vec![bundled::CATALOGUE_LINKS],
            memory_bytes: MEMORY_BYTES,
            num_threads: index::num_cores(),
            max_rejects: Some(0),
            ..indexer_catalogue::CataloguePlan::default()
        };
        summary::log_catalogue(&plan.run()?);
    }
    let greeting = Greeting::new(&arguments.data, &arguments.data.open_proteins()?, !arguments.no_portal)?;
    let (arguments, token) = profiles::prepare(arguments)?;
    serve::run_then(prepared, &arguments, |address| {
        match greeting.print(address, token.as_deref()) {
            // The server is useful even if nobody reads the requests.
            Err(Failure::ClosedPipe) => Ok(()),
            printed => printed,
        }
    })
}

/// Adds made-up proteins from real assemblies of the catalogue, as a source of own data with a name
/// that says so.
fn add_synthetic(generations: &Path) -> Result<(), Failure> {
    let plan = indexer_own::OwnAddPlan {
        generations: generations.to_owned(),
        name: "synthetic".to_owned(),
        proteins: vec![bundled::SYNTHETIC_PROTEINS],
        annotations: vec![bundled::SYNTHETIC_ANNOTATIONS],
        memory_bytes: MEMORY_BYTES,
        ..indexer_own::OwnAddPlan::default()
    };
    summary::log_proteins(&plan.run()?);
    Ok(())
}

/// Returns whether no data of a kind were ever published.
fn is_empty(data: &DataFolder, kind: Kind) -> Result<bool, Failure> {
    match data.lost_current(kind)? {
        Some(lost) => Err(Failure::Message(lost)),
        None => Ok(data.generations(kind).current()?.is_none()),
    }
}
