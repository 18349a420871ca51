//! `mgdex show`: printing proteins without a server.

mod members;
mod neighbours;

use std::io::{BufRead, BufReader};

use api_proteins::{GENES_MAX, ProteinDetail, ResultField, ResultFormat, ResultWriter, list_sources, write_fasta_with};
use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum};
use indexer::Input;
use serde::Serialize;
use store::{AccessionError, ProteinAccession};
use store_proteins::{Protein, ProteinGeneration, ProteinPage};

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::{Output, is_terminal};

/// The most missing proteins that a message names.
const NAMED_MAX: usize = 100;

/// The width of the names of fields.
const NAME_WIDTH: usize = 14;

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Accessions: MGYP000261684433, or just 261684433; or names of your own proteins: `k141_1_2`,
    /// or `soil:k141_1_2` of the source soil
    #[arg(value_name = "MGYP", required_unless_present = "ids_from")]
    accessions: Vec<String>,
    /// File with one accession or name per line; `-` is standard input
    #[arg(long, env = "MGDEX_IDS_FROM", value_name = "FILE")]
    ids_from: Option<Input>,
    /// Output format [default: table on a terminal, otherwise json]
    #[arg(long, env = "MGDEX_FORMAT", value_enum)]
    format: Option<ShowFormat>,
    /// Print the members of the clusters of these proteins in place of records
    #[arg(long, value_parser = FalseyValueParser::new())]
    members: bool,
    /// Print the places of these proteins on contigs in place of records, each with at most N genes
    /// on both sides
    #[arg(long, value_name = "N", conflicts_with = "members", value_parser = clap::value_parser!(u64).range(..=GENES_MAX))]
    neighbours: Option<u64>,
    /// Print indented JSON; `--format json` on a terminal does so anyway
    #[arg(long, env = "MGDEX_PRETTY", value_parser = FalseyValueParser::new())]
    pretty: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ShowFormat {
    /// Aligned fields and values for people
    Table,
    /// JSON, one record per line, as the REST service answers
    Json,
    /// Sequences only, with 60 residues per line
    Fasta,
}

/// Prints the records. Replaced accessions and members of clusters are followed, as clients of the
/// service do.
pub(crate) fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let proteins = arguments.data.open_proteins()?;
    let is_pretty = arguments.pretty || is_terminal();
    let default = if is_terminal() && !arguments.pretty { ShowFormat::Table } else { ShowFormat::Json };
    let (format, output) = (arguments.format.unwrap_or(default), Output::new());
    let (wants_members, neighbours) = (arguments.members, arguments.neighbours);
    let (missing, num_missing) = (Vec::new(), 0);
    let mut printer =
        RecordPrinter { proteins, format, wants_members, neighbours, is_pretty, output, missing, num_missing };
    for wanted in &arguments.accessions {
        let malformed = |error| Failure::Usage(format!("error: invalid value '{wanted}' for '[MGYP]...': {error}"));
        printer.check(wanted).map_err(malformed)?;
    }
    if wants_members {
        printer.begin_members()?;
    }
    arguments.accessions.iter().try_for_each(|wanted| printer.show(wanted))?;
    if let Some(file) = &arguments.ids_from {
        for_each_listed(file, |wanted| match printer.check(wanted) {
            Ok(()) => printer.show(wanted).map(Ok),
            Err(error) => Ok(Err(error)),
        })?;
    }
    printer.output.finish()?;
    let more = printer.num_missing - printer.missing.len();
    match (printer.missing.join(", "), more) {
        (names, _) if names.is_empty() => Ok(()),
        (names, 0) => Err(Failure::Message(format!("not found: {names}"))),
        (names, more) => Err(Failure::Message(format!("not found: {names}, and {more} more"))),
    }
}

/// Calls a function for each item of a list until one is malformed.
fn for_each_listed(
    file: &Input,
    mut visit: impl FnMut(&str) -> Result<Result<(), AccessionError>, Failure>,
) -> Result<(), Failure> {
    let failure = |problem: &dyn std::fmt::Display| Failure::Message(format!("{}: {problem}", file.name()));
    let input = BufReader::new(file.read().map_err(|error| failure(&error))?);
    for (number, line) in (1..).zip(input.lines()) {
        let line = line.map_err(|error| failure(&error))?;
        for wanted in ProteinAccession::listed(&line) {
            visit(wanted)?.map_err(|error| failure(&format!("line {number}: {error}")))?;
        }
    }
    Ok(())
}

