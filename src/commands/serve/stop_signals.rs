//! Ctrl-C and SIGTERM while serving.

use std::io;
use std::time::Duration;

use api::Api;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end the server.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits for a signal, and then until load balancers have noticed that the server stops.
    /// Another signal ends this wait.
    pub(super) async fn drain(mut self, router: Api, drain: Duration) {
        self.next().await;
        if !drain.is_zero() {
            tracing::info!("no longer ready, and stopping in {}", humantime::format_duration(drain));
            router.announce_stop();
            let _ = tokio::time::timeout(drain, self.next()).await;
        }
        tracing::info!("stopping: requests in progress may finish");
    }
}
