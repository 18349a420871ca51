//! `mgdex serve`: serving the data folder.

pub(crate) mod descriptors;
mod monitoring;
mod profiles;
mod replica;
mod similarity;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use api::scrub::{self, scrubbed};
use api::{Api, HttpServer, PublicUrl, ServerConfig, ServiceConfig, Services, Workers};
use api_catalogue::LocalCatalogue;
use api_proteins::LocalProteins;
use clap::builder::FalseyValueParser;
use clap::{Args, value_parser};
use tokio::runtime::{self, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

use self::monitoring::Monitoring;
use self::profiles::ProfileServiceArguments;
use self::replica::{Replica, ReplicaArguments, Service};
use self::similarity::SimilarityArguments;
use crate::audit_log::AUDIT_PATIENCE;
use crate::data_folder::{DataFolder, Kind};
use crate::distributed::Traces;
use crate::duration;
use crate::failure::Failure;
use crate::interruption::StopSignals;
use crate::listen_address;
use crate::logging;
use crate::size::Size;

/// The heading of limits in the help.
const LIMITS: &str = "Limits";

/// The default number of connections of a server.
pub(crate) const CONNECTIONS_MAX: u32 = 4096;

/// The longest drain: load balancers need only seconds.
const DRAIN_MAX: Duration = Duration::from_hours(1);

/// The time limit for operations on profiles after the last connection was closed.
const WRITES_PATIENCE: Duration = Duration::from_secs(10);

/// The time that the process waits for abandoned reads before it exits.
const READS_PATIENCE: Duration = Duration::from_secs(5);

/// The number of services with separate permits: proteins, catalogue, profiles, and the portal.
const NUM_SERVICES: usize = 4;

/// Blocking threads for work other than requests: new generations, host names.
const SPARE_THREADS: usize = 16;

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Address to serve on; port 0 takes any free port
    #[arg(long, env = "MGDEX_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8080", value_parser = listen_address::parse)]
    listen: SocketAddr,
    /// Address to serve Prometheus metrics on, with /healthz and /readyz, from a separate thread
    /// [default: none]
    #[arg(long, env = "MGDEX_METRICS", value_name = "ADDR", value_parser = listen_address::parse)]
    metrics: Option<SocketAddr>,
    /// Collector of OpenTelemetry that spans of requests are sent to, by OTLP over HTTP, such as
    /// `http://127.0.0.1:4318` [default: none]
    #[arg(long, env = "MGDEX_OTLP", value_name = "URL")]
    otlp: Option<String>,
    /// Log each answered request on a terminal too; otherwise they are always logged
    #[arg(long, env = "MGDEX_LOG_REQUESTS", value_parser = FalseyValueParser::new())]
    pub(crate) log_requests: bool,
    /// Base URL of links in answers [default: scheme and host of each request]
    #[arg(long, env = "MGDEX_BASE_URL", value_name = "URL")]
    base_url: Option<PublicUrl>,
    /// Trust X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-For. Use this only behind a proxy
    /// that sets them
    #[arg(long, env = "MGDEX_TRUST_PROXY", value_parser = FalseyValueParser::new())]
    trust_proxy: bool,
    /// Reject parameters that the catalogue does not know, instead of ignoring them and reporting
    /// them in the answer
    #[arg(long, env = "MGDEX_STRICT_PARAMETERS", value_parser = FalseyValueParser::new())]
    strict_parameters: bool,
    /// Do not serve the portal, only the REST services and their documentation
    #[arg(long, env = "MGDEX_NO_PORTAL", value_parser = FalseyValueParser::new())]
    pub(crate) no_portal: bool,
    /// Maximum length of a URI
    #[arg(long, help_heading = LIMITS, env = "MGDEX_MAX_URI", value_name = "SIZE", default_value = "8K")]
    max_uri: Size,
    /// Maximum number of open connections; beyond it, idle connections are closed to make room for
    /// new ones
    #[arg(long, help_heading = LIMITS, env = "MGDEX_MAX_CONNECTIONS", value_name = "N", default_value_t = CONNECTIONS_MAX, value_parser = value_parser!(u32).range(1..))]
    max_connections: u32,
    /// Maximum number of concurrent requests to each service; further ones are refused with 503
    #[arg(long, help_heading = LIMITS, env = "MGDEX_MAX_REQUESTS", value_name = "N", default_value_t = 512, value_parser = value_parser!(u32).range(1..))]
    max_requests: u32,
    /// Memory for the answers of each service that are in progress; beyond it, large answers are
    /// refused with 503
    #[arg(long, help_heading = LIMITS, env = "MGDEX_ANSWER_MEMORY", value_name = "SIZE", default_value = "256M")]
    answer_memory: Size,
    /// Share of connections and of requests that one client may use, in percent
    #[arg(long, help_heading = LIMITS, env = "MGDEX_CLIENT_SHARE", value_name = "PERCENT", default_value_t = 50, value_parser = value_parser!(u32).range(1..=100))]
    client_share: u32,
    /// Time to continue serving after SIGTERM or Ctrl-C while `/readyz` returns 503, so that load
    /// balancers drain the server
    #[arg(long, env = "MGDEX_DRAIN", value_name = "TIME", default_value = "0s", value_parser = duration::between(Duration::ZERO, DRAIN_MAX))]
    drain: Duration,
    /// Bytes to read per second when the served data are compared with their checksums, at the
    /// start and every hour; 0 turns this off
    #[arg(long, env = "MGDEX_SCRUB_RATE", value_name = "SIZE", default_value = "50M")]
    scrub_rate: Size,
    #[command(flatten)]
    replica: ReplicaArguments,
    #[command(flatten)]
    pub(crate) profiles: ProfileServiceArguments,
    #[command(flatten)]
    similarity: SimilarityArguments,
}

