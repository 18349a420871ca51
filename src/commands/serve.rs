//! Serving.

mod descriptors;
mod profiles;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::catalogue::LocalCatalogue;
use api::proteins::LocalProteins;
use api::{Api, HttpServer, Metrics, ServerConfig, ServiceConfig, Services};
use tokio::runtime::{self, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::arguments::ServeArguments;
use crate::commands::{catalogue_generations, protein_generations};
use crate::failure::Failure;

/// How long changes of profiles that were begun may go on after the last connection has ended.
const WRITES_PATIENCE: Duration = Duration::from_secs(10);

/// How long reads that nobody waits for any more may hold up the end of the process.
const READS_PATIENCE: Duration = Duration::from_secs(5);

/// How long the audit log may take for the lines that are left.
const AUDIT_PATIENCE: Duration = Duration::from_secs(3);

/// How many services have places of their own: proteins, catalogue, profiles.
const NUM_SERVICES: usize = 3;

/// Threads that may block for what is no request: new generations, names of hosts.
const SPARE_THREADS: usize = 16;

/// How many connections may ask for measurements at the same time.
const METRICS_CONNECTIONS_MAX: usize = 16;

/// What a server is before it has opened anything: SIGHUP does not end it.
pub(crate) struct Prepared {
    /// Runs the server.
    runtime: Runtime,
    /// SIGHUP, from now on.
    hangups: Signal,
}

/// Begins to listen for SIGHUP, which would end the process otherwise.
pub(crate) fn prepare(arguments: &ServeArguments) -> Result<Prepared, Failure> {
    // One for each request that may be under way, so that the requests of one service leave some for those of another.
    let num_threads = arguments.max_requests as usize * NUM_SERVICES + SPARE_THREADS;
    let runtime = runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(num_threads).build()?;
    let hangups = {
        let _in_runtime = runtime.enter();
        signal(SignalKind::hangup())?
    };
    Ok(Prepared { runtime, hangups })
}

/// Serves until the process is told to stop.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    run_then(prepare(arguments)?, arguments, |_| Ok(()))
}

/// Serves until the process is told to stop; calls `on_start` with the bound address when requests are accepted.
pub(crate) fn run_then(
    Prepared { runtime, hangups }: Prepared,
    arguments: &ServeArguments,
    on_start: impl FnOnce(SocketAddr) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let proteins = Arc::new(LocalProteins::open(protein_generations(&arguments.data))?);
    let catalogue = Arc::new(LocalCatalogue::open(catalogue_generations(&arguments.data))?);
    let config = ServiceConfig {
        base_url: arguments.base_url.clone(),
        trust_proxy: arguments.trust_proxy,
        uri_bytes_max: arguments.max_uri.0,
        requests_max: arguments.max_requests as usize,
        answer_bytes_max: arguments.answer_memory.0,
        requests_of_client_max: share(arguments.max_requests as usize, arguments.client_share),
        ..ServiceConfig::default()
    };
    let connections_max = descriptors::connections_max(arguments.max_connections as usize);
    let server_config = ServerConfig {
        connections_max,
        // A proxy's connections are those of all clients.
        connections_of_client_max: if arguments.trust_proxy {
            connections_max
        } else {
            share(connections_max, arguments.client_share)
        },
        ..ServerConfig::default()
    };
    let profiles = profiles::open(arguments)?;
    let audit = profiles.as_ref().map(|opened| Arc::clone(&opened.services.audit));
    let served: Result<(), Failure> = runtime.block_on(async {
        if let Some(address) = arguments.metrics {
            serve_metrics(address).await?;
        }
        let services = Services {
            proteins: Arc::clone(&proteins) as _,
            catalogue: Arc::clone(&catalogue) as _,
            profiles: profiles.as_ref().map(|opened| opened.services.clone()),
        };
        let router = Api::new(&services, &config);
        let server = bind(arguments.listen, server_config).await?;
        let address = server.local_addr()?;
        tokio::spawn(proteins.follow());
        tokio::spawn(catalogue.follow());
        if let Some(opened) = profiles {
            tokio::spawn(opened.directory.follow());
        }
        tokio::spawn(profiles::reload_on(hangups, services.profiles));
        tracing::info!("serving on http://{address}");
        on_start(address)?;
        server.serve(router, told_to_stop()).await;
        if let Some(audit) = &audit
            && !audit.wait_for_operations(WRITES_PATIENCE).await
        {
            tracing::warn!("some operations on profiles did not end in time: the audit log has no outcome of them");
        }
        Ok(())
    });
    // What is cut off here leaves its line too.
    runtime.shutdown_timeout(READS_PATIENCE);
    if audit.is_some_and(|audit| !audit.drain(AUDIT_PATIENCE)) {
        tracing::error!("the audit log took too long: its last lines are lost");
    }
    served?;
    tracing::info!("stopped");
    Ok(())
}

/// Serves measurements in the background.
async fn serve_metrics(address: SocketAddr) -> Result<(), Failure> {
    let metrics = Metrics::install()?;
    let server = bind(address, ServerConfig { connections_max: METRICS_CONNECTIONS_MAX, ..Default::default() }).await?;
    tracing::info!("measurements on http://{}/metrics", server.local_addr()?);
    tokio::spawn(server.serve(metrics.router(), std::future::pending()));
    tokio::spawn(metrics.upkeep());
    Ok(())
}

/// Returns a share of a limit, in percent: one at least.
fn share(limit: usize, percent: u32) -> usize {
    (limit * percent as usize / 100).max(1)
}

/// Binds an address.
async fn bind(address: SocketAddr, config: ServerConfig) -> Result<HttpServer, Failure> {
    HttpServer::bind(address, config)
        .await
        .map_err(|error| Failure::Message(format!("cannot listen on {address}: {error}")))
}

/// Waits for Ctrl-C or SIGTERM.
async fn told_to_stop() {
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        }
        Err(error) => {
            tracing::warn!(%error, "SIGTERM will stop the server without letting requests finish");
            let _ = tokio::signal::ctrl_c().await;
        }
    }
    tracing::info!("stopping: requests in flight may finish");
}
