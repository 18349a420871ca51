//! Counting the values of proteins.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use store::{BiomeOrdinal, PfamAccession, Result};
use tantivy::DocId;

use crate::ProteinGeneration;
use crate::evaluation::{NUMBER_WORK, Work, walk};
use crate::page::ProteinReader;
use crate::query::ProteinQuery;
use crate::segments::schema::folded;
use crate::segments::segment::{NumberColumn, Segment};
use crate::{Occurrence, Protein, RecordParts};

use super::architecture::architecture;
use super::biome_tally::BiomeTally;
use super::kind::{FacetKind, Value};
use super::table::{ALL, Cells, FIRST_BIOME, NO_BIOME};
use super::values::Values;

/// The most matches that are all counted: from the columns, or from the records if no column has
/// the values. Tests have few proteins, and use both ways.
const MATCHES_MAX: u64 = 1_000_000;
pub(super) const RECORDS_MAX: u64 = if cfg!(test) { 1000 } else { 20_000 };

/// The work of reading a record.
const RECORD_WORK: u64 = 2000;

impl FacetKind {
    /// Returns whether the values are read from the records, since no column has them.
    pub(super) fn needs_records(self) -> bool {
        matches!(self, Self::Architecture | Self::Study | Self::Assembly)
    }

    /// Returns the most matches that are all counted.
    pub(super) fn matches_max(self) -> u64 {
        if self.needs_records() { RECORDS_MAX } else { MATCHES_MAX }
    }

    /// Returns the work of counting the values of a protein.
    pub(super) fn work(self) -> u64 {
        if self.needs_records() { RECORD_WORK } else { 2 * NUMBER_WORK }
    }
}

/// Numbers of proteins by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) num_proteins: u64,
    /// The proteins without a recorded value.
    pub(super) num_without: u64,
    /// Each value of any protein, in no order.
    pub(super) by_value: Vec<(Value, u64)>,
}

impl Counts {
    /// Returns the numbers of a row of the table.
    pub(super) fn by_biome(cells: Cells) -> Self {
        let mut counts = Self::default();
        for (column, count) in cells {
            match column {
                ALL => counts.num_proteins = count,
                NO_BIOME => counts.num_without = count,
                column => {
                    let biome = BiomeOrdinal::try_from(column - FIRST_BIOME);
                    counts.by_value.extend(biome.map(|biome| (Value::Biome(biome), count)));
                }
            }
        }
        counts
    }
}

