//! Accepting connections.
//!
//! The ready-made loop of the web framework never closes a connection that stops inside its request header, hence our own.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// How long to wait before accepting again when the system has no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Limits of connections.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// How long a client may take for the header of a request, the wait for it included.
    pub header_timeout: Duration,
    /// How long a client may leave an answer unread: its connection is closed if no byte could be written for so long.
    pub write_timeout: Duration,
    /// How many connections may be open; more wait to be accepted.
    pub connections_max: usize,
    /// How long requests in flight may go on after the server was told to stop.
    pub drain_timeout: Duration,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            connections_max: 4096,
            drain_timeout: Duration::from_secs(30),
        }
    }
}

/// A bound server.
pub struct HttpServer {
    /// Where connections come from.
    listener: TcpListener,
    /// The limits.
    config: ServerConfig,
}

impl HttpServer {
    /// Binds an address; port 0 takes any free one.
    ///
    /// # Errors
    ///
    /// * The address is taken, or is none of this machine's.
    pub async fn bind(address: SocketAddr, config: ServerConfig) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, config })
    }

    /// Returns the bound address.
    ///
    /// # Errors
    ///
    /// * The system does not tell.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is ready, then lets the requests in flight finish.
    pub async fn serve(self, router: Router, stop: impl Future<Output = ()>) {
        let mut connection_builder = http1::Builder::new();
        connection_builder.timer(TokioTimer::new()).header_read_timeout(self.config.header_timeout);
        // A client that has said all it will say (`printf … | nc`) still wants its answer.
        connection_builder.half_close(true);
        let connections = Arc::new(Semaphore::new(self.config.connections_max));
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let accept = async {
                let permit = Arc::clone(&connections).acquire_owned().await;
                (permit, self.listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                accepted = accept => accepted,
                () = &mut stop => break,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // A client that gave up, or too many open files: neither is a reason to stop serving.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            // Answers are small and whole: there is nothing to wait for. Where it fails they are only slower.
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(self.config.write_timeout));
            let stream = TokioIo::new(Box::pin(stream));
            let service = TowerToHyperService::new(router.clone());
            let connection = graceful.watch(connection_builder.serve_connection(stream, service));
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection ended early");
                }
                drop(permit);
            });
        }
        drop(self.listener);
        if tokio::time::timeout(self.config.drain_timeout, graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time and were cut off");
        }
    }
}
