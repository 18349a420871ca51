//! Finding similar proteins while serving.

use std::thread;
use std::time::Duration;

use api_catalogue::LocalCatalogue;
use api_proteins::{LocalProteins, Similarity};
use clap::builder::FalseyValueParser;
use clap::{Args, value_parser};
use similarity::{JobLimits, Limits};

use crate::data_folder::DataFolder;
use crate::duration;
use crate::engine_user::EngineUser;
use crate::size::{Size, parse_memory};

/// The limits of the time for which searches are kept.
const KEEP_MIN: Duration = Duration::from_mins(1);
const KEEP_MAX: Duration = Duration::from_hours(24 * 365);

/// The number of cores for each running search.
const CORES_PER_SEARCH: usize = 2;

/// The most searches that wait, in total and of one client.
const WAITING_MAX: usize = 256;
const WAITING_OF_CLIENT_MAX: usize = 8;

/// The processor time that a search may take while others wait.
const SHARED_CPU_TIME: Duration = Duration::from_mins(1);

/// The most hits that are kept of a search.
const HITS_MAX: u64 = 10_000;

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Similarity")]
pub(crate) struct SimilarityArguments {
    /// Do not offer searches for similar proteins, even if HMMER is installed
    #[arg(long, env = "MGDEX_NO_SIMILARITY", value_parser = FalseyValueParser::new())]
    no_similarity: bool,
    /// Number of concurrent searches for similar proteins [default: one for two cores]
    #[arg(long, env = "MGDEX_SEARCH_JOBS", value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    search_jobs: Option<u16>,
    /// Maximum number of proteins that one of them searches
    #[arg(long, env = "MGDEX_SEARCH_PROTEINS", value_name = "N", default_value_t = 5_000_000, value_parser = value_parser!(u64).range(1..))]
    search_proteins: u64,
    /// Memory limit of the search program, such as 8G
    #[arg(long, env = "MGDEX_ENGINE_MEMORY", value_name = "SIZE", default_value = "4G", value_parser = parse_memory)]
    engine_memory: Size,
    #[command(flatten)]
    engine_user: EngineUser,
    /// Time to keep searches
    #[arg(long, env = "MGDEX_SEARCH_KEEP", value_name = "TIME", default_value = "7d", value_parser = duration::between(KEEP_MIN, KEEP_MAX))]
    search_keep: Duration,
    /// Maximum disk space for searches, half of it for those that are kept
    #[arg(long, env = "MGDEX_SEARCH_DISK", value_name = "SIZE", default_value = "1G")]
    search_disk: Size,
}

impl SimilarityArguments {
    /// Continues the searches of a data folder, if they are enabled.
    pub(super) fn open(&self, data: &DataFolder, proteins: &LocalProteins, catalogue: &LocalCatalogue) -> Similarity {
        if self.no_similarity {
            return Similarity::default();
        }
        let num_cores = thread::available_parallelism().map_or(1, usize::from);
        let limits = JobLimits {
            num_running: self.search_jobs.map_or((num_cores / CORES_PER_SEARCH).max(1), usize::from),
            num_waiting: WAITING_MAX,
            num_waiting_of_client: WAITING_OF_CLIENT_MAX,
            num_hits: HITS_MAX,
            age: self.search_keep,
            disk_bytes: self.search_disk.0 as u64,
            engine: Limits { memory_bytes: self.engine_memory.0 as u64, ..Limits::default() },
            shared_cpu_time: SHARED_CPU_TIME,
        };
        let engine = self.engine_user.find_and_warn(data);
        let engine = engine.inspect(|engine| tracing::info!("similar proteins are found by {engine}"));
        Similarity::open(&data.path.join("searches"), engine, limits, self.search_proteins, proteins, catalogue)
    }
}
