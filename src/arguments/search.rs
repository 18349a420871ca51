//! `mgdex search`.

use clap::{Args, ValueEnum};
use store::PfamAccession;

use super::DataFolder;

/// What to search for.
#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Where the data are.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// What to search for.
    #[command(flatten)]
    pub(crate) filter: FilterArguments,
    /// The most hits that are printed
    #[arg(long, env = "MGDEX_LIMIT", value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    /// The form of the output
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    pub(crate) format: SearchFormat,
}

/// Exactly one of these is needed.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct FilterArguments {
    /// The biome with this id, without the biomes below it
    #[arg(long, env = "MGDEX_BIOME_ID", value_name = "N", allow_negative_numbers = true)]
    pub(crate) biome_id: Option<i64>,
    /// The biome with this full lineage, and all biomes below it
    #[arg(long, env = "MGDEX_LINEAGE", value_name = "L")]
    pub(crate) lineage: Option<String>,
    /// The Pfam family: PF00005, or just 5
    #[arg(long, value_name = "PF", value_parser = parse_family)]
    pub(crate) pfam: Option<PfamAccession>,
}

/// The form of hits.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SearchFormat {
    /// A JSON array, as the service answers
    Json,
    /// Tab-separated columns under a header line
    Tsv,
}

/// Reads a family, with or without `PF`.
fn parse_family(text: &str) -> Result<PfamAccession, String> {
    let with_prefix =
        if text.bytes().all(|byte| byte.is_ascii_digit()) { format!("PF{text}") } else { text.to_owned() };
    with_prefix.parse().map_err(|error: store::PfamAccessionError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_read_with_and_without_prefix() {
        for text in ["5", "PF00005", "pf5"] {
            assert_eq!(parse_family(text), Ok(PfamAccession(5)), "{text}");
        }
        assert!(parse_family("0").is_err() && parse_family("").is_err() && parse_family("CL5").is_err());
    }
}
