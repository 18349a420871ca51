//! Joins the tables of a range: the rows of each protein become its record.

use std::mem;
use std::sync::Arc;

use store::{BiomeCount, BiomeTable, FamilyTable, Occurrence, ProteinAccession, Record};

use super::assemble::{occurrence, pfam_hit};
use super::block::RowPlace;
use super::lineages::Lineages;
use super::range::{KeyRange, RangeProtein};
use super::reject_log::RejectLog;
use super::rows::{BiomeRow, CountRow, Damaged, OccurrenceRow, PfamRow, SequenceRow};
use super::seen::SeenRows;
use super::slices::{Aborted, SliceRows};
use super::strangers::Strangers;
use super::tally::Tally;
use crate::run::{Reason, RejectedRow, Rejection};
use crate::{Error, Result};

/// How many rows of proteins that exist may be read ahead of those that refer to them.
const EXISTING_AHEAD: usize = 65_536;

/// The tables of a range; what the release lacks is `None`.
pub(super) struct RangeSlices {
    /// Sequences.
    pub(super) sequences: SliceRows,
    /// Biomes.
    pub(super) biomes: Option<SliceRows>,
    /// Pfam hits.
    pub(super) pfam: Option<SliceRows>,
    /// Places on contigs.
    pub(super) occurrences: Option<SliceRows>,
    /// Numbers of occurrences.
    pub(super) counts: Option<SliceRows>,
    /// All proteins of all clusters, where the sequences are those of representatives only.
    pub(super) members: Option<SliceRows>,
}

/// Joins the tables of one range.
pub(super) struct Joiner<'a> {
    /// All lineages.
    lineages: &'a Lineages,
    /// The lineages that were there when the joiner last looked.
    biomes: Arc<BiomeTable>,
    /// The families that have names.
    families: &'a FamilyTable,
    /// Takes bad rows.
    rejects: RejectLog<'a>,
    /// Counts rows.
    tally: Tally,
    /// Rows of proteins that are not indexed.
    strangers: Strangers,
    /// The record that is being made.
    record: Record,
    /// The rows of one protein in one table, to find those that are there twice.
    seen: SeenRows,
    /// The annotations of a protein that has no sequence.
    orphaned: Vec<RowPlace>,
    /// Occurrences of earlier proteins, whose texts are used again.
    spare: Vec<Occurrence>,
}

/// What the rows of a protein in a table are taken for.
type TakeRow<'t> = &'t mut dyn FnMut(&[u8]) -> std::result::Result<Verdict, Damaged>;

/// What becomes of a row.
enum Verdict {
    /// It is part of the record.
    Accepted,
    /// It is rejected.
    Rejected(Reason, String),
}

/// Ends a join early.
pub(super) enum Stop {
    /// Another part of the run has failed.
    Aborted,
    /// This one has.
    Failed(Error),
}

