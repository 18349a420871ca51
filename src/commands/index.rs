//! `mgdex index`: building an index.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use clap::builder::FalseyValueParser;
use clap::{Args, value_parser};
use indexer::{Acceptance, Check, Input, Survey};
use indexer_release::{PortalPlan, ReleasePlan};

use crate::bundled;
use crate::commands::summary;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::files::Files;
use crate::interruption;
use crate::output::{Output, print};
use crate::size::{Size, megabytes, parse_memory};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct IndexArguments {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    rows: RowArguments,
    /// MGnify's biome table: TSV with the columns `biome_id` and `lineage` [default: the bundled
    /// table]
    #[arg(long, env = "MGDEX_BIOMES", value_name = "TSV")]
    biomes: Option<Input>,
    /// Pfam's table of families and clans: Pfam-A.clans.tsv [default: the bundled table]
    #[arg(long, env = "MGDEX_PFAM", value_name = "TSV")]
    pfam: Option<Input>,
    /// Version of Pfam of this table, such as 37.0, which citations name
    #[arg(long, env = "MGDEX_PFAM_VERSION", value_name = "V", value_parser = parse_version)]
    pfam_version: Option<String>,
    /// Replaced accessions: TSV of old and new accessions, with # comments
    #[arg(long, env = "MGDEX_SUPERSEDED", value_name = "TSV")]
    superseded: Option<Input>,
    /// Index all proteins of a release, not only cluster representatives
    #[arg(long, env = "MGDEX_ALL_PROTEINS", conflicts_with = "portal", value_parser = FalseyValueParser::new())]
    all_proteins: bool,
    /// Index the members of the clusters of a release, which lead to their representatives: 10
    /// bytes per member
    #[arg(long, env = "MGDEX_MEMBERS", conflicts_with = "portal", value_parser = FalseyValueParser::new())]
    members: bool,
    /// Index the genes on contigs, which show the neighbours of each protein: 14 bytes per gene
    #[arg(long, env = "MGDEX_CONTIGS", value_parser = FalseyValueParser::new())]
    contigs: bool,
    /// With --contigs, leave out the names and lengths of contigs: 24 bytes per contig
    #[arg(long, env = "MGDEX_NO_CONTIG_NAMES", requires = "contigs", value_parser = FalseyValueParser::new())]
    no_contig_names: bool,
    /// Index the digests of all sequences, which find exact sequences: 17 bytes per protein
    #[arg(long, env = "MGDEX_CHECKSUMS", value_parser = FalseyValueParser::new())]
    checksums: bool,
    /// An earlier index. Its proteins that are cluster members in the release are redirected to
    /// their representatives
    #[arg(long, env = "MGDEX_PREVIOUS", value_name = "DIR", conflicts_with = "portal")]
    previous: Option<PathBuf>,
    /// Discard the work of an unfinished run over a release, instead of resuming it
    #[arg(long, env = "MGDEX_FRESH", conflicts_with = "portal", value_parser = FalseyValueParser::new())]
    fresh: bool,
    /// Memory for sorting and indexing, at least 64M; larger data are sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
    /// Number of threads that check or index rows [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Number of bad rows that are skipped and listed in the rejects file before the run fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    max_rejects: u64,
    /// Leave out the own data of the present index, which is kept otherwise
    #[arg(long, env = "MGDEX_WITHOUT_OWN", value_parser = FalseyValueParser::new())]
    without_own: bool,
    /// Report which files would be used, which checks pass, and about how long it takes, and
    /// write nothing
    #[arg(long, env = "MGDEX_DRY_RUN", value_parser = FalseyValueParser::new())]
    dry_run: bool,
    /// Publish the index even if it has less than half as many proteins as the current one
    #[arg(long, env = "MGDEX_ALLOW_SHRINK", value_parser = FalseyValueParser::new())]
    allow_shrink: bool,
    /// Publish nothing if there are warnings: inputs without rows, missing parts or tables of a
    /// release, numbers that differ from those that the release states, many families or biomes
    /// that are not in their tables, or replaced accessions without effect
    #[arg(long, env = "MGDEX_STRICT", value_parser = FalseyValueParser::new())]
    strict: bool,
}

impl IndexArguments {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        Files::all(&self.rows.portal).chain(&self.biomes).chain(&self.pfam).chain(&self.superseded)
    }

    fn biomes(&self) -> Input {
        self.biomes.clone().unwrap_or(bundled::BIOMES)
    }

    fn pfam(&self) -> Input {
        self.pfam.clone().unwrap_or(bundled::PFAM)
    }
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct RowArguments {
    /// Rows of the protein portal's export, in any order:
    /// `mgyp,sequence,full_length,cluster_size,metadata`
    #[arg(long, env = "MGDEX_PORTAL", value_name = "FILE", num_args = 1..)]
    portal: Vec<Files>,
    /// Folder of a whole release: Parquet tables (2026) or flat files (2022 to 2024)
    #[arg(long, env = "MGDEX_RELEASE", value_name = "DIR")]
    release: Option<PathBuf>,
}

