//! Copying own data into an index of another release.

use store::Generations;
use store_proteins::{ProteinGeneration, ProteinsBuilder};

use crate::words::counted;
use crate::{Error, Result};

/// Adds all sources of the present index after the proteins of the release.
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
    if present.sources().is_empty() {
        return Ok(());
    }
    builder.carry(&present)?;
    let num_proteins = present.sources().iter().map(|source| source.num_proteins).sum();
    let names: Vec<&str> = present.sources().iter().map(|source| &*source.name).collect();
    let (sources, proteins) = (counted(names.len() as u64, "source"), counted(num_proteins, "protein"));
    tracing::info!("{sources} of own data kept, {proteins}: {}", names.join(", "));
    Ok(())
}