/// Counts the values of proteins that are added.
pub(super) struct Counter<'a> {
    generation: &'a ProteinGeneration,
    by: FacetKind,
    biomes: BiomeTally<'a>,
    num_proteins: u64,
    num_without: u64,
    by_value: HashMap<Value, u64>,
    values: Values,
    records: ProteinReader<'a>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(generation: &'a ProteinGeneration, by: FacetKind) -> Self {
        let is_of_domains = by == FacetKind::Architecture;
        let parts = if is_of_domains { RecordParts::PFAM_HITS } else { RecordParts::OCCURRENCES };
        Self {
            generation,
            by,
            biomes: BiomeTally::new(generation.biomes()),
            num_proteins: 0,
            num_without: 0,
            by_value: HashMap::new(),
            values: Values::default(),
            records: generation.reader(parts),
        }
    }

    /// Counts the values of documents of a segment.
    pub(super) fn add(&mut self, segment: &Segment, docs: &[DocId]) -> Result<()> {
        let num_with = match self.by {
            FacetKind::Biome => {
                self.biomes.add(segment, docs);
                return Ok(());
            }
            FacetKind::Pfam => self.add_families(segment, docs),
            FacetKind::Clan => self.add_clans(segment, docs),
            FacetKind::Architecture => {
                self.add_texts(segment, docs, |protein| architecture(&protein.pfam_annotations).into_iter().collect())?
            }
            FacetKind::Study => self.add_texts(segment, docs, |protein| folded_texts(protein, |found| &found.study))?,
            FacetKind::Assembly => {
                self.add_texts(segment, docs, |protein| folded_texts(protein, |found| &found.assembly))?
            }
            FacetKind::FullLength => self.add_completeness(segment, docs),
            FacetKind::ClusterSize => self.add_numbers(NumberColumn::Sizes(segment), docs),
            FacetKind::Length => self.add_numbers(NumberColumn::Lengths(segment), docs),
        };
        let num_docs = docs.len() as u64;
        self.num_proteins += num_docs;
        self.num_without += num_docs - num_with;
        Ok(())
    }

    // Each of the following returns the number of documents with a value.

    fn add_families(&mut self, segment: &Segment, docs: &[DocId]) -> u64 {
        let Self { values, by_value, .. } = self;
        values.visit(&segment.families, docs, |values| {
            for &number in values {
                count_one(by_value, Value::Family(PfamAccession(number)));
            }
        })
    }

    fn add_clans(&mut self, segment: &Segment, docs: &[DocId]) -> u64 {
        let Self { values, by_value, .. } = self;
        let families = self.generation.families();
        let clan = |&number: &u64| families.get(PfamAccession(number)).and_then(|family| family.clan.as_ref());
        let mut num_with = 0;
        values.visit(&segment.families, docs, |values| {
            let clans: HashSet<&Arc<str>> = values.iter().filter_map(clan).collect();
            num_with += u64::from(!clans.is_empty());
            for clan in clans {
                count_one(by_value, Value::Text(Arc::clone(clan)));
            }
        });
        num_with
    }

    /// Reads the texts from the records.
    fn add_texts(&mut self, segment: &Segment, docs: &[DocId], texts: fn(&Protein) -> HashSet<String>) -> Result<u64> {
        let mut num_with = 0;
        for &doc in docs {
            let protein = self.records.fetch(segment.hit(doc)?.accession)?;
            let texts = protein.as_ref().map(texts).unwrap_or_default();
            num_with += u64::from(!texts.is_empty());
            for text in texts {
                count_one(&mut self.by_value, Value::Text(text.into()));
            }
        }
        Ok(num_with)
    }

    fn add_completeness(&mut self, segment: &Segment, docs: &[DocId]) -> u64 {
        let mut facts = Vec::new();
        segment.completeness(docs, &mut facts);
        let known = facts.into_iter().flatten();
        known.map(|fact| count_one(&mut self.by_value, Value::FullLength(fact))).count() as u64
    }

    fn add_numbers(&mut self, column: NumberColumn<'_>, docs: &[DocId]) -> u64 {
        let mut numbers = vec![0; docs.len()];
        column.get_all(docs, &mut numbers);
        numbers.retain(|&number| self.by.is_known(number));
        for &number in &numbers {
            count_one(&mut self.by_value, Value::Bucket(self.by.buckets().of(number)));
        }
        numbers.len() as u64
    }

    pub(super) fn finish(mut self) -> Counts {
        match self.by {
            FacetKind::Biome => Counts::by_biome(self.biomes.take()),
            _ => Counts {
                num_proteins: self.num_proteins,
                num_without: self.num_without,
                by_value: self.by_value.into_iter().collect(),
            },
        }
    }
}

/// Returns the texts of the occurrences that have one.
fn folded_texts(protein: &Protein, text: fn(&Occurrence) -> &str) -> HashSet<String> {
    let texts = protein.occurrences.iter().map(|occurrence| folded(text(occurrence)));
    texts.filter(|text| !text.is_empty()).collect()
}

#[inline]
fn count_one(by_value: &mut HashMap<Value, u64>, value: Value) {
    *by_value.entry(value).or_default() += 1;
}

/// Counts the values of all matches. Returns `None` if there are more than `num_max`, or if the
/// work is spent first.
pub(super) fn count_all(
    generation: &ProteinGeneration,
    query: &ProteinQuery,
    by: FacetKind,
    num_max: u64,
    work: &mut Work,
) -> Result<Option<Counts>> {
    let mut counter = Counter::new(generation, by);
    let (mut docs, mut num_matches): (Vec<DocId>, u64) = Default::default();
    let end = walk(generation, &generation.segments, query, None, work, |matches, work| {
        docs.clear();
        docs.extend(matches.docs());
        num_matches += docs.len() as u64;
        if num_matches > num_max {
            return Ok(ControlFlow::Break(()));
        }
        work.spend(by.work() * docs.len() as u64);
        counter.add(matches.segment, &docs)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((end.is_none() && num_matches <= num_max).then(|| counter.finish()))
}
