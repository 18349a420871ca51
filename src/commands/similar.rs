//! `mgdex similar`: finding proteins that are similar to sequences, without a server.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use api_proteins::{HitWriter, NamedQuery, ResultField, ResultFormat};
use clap::{Args, ValueEnum};
use indexer::{Input, Progress, Unit, counted};
use similarity::{
    Found, Hit, Limits, Query, QueryKind, Search, SearchSpace, Selection, Targets, TargetsFile, parse_evalue,
};
use store::{FastaReader, FastaSequence};
use store_proteins::ProteinGeneration;

use super::cite;
use super::proteins::parse_limit;
use super::query::parse as parse_query;
use crate::data_folder::DataFolder;
use crate::engine_user::EngineUser;
use crate::failure::Failure;
use crate::interruption;
use crate::output::Output;
use crate::size::{Size, parse_memory};

#[derive(Debug, Args)]
pub(crate) struct SimilarArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Sequences to search for, in FASTA; `-` is standard input
    #[arg(value_name = "FASTA")]
    pub(crate) fasta: Input,
    /// Search among the matches of a query, such as 'pfam:PF00005 AND length:[50 TO 300]' [default:
    /// all proteins]
    #[arg(long, env = "MGDEX_QUERY", value_name = "Q")]
    query: Option<String>,
    /// Highest E-value of a hit, above 0 and up to 10
    #[arg(long, env = "MGDEX_EVALUE", value_name = "E", default_value = "1e-3", value_parser = parse_evalue, allow_negative_numbers = true)]
    evalue: f64,
    /// Database size for E-values: `selection`, `release` or a number
    #[arg(long, env = "MGDEX_SPACE", value_name = "N", default_value = "selection")]
    space: SearchSpace,
    /// Maximum number of hits of a sequence, or `all`
    #[arg(long, env = "MGDEX_LIMIT", value_name = "N", default_value = "all", value_parser = parse_limit)]
    limit: u64,
    /// Output format
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "tsv")]
    format: SimilarFormat,
    /// Memory limit of the search program, such as 8G
    #[arg(long, env = "MGDEX_ENGINE_MEMORY", value_name = "SIZE", default_value = "4G", value_parser = parse_memory)]
    engine_memory: Size,
    #[command(flatten)]
    engine_user: EngineUser,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SimilarFormat {
    /// The twelve columns of BLAST's tables, one row for each aligned part
    Tsv,
    /// One JSON object per hit, with all scores and alignments
    Ndjson,
    /// The sequences of the hits, with 60 residues per line
    Fasta,
    /// Each sequence, followed by the aligned parts of its hits
    A3m,
    /// Aligned columns for people, one row for each hit
    Table,
}

/// A sequence for which similar proteins are searched.
struct Named {
    name: String,
    query: Query,
}

impl Named {
    fn borrowed(&self) -> NamedQuery<'_> {
        NamedQuery { name: &self.name, query: &self.query }
    }
}

/// Prints the hits of each sequence, in the order of the sequences.
pub(crate) fn run(arguments: &SimilarArguments) -> Result<(), Failure> {
    let engine = arguments.engine_user.find_and_warn(&arguments.data)?;
    let generation = Arc::new(arguments.data.open_proteins()?);
    let query = parse_query(arguments.query.as_deref().unwrap_or("*"), &generation, &arguments.data)?;
    let selection = Selection { generation: Arc::clone(&generation), query };
    let (queries, num_faulty) = read_queries(&arguments.fasta)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().to_owned();
    let remove = move || drop(fs::remove_dir_all(&path));
    interruption::announce_after(
        "earlier sequences have all their hits; the same command starts again from the beginning",
        remove,
    )?;
    let num_proteins = selection.count()?;
    let memory_bytes = arguments.engine_memory.0 as u64;
    let longest = queries.iter().map(|named| named.query.length()).max().unwrap_or_default();
    // Proteins that are searched several times are read once.
    let file = (queries.len() > 1).then(|| {
        let progress = Progress::start("selecting", Unit::Proteins, num_proteins);
        let file = TargetsFile::write(folder.path(), &selection, longest, memory_bytes, &|number| progress.set(number));
        progress.finish();
        file
    });
    let file = file.transpose()?;
    let targets = file.as_ref().map_or(Targets::Selection(&selection), Targets::File);
    let limits = Limits { memory_bytes, output_bytes: u64::MAX >> 1, cpu_time: None, time: None };
    let total = if file.is_some() { queries.len() as u64 } else { num_proteins };
    let progress = Progress::start("searching", if file.is_some() { Unit::Sequences } else { Unit::Proteins }, total);
    let mut printer = Printer::new(arguments.format, &generation)?;
    for (number, named) in (1..).zip(&queries) {
        let search = Search {
            engine: &engine,
            query: &named.query,
            evalue: arguments.evalue,
            space: arguments.space.number(&generation),
            hits_max: arguments.limit,
            limits: &limits,
        };
        let on_progress = |number| {
            if file.is_none() {
                progress.set(number);
            }
        };
        printer.search(&search, named, &targets, folder.path(), &on_progress)?;
        if file.is_some() {
            progress.set(number);
        }
    }
    progress.finish();
    printer.output.finish()?;
    if matches!(arguments.format, SimilarFormat::Tsv | SimilarFormat::Fasta | SimilarFormat::A3m) {
        cite::log(&generation);
    }
    match num_faulty {
        0 => Ok(()),
        number => Err(Failure::Message(format!("{} could not be searched: see above", counted(number, "sequence")))),
    }
}

