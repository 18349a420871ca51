//! `mgdex cite`: printing how to cite the loaded release and mgdex.

use api_proteins::Citation;
use clap::Args;
use clap::builder::FalseyValueParser;
use store_proteins::ProteinGeneration;

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::print;

#[derive(Debug, Args)]
pub(crate) struct CiteArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Print the entries of a bibliography: the release, the article about MGnify, and mgdex
    #[arg(long, env = "MGDEX_BIBTEX", value_parser = FalseyValueParser::new())]
    bibtex: bool,
}

/// Prints a line with the names of the release, and a sentence that cites it.
pub(crate) fn run(arguments: &CiteArguments) -> Result<(), Failure> {
    let no_release = || Failure::Message("no release is loaded: own data are not part of a citation".to_owned());
    let citation = Citation::of(&arguments.data.open_proteins()?).ok_or_else(no_release)?;
    if arguments.bibtex {
        return print(citation.bibtex.trim_end());
    }
    print(format_args!("{}\n\n{}", citation.line, citation.sentence))
}

/// Logs the line for a result that has no place for it.
pub(crate) fn log(proteins: &ProteinGeneration) {
    if let Some(citation) = Citation::of(proteins) {
        tracing::info!("{}", citation.line);
    }
}
