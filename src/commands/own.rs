//! `mgdex own`: own proteins in addition to a release.

use clap::builder::FalseyValueParser;
use clap::{Args, Subcommand};
use indexer::{Acceptance, Input};
use indexer_own::{OwnAddPlan, OwnRemovePlan};
use store_proteins::{ProteinContents, SourceEntry};

use crate::commands::generations::rfc_3339;
use crate::commands::summary;
use crate::commands::table::print_lines;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::files::Files;
use crate::interruption;
use crate::output::print;
use crate::size::{Size, parse_memory};

#[derive(Debug, Subcommand)]
pub(crate) enum OwnCommand {
    /// Add a source of proteins to the present index, or create an index with it. Its files are
    /// joined by the names of the proteins
    Add(Box<OwnAddArguments>),
    /// List the sources: name, number of proteins, first and last accession, time of addition, and
    /// files
    List(DataFolder),
    /// Remove a source from the present index. Its accessions are not used again
    Remove(OwnRemoveArguments),
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct OwnAddArguments {
    #[command(flatten)]
    data: DataFolder,
    /// The name of the source: up to 64 letters, digits, `.`, `_` and `-`
    name: String,
    /// Sequences as FASTA, such as the output of Prodigal, Pyrodigal and `MMseqs2`
    #[arg(long, value_name = "FASTA", required = true, num_args = 1..)]
    proteins: Vec<Files>,
    /// Annotations: TSV with a header, `name` and any of `biome`, `study`, `assembly`, `contig`,
    /// `start`, `end`, `strand`, `cluster_size`, `full_length` and `description`
    #[arg(long, value_name = "TSV", num_args = 1..)]
    annotations: Vec<Files>,
    /// Pfam hits: tables that hmmsearch or hmmscan of HMMER write with --domtblout
    #[arg(long, value_name = "DOMTBLOUT", num_args = 1..)]
    pfam: Vec<Files>,
    /// Loci of the genes on contigs, as GFF3
    #[arg(long, value_name = "GFF", num_args = 1..)]
    gff: Vec<Files>,
    /// The biome of proteins without one in the annotations: a lineage, or the id of a biome
    #[arg(long, value_name = "LINEAGE")]
    biome: Option<String>,
    /// The study of proteins without one in the annotations
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    study: String,
    /// The assembly of proteins without one in the annotations
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    assembly: String,
    /// Accept sequences that look like nucleotides as proteins
    #[arg(long)]
    allow_nucleotides: bool,
    /// Accept biomes of annotations that are not in the biome table
    #[arg(long)]
    allow_new_biomes: bool,
    /// Replace the source of the same name. Its proteins get new accessions
    #[arg(long)]
    replace: bool,
    /// Memory for sorting and indexing, at least 64M; larger data are sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
    /// Number of bad rows that are skipped and listed in the rejects file before the run fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    max_rejects: u64,
    /// Publish nothing if there are warnings: inputs without rows, or lineages that are not in the
    /// biome table
    #[arg(long, env = "MGDEX_STRICT", value_parser = FalseyValueParser::new())]
    strict: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OwnRemoveArguments {
    #[command(flatten)]
    data: DataFolder,
    /// The name of the source
    name: String,
}

impl OwnCommand {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        let files = match self {
            Self::Add(add) => [&*add.proteins, &add.annotations, &add.pfam, &add.gff],
            Self::List(_) | Self::Remove(_) => [&[][..]; 4],
        };
        files.into_iter().flat_map(Files::all)
    }
}

pub(crate) fn run(command: &OwnCommand) -> Result<(), Failure> {
    match command {
        OwnCommand::Add(arguments) => add(arguments),
        OwnCommand::List(data) => list(data),
        OwnCommand::Remove(arguments) => remove(arguments),
    }
}

fn add(arguments: &OwnAddArguments) -> Result<(), Failure> {
    interruption::announce("the same command starts again from the beginning")?;
    let generations = arguments.data.generations(Kind::Proteins);
    let OwnAddArguments { proteins, annotations, pfam, gff, .. } = arguments;
    let [proteins, annotations, pfam, gff] =
        [proteins, annotations, pfam, gff].map(|files| Files::all(files).cloned().collect());
    let plan = OwnAddPlan {
        generations: generations.root().to_owned(),
        name: arguments.name.clone(),
        proteins,
        annotations,
        pfam,
        gff,
        biome: arguments.biome.clone(),
        study: arguments.study.clone(),
        assembly: arguments.assembly.clone(),
        allow_nucleotides: arguments.allow_nucleotides,
        allow_new_biomes: arguments.allow_new_biomes,
        replace: arguments.replace,
        memory_bytes: arguments.memory.0,
        max_rejects: arguments.max_rejects,
        acceptance: Acceptance { allow_shrink: false, strict: arguments.strict },
    };
    let published = plan.run()?;
    summary::log_proteins(&published);
    print(generations.path(published.generation).display())
}

fn list(data: &DataFolder) -> Result<(), Failure> {
    let contents: ProteinContents = data.contents(Kind::Proteins)?.ok_or_else(|| {
        Failure::Message(format!("{} has no index: `mgdex own add` creates one", data.path.display()))
    })?;
    let mut lines = Vec::new();
    for SourceEntry { name, num_proteins, first, last, added_unix_s, inputs } in &contents.sources {
        let added = rfc_3339(*added_unix_s);
        let files: Vec<&str> = inputs.iter().map(|input| &*input.name).collect();
        lines.push(format!("{name}\t{num_proteins}\t{first}\t{last}\t{added}\t{}", files.join(",")));
    }
    print_lines("source\tproteins\tfirst\tlast\tadded\tfiles", &lines)
}

fn remove(arguments: &OwnRemoveArguments) -> Result<(), Failure> {
    let generations = arguments.data.generations(Kind::Proteins);
    let plan = OwnRemovePlan { generations: generations.root().to_owned(), name: arguments.name.clone() };
    let generation = plan.run()?;
    tracing::info!("published proteins/{generation}");
    print(generations.path(generation).display())
}
