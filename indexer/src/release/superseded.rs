//! Replaced accessions of a release: those of a table, and representatives of an earlier index that are members now.

use std::path::{Path, PathBuf};

use store::{GenerationName, Generations, ProteinAccession, ProteinGeneration, ProteinsBuilder};

use super::block::{Row, RowPlace};
use super::budget::Budget;
use super::cursor::{Due, RowCursor};
use super::provision::Opened;
use super::reject_log::RejectLog;
use super::rows::MemberRow;
use super::runs::{RowSorter, RunSource};
use super::table::Table;
use super::tally::Tally;
use crate::input::Input;
use crate::tables::replacements::{ReplacementTable, read_replacements};
use crate::{Error, Result};

/// What the sorted links are called in the folder of the work.
const LINKS: &str = "links";

/// Opens an earlier index: a data folder, the folder of its protein generations, or one generation.
///
/// # Errors
///
/// * There is no index, or it cannot be read.
pub(super) fn open_previous(folder: &Path) -> Result<ProteinGeneration> {
    let is_generation = folder.file_name().is_some_and(|name| name.to_string_lossy().parse::<GenerationName>().is_ok());
    if is_generation {
        return Ok(ProteinGeneration::open_folder(folder)?);
    }
    for root in [folder.join("proteins"), folder.to_owned()] {
        if let Some(generation) = ProteinGeneration::open_current(&Generations::new(root))? {
            return Ok(generation);
        }
    }
    let problem = "it is no index: expected the data folder of an earlier index".to_owned();
    Err(Error::Release { path: folder.to_owned(), problem })
}

/// Accessions of an earlier index that are members of a cluster now, sorted, each with the cluster's representative.
pub(super) struct Links {
    /// The sorted runs.
    runs: Vec<PathBuf>,
}

impl Links {
    /// Finds the links, between all accessions of an earlier index, replaced ones included, and all members of clusters.
    ///
    /// # Errors
    ///
    /// * The index or the members cannot be read; the disk is full.
    pub(super) fn find(
        previous: &ProteinGeneration,
        mut members: impl FnMut() -> Result<Opened>,
        work: &Path,
        budget: Budget,
    ) -> Result<Self> {
        let mut sorter = RowSorter::new(work, LINKS, budget.sorting_bytes);
        let mut walk = Walk::new(members()?);
        previous.for_each_accession(|old| walk.visit(old, &mut sorter))?;
        if previous.statistics().num_replacements > 0 {
            let mut walk = Walk::new(members()?);
            previous.for_each_replacement(|old, _| walk.visit(old, &mut sorter))?;
        }
        Ok(Self { runs: sorter.finish(budget.num_runs_max)? })
    }

    /// Gives every link to `visit`, ascending by the old accession.
    fn for_each(&self, mut visit: impl FnMut(ProteinAccession, ProteinAccession) -> Result<()>) -> Result<()> {
        let mut links = RowCursor::new(Table::ClusterMembers, Box::new(RunSource::open(&self.runs)?));
        let mut previous = None;
        while links.due()? == Due::Row {
            if let Some(Row { key, payload, .. }) = links.row()
                && previous != Some(key)
            {
                previous = Some(key);
                let new = MemberRow::take(payload).map_err(|_| Error::Spill)?.member;
                visit(accession(key)?, accession(new)?)?;
            }
            links.pass_row();
        }
        Ok(())
    }
}

/// Walks through the members of clusters beside ascending accessions.
struct Walk {
    /// Members with their representatives, by member.
    members: RowCursor,
}

impl Walk {
    /// Starts before the first member.
    fn new(members: Opened) -> Self {
        Self { members: RowCursor::new(Table::ClusterMembers, members.source) }
    }

    /// Takes down the link of an accession that is a member of another protein's cluster.
    fn visit(&mut self, old: ProteinAccession, links: &mut RowSorter) -> Result<()> {
        while self.members.due()? == Due::Row {
            let Some(row) = self.members.row() else { break };
            if row.key > old.number() {
                break;
            }
            if row.key == old.number() {
                let representative = MemberRow::take(row.payload).map_err(|_| Error::Spill)?.member;
                if representative != row.key {
                    links.push(Row { key: row.key, place: RowPlace::default(), payload: row.payload })?;
                }
            }
            self.members.pass_row();
        }
        Ok(())
    }
}

/// Gives all replaced accessions to the builder: those of the table, which win, and the links.
///
/// # Errors
///
/// * The table cannot be read or is too large for `memory_bytes`; the disk is full.
pub(super) fn add_replacements(
    table: Option<(u16, &Input)>,
    links: Option<&Links>,
    memory_bytes: usize,
    rejects: &mut RejectLog<'_>,
    builder: &mut ProteinsBuilder,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut replacements = ReplacementTable::empty();
    if let Some((file, input)) = table {
        replacements = read_replacements(input, memory_bytes, |row| {
            tally.reject(file, row.rejection.reason);
            rejects.add(file, row)
        })?;
    }
    if let Some(links) = links {
        let targets = replacements.targets();
        let mut continued = Vec::new();
        links.for_each(|old, new| {
            if targets.binary_search(&old).is_ok() {
                continued.push((old, new));
            }
            Ok(())
        })?;
        replacements.extend(continued);
    }
    if let Some((file, _)) = table {
        replacements.follow(|row| {
            tally.reject(file, row.rejection.reason);
            rejects.add(file, row)
        })?;
        tally.read_rows(file, replacements.num_read);
    }
    let mut own = replacements.iter().peekable();
    let mut add_own_before = |limit: Option<ProteinAccession>, builder: &mut ProteinsBuilder| -> Result<()> {
        while let Some((old, new)) = own.next_if(|&(old, _)| limit.is_none_or(|limit| old < limit)) {
            builder.add_replacement(old, new)?;
            if let Some((file, _)) = table {
                tally.accept(RowPlace::new(file, 0));
            }
        }
        Ok(())
    };
    if let Some(links) = links {
        links.for_each(|old, new| {
            add_own_before(Some(old), builder)?;
            if !replacements.replaces(old) {
                builder.add_replacement(old, replacements.end_of(new))?;
            }
            Ok(())
        })?;
    }
    add_own_before(None, builder)?;
    Ok(tally)
}

/// Returns the accession with a number that the run has written for itself.
fn accession(number: u64) -> Result<ProteinAccession> {
    ProteinAccession::new(number).map_err(|_| Error::Spill)
}
