//! The address for monitoring. A thread of its own answers there, whatever the others do.

use std::net::SocketAddr;
use std::thread::{Builder, JoinHandle};

use api::{Api, Metrics, ServerConfig};
use tokio::runtime;
use tokio::sync::oneshot;

use super::bind;
use crate::failure::Failure;

const CONNECTIONS_MAX: usize = 16;

/// A thread that serves metrics and the state of the process, until this is dropped.
pub(super) struct Monitoring {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Monitoring {
    /// Starts measuring, and serves what is measured.
    ///
    /// # Errors
    ///
    /// * The address is taken, or the process measures already.
    pub(super) fn start(address: SocketAddr, api: &Api) -> Result<Self, Failure> {
        let metrics = Metrics::install()?;
        let routes = metrics.router(api);
        let (stop, stopped) = oneshot::channel();
        let (bound, is_bound) = std::sync::mpsc::channel();
        let thread = Builder::new().name("monitoring".to_owned()).spawn(move || {
            let served = runtime::Builder::new_current_thread().enable_all().build().map(|runtime| {
                runtime.block_on(async {
                    let config = ServerConfig { connections_max: CONNECTIONS_MAX, ..ServerConfig::default() };
                    let server = match bind(address, config).await {
                        Ok(server) => server,
                        Err(failure) => return drop(bound.send(Err(failure))),
                    };
                    let _ = bound.send(server.local_addr().map_err(Failure::from));
                    tokio::spawn(metrics.upkeep());
                    server.serve(routes, async { drop(stopped.await) }).await;
                });
            });
            if let Err(error) = served {
                tracing::error!(%error, "monitoring has no runtime");
            }
        })?;
        let monitoring = Self { stop: Some(stop), thread: Some(thread) };
        let gone = || Failure::Message("monitoring did not start".to_owned());
        let address = is_bound.recv().map_err(|_| gone())??;
        tracing::info!("metrics on http://{address}/metrics");
        Ok(monitoring)
    }
}

impl Drop for Monitoring {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It has nothing to lose.
            let _ = thread.join();
        }
    }
}
