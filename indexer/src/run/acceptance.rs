//! What is checked before an index replaces the current one.

use store::{Generations, Manifest, ProteinContents};

use crate::words::counted;
use crate::{Error, Result};

/// What is published although something about it is suspicious.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// Publish an index even if it has less than half of the proteins of the current one.
    pub allow_shrink: bool,
    /// Publish nothing that the report warns of.
    pub strict: bool,
}

impl Acceptance {
    /// Checks that an index is not so small beside the current one that its input was most likely cut off.
    pub(crate) fn check_size(self, generations: &Generations, num_proteins: u64) -> Result<()> {
        if self.allow_shrink {
            return Ok(());
        }
        match current_size(generations) {
            Ok(Some((present, num_present))) if num_proteins < num_present.div_ceil(2) => {
                let problem = format!(
                    "the new index has {}, and the present one, {}, has {num_present}: less than half. Nothing was published; if that \
                     is meant, start the same command again with --allow-shrink (what was done for a release is kept until then)",
                    counted(num_proteins, "protein"),
                    present.display()
                );
                Err(Error::Refused { problem })
            }
            Ok(_) => Ok(()),
            // A new index is what mends a damaged one.
            Err(error) => {
                tracing::warn!("the size of the new index is not compared with that of the present one: {error}");
                Ok(())
            }
        }
    }

    /// Checks that a strict run has nothing to warn of.
    pub(crate) fn check_warnings(self, warnings: &[String]) -> Result<()> {
        if !self.strict || warnings.is_empty() {
            return Ok(());
        }
        let warnings = warnings.join("; ");
        let hint = "nothing was published because of --strict, and the same command without it publishes all the same";
        Err(Error::Refused { problem: format!("{warnings}; {hint}") })
    }
}

/// Returns the folder of the current index, if there is one, and the number of its proteins.
fn current_size(generations: &Generations) -> store::Result<Option<(std::path::PathBuf, u64)>> {
    let Some(current) = generations.current()? else { return Ok(None) };
    let folder = generations.path(current);
    let num_proteins = Manifest::<ProteinContents>::read(&folder)?.contents.num_proteins();
    Ok(Some((folder, num_proteins)))
}
