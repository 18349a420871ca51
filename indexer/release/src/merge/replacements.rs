//! Replaced accessions of a release: those in a table, and representatives of an earlier index that
//! are members now.

use std::path::{Path, PathBuf};

use indexer::input::Input;
use indexer::sort::Sorter;
use indexer::values::accession;
use indexer::{Error, Result};
use store::{GenerationName, Generations, ProteinAccession};
use store_proteins::{ProteinGeneration, ProteinsBuilder};

use crate::context::RunContext;
use crate::join::account::RowAccount;
use crate::join::cursor::{Next, RowCursor};
use crate::join::sort::{SortedSource, push_row};
use crate::join::tally::Tally;
use crate::read::OpenTable;
use crate::table::Table;
use crate::tables::replacements::{ReplacementTable, read_replacements};

const LINKS: &str = "links";

/// Opens an earlier index: a data folder, the folder of its protein generations, or one generation.
pub(crate) fn open_previous(folder: &Path) -> Result<ProteinGeneration> {
    let is_generation = folder.file_name().is_some_and(|name| name.to_string_lossy().parse::<GenerationName>().is_ok());
    if is_generation {
        return Ok(ProteinGeneration::open_folder(folder)?);
    }
    for root in [folder.join("proteins"), folder.to_owned()] {
        if let Some(generation) = ProteinGeneration::open_current(&Generations::new(root))? {
            return Ok(generation);
        }
    }
    Err(Error::folder(folder, "it is not an index: expected the data folder of an earlier index"))
}

/// Accessions of an earlier index that are members of a cluster now, sorted, each with the
/// cluster's representative.
pub(crate) struct Links {
    runs: Vec<PathBuf>,
}

impl Links {
    /// Finds the links, between all accessions of an earlier index, replaced ones included, and all
    /// members of clusters.
    pub(crate) fn find(
        previous: &ProteinGeneration,
        mut members: impl FnMut() -> Result<OpenTable>,
        context: &RunContext,
    ) -> Result<Self> {
        let mut sorter = Sorter::named(&context.work, LINKS, context.budget.sorting_bytes);
        let mut cursor = || Ok::<_, Error>(RowCursor::new(Table::ClusterMembers, members()?.source));
        let mut beside = cursor()?;
        previous.for_each_accession(|old| add_link(&mut beside, old, &mut sorter))?;
        if previous.statistics().num_replacements > 0 {
            let mut beside = cursor()?;
            previous.for_each_replacement(|old, _| add_link(&mut beside, old, &mut sorter))?;
        }
        Ok(Self { runs: sorter.finish_runs(context.budget.num_runs_max)? })
    }

    /// Passes every link to `visit`, in ascending order of the old accession.
    fn for_each(&self, mut visit: impl FnMut(ProteinAccession, ProteinAccession) -> Result<()>) -> Result<()> {
        let mut links = RowCursor::new(Table::ClusterMembers, Box::new(SortedSource::open(&self.runs)?));
        let mut previous = None;
        while let Next::Row(row) = links.peek()? {
            if previous != Some(row.key) {
                previous = Some(row.key);
                visit(accession(row.key)?, accession(row.decode()?)?)?;
            }
            links.advance();
        }
        Ok(())
    }
}

/// Adds the link of an accession, if it is a member of another protein's cluster. The members are
/// read up to it.
fn add_link(members: &mut RowCursor, old: ProteinAccession, links: &mut Sorter) -> Result<()> {
    while let Next::Row(row) = members.peek()?
        && row.key <= old.number()
    {
        if row.key == old.number() && row.decode::<u64>()? != row.key {
            push_row(links, row)?;
        }
        members.advance();
    }
    Ok(())
}

/// Passes all replaced accessions to the builder: those of the table, which win, and the links.
/// `table` includes its position among the inputs.
pub(crate) fn add_replacements(
    table: Option<(u16, &Input)>,
    links: Option<&Links>,
    context: &RunContext,
    builder: &mut ProteinsBuilder,
) -> Result<Tally> {
    let mut account = RowAccount::new(context, "superseded");
    let mut replacements = match table {
        Some((file, input)) => read_replacements(input, context.budget.sorting_bytes, |row| account.reject(file, row))?,
        None => ReplacementTable::empty(),
    };
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
        replacements.follow(|row| account.reject(file, row))?;
        account.tally.read(file, replacements.num_read);
    }
    let mut own = replacements.iter().peekable();
    let mut add_rows_before = |limit: Option<ProteinAccession>, builder: &mut ProteinsBuilder| -> Result<()> {
        while let Some((old, new)) = own.next_if(|&(old, _)| limit.is_none_or(|limit| old < limit)) {
            builder.add_replacement(old, new)?;
            if let Some((file, _)) = table {
                account.tally.accept(file);
            }
        }
        Ok(())
    };
    if let Some(links) = links {
        links.for_each(|old, new| {
            add_rows_before(Some(old), builder)?;
            if !replacements.replaces(old) {
                builder.add_replacement(old, replacements.end_of(new))?;
            }
            Ok(())
        })?;
    }
    add_rows_before(None, builder)?;
    account.finish()
}
