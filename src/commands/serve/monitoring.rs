//! The address for monitoring. A separate thread answers there, even if all others are busy.

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
    /// Starts to measure, and serves the measurements. Must not be called within a runtime.
    ///
    /// # Errors
    ///
    /// * The address is in use, or the process already measures.
    pub(super) fn start(address: SocketAddr, api: &Api) -> Result<Self, Failure> {
        let metrics = Metrics::install()?;
        let routes = api.monitoring(&metrics);
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let config = ServerConfig { connections_max: CONNECTIONS_MAX, ..ServerConfig::default() };
        let server = runtime.block_on(bind(address, config))?;
        tracing::info!("metrics on http://{}/metrics", server.local_addr()?);
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = Builder::new().name("monitoring".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::spawn(metrics.upkeep());
                server.serve(routes, async { drop(stopped.await) }).await;
            });
        })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Monitoring {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread is ignored: it has no state to lose.
            let _ = thread.join();
        }
    }
}
