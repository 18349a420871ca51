//! The parts of a file name: `mgy_proteins_12.fa.gz` is part 12 of `mgy_proteins`, FASTA, gzip.

use super::Format;
use super::known::{self, Stem};

/// How a file is compressed. Where there are two copies, the first in this order is read, since it is the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Compression {
    /// Not, or inside of the format.
    None,
    /// Zstandard.
    Zstd,
    /// Gzip.
    Gzip,
}

/// What a file name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileName {
    /// The known name.
    pub(super) stem: &'static Stem,
    /// The number of the part, or `None` for a whole table.
    pub(super) part: Option<u64>,
    /// How it is compressed.
    pub(super) compression: Compression,
}

/// Reads a file name, or returns `None` where it is none of a release.
pub(super) fn read(name: &str) -> Option<FileName> {
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
