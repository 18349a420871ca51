//! Estimates the size of an index, and the time that it takes, from records made of a sample of the inputs.

use std::time::{Duration, Instant};

use store::{BiomeTable, FamilyTable, ProteinAccession};
use store_proteins::Record;

use super::Survey;

/// The bytes of a protein in columns and terms: 10 in an index of 10 million, twice as many in one of 40,000.
const COLUMNS_AND_TERMS_BYTES: u64 = 12;

/// The bytes that the engine adds to a record.
const STORED_BYTES: u64 = 9;

/// The bytes of a protein in the index of digests.
const CHECKSUMS_BYTES: u64 = 17;

/// The bytes around the texts of a biome or a family in the files of both tables.
const TABLE_ROW_BYTES: usize = 38;

/// The time of one core for indexing and merging a record that is made.
const INDEXING: Duration = Duration::from_micros(5);

/// The time of one core for indexing the digests of a sequence, about.
const DIGESTING: Duration = Duration::from_micros(2);

/// An index as estimated from a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// The number of proteins.
    pub num_proteins: u64,
    /// All inputs were read whole, or say themselves how many proteins they have.
    pub is_exact: bool,
    /// The bytes of all records.
    pub record_bytes: u64,
    /// The time of one core for making the records.
    pub reading: Duration,
    /// The number of rows that were read for it.
    pub num_rows_sampled: u64,
}

/// Measures records, in memory that it keeps.
pub struct Measured {
    encoded: Vec<u8>,
    empty_bytes: u64,
    started: Instant,
}

impl Measured {
    /// Begins to measure.
    pub fn start() -> Self {
        let mut measured = Self { encoded: Vec::new(), empty_bytes: 0, started: Instant::now() };
        measured.empty_bytes = measured.part_bytes(&Record::default());
        measured
    }

    /// Returns the bytes of a record without annotations and sequence.
    pub fn empty_bytes(&self) -> u64 {
        self.empty_bytes
    }

    /// Returns how many bytes a record has more than an empty one.
    pub fn part_bytes(&mut self, record: &Record) -> u64 {
        self.encoded.clear();
        // The accession does not matter: it is in the checksum, which always has the same length.
        record.encode(ProteinAccession::MAX, &mut self.encoded);
        self.encoded.len() as u64 - self.empty_bytes
    }

    /// Returns the time since it began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Survey {
    /// Sets size and duration by an estimate.
    pub fn estimate(
        &mut self,
        estimate: Estimate,
        tables: &(BiomeTable, FamilyTable),
        num_threads: usize,
        has_checksums: bool,
    ) {
        let (biomes, families) = tables;
        let biomes = biomes.iter().map(|biome| biome.lineage.len() + TABLE_ROW_BYTES);
        let clan_bytes = |clan: Option<&str>| clan.map_or(0, str::len);
        let families = families.iter().map(|(_, family)| family.name.len() + clan_bytes(family.clan.as_deref()));
        let table_bytes: usize = biomes.sum::<usize>() + families.map(|bytes| bytes + TABLE_ROW_BYTES).sum::<usize>();
        let Estimate { num_proteins, record_bytes, reading, num_rows_sampled, .. } = estimate;
        let checksums = if has_checksums { (CHECKSUMS_BYTES, DIGESTING) } else { (0, Duration::ZERO) };
        let indexed_bytes = num_proteins.saturating_mul(COLUMNS_AND_TERMS_BYTES + STORED_BYTES + checksums.0);
        self.index_bytes = record_bytes.saturating_add(indexed_bytes).saturating_add(table_bytes as u64);
        let num_proteins = u32::try_from(num_proteins).unwrap_or(u32::MAX);
        let indexing = INDEXING.saturating_mul(num_proteins);
        let cores = u32::try_from(num_threads.max(1)).unwrap_or(u32::MAX);
        // One thread digests.
        let digesting = checksums.1.saturating_mul(num_proteins);
        self.duration = reading.saturating_add(indexing) / cores + digesting + Duration::from_secs(1);
        self.num_rows_sampled = num_rows_sampled;
    }
}

/// Returns what the whole has, where a part of it has so much.
pub fn scaled(of_part: u64, part: u64, whole: u64) -> u64 {
    let scaled = u128::from(of_part) * u128::from(whole) / u128::from(part.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

/// Returns the time for the whole, where a part took so long.
pub fn scaled_time(of_part: Duration, part: u64, whole: u64) -> Duration {
    Duration::from_nanos(scaled(u64::try_from(of_part.as_nanos()).unwrap_or(u64::MAX), part, whole))
}

/// Returns at most so many of some things, from everywhere among them.
pub fn spread<T>(things: &[T], num_max: usize) -> impl Iterator<Item = &T> {
    things.iter().step_by(things.len().div_ceil(num_max).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_taken_from_everywhere() {
        let things: Vec<u32> = (0..100).collect();
        assert_eq!(spread(&things, 4).copied().collect::<Vec<_>>(), [0, 25, 50, 75]);
        assert_eq!(spread(&things[..3], 4).count(), 3);
        assert_eq!(spread(&things[..5], 4).count(), 3);
        assert_eq!(spread(&things[..0], 4).count(), 0);
        assert_eq!((scaled(3, 10, 100), scaled(1, 0, 5), scaled(u64::MAX, 1, 2)), (30, 5, u64::MAX));
    }

    #[test]
    fn a_record_is_the_sum_of_its_parts() {
        let mut measured = Measured::start();
        let record = Record { sequence: "MKVLA".repeat(20), cluster_size: 3, ..Record::default() };
        let mut encoded = Vec::new();
        record.encode(ProteinAccession::new(7).expect("in range"), &mut encoded);
        assert_eq!(measured.part_bytes(&record) + measured.empty_bytes(), encoded.len() as u64);
        assert!(measured.part_bytes(&record) > 50);
    }
}
