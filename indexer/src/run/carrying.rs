//! Copying own data into an index of another release.

use store::Generations;
use store_proteins::{ProteinGeneration, ProteinsBuilder, SourceEntry};

use crate::words::counted;
use crate::{Error, Result};

/// The file inside the program from which the demo reads its made-up proteins.
const DEMO_PROTEINS: &str = "data/proteins/synthetic/proteins.faa";

/// Adds all sources of the present index, except the made-up one of the demo, after the proteins of
/// the release.
///
/// # Errors
///
/// * The present index cannot be read, and it may have own data.
pub fn carry_own(generations: &Generations, builder: &mut ProteinsBuilder) -> Result<()> {
    let present = match ProteinGeneration::open_current(generations) {
        Ok(Some(present)) => present,
        Ok(None) => return Ok(()),
        // A new index is the fix for a damaged one.
        Err(_) if !store_proteins::may_have_sources(generations) => return Ok(()),
        Err(error) => {
            let remedy = "`mgdex rollback proteins` returns to an index that has it, and --without-own leaves it out";
            return Err(Error::Refused {
                problem: format!("the own data of the present index cannot be kept: {error}; {remedy}"),
            });
        }
    };
    let (made_up, carried): (Vec<_>, Vec<_>) = present.sources().iter().partition(|source| is_of_demo(source));
    for source in made_up {
        tracing::info!("the made-up proteins of the demo are left out: {}", source.name);
    }
    if carried.is_empty() {
        return Ok(());
    }
    builder.carry(&present, |source| !is_of_demo(source))?;
    let num_proteins = carried.iter().map(|source| source.num_proteins).sum();
    let names: Vec<&str> = carried.iter().map(|source| &*source.name).collect();
    let (sources, proteins) = (counted(names.len() as u64, "source"), counted(num_proteins, "protein"));
    tracing::info!("{sources} of own data kept, {proteins}: {}", names.join(", "));
    Ok(())
}

/// Returns whether a source was read from inside the program: files of this name have a time.
fn is_of_demo(source: &SourceEntry) -> bool {
    source.inputs.iter().any(|input| input.name == DEMO_PROTEINS && input.modified_unix_s.is_none())
}