impl From<Aborted> for Stop {
    fn from(Aborted: Aborted) -> Self {
        Self::Aborted
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Damaged> for Stop {
    fn from(Damaged: Damaged) -> Self {
        Self::Failed(Error::Spill)
    }
}

impl<'a> Joiner<'a> {
    /// Starts with a range of that many input files.
    pub(super) fn new(
        lineages: &'a Lineages,
        families: &'a FamilyTable,
        rejects: RejectLog<'a>,
        tally: Tally,
        strangers: Strangers,
    ) -> Self {
        Self {
            lineages,
            biomes: lineages.table(),
            families,
            rejects,
            tally,
            strangers,
            record: Record::default(),
            seen: SeenRows::default(),
            orphaned: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Gives the record of each protein of a range to `add`, ascending, and returns the numbers of all rows.
    ///
    /// # Errors
    ///
    /// * Another part of the run has failed; too many rows are bad; `add` fails.
    pub(super) fn run(
        mut self,
        range: &KeyRange,
        mut slices: RangeSlices,
        add: &mut dyn FnMut(&BiomeTable, ProteinAccession, &Record) -> Result<()>,
    ) -> std::result::Result<Tally, Stop> {
        for protein in &range.proteins {
            self.join(protein, &mut slices)?;
            let accession = ProteinAccession::new(protein.number).map_err(|_| Error::Spill)?;
            if self.record.sequence.is_empty() {
                self.reject_without_sequence(protein, accession)?;
                continue;
            }
            self.tally.accept(protein.place);
            self.note();
            self.record.cluster_size = protein.cluster_size;
            self.record.sort(&self.biomes);
            add(&self.biomes, accession, &self.record)?;
        }
        self.pass(u64::MAX, &mut slices)?;
        let RangeSlices { sequences, biomes, pfam, occurrences, counts, members: _ } = slices;
        for slice in [Some(sequences), biomes, pfam, occurrences, counts].into_iter().flatten() {
            self.tally.read(slice.counts());
        }
        self.rejects.finish()?;
        Ok(self.tally)
    }

    /// Lists rows that a reader could not use before any slice was read.
    ///
    /// # Errors
    ///
    /// * They are too many, or cannot be listed.
    pub(super) fn reject_all(&mut self, rows: &[(u16, RejectedRow)]) -> Result<()> {
        rows.iter().try_for_each(|(file, row)| reject(&mut self.tally, &mut self.rejects, *file, row))
    }

    /// Collects the rows of a protein. Without a sequence, the record has none, and the places of other rows are kept.
    fn join(&mut self, protein: &RangeProtein, slices: &mut RangeSlices) -> std::result::Result<(), Stop> {
        let mut record = mem::take(&mut self.record);
        record.sequence.clear();
        record.full_length = None;
        record.biomes.clear();
        record.pfam_hits.clear();
        self.spare.append(&mut record.occurrences);
        self.orphaned.clear();
        let number = protein.number;

        self.pass(number, slices)?;
        if let Some(members) = &mut slices.members {
            self.take(number, members, Role::Members, &mut |_| Ok(Verdict::Accepted))?;
        }
        self.take(number, &mut slices.sequences, Role::Sequences, &mut |payload| {
            let row = SequenceRow::take(payload)?;
            if !record.sequence.is_empty() {
                return Ok(Verdict::Rejected(Reason::DuplicateAccession, "a second sequence".to_owned()));
            }
            record.full_length = row.full_length;
            record.sequence.push_str(std::str::from_utf8(row.residues).map_err(|_| Damaged)?);
            Ok(Verdict::Accepted)
        })?;
        let has_sequence = !record.sequence.is_empty();
        let role = if has_sequence { Role::Annotations } else { Role::Orphans };
        if let Some(biomes) = &mut slices.biomes {
            self.take(number, biomes, role, &mut |payload| {
                let row = BiomeRow::take(payload)?;
                if record.biomes.iter().any(|known| known.biome == row.biome) {
                    return Ok(duplicate());
                }
                record.biomes.push(BiomeCount { biome: row.biome, count: row.count });
                Ok(Verdict::Accepted)
            })?;
        }
        if let Some(pfam) = &mut slices.pfam {
            let (mut without_hmm, mut without_scores) = (0, 0);
            let mut seen = mem::take(&mut self.seen);
            seen.clear();
            let taken = self.take(number, pfam, role, &mut |payload| {
                let row = PfamRow::take(payload)?;
                if seen.is_again(payload) {
                    return Ok(duplicate());
                }
                without_hmm += u64::from(row.hmm.is_none());
                without_scores += u64::from(row.scores.is_none());
                record.pfam_hits.push(pfam_hit(&row));
                Ok(Verdict::Accepted)
            });
            self.seen = seen;
            taken?;
            self.tally.notes.pfam_hits_without_hmm_positions += without_hmm;
            self.tally.notes.pfam_hits_without_scores += without_scores;
        }
        if let Some(occurrences) = &mut slices.occurrences {
            let (mut seen, mut spare) = (mem::take(&mut self.seen), mem::take(&mut self.spare));
            seen.clear();
            let taken = self.take(number, occurrences, role, &mut |payload| {
                if seen.is_again(payload) {
                    return Ok(duplicate());
                }
                let occurrence = occurrence(&OccurrenceRow::take(payload)?, spare.pop());
                record.occurrences.push(occurrence);
                Ok(Verdict::Accepted)
            });
            (self.seen, self.spare) = (seen, spare);
            taken?;
        }
        if let Some(counts) = &mut slices.counts {
            // What the release lacks as a whole is told once, and not for each protein.
            let in_biomes = slices.biomes.as_ref().map(|_| num_in_biomes(&record));
            let on_contigs = slices.occurrences.as_ref().map(|_| record.occurrences.len() as u64);
            let (mut has_count, mut biomes_differ, mut contigs_differ) = (false, false, false);
            self.take(number, counts, role, &mut |payload| {
                let count = CountRow::take(payload)?.count;
                has_count = true;
                biomes_differ |= in_biomes.is_some_and(|number| number != count);
                contigs_differ |= on_contigs.is_some_and(|number| number != count);
                Ok(Verdict::Accepted)
            })?;
            let notes = &mut self.tally.notes;
            notes.count_mismatches += u64::from(biomes_differ);
            notes.occurrence_mismatches += u64::from(contigs_differ);
            notes.proteins_without_count += u64::from(has_sequence && !has_count);
        }
        self.record = record;
        Ok(())
    }

    /// Takes the rows of one protein out of a table. All rows before them were passed over.
    fn take(
        &mut self,
        number: u64,
        rows: &mut SliceRows,
        role: Role,
        take: TakeRow<'_>,
    ) -> std::result::Result<(), Stop> {
        let Self { tally, rejects, orphaned, .. } = self;
        loop {
            let row = rows.peek(&mut |file, row| reject(tally, rejects, file, row))??;
            let Some(row) = row.filter(|row| row.key == number) else { return Ok(()) };
            let place = row.place;
            match role {
                // Whoever is indexed is known.
                Role::Members => {}
                Role::Orphans => orphaned.push(place),
                Role::Sequences | Role::Annotations => match take(row.payload)? {
                    Verdict::Accepted => tally.accept(place),
                    Verdict::Rejected(reason, detail) => {
                        let accession = ProteinAccession::new(number).map_err(|_| Error::Spill)?;
                        list(tally, rejects, place, Rejection::new(reason, detail), accession)?;
                    }
                },
            }
            rows.advance();
        }
    }

    /// Passes over the rows of all proteins before one. What exists is learnt some way ahead before other rows are looked at, so
    /// that memory is bounded whatever lies between two proteins.
    fn pass(&mut self, number: u64, slices: &mut RangeSlices) -> std::result::Result<(), Stop> {
        let RangeSlices { sequences, biomes, pfam, occurrences, counts, members } = slices;
        loop {
            let mut bound = number;
            if let Some(members) = members.as_mut() {
                bound = self.pass_rows(bound, members, Role::Members, EXISTING_AHEAD)?;
            }
            let ahead = if members.is_some() { usize::MAX } else { EXISTING_AHEAD };
            bound = self.pass_rows(bound, sequences, Role::Sequences, ahead)?;
            for slice in [&mut *biomes, pfam, occurrences, counts].into_iter().flatten() {
                self.pass_rows(bound, slice, Role::Annotations, usize::MAX)?;
            }
            self.strangers.forget();
            if bound == number {
                return Ok(());
            }
        }
    }

    /// Passes over rows before `bound`, some of them at most, and returns the key behind which there may be more.
    fn pass_rows(
        &mut self,
        bound: u64,
        rows: &mut SliceRows,
        role: Role,
        num_max: usize,
    ) -> std::result::Result<u64, Stop> {
        let Self { tally, rejects, strangers, .. } = self;
        let mut num_passed = 0;
        let mut previous = None;
        loop {
            let row = rows.peek(&mut |file, row| reject(tally, rejects, file, row))??;
            let Some(row) = row.filter(|row| row.key < bound) else { return Ok(bound) };
            // All rows of a protein are passed at once.
            if num_passed >= num_max && previous != Some(row.key) {
                return Ok(row.key);
            }
            previous = Some(row.key);
            num_passed += 1;
            let (key, place) = (row.key, row.place);
            strangers.meet(role, key, place, tally, rejects)?;
            rows.advance();
        }
    }

    /// Lists a protein that has no sequence, with all its annotations.
    fn reject_without_sequence(&mut self, protein: &RangeProtein, accession: ProteinAccession) -> Result<()> {
        let missing = Rejection::new(Reason::MissingSequence, "the release has no sequence of it");
        list(&mut self.tally, &mut self.rejects, protein.place, missing, accession)?;
        for &place in &self.orphaned {
            let orphan = Rejection::new(Reason::Orphan, "the protein has no sequence");
            list(&mut self.tally, &mut self.rejects, place, orphan, accession)?;
        }
        Ok(())
    }

    /// Takes down what is worth telling of the record.
    fn note(&mut self) {
        // A biome that came after the joiner last looked is in the table by now.
        let is_newer = |biome| self.biomes.get(biome).is_none();
        if self.record.biomes.iter().any(|entry| is_newer(entry.biome)) {
            self.biomes = self.lineages.table();
        }
        for entry in &self.record.biomes {
            let biome = &self.biomes[entry.biome];
            if biome.id.is_none() {
                *self.tally.notes.unknown_lineage_proteins.entry(biome.lineage.clone()).or_default() += 1;
            }
        }
        for hit in self.record.pfam_hits.iter().filter(|hit| self.families.get(hit.family).is_none()) {
            self.tally.notes.add_unknown_family(&hit.family.to_string(), 1);
        }
    }
}

/// What the rows of a table are to the join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// They name all proteins that exist, where the sequences do not.
    Members,
    /// They are sequences, of all proteins or of representatives.
    Sequences,
    /// They say something about a protein that has a sequence.
    Annotations,
    /// They say something about a protein that has none.
    Orphans,
}

/// Lists a bad row, and counts it.
pub(super) fn list(
    tally: &mut Tally,
    rejects: &mut RejectLog<'_>,
    place: RowPlace,
    rejection: Rejection,
    accession: ProteinAccession,
) -> Result<()> {
    tally.reject(place.file(), rejection.reason);
    let excerpt = accession.to_string().into_bytes();
    rejects.add(place.file(), &RejectedRow { line: place.row(), rejection, excerpt })
}

/// Lists a row that a reader could not use, and counts it.
fn reject(tally: &mut Tally, rejects: &mut RejectLog<'_>, file: u16, row: &RejectedRow) -> Result<()> {
    tally.reject(file, row.rejection.reason);
    rejects.add(file, row)
}

/// Returns how often a protein was found in its biomes.
fn num_in_biomes(record: &Record) -> u64 {
    record.biomes.iter().fold(0, |sum, entry| sum.saturating_add(entry.count))
}

/// Returns what becomes of an annotation that was there before.
fn duplicate() -> Verdict {
    Verdict::Rejected(Reason::DuplicateAnnotation, "the protein has this already".to_owned())
}
