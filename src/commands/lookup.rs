//! `mgdex lookup`: finding the proteins of sequences without a server.

use std::io::BufReader;
use std::sync::Arc;

use api_proteins::{NO_CHECKSUMS, SequenceLookup};
use clap::Args;
use clap::builder::FalseyValueParser;
use indexer::Input;
use store::FastaReader;

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct LookupArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Sequences in FASTA; `-` is standard input
    #[arg(value_name = "FASTA")]
    fasta: Input,
    /// Print all proteins of a sequence, not only the one with the lowest accession
    #[arg(long, env = "MGDEX_ALL", value_parser = FalseyValueParser::new())]
    all: bool,
}

/// Prints a JSON object for each sequence, like the answers of the REST service. Fails if some
/// cannot be looked up.
pub(crate) fn run(arguments: &LookupArguments) -> Result<(), Failure> {
    let proteins = arguments.data.open_proteins()?;
    if proteins.checksums().is_none() {
        return Err(Failure::Message(NO_CHECKSUMS.to_owned()));
    }
    let failure = |problem: &dyn std::fmt::Display| Failure::Message(format!("{}: {problem}", arguments.fasta.name()));
    let input = arguments.fasta.read().map_err(|error| failure(&error))?;
    let mut lookup = SequenceLookup::new(Arc::new(proteins), FastaReader::new(BufReader::new(input)), arguments.all);
    let mut output = Output::new();
    while let Some(part) = lookup.next_part().map_err(|error| failure(&error))? {
        output.bytes(&part)?;
    }
    output.finish()?;
    match lookup.num_faults() {
        0 => Ok(()),
        1 => Err(failure(&"1 sequence cannot be looked up: its line says why")),
        num => Err(failure(&format_args!("{num} sequences cannot be looked up: their lines say why"))),
    }
}
