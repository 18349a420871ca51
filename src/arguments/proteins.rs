//! `mgdex search` and `mgdex show`.

use clap::{Args, ValueEnum};
use store::{PfamAccession, ProteinAccession};

use super::DataFolder;

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    #[command(flatten)]
    pub(crate) filter: FilterArguments,
    /// Maximum number of hits
    #[arg(long, env = "MGDEX_LIMIT", value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    /// Output format
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    pub(crate) format: SearchFormat,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct FilterArguments {
    /// Find proteins of the biome with this id, but not of biomes below it
    #[arg(long, env = "MGDEX_BIOME_ID", value_name = "N", allow_negative_numbers = true)]
    pub(crate) biome_id: Option<i64>,
    /// Find proteins of the biome with this full lineage, and of biomes below it
    #[arg(long, env = "MGDEX_LINEAGE", value_name = "L")]
    pub(crate) lineage: Option<String>,
    /// Find proteins with this Pfam family: PF00005, or just 5
    #[arg(long, value_name = "PF", value_parser = parse_family)]
    pub(crate) pfam: Option<PfamAccession>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SearchFormat {
    /// A JSON array, as the REST service answers
    Json,
    /// Tab-separated columns with a header line
    Tsv,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Accessions: MGYP000261684433, or just 261684433
    #[arg(value_name = "MGYP", required = true)]
    pub(crate) accessions: Vec<ProteinAccession>,
    /// Output format
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    pub(crate) format: ShowFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ShowFormat {
    /// JSON, one record a line, as the REST service answers
    Json,
    /// Sequences only, with 60 residues a line
    Fasta,
}

fn parse_family(text: &str) -> Result<PfamAccession, String> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let accession = if is_number { format!("PF{text}") } else { text.to_owned() };
    accession.parse().map_err(|error: store::PfamAccessionError| error.to_string())
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