pub(crate) fn run(arguments: &IndexArguments) -> Result<(), Failure> {
    if arguments.dry_run {
        let release = arguments.rows.release.clone();
        return print_survey(&match release {
            Some(release) => release_plan(arguments, release).survey(),
            None => portal_plan(arguments).survey(),
        });
    }
    let tables = [("biomes", &arguments.biomes), ("families and clans", &arguments.pfam)];
    for (what, _) in tables.into_iter().filter(|(_, table)| table.is_none()) {
        tracing::info!("{what}: using the bundled table");
    }
    let generations = arguments.data.generations(Kind::Proteins);
    let published = if let Some(release) = &arguments.rows.release {
        interruption::announce("the work so far is kept; run the same command again to continue")?;
        release_plan(arguments, release.clone()).run()?
    } else {
        interruption::announce("the same command starts again from the beginning")?;
        portal_plan(arguments).run()?
    };
    summary::log_proteins(&published);
    print(generations.path(published.generation).display())
}

/// Prints what a run or a load would do, and fails if it cannot succeed.
pub(crate) fn print_survey(survey: &Survey) -> Result<(), Failure> {
    let mut output = Output::new();
    print_checks(&survey.checks, &mut output)?;
    for note in &survey.notes {
        output.line(format_args!("note    {note}"))?;
    }
    for warning in &survey.warnings {
        output.line(format_args!("WARN    {warning}"))?;
    }
    let Survey { input_bytes, index_bytes, duration, .. } = survey;
    if *index_bytes > 0 {
        let (inputs, index, time) = (megabytes(*input_bytes), megabytes(*index_bytes), duration.as_secs());
        output.line(format_args!("about   {time} s for {inputs}, and {index} of index, as a rule of thumb"))?;
    }
    output.finish()?;
    if survey.is_good() { Ok(()) } else { Err(Failure::Message("nothing would be published".to_owned())) }
}

pub(crate) fn print_checks(checks: &[Check], output: &mut Output) -> Result<(), Failure> {
    checks.iter().try_for_each(|Check { what, found }| match found {
        Ok(found) => output.line(format_args!("ok      {what}: {found}")),
        Err(problem) => output.line(format_args!("BROKEN  {what}: {problem}")),
    })
}

fn portal_plan(arguments: &IndexArguments) -> PortalPlan {
    PortalPlan {
        generations: arguments.data.generations(Kind::Proteins).root().to_owned(),
        portal: Files::all(&arguments.rows.portal).cloned().collect(),
        biomes: arguments.biomes(),
        pfam: arguments.pfam(),
        pfam_version: arguments.pfam_version.clone(),
        superseded: arguments.superseded.clone(),
        contigs: arguments.contigs,
        checksums: arguments.checksums,
        memory_bytes: arguments.memory.0,
        num_threads: num_threads(arguments),
        max_rejects: arguments.max_rejects,
        without_own: arguments.without_own,
        acceptance: Acceptance { allow_shrink: arguments.allow_shrink, strict: arguments.strict },
    }
}

fn release_plan(arguments: &IndexArguments, release: PathBuf) -> ReleasePlan {
    ReleasePlan {
        generations: arguments.data.generations(Kind::Proteins).root().to_owned(),
        release,
        biomes: arguments.biomes(),
        pfam: arguments.pfam(),
        pfam_version: arguments.pfam_version.clone(),
        superseded: arguments.superseded.clone(),
        checksums: arguments.checksums,
        previous: arguments.previous.clone(),
        all_proteins: arguments.all_proteins,
        members: arguments.members,
        contigs: arguments.contigs,
        contig_names: !arguments.no_contig_names,
        memory_bytes: arguments.memory.0,
        num_threads: num_threads(arguments),
        max_rejects: arguments.max_rejects,
        without_own: arguments.without_own,
        fresh: arguments.fresh,
        acceptance: Acceptance { allow_shrink: arguments.allow_shrink, strict: arguments.strict },
    }
}

fn parse_version(text: &str) -> Result<String, String> {
    let is_version = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_version { Ok(text.to_owned()) } else { Err("digits and dots, such as 37.0".to_owned()) }
}

fn num_threads(arguments: &IndexArguments) -> usize {
    arguments.threads.map_or_else(num_cores, usize::from)
}

pub(crate) fn num_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}