/// Prints records, and collects accessions and names without a record.
struct RecordPrinter {
    proteins: ProteinGeneration,
    format: ShowFormat,
    wants_members: bool,
    /// The number of neighbours to print in place of records.
    neighbours: Option<u64>,
    is_pretty: bool,
    output: Output,
    /// The first missing ones.
    missing: Vec<String>,
    num_missing: usize,
}

impl RecordPrinter {
    /// Refuses a text that is not an accession if there are no names.
    fn check(&self, wanted: &str) -> Result<(), AccessionError> {
        if self.proteins.sources().is_empty() { ProteinAccession::parse_as_written(wanted).map(drop) } else { Ok(()) }
    }

    fn show(&mut self, wanted: &str) -> Result<(), Failure> {
        let found = match ProteinAccession::parse_as_written(wanted) {
            Ok(accession) => vec![accession],
            Err(_) => self.proteins.find_name(wanted)?,
        };
        let missing = match found[..] {
            [accession] if self.wants_members => {
                if self.print_members(accession)? {
                    return Ok(());
                }
                accession.to_string()
            }
            [accession] => match find_or_successor(&self.proteins, accession)? {
                Some(protein) => {
                    return match self.neighbours {
                        Some(num_genes) => self.print_neighbours(protein.accession, num_genes),
                        None => self.print(accession, protein),
                    };
                }
                None => accession.to_string(),
            },
            [] => wanted.to_owned(),
            _ => format!("{wanted} ({})", list_sources(&self.proteins, &found, wanted)),
        };
        self.num_missing += 1;
        if self.missing.len() < NAMED_MAX {
            self.missing.push(missing);
        }
        Ok(())
    }

    fn print(&mut self, wanted: ProteinAccession, mut protein: Protein) -> Result<(), Failure> {
        match self.format {
            ShowFormat::Table => self.table(protein.accession),
            ShowFormat::Json => {
                let Some(source) = protein.source.take() else {
                    return self.line(&ProteinDetail::from(protein));
                };
                let own =
                    [("name", protein.name.clone()), ("source", source), ("description", protein.description.clone())];
                let mut record = serde_json::to_value(ProteinDetail::from(protein))?;
                for (key, text) in own {
                    record[key] = Some(text).filter(|text| !text.is_empty()).into();
                }
                self.line(&record)
            }
            ShowFormat::Fasta => {
                // The members of a cluster have the record of its representative.
                let member = if wanted == protein.accession { String::new() } else { format!(" member={wanted}") };
                let mut text = Vec::new();
                write_fasta_with(&protein, &member, &mut text);
                self.output.bytes(&text)
            }
        }
    }

    /// Prints the fields of a protein that have values, one below the other.
    fn table(&mut self, accession: ProteinAccession) -> Result<(), Failure> {
        let (fields, mut row): (Vec<_>, _) = (ResultField::all().collect(), Vec::new());
        let page = ProteinPage { hits: self.proteins.find(accession)?.into_iter().collect(), next: None };
        ResultWriter::new(ResultFormat::Tsv, &fields).write_page(&self.proteins, &page, &mut row)?;
        let row = String::from_utf8_lossy(&row);
        for (field, cell) in
            fields.iter().zip(row.trim_end_matches('\n').split('\t')).filter(|(_, cell)| !cell.is_empty())
        {
            let values = cell.replace(';', &format!("\n{:NAME_WIDTH$}", ""));
            self.output.line(format_args!("{:NAME_WIDTH$}{values}", field.name()))?;
        }
        self.output.line("")
    }

    fn line(&mut self, record: &impl Serialize) -> Result<(), Failure> {
        let write = if self.is_pretty { serde_json::to_string_pretty } else { serde_json::to_string };
        self.output.line(write(record)?)
    }
}

fn find_or_successor(proteins: &ProteinGeneration, accession: ProteinAccession) -> Result<Option<Protein>, Failure> {
    if let Some(protein) = proteins.fetch(accession)? {
        return Ok(Some(protein));
    }
    let Some(successor) = proteins.successor(accession)? else { return Ok(None) };
    tracing::info!("{accession} {successor}");
    Ok(proteins.fetch(successor.accession())?)
}
