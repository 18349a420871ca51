//! The parts of a file name: `mgy_proteins_12.fa.gz` is part 12 of `mgy_proteins`, FASTA, gzip.

use super::Format;
use super::known::{self, SUM_ENDING, Stem};

/// How a file is compressed. Where there are two copies, the first in this order is read, since it is the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Compression {
    /// None, or inside of the format.
    None,
    Zstd,
    Gzip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileName {
    pub(super) stem: &'static Stem,
    pub(super) part: Option<u64>,
    pub(super) compression: Compression,
}

/// Parses a file name, or returns `None` where it is not one of a release.
pub(super) fn parse(name: &str) -> Option<FileName> {
    let (rest, compression) = match name.rsplit_once('.')? {
        (rest, ending) if ending.eq_ignore_ascii_case("gz") => (rest, Compression::Gzip),
        (rest, ending) if ending.eq_ignore_ascii_case("zst") => (rest, Compression::Zstd),
        _ => (name, Compression::None),
    };
    let (numbered, ending) = rest.rsplit_once('.')?;
    let format = match ending.to_ascii_lowercase().as_str() {
        "parquet" if compression == Compression::None => Format::Parquet,
        "tsv" => Format::Tsv,
        "fa" | "fasta" => Format::Fasta,
        _ => return None,
    };
    let (stem, part) = numbered_stem(numbered, format)?;
    Some(FileName { stem, part, compression })
}

/// Tells whether a file holds the MD5 sum of a file of a release.
pub(super) fn is_sum(name: &str) -> bool {
    name.strip_suffix(SUM_ENDING).is_some_and(|name| parse(name).is_some())
}

/// Splits the number of a part from a name.
pub(super) fn numbered_stem(name: &str, format: Format) -> Option<(&'static Stem, Option<u64>)> {
    if let Some(stem) = known::find(name, format) {
        return Some((stem, None));
    }
    let (stem, part) = name.rsplit_once(['_', '-', '.'])?;
    let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let part = is_number.then(|| part.parse().ok()).flatten()?;
    Some((known::find(stem, format)?, Some(part)))
}
