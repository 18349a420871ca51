//! Facets: the number of matches of a query by biome, family or another value.

mod architecture;
mod biome_tally;
mod build;
mod count;
mod enrichment;
mod estimate;
mod kind;
mod known;
mod neighbourhood;
mod statistics;
mod table;
mod tables;
mod terms;
#[cfg(test)]
mod tests;
mod values;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use store::engine::catch_panics;
use store::{BiomeTable, Error, FamilyTable, Result};

pub use architecture::{architecture, architecture_name};
pub use enrichment::{EnrichedValue, Enrichment};
pub use kind::FacetKind;
pub use neighbourhood::Neighbourhood;
pub(super) use table::FacetTable;
pub(super) use tables::FacetTables;

use super::ProteinGeneration;
use super::contents::Part;
use super::evaluation::Work;
use super::query::ProteinQuery;

use count::{Counts, count_all};
use estimate::{SAMPLE_ROWS, Sample};
use known::known_counts;
use terms::FacetTerms;

/// The proteins of the sample that decides whether all matches are counted.
const GLANCE_ROWS: u64 = 1 << 12;

/// The memory for making a table again.
const VERIFYING_BYTES: usize = 256 << 20;

/// The values of the matches of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets {
    /// The most frequent values, the most frequent first, then in the order of the values.
    pub facets: Vec<Facet>,
    /// The number of different values of the matches. The lack of a value counts as one.
    pub num_values: usize,
    /// The number of all matches.
    pub total: FacetCount,
    /// The number of proteins that were examined if the numbers are estimates. `None` if they are
    /// exact.
    pub num_sampled: Option<u64>,
}

/// A value and the number of matches that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// The value as queries accept it, except architectures, which no query finds. `None` for
    /// matches without a recorded value.
    pub value: Option<String>,
    /// The name to display.
    pub name: String,
    /// The number of matches.
    pub count: FacetCount,
}

/// A number of proteins. If it is exact, all three numbers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FacetCount {
    /// The number, or an estimate of it.
    pub value: u64,
    /// The lower end of its interval of 95 %.
    pub low: u64,
    /// The upper end.
    pub high: u64,
}

