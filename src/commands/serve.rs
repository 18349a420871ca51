//! Serving the data folder.

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
use crate::logging;

/// How long operations on profiles may take after the last connection was closed.
const WRITES_PATIENCE: Duration = Duration::from_secs(10);

/// How long the process waits for abandoned reads before it ends.
const READS_PATIENCE: Duration = Duration::from_secs(5);

/// How long the audit log may take to write its last lines.
const AUDIT_PATIENCE: Duration = Duration::from_secs(3);

/// Services, each of which has permits of its own: proteins, catalogue, profiles.
const NUM_SERVICES: usize = 3;

/// Blocking threads for other work than requests: new generations, host names.
const SPARE_THREADS: usize = 16;

const METRICS_CONNECTIONS_MAX: usize = 16;

/// A server that has opened nothing yet, but is no longer ended by SIGHUP.
pub(crate) struct Prepared {
    runtime: Runtime,
    hangups: Signal,
}

/// Handles SIGHUP from now on, which would end the process otherwise.
pub(crate) fn prepare(arguments: &ServeArguments) -> Result<Prepared, Failure> {
    // One thread for each permitted request, so that one service cannot take the threads of another.
    let num_threads = arguments.max_requests as usize * NUM_SERVICES + SPARE_THREADS;
    let runtime = runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(num_threads).build()?;
    let hangups = {
        let _in_runtime = runtime.enter();
        signal(SignalKind::hangup())?
    };
    Ok(Prepared { runtime, hangups })
}

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    run_then(prepare(arguments)?, arguments, |_| Ok(()))
}

/// Serves until Ctrl-C or SIGTERM. Calls `on_start` with the bound address once requests are accepted.
pub(crate) fn run_then(
    Prepared { runtime, hangups }: Prepared,
    arguments: &ServeArguments,
    on_start: impl FnOnce(SocketAddr) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let proteins = Arc::new(LocalProteins::open(protein_generations(&arguments.data))?);
    let catalogue = Arc::new(LocalCatalogue::open(catalogue_generations(&arguments.data))?);
    let (config, server_config) = (service_config(arguments), server_config(arguments));
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
        tokio::spawn(logging::report_lost());
        tracing::info!("serving on http://{address}");
        on_start(address)?;
        server.serve(router, stop_signal()).await;
        if let Some(audit) = &audit
            && !audit.wait_for_operations(WRITES_PATIENCE).await
        {
            tracing::warn!("some operations on profiles did not end in time: the audit log lacks their outcomes");
        }
        Ok(())
    });
    // Operations that are cut off here have lines in the audit log, too.
    runtime.shutdown_timeout(READS_PATIENCE);
    if audit.is_some_and(|audit| !audit.drain(AUDIT_PATIENCE)) {
        tracing::error!("the audit log took too long: its last lines are lost");
    }
    served?;
    tracing::info!("stopped");
    Ok(())
}

fn service_config(arguments: &ServeArguments) -> ServiceConfig {
    ServiceConfig {
        base_url: arguments.base_url.clone(),
        trust_proxy: arguments.trust_proxy,
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

/// Serves metrics in the background.
async fn serve_metrics(address: SocketAddr) -> Result<(), Failure> {
    let metrics = Metrics::install()?;
    let server = bind(address, ServerConfig { connections_max: METRICS_CONNECTIONS_MAX, ..Default::default() }).await?;
    tracing::info!("metrics on http://{}/metrics", server.local_addr()?);
    tokio::spawn(server.serve(metrics.router(), std::future::pending()));
    tokio::spawn(metrics.upkeep());
    Ok(())
}

/// Returns a percentage of a limit, but at least 1.
fn share(limit: usize, percent: u32) -> usize {
    (limit * percent as usize / 100).max(1)
}

async fn bind(address: SocketAddr, config: ServerConfig) -> Result<HttpServer, Failure> {
    HttpServer::bind(address, config)
        .await
        .map_err(|error| Failure::Message(format!("cannot listen on {address}: {error}")))
}

async fn stop_signal() {
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
    tracing::info!("stopping: requests in progress may finish");
}
