//! The checks that a generation must pass before it replaces the current one.

use std::iter;

use store::Generations;
use store_proteins::ProteinContents;

use super::changes::read_present;
use super::{Change, Changes};
use crate::{Error, Result};

/// The name of a generation of proteins in messages.
const INDEX: &str = "index";

/// Decides which suspicious generations are published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// Publish a generation even if it has less than half of the proteins, users, domains or
    /// resources of a type in the current one, or lacks more than half of the users that the
    /// current one locks.
    pub allow_shrink: bool,
    /// Publish nothing if the report has warnings.
    pub strict: bool,
}

impl Acceptance {
    /// Checks that an index is not so much smaller than the current one that its input was most
    /// likely cut off.
    pub fn check_size(self, generations: &Generations, num_proteins: u64) -> Result<()> {
        let Some((name, present)) = read_present::<ProteinContents>(generations, INDEX) else { return Ok(()) };
        let numbers = vec![Change::new("protein", present.release().num_proteins(), num_proteins)];
        self.check_changes(&Changes { noun: INDEX, present: Some(name), numbers })
    }

    pub(super) fn refuses(self, change: &Change) -> bool {
        !self.allow_shrink && change.is_refused()
    }

    /// Checks that a generation has not lost so much that its input was most likely cut off.
    pub(super) fn check_changes(self, changes: &Changes) -> Result<()> {
        let mut lost = changes.numbers.iter().filter(|change| self.refuses(change));
        let Some(first) = lost.next() else { return Ok(()) };
        let lost: Vec<String> = iter::once(first.sentence(changes)).chain(lost.map(ToString::to_string)).collect();
        let kept = if changes.noun == INDEX { " (the work on a release is kept until then)" } else { "" };
        let problem = format!(
            "{}. Nothing was published; if this is intended, run the same command with --allow-shrink{kept}",
            lost.join("; ")
        );
        Err(Error::Refused { problem })
    }

    /// Checks that a strict run has no warnings.
    pub fn check_warnings(self, warnings: &[String]) -> Result<()> {
        if !self.strict || warnings.is_empty() {
            return Ok(());
        }
        let warnings = warnings.join("; ");
        let hint = "nothing was published because of --strict: without it, the same command publishes despite warnings";
        Err(Error::Refused { problem: format!("{warnings}; {hint}") })
    }
}
