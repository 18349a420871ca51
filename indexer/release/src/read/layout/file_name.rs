//! The names of files of releases: `mgy_proteins_12.fa.gz` is part 12 of `mgy_proteins`, FASTA,
//! gzip, and `mgy_clusters_2022_05.fa` is `mgy_clusters` of a month.

use super::Format;
use crate::table::Table;

/// A known file name, without part number and endings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stem {
    pub(super) name: &'static str,
    pub(super) format: Format,
    /// The table, or `None` for a file whose data are also in other files.
    pub(super) table: Option<Table>,
    /// Set if the sequences are those of all proteins.
    pub(super) covers_all_proteins: bool,
}

const fn parquet(name: &'static str, table: Option<Table>) -> Stem {
    Stem { name, format: Format::Parquet, table, covers_all_proteins: true }
}

const fn tsv(name: &'static str, table: Option<Table>) -> Stem {
    Stem { name, format: Format::Tsv, table, covers_all_proteins: true }
}

const fn fasta(name: &'static str, covers_all_proteins: bool) -> Stem {
    Stem { name, format: Format::Fasta, table: Some(Table::Sequences), covers_all_proteins }
}

/// All names. If several are of one table, the first is preferred.
pub(super) static STEMS: [Stem; 21] = [
    parquet("mgy_clusters", Some(Table::Clusters)),
    parquet("mgy_cluster_seqs", Some(Table::ClusterMembers)),
    parquet("mgy_protein_sequences", Some(Table::Sequences)),
    parquet("mgy_biomes", Some(Table::Biomes)),
    parquet("mgy_proteins_pfam", Some(Table::Pfam)),
    parquet("mgy_proteins_metadata", Some(Table::Occurrences)),
    parquet("mgy_counts", None),
    parquet("mgy_biome_counts", None),
    tsv("mgy_clusters", Some(Table::Clusters)),
    tsv("mgy_cluster_seqs", Some(Table::ClusterMembers)),
    fasta("mgy_clusters", false),
    fasta("mgy_proteins", true),
    tsv("mgy_biomes", Some(Table::Biomes)),
    // The first two are from HMMER and may have scores, the last never has any.
    tsv("mgy_proteins_pfam", Some(Table::Pfam)),
    tsv("mgy_pfam", Some(Table::Pfam)),
    tsv("mgy_ProtENN_pfam", Some(Table::Pfam)),
    tsv("mgy_seq_metadata", Some(Table::Occurrences)),
    tsv("mgy_contig_map", Some(Table::ContigNames)),
    // The assemblies of a protein are also in its loci on contigs, and the counts are sums of rows
    // that are read.
    tsv("mgy_assemblies", None),
    tsv("mgy_counts", None),
    tsv("mgy_biome_counts", None),
];

/// The list of the MD5 sums of all files of a release.
pub(super) const SUMS: &str = "md5sum.txt";

/// The end of the name of a file with one MD5 sum.
pub(super) const SUM_ENDING: &str = ".md5";

/// Files of releases without a table: they are ignored.
pub(super) const COMPANIONS: [&str; 6] = ["readme.md", "readme.txt", "stats.md", "license", SUMS, "mgy30"];

fn find(name: &str, format: Format) -> Option<&'static Stem> {
    STEMS.iter().find(|stem| stem.format == format && stem.name.eq_ignore_ascii_case(name))
}

/// The compression of a file. The first of two copies in this order is read, since it is the
/// fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Compression {
    /// None, or inside the format.
    None,
    Zstd,
    Gzip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileName {
    pub(super) stem: &'static Stem,
    pub(super) part: Option<u64>,
    /// The year and month of the release, such as 202205.
    pub(super) month: Option<u32>,
    pub(super) compression: Compression,
}

/// Parses a file name, or returns `None` if it is not one of a release.
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
        "fa" | "faa" | "fasta" => Format::Fasta,
        _ => return None,
    };
    let (undated, month) = match without_month(numbered) {
        Some((undated, month)) => (undated, Some(month)),
        None => (numbered, None),
    };
    let (stem, part) = numbered_stem(undated, format)?;
    Some(FileName { stem, part, month, compression })
}

/// Splits the month from a name such as `mgy_clusters_2022_05`, which copies for structure
/// prediction have.
fn without_month(name: &str) -> Option<(&str, u32)> {
    let (name, month) = name.rsplit_once('_')?;
    let (name, year) = name.rsplit_once('_')?;
    let has_digits = |text: &str, num| text.len() == num && text.bytes().all(|byte| byte.is_ascii_digit());
    if !has_digits(year, 4) || !has_digits(month, 2) {
        return None;
    }
    Some((name, year.parse::<u32>().ok()? * 100 + month.parse::<u32>().ok()?))
}

/// Returns whether a file has the MD5 sum of a file of a release.
pub(super) fn is_sum(name: &str) -> bool {
    name.strip_suffix(SUM_ENDING).is_some_and(|name| parse(name).is_some())
}

/// Splits the number of a part from a name.
pub(super) fn numbered_stem(name: &str, format: Format) -> Option<(&'static Stem, Option<u64>)> {
    if let Some(stem) = find(name, format) {
        return Some((stem, None));
    }
    let (stem, part) = name.rsplit_once(['_', '-', '.'])?;
    let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let part = is_number.then(|| part.parse().ok()).flatten()?;
    Some((find(stem, format)?, Some(part)))
}
