//! Serving.

mod profiles;

use std::net::SocketAddr;
use std::sync::Arc;

use api::catalogue::LocalCatalogue;
use api::proteins::LocalProteins;
use api::{HttpServer, Metrics, ServerConfig, ServiceConfig, Services};
use tokio::signal::unix::{SignalKind, signal};

use crate::arguments::ServeArguments;
use crate::commands::{catalogue_generations, protein_generations};
use crate::failure::Failure;

/// Serves until the process is told to stop.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    run_then(arguments, |_| Ok(()))
}

/// Serves until the process is told to stop; calls `on_start` with the bound address when requests are accepted.
pub(crate) fn run_then(
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
        ..ServiceConfig::default()
    };
    let profiles = profiles::open(arguments)?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let hangups = profiles::hangups()?;
        if let Some(address) = arguments.metrics {
            serve_metrics(address).await?;
        }
        let services = Services {
            proteins: Arc::clone(&proteins) as _,
            catalogue: Arc::clone(&catalogue) as _,
            profiles: profiles.as_ref().map(|opened| opened.services.clone()),
        };
        let router = api::router(&services, &config);
        let server = bind(arguments.listen).await?;
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
        tracing::info!("stopped");
        Ok(())
    })
}

/// Serves measurements in the background.
async fn serve_metrics(address: SocketAddr) -> Result<(), Failure> {
    let metrics = Metrics::install()?;
    let server = bind(address).await?;
    tracing::info!("measurements on http://{}/metrics", server.local_addr()?);
    tokio::spawn(server.serve(metrics.router(), std::future::pending()));
    tokio::spawn(metrics.upkeep());
    Ok(())
}

/// Binds an address.
async fn bind(address: SocketAddr) -> Result<HttpServer, Failure> {
    HttpServer::bind(address, ServerConfig::default())
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
