//! Blocks of neighbouring identifiers: the engine needs the same time for a small value and for one
//! a hundred times its size.
//!
//! An identifier is written as its length, its bytes and its ordinal. Both numbers are big-endian,
//! of four bytes.

use crate::Ordinal;

use super::ordinal_of;

/// The entries of a block. A search reads half of a block, on average.
const BLOCK_ENTRIES: usize = 64;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Damaged;

type Entry<'a> = (&'a [u8], Ordinal);

/// Groups ascending identifiers into blocks, each with its first identifier.
pub(super) fn blocks<'a>(
    mut identifiers: impl Iterator<Item = Entry<'a>>,
) -> impl Iterator<Item = (&'a [u8], Vec<u8>)> {
    std::iter::from_fn(move || {
        let mut block = Vec::new();
        let mut first = None;
        for (identifier, ordinal) in identifiers.by_ref().take(BLOCK_ENTRIES) {
            first.get_or_insert(identifier);
            // Longer identifiers were cut at 4 GiB.
            let length = u32::try_from(identifier.len()).unwrap_or(u32::MAX);
            block.extend_from_slice(&length.to_be_bytes());
            block.extend_from_slice(identifier);
            block.extend_from_slice(&ordinal.to_be_bytes());
        }
        first.map(|first| (first, block))
    })
}

pub(super) fn entries(mut block: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, Damaged>> {
    std::iter::from_fn(move || {
        if block.is_empty() {
            return None;
        }
        let entry = split_entry(block);
        block = entry.map_or(&[], |(_, rest)| rest);
        Some(entry.map(|(entry, _)| entry).ok_or(Damaged))
    })
}

pub(super) fn find(block: &[u8], identifier: &[u8]) -> Result<Option<Ordinal>, Damaged> {
    for entry in entries(block) {
        let (found, ordinal) = entry?;
        if found == identifier {
            return Ok(Some(ordinal));
        }
    }
    Ok(None)
}

fn split_entry(block: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (length, block) = block.split_first_chunk()?;
    let (identifier, block) = block.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    let (ordinal, block) = block.split_at_checked(size_of::<Ordinal>())?;
    Some(((identifier, ordinal_of(ordinal)?), block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_found_in_their_block() {
        let names: Vec<String> = (0..150).map(|number| format!("ERS{number:03}")).collect();
        let blocks: Vec<_> = blocks((7..).zip(&names).map(|(ordinal, name)| (name.as_bytes(), ordinal))).collect();
        let firsts: Vec<&[u8]> = blocks.iter().map(|(first, _)| *first).collect();
        assert_eq!(firsts, [b"ERS000", b"ERS064", b"ERS128"]);
        for (ordinal, name) in (7..).zip(&names) {
            let block = &blocks[firsts.partition_point(|first| *first <= name.as_bytes()) - 1].1;
            assert_eq!(find(block, name.as_bytes()), Ok(Some(ordinal)));
        }
        assert_eq!(find(&blocks[0].1, b"ERS00"), Ok(None));
        assert_eq!(find(&blocks[0].1[..20], b"ERS001"), Err(Damaged));
        assert_eq!(super::blocks(std::iter::empty()).count(), 0);
    }
}
