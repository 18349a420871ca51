//! The contigs of a release, written once all proteins are indexed: its occurrences beside the
//! indexed proteins and the members of clusters, all by protein.

use indexer::Result;
use indexer::run::{ContigsReport, GeneSorter, Progress, StageReport, Unit};
use indexer::sort::SortSpace;
use indexer::values::accession;
use store::ProteinAccession;
use store_proteins::{BuiltProteins, GeneRow};

use crate::join::cursor::{Next, RowCursor};
use crate::join::ordered::OrderedTables;
use crate::read::RowsAhead;
use crate::read::rows::OccurrenceRow;
use crate::table::Table;

use super::members::PROGRESS_INTERVAL;

/// Adds the contigs of the release to a generation. Returns `None` if the release has no
/// occurrences. All rows were counted when the proteins were indexed.
pub(crate) fn index_contigs(
    ordered: &mut OrderedTables<'_>,
    built: &mut BuiltProteins,
    with_names: bool,
) -> Result<Option<ContigsReport>> {
    let Some(occurrences) = ordered.table(Table::Occurrences)? else { return Ok(None) };
    let members = ordered.table(Table::ClusterMembers)?;
    let OrderedTables { layout, context, .. } = *ordered;
    let space = SortSpace { folder: &context.work, memory_bytes: context.budget.sorting_bytes };
    let mut beside = Beside {
        occurrences: RowCursor::new(Table::Occurrences, Box::new(RowsAhead::start(occurrences.source)?)),
        members: members.map(|members| RowCursor::new(Table::ClusterMembers, members.source)),
        has_all_proteins: layout.all_proteins,
        with_names,
        genes: GeneSorter::new(space, ContigsReport::default()),
        progress: Progress::start("contigs", Unit::Rows, 0),
        num_rows: 0,
    };
    built.for_each_accession(|indexed| beside.pass(Some(indexed)))?;
    beside.pass(None)?;
    let Beside { has_all_proteins, genes, progress, num_rows, .. } = beside;
    progress.set(num_rows);
    let (entry, report) = genes.write(built, built.contents().release(), with_names, has_all_proteins)?;
    built.add_contigs([entry]);
    ordered.stages.push(StageReport::new("contigs", progress.finish()));
    Ok(Some(report))
}

/// The tables of the release beside its indexed proteins.
struct Beside {
    occurrences: RowCursor,
    /// Rows of representatives, by member.
    members: Option<RowCursor>,
    has_all_proteins: bool,
    with_names: bool,
    genes: GeneSorter,
    progress: Progress,
    num_rows: u64,
}

impl Beside {
    /// Passes the occurrences of all proteins up to an indexed one, or of all that are left.
    fn pass(&mut self, indexed: Option<ProteinAccession>) -> Result<()> {
        let bound = indexed.map_or(u64::MAX, ProteinAccession::number);
        loop {
            let protein = match self.occurrences.peek()? {
                Next::Row(row) if row.key <= bound => accession(row.key)?,
                // Bad rows are listed where they are counted.
                Next::LeftOut(..) => {
                    self.occurrences.advance();
                    continue;
                }
                Next::Row(_) | Next::End => return Ok(()),
            };
            let representative = self.representative(protein, indexed == Some(protein))?;
            self.take(protein, representative)?;
        }
    }

    /// Returns the representative of a protein, like [`super::members`]: a representative stays in
    /// its own cluster, and another protein in the first one. Returns `None` if the release has no
    /// such protein.
    fn representative(&mut self, protein: ProteinAccession, is_indexed: bool) -> Result<Option<ProteinAccession>> {
        let mut found = is_indexed.then_some(protein).filter(|_| !self.has_all_proteins);
        if let Some(members) = &mut self.members {
            while let Next::Row(row) = members.peek()?
                && row.key <= protein.number()
            {
                if row.key == protein.number() {
                    let representative = accession(row.decode()?)?;
                    found = found.filter(|_| representative != protein).or(Some(representative));
                }
                members.advance();
            }
        }
        Ok(found.or(is_indexed.then_some(protein)))
    }

    /// Takes the occurrences of a protein.
    fn take(&mut self, protein: ProteinAccession, representative: Option<ProteinAccession>) -> Result<()> {
        while let Next::Row(row) = self.occurrences.peek()?
            && row.key == protein.number()
        {
            let OccurrenceRow { assembly, contig, contig_name, contig_length, start, end, is_reverse, .. } =
                row.decode()?;
            match representative {
                Some(representative) => self.genes.push(&GeneRow {
                    assembly,
                    contig,
                    name: if self.with_names { contig_name } else { "" },
                    length: if self.with_names { contig_length } else { 0 },
                    start,
                    end,
                    is_reverse,
                    protein,
                    representative,
                })?,
                None => self.genes.report.num_without_protein += 1,
            }
            self.num_rows += 1;
            if self.num_rows.is_multiple_of(PROGRESS_INTERVAL) {
                self.progress.set(self.num_rows);
            }
            self.occurrences.advance();
        }
        Ok(())
    }
}