/// A server that has not opened any data yet, but no longer ends at SIGHUP.
pub(crate) struct Prepared {
    runtime: Runtime,
    hangups: Signal,
}

/// Handles SIGHUP from now on, which would otherwise end the process. Fails at once if the address
/// is not available: the next steps may take long.
pub(crate) fn prepare(arguments: &ServeArguments) -> Result<Prepared, Failure> {
    drop(TcpListener::bind(arguments.listen).map_err(|error| cannot_listen(arguments.listen, &error))?);
    let num_threads = num_blocking_threads(arguments);
    let runtime = runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(num_threads).build()?;
    let hangups = {
        let _in_runtime = runtime.enter();
        signal(SignalKind::hangup())?
    };
    Ok(Prepared { runtime, hangups })
}

pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let folder = &arguments.data.path;
    if !folder.is_dir() {
        tracing::warn!(
            "the data folder {} does not exist yet: nothing is served until something is loaded into it",
            folder.display()
        );
    }
    run_then(prepare(arguments)?, arguments, |_| Ok(()))
}

/// Serves until Ctrl-C or SIGTERM. Calls `on_start` with the bound address once requests are
/// accepted.
pub(crate) fn run_then(
    Prepared { runtime, hangups }: Prepared,
    arguments: &ServeArguments,
    on_start: impl FnOnce(SocketAddr) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let traces = arguments.otlp.as_deref().map(Traces::start).transpose();
    let _traces = traces.map_err(|error| Failure::Usage(format!("traces cannot be sent: {error}")))?;
    let has_profiles = arguments.replica.serves(Service::Profiles) && !arguments.profiles.jwt_key.is_empty();
    let neighbours = profiles::needed_room(arguments);
    let replica = Replica::prepare(&arguments.replica, &arguments.data, has_profiles, &neighbours)?;
    let opened = |kind| (arguments.data.generations(kind), replica.origin(kind));
    let (generations, origin) = opened(Kind::Proteins);
    let proteins = Arc::new(LocalProteins::open_from(generations, origin)?);
    let (generations, origin) = opened(Kind::Catalogue);
    let catalogue = Arc::new(LocalCatalogue::open_from(generations, origin)?);
    warn_of_lost_generations(&arguments.data);
    let (config, server_config) = (service_config(arguments), server_config(arguments));
    let profiles = profiles::open(&runtime, arguments, replica.origin(Kind::Directory))?;
    let audit = profiles.as_ref().map(|profiles| Arc::clone(&profiles.audit));
    let similarity = Arc::new(arguments.similarity.open(&arguments.data, &proteins, &catalogue));
    let services =
        Services { proteins: Arc::clone(&proteins), catalogue: Arc::clone(&catalogue), similarity, profiles };
    let router = Api::new(&services, &config);
    let _monitoring = arguments.metrics.map(|address| Monitoring::start(address, &router)).transpose()?;
    let workers = Workers::start(num_blocking_threads(arguments), READS_PATIENCE)?;
    let served: Result<(), Failure> = runtime.block_on(async {
        let server = bind(arguments.listen, server_config).await?;
        let address = server.local_addr()?;
        replica.follow();
        follow(&proteins, &catalogue, arguments.scrub_rate)?;
        if let Some(profiles) = &services.profiles {
            tokio::spawn(Arc::clone(&profiles.directory).follow());
        }
        tokio::spawn(profiles::reload_on(hangups, services.profiles));
        tokio::spawn(logging::report_lost());
        // Once the address is printed, a signal may arrive at any moment.
        let stop = drain(StopSignals::new()?, router.clone(), arguments.drain);
        tracing::info!("serving on http://{address}");
        on_start(address)?;
        server.serve_on(Some(&workers), router, stop).await;
        if let Some(audit) = &audit
            && !audit.wait_for_operations(WRITES_PATIENCE).await
        {
            tracing::warn!(
                "some operations on profiles did not end in time: their outcomes are missing from the audit log"
            );
        }
        Ok(())
    });
    // Operations that are interrupted here also have lines in the audit log.
    drop(workers);
    runtime.shutdown_timeout(READS_PATIENCE);
    if audit.is_some_and(|audit| !audit.drain(AUDIT_PATIENCE)) {
        tracing::error!("the audit log took too long: its last lines are lost");
    }
    served?;
    tracing::info!("stopped");
    Ok(())
}