impl ProteinGeneration {
    /// Counts the matches of a query by value, and returns the `top` most frequent values. Returns
    /// `None` if a budget of work is spent first; its unit is that of [`super::PAGE_BUDGET`].
    ///
    /// The numbers of all proteins and of single terms are known, most of them from a table that
    /// was made with the index. Other numbers are exact up to a million matches (20,000 for
    /// architectures, studies and assemblies, which are read from the records) if the budget
    /// suffices. Those of studies and assemblies are always exact in generations of up to some 40
    /// million proteins. Beyond that they are estimates from a systematic sample of about a million
    /// proteins (or as many as the budget allows; of those that are read from the records also with
    /// at most about 20,000 matches), which `seed` chooses. With a budget of [`u64::MAX`] all
    /// numbers are exact.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn facets(
        &self,
        query: &ProteinQuery,
        by: FacetKind,
        top: usize,
        seed: u64,
        budget: u64,
    ) -> Result<Option<Facets>> {
        catch_panics(&self.path, || {
            let mut work = Work::new(budget);
            if let Some(counts) = self.exact_counts(query, by, seed, &mut work)? {
                return self.most_frequent(counts, by, top, None).map(Some);
            }
            let Some(sample) = Sample::affordable(self, &[query], by, SAMPLE_ROWS, seed, &mut work)? else {
                return Ok(None);
            };
            let counts = sample.count(self, query, by, &mut work)?;
            self.most_frequent(counts, by, top, Some(&sample)).map(Some)
        })
        .or_else(unless_too_much)
    }

    /// Returns exact numbers, or `None` if there are too many matches. Half of the work is left in
    /// this case.
    fn exact_counts(&self, query: &ProteinQuery, by: FacetKind, seed: u64, work: &mut Work) -> Result<Option<Counts>> {
        if let Some(counts) = known_counts(self, query, by, work)? {
            return Ok(Some(counts));
        }
        let mut half = Work::new(work.left() / 2);
        let terms = FacetTerms::of(by).and_then(|terms| Some((terms, terms.work(self, work.left())?)));
        let num_max = match terms {
            Some((_, work)) => work / by.work(),
            None if work.left() == u64::MAX => u64::MAX,
            None => by.matches_max(),
        };
        let is_too_many = self.num_at_least(query, seed, &mut Work::new(work.left() / 16))? > num_max;
        let mut counts = if is_too_many { None } else { count_all(self, query, by, num_max, &mut half)? };
        if let (None, Some((terms, _))) = (&counts, terms) {
            counts = terms.count(self, query, &mut half)?;
        }
        work.spend(half.spent());
        Ok(counts)
    }

    /// Returns a lower bound of the number of matches that is quick to find.
    fn num_at_least(&self, query: &ProteinQuery, seed: u64, work: &mut Work) -> Result<u64> {
        let by = FacetKind::Length;
        let glance = Sample::affordable(self, &[query], by, GLANCE_ROWS, seed, work)?;
        let low = |sample: Sample| Ok(sample.scale(sample.count(self, query, by, work)?.num_proteins).1[0]);
        glance.map_or(Ok(0), low)
    }

    fn most_frequent(&self, counts: Counts, by: FacetKind, top: usize, sample: Option<&Sample>) -> Result<Facets> {
        let scale = |count| {
            let (value, [low, high]) = sample.map_or((count, [count; 2]), |sample| sample.scale(count));
            FacetCount { value, low, high }
        };
        let mut values: Vec<_> = counts.by_value.into_iter().map(|(value, count)| (Some(value), count)).collect();
        values.extend((counts.num_without > 0).then_some((None, counts.num_without)));
        let num_values = values.len();
        values.sort_unstable_by(|(value, count), (other, other_count)| {
            other_count.cmp(count).then_with(|| value.cmp(other))
        });
        values.truncate(top);
        let facet = |(value, count): (Option<kind::Value>, u64)| {
            let (value, name) = kind::written(value.as_ref(), by, self)?;
            Ok(Facet { value, name, count: scale(count) })
        };
        let (facets, total) = (values.into_iter().map(facet).collect::<Result<_>>()?, scale(counts.num_proteins));
        Ok(Facets { facets, num_values, total, num_sampled: sample.and_then(Sample::len_if_partial) })
    }
}

/// Returns that nothing is counted if the proteins of a sample took too much work.
fn unless_too_much<T>(error: Error) -> Result<Option<T>> {
    if matches!(error, Error::TooMuchWork) { Ok(None) } else { Err(error) }
}

/// Writes the table of facets of a part of a generation into its draft, within the memory.
pub(super) fn write_table(
    draft: &Path,
    part: Part<'_>,
    biomes: &BiomeTable,
    families: &FamilyTable,
    memory_bytes: usize,
) -> Result<()> {
    let path = draft.join(part.path(table::FILE));
    let mut file = BufWriter::new(File::create(&path).map_err(Error::io("cannot create", &path))?);
    build::write(draft, part.segments, biomes, families, draft, memory_bytes, &mut file)?;
    file.flush().map_err(Error::io("cannot write", &path))
}

/// Makes the table of a part of a generation again, and compares it with the file, which may have
/// fewer biomes.
pub(super) fn verify_table(path: &Path, part: Part<'_>, biomes: &BiomeTable, families: &FamilyTable) -> Result<()> {
    let file = path.join(part.path(table::FILE));
    let num_biomes = FacetTable::open(path, part)?.num_biomes();
    let mut expected = Vec::new();
    let temporary = std::env::temp_dir();
    let biomes = biomes.first(num_biomes);
    build::write(path, part.segments, &biomes, families, &temporary, VERIFYING_BYTES, &mut expected)?;
    let found = std::fs::read(&file).map_err(Error::io("cannot read", &file))?;
    if found == expected { Ok(()) } else { Err(Error::altered(file, "its numbers are not those of the segments")) }
}
