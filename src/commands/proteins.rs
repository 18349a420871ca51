//! `mgdex search` and `mgdex show`: searching and printing proteins without a server.

use api::proteins::{ProteinDetail, hits_json};
use clap::{Args, ValueEnum};
use store::{Filter, PfamAccession, Protein, ProteinAccession, ProteinGeneration, ProteinHit, SearchAnswer};

use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::Output;

/// Residues on a line of FASTA.
const FASTA_WIDTH: usize = 60;

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    filter: FilterArguments,
    /// Maximum number of hits
    #[arg(long, env = "MGDEX_LIMIT", value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Output format
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    format: SearchFormat,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct FilterArguments {
    /// Find proteins of the biome with this id, but not of biomes below it
    #[arg(long, env = "MGDEX_BIOME_ID", value_name = "N", allow_negative_numbers = true)]
    biome_id: Option<i64>,
    /// Find proteins of the biome with this full lineage, and of biomes below it
    #[arg(long, env = "MGDEX_LINEAGE", value_name = "L")]
    lineage: Option<String>,
    /// Find proteins with this Pfam family: PF00005, or just 5
    #[arg(long, value_name = "PF", value_parser = parse_family)]
    pfam: Option<PfamAccession>,
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
    data: DataFolder,
    /// Accessions: MGYP000261684433, or just 261684433
    #[arg(value_name = "MGYP", required = true)]
    accessions: Vec<ProteinAccession>,
    /// Output format
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    format: ShowFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ShowFormat {
    /// JSON, one record a line, as the REST service answers
    Json,
    /// Sequences only, with 60 residues a line
    Fasta,
}

pub(crate) fn search(arguments: &SearchArguments) -> Result<(), Failure> {
    let proteins = open_proteins(&arguments.data)?;
    let filter = match &arguments.filter {
        FilterArguments { biome_id: Some(id), .. } => Filter::BiomeId(*id),
        FilterArguments { lineage: Some(lineage), .. } => Filter::BiomeLineage(lineage.clone()),
        FilterArguments { pfam: Some(family), .. } => Filter::Family(*family),
        _ => return Err(Failure::Message("no filter was given".to_owned())),
    };
    let hits = match proteins.search(&filter, arguments.limit)? {
        SearchAnswer::Hits(hits) => hits,
        SearchAnswer::UnknownLineage(unknown) => return Err(Failure::Message(unknown.to_string())),
    };
    let mut output = Output::new();
    match arguments.format {
        SearchFormat::Json => output.line(String::from_utf8_lossy(&hits_json(&hits)))?,
        SearchFormat::Tsv => {
            output.line("mgyp\tfull_length\tcluster_size")?;
            for ProteinHit { accession, full_length, cluster_size } in hits {
                let full_length = full_length.map(|value| value.to_string()).unwrap_or_default();
                output.line(format_args!("{accession}\t{full_length}\t{cluster_size}"))?;
            }
        }
    }
    output.finish()
}

/// Prints the records. Like clients of the service, it follows replaced accessions.
pub(crate) fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let proteins = open_proteins(&arguments.data)?;
    let mut output = Output::new();
    let mut missing = Vec::new();
    for &accession in &arguments.accessions {
        match find(&proteins, accession)? {
            Some(protein) => print(&mut output, accession, protein, arguments.format)?,
            None => missing.push(accession.to_string()),
        }
    }
    output.finish()?;
    if missing.is_empty() { Ok(()) } else { Err(Failure::Message(format!("not found: {}", missing.join(", ")))) }
}

fn find(proteins: &ProteinGeneration, accession: ProteinAccession) -> Result<Option<Protein>, Failure> {
    if let Some(protein) = proteins.fetch(accession)? {
        return Ok(Some(protein));
    }
    let Some(replacement) = proteins.replacement(accession) else { return Ok(None) };
    tracing::info!("{accession} was replaced by {replacement}");
    Ok(proteins.fetch(replacement)?)
}

fn print(output: &mut Output, asked: ProteinAccession, protein: Protein, format: ShowFormat) -> Result<(), Failure> {
    match format {
        ShowFormat::Json => output.line(serde_json::to_string(&ProteinDetail::from(protein))?),
        ShowFormat::Fasta => {
            // As in the files of a release. If completeness is unknown, it is left out.
            let full_length = protein.full_length.map(|value| format!(" FL={}", u8::from(value))).unwrap_or_default();
            // The members of a cluster have the record of its representative.
            let member = if asked == protein.accession { String::new() } else { format!(" member={asked}") };
            output.line(format_args!(">{}{full_length}{member}", protein.accession))?;
            // Residues are single bytes, so every piece of them is text.
            for line in protein.sequence.as_bytes().chunks(FASTA_WIDTH) {
                output.line(String::from_utf8_lossy(line))?;
            }
            Ok(())
        }
    }
}

pub(crate) fn open_proteins(data: &DataFolder) -> Result<ProteinGeneration, Failure> {
    ProteinGeneration::open_current(&data.generations(Kind::Proteins))?.ok_or_else(|| {
        let folder = data.path.display();
        Failure::Message(format!("no proteins are loaded in {folder}: run `mgdex index --data {folder} …` first"))
    })
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
