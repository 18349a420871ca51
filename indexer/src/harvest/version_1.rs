//! The walk through version 1.
use super::walk::Walk;
use super::writer::Kind;
use crate::Result;

/// The files of a harvest.
pub(super) const KINDS: &[Kind] = &[];

/// Harvests a server.
pub(super) fn harvest(_walk: &mut Walk) -> Result<()> {
    Ok(())
}
