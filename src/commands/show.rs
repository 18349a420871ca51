//! Printing protein records without a server.

use api::proteins::ProteinDetail;
use store::{Protein, ProteinAccession, ProteinGeneration};

use crate::arguments::{ShowArguments, ShowFormat};
use crate::commands::open_proteins;
use crate::failure::Failure;
use crate::output::Output;

/// Residues on a line of FASTA.
const FASTA_WIDTH: usize = 60;

/// Prints the records. Like clients of the service, it follows replaced accessions.
pub(crate) fn run(arguments: &ShowArguments) -> Result<(), Failure> {
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

/// Returns a protein or its replacement.
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