/// Waits for a signal, and then until load balancers have noticed that the server stops. Another
/// signal ends this wait.
async fn drain(mut signals: StopSignals, router: Api, drain: Duration) {
    signals.next().await;
    if !drain.is_zero() {
        tracing::info!("no longer ready, and stopping in {}", humantime::format_duration(drain));
        router.announce_stop();
        let _ = tokio::time::timeout(drain, signals.next()).await;
    }
    tracing::info!("stopping: requests in progress may finish");
}

fn warn_of_lost_generations(data: &DataFolder) {
    for kind in Kind::ALL {
        // An unreadable generation is reported when it is opened.
        if let Ok(Some(lost)) = data.lost_current(kind) {
            tracing::warn!("{lost}");
        }
    }
}

/// Takes over new generations from now on, and compares the served data with their checksums at a
/// rate, unless it is 0.
fn follow(proteins: &Arc<LocalProteins>, catalogue: &Arc<LocalCatalogue>, scrub_rate: Size) -> Result<(), Failure> {
    if scrub_rate.0 > 0 {
        scrub::spawn(vec![scrubbed(proteins), scrubbed(catalogue)], scrub_rate.0 as u64)?;
    }
    tokio::spawn(Arc::clone(proteins).follow());
    tokio::spawn(Arc::clone(catalogue).follow());
    Ok(())
}

/// Returns a thread for each permitted request, so that one service cannot take the threads of
/// another. No runtime needs more.
fn num_blocking_threads(arguments: &ServeArguments) -> usize {
    arguments.max_requests as usize * NUM_SERVICES + SPARE_THREADS
}

fn service_config(arguments: &ServeArguments) -> ServiceConfig {
    ServiceConfig {
        base_url: arguments.base_url.clone(),
        trust_proxy: arguments.trust_proxy,
        strict_parameters: arguments.strict_parameters,
        has_portal: !arguments.no_portal,
        has_profiles: arguments.replica.serves(Service::Profiles),
        uri_bytes_max: arguments.max_uri.0,
        requests_max: arguments.max_requests as usize,
        answer_bytes_max: arguments.answer_memory.0,
        requests_of_client_max: share(arguments.max_requests as usize, arguments.client_share),
        ..ServiceConfig::default()
    }
}

fn server_config(arguments: &ServeArguments) -> ServerConfig {
    let connections_max = descriptors::connections_max(arguments.max_connections as usize);
    // All clients share the connections of a proxy.
    let percent = if arguments.trust_proxy { 100 } else { arguments.client_share };
    let connections_of_client_max = share(connections_max, percent);
    ServerConfig { connections_max, connections_of_client_max, ..ServerConfig::default() }
}

/// Returns a percentage of a limit, but at least 1.
fn share(limit: usize, percent: u32) -> usize {
    (limit * percent as usize / 100).max(1)
}

async fn bind(address: SocketAddr, config: ServerConfig) -> Result<HttpServer, Failure> {
    HttpServer::bind(address, config).await.map_err(|error| cannot_listen(address, &error))
}

fn cannot_listen(address: SocketAddr, error: &io::Error) -> Failure {
    Failure::Message(match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!(
                "cannot listen on {address}, which is in use: choose another address with --listen; port 0 takes any free port"
            )
        }
        _ => format!("cannot listen on {address}: {error}"),
    })
}
