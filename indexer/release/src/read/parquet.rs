//! Parquet tables.

mod columns;
mod decoders;
mod file;
mod groups;
pub(super) mod order;
mod rows;

use std::sync::Arc;

use indexer::Result;

use crate::table::Table;

use self::decoders::DecodedGroups;
use self::file::{GroupSize, ParquetFile};
use self::groups::{Group, Groups};
use super::BytesRead;
use super::batch::{Batch, Decoding, RowSource};
use super::layout::TableInput;
use super::lineages::{LineageCache, Lineages};

/// Returns the number of rows in the files of a table, from their footers.
pub(super) fn num_rows(input: &TableInput) -> Result<u64> {
    sum_of_groups(input, |size| size.rows)
}

fn sum_of_groups(input: &TableInput, of_group: impl Fn(GroupSize) -> u64) -> Result<u64> {
    let files = input.files.iter().map(|file| {
        let file = ParquetFile::open(file, input.table)?;
        Ok((0..file.num_groups()).map(|index| of_group(file.group_size(index))).sum::<u64>())
    });
    files.sum()
}

enum ParquetSource {
    /// Decodes one row group after another itself.
    Whole {
        groups: Groups,
        current: Option<Box<Group>>,
        lineages: LineageCache,
    },
    Split(DecodedGroups),
}

/// Opens the files of a table. Returns the source, and the number of compressed bytes of the
/// columns that are read.
pub(super) fn open(
    input: &TableInput,
    lineages: &Arc<Lineages>,
    bytes_read: &BytesRead,
) -> Result<(Box<dyn RowSource>, u64)> {
    let total_bytes = sum_of_groups(input, |size| size.bytes)?;
    let groups = Groups::new(input, bytes_read);
    let source = ParquetSource::Whole { groups, current: None, lineages: LineageCache::new(lineages) };
    Ok((Box::new(source), total_bytes))
}

impl RowSource for ParquetSource {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        let (groups, current, lineages) = match self {
            Self::Whole { groups, current, lineages } => (groups, current, lineages),
            Self::Split(decoded) => return decoded.next(batch),
        };
        loop {
            if let Some(group) = current
                && group.next(lineages, batch)?
            {
                return Ok(true);
            }
            *current = groups.next()?.map(Box::new);
            if current.is_none() {
                return Ok(false);
            }
        }
    }

    fn skip_before(&mut self, key: u64) {
        if let Self::Whole { groups, .. } = self {
            groups.skip_before(key);
        }
    }

    fn split(&mut self, num_decoders: usize, num_blocks: usize) -> Vec<Decoding> {
        match self {
            // The ordinals of new lineages depend on which one is looked up first.
            Self::Whole { groups, lineages, .. } if num_decoders > 1 && groups.table != Table::Biomes => {
                let (decoded, decoders) = decoders::split(groups.clone(), lineages, num_decoders, num_blocks);
                *self = Self::Split(decoded);
                decoders.into_iter().map(|decoder| Box::new(|| decoder.run()) as Decoding).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