/// Reads the sequences. Logs each one that cannot be searched, and returns the number of these.
fn read_queries(input: &Input) -> Result<(Vec<Named>, u64), Failure> {
    let failure = |problem: &dyn std::fmt::Display| Failure::Message(format!("{}: {problem}", input.name()));
    let mut reader = FastaReader::new(BufReader::new(input.read().map_err(|error| failure(&error))?));
    let (mut queries, mut num_faulty) = (Vec::new(), 0);
    for number in 1.. {
        let Some(FastaSequence { name, sequence }) = reader.next_sequence().map_err(|error| failure(&error))? else {
            break;
        };
        let name = if name.is_empty() { format!("sequence_{number}") } else { name };
        match sequence.map_err(Into::into).and_then(Query::sequence) {
            Ok(query) => {
                if query.kind() == QueryKind::Nucleotides {
                    tracing::warn!("{name} looks like nucleotides: it is searched as a protein");
                }
                queries.push(Named { name, query });
            }
            Err(fault) => {
                tracing::warn!("{name} is left out: {fault}");
                num_faulty += 1;
            }
        }
    }
    if queries.is_empty() { Err(failure(&"no sequence can be searched")) } else { Ok((queries, num_faulty)) }
}

/// Prints hits.
struct Printer {
    /// `None` prints columns for people.
    writer: Option<HitWriter>,
    output: Output,
}

impl Printer {
    fn new(format: SimilarFormat, generation: &Arc<ProteinGeneration>) -> Result<Self, Failure> {
        let (format, fields): (_, &[ResultField]) = match format {
            SimilarFormat::Tsv => (ResultFormat::Tsv, &[]),
            SimilarFormat::Ndjson => (ResultFormat::Ndjson, &[ResultField::Accession, ResultField::Length]),
            SimilarFormat::Fasta => (ResultFormat::Fasta, &[]),
            SimilarFormat::A3m => (ResultFormat::A3m, &[]),
            SimilarFormat::Table => return Ok(Self { writer: None, output: Output::new() }),
        };
        let writer = HitWriter::new(format, fields, Some(Arc::clone(generation)), Vec::new())?.naming_queries();
        let mut output = Output::new();
        let mut text = Vec::new();
        writer.write_head(&mut text);
        output.bytes(&text)?;
        Ok(Self { writer: Some(writer), output })
    }

    /// Searches with a sequence, and prints its hits. The search may use a folder.
    fn search(
        &mut self,
        search: &Search<'_>,
        named: &Named,
        targets: &Targets<'_>,
        folder: &Path,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), Failure> {
        self.begin(named)?;
        let mut failure = None;
        let run = tempfile::tempdir_in(folder)?;
        let found = search.run(run.path(), targets, on_progress, &|_| true, |hit| {
            if failure.is_none() {
                failure = self.hit(named, &hit).err();
            }
            Ok(())
        });
        failure.map_or(Ok(()), Err)?;
        self.end(named, found?)
    }

    fn begin(&mut self, named: &Named) -> Result<(), Failure> {
        let Some(writer) = &self.writer else {
            return self.output.line(format_args!(
                "{}, {} residues\n  {:<16}  {:>9}  {:>8}  {:>8}  {:>11}  {:>11}  {:>7}",
                named.name,
                named.query.length(),
                "protein",
                "E-value",
                "bits",
                "identity",
                "of query",
                "of protein",
                "length"
            ));
        };
        let mut text = Vec::new();
        writer.begin(named.borrowed(), &mut text);
        self.output.bytes(&text)
    }

    fn hit(&mut self, named: &Named, hit: &Hit) -> Result<(), Failure> {
        let Some(writer) = &mut self.writer else {
            let Hit { accession, evalue, score, length, domains, .. } = hit;
            let best = domains.iter().max_by(|one, other| one.score.total_cmp(&other.score));
            let range = |from, to| format!("{from}-{to}");
            let [identity, of_query, of_protein] = best.map_or_else(Default::default, |best| {
                let identity = format!("{:.1} %", best.identity() * 100.0);
                [identity, range(best.query_from, best.query_to), range(best.from, best.to)]
            });
            return self.output.line(format_args!(
                "  {accession}  {:>9}  {score:>8.1}  {identity:>8}  {of_query:>11}  {of_protein:>11}  {length:>7}",
                format!("{evalue:e}")
            ));
        };
        let mut text = Vec::new();
        writer.write(named.borrowed(), hit, &mut text)?;
        self.output.bytes(&text)
    }

    fn end(&mut self, Named { name, .. }: &Named, found: Found) -> Result<(), Failure> {
        let Found { num_hits, num_targets, num_skipped, .. } = found;
        if self.writer.is_none() {
            self.output.line(format_args!(
                "  {} among {}\n",
                counted(num_hits, "hit"),
                counted(num_targets, "protein")
            ))?;
        }
        if num_skipped > 0 {
            let skipped = counted(num_skipped, "protein");
            tracing::warn!("{skipped} of the selection cannot be compared with {name}: too long");
        }
        Ok(())
    }
}
