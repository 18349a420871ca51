//! Accepting connections.
//!
//! The ready-made loop of the web framework never closes a connection that stops inside its request
//! header, so there is a separate loop here.

mod client_stream;
mod connections;
mod framing;
mod unread;
mod workers;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use self::client_stream::ClientStream;
use self::connections::{Connection, Connections};
use self::unread::Rest;
pub use self::workers::Workers;
use super::client::{ClientAddress, OnConnection};
use super::limits::ResponseGuard;

/// The pause before accepting again when the system has no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The most bytes of a request's header that are kept in memory, of each connection.
const HEADER_BYTES_MAX: usize = 64 << 10;

/// Answers the requests of a server.
pub trait Answer: Clone + Send + Sync + 'static {
    /// Answers a request. The answer keeps its connection busy until it is sent.
    fn answer(&self, request: Request) -> impl Future<Output = Response> + Send;
}

impl Answer for Router {
    async fn answer(&self, request: Request) -> Response {
        let busy = request.extensions().get().map(|connection: &OnConnection| Arc::clone(&connection.busy));
        let Ok(response) = self.clone().oneshot(request).await;
        ResponseGuard { permit: None, busy }.guard(response)
    }
}

/// Limits of connections.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The most time that a client may take for the header of a request, including the wait for it.
    pub header_timeout: Duration,
    /// The most time that a client may leave an answer unread: its connection is closed if no byte
    /// can be written during this time.
    pub write_timeout: Duration,
    /// The most connections that may be open. For a further one, an idle one is closed; if all are
    /// busy, only `/healthz` and `/readyz` are answered on the further one, and everything else is
    /// 503.
    pub connections_max: usize,
    /// The most of these connections that one client may have. For a further one, an idle one of
    /// that client is closed; if all of them are busy, the further one is treated like one beyond
    /// `connections_max`.
    pub connections_of_client_max: usize,
    /// The most time that requests in flight may take after the server was asked to stop.
    pub drain_timeout: Duration,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            connections_max: 4096,
            connections_of_client_max: 2048,
            drain_timeout: Duration::from_secs(30),
        }
    }
}

impl ServerConfig {
    /// Returns HTTP/1.1 with the limits of a connection.
    fn protocol(&self) -> http1::Builder {
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.header_timeout);
        builder.max_buf_size(HEADER_BYTES_MAX).max_header_size(HEADER_BYTES_MAX);
        // A client that has shut down its write side (`printf … | nc`) still wants its answer.
        builder.half_close(true);
        builder
    }
}

/// A bound server.
pub struct HttpServer {
    listener: TcpListener,
    config: ServerConfig,
}

impl HttpServer {
    /// Binds an address; port 0 takes any free one.
    ///
    /// # Errors
    ///
    /// * The address is in use, or does not belong to this host.
    pub async fn bind(address: SocketAddr, config: ServerConfig) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, config })
    }

    /// Returns the bound address.
    ///
    /// # Errors
    ///
    /// * The system does not return it.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is ready, then lets the requests in flight finish. Requests are answered
    /// in the runtime of the caller.
    pub async fn serve(self, service: impl Answer, stop: impl Future<Output = ()>) {
        self.serve_on(None, service, stop).await;
    }

    /// Serves like [`HttpServer::serve`], but answers requests on the threads of workers.
    pub async fn serve_on(self, workers: Option<&Workers>, service: impl Answer, stop: impl Future<Output = ()>) {
        let connections = Connections::new(self.config.connections_max, self.config.connections_of_client_max);
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let accept = async {
                let (stream, address) = self.listener.accept().await?;
                let address = ClientAddress::new(address.ip());
                Ok((stream, address, connections.admit(address)))
            };
            let accepted: io::Result<_> = tokio::select! {
                accepted = accept => accepted,
                () = &mut stop => break,
            };
            let (stream, address, connection) = match accepted {
                Ok((stream, address, Some(connection))) => (stream, address, connection),
                // All connections are busy, including the spare ones.
                Ok((_, _, None)) => continue,
                Err(error) => {
                    // A client that gave up, or too many open files: these are no reasons to stop
                    // serving.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let stream = match stream.into_std() {
                Ok(stream) => stream,
                Err(error) => {
                    tracing::debug!(%error, "a connection ended early");
                    continue;
                }
            };
            let runtime = workers.map_or_else(Handle::current, |workers| workers.next().clone());
            let service = answering(service.clone(), address, Arc::clone(&connection));
            let (config, watcher) = (self.config.clone(), graceful.watcher());
            runtime.spawn(async move {
                let Ok(stream) = TcpStream::from_std(stream) else { return };
                // Answers are small and sent whole, so there is nothing to wait for. If this fails,
                // they are only slower.
                let _ = stream.set_nodelay(true);
                let mut stream = TimeoutStream::new(stream);
                stream.set_write_timeout(Some(config.write_timeout));
                let stream = ClientStream::new(Box::pin(stream), Arc::clone(&connection));
                let serving = watcher.watch(config.protocol().serve_connection(TokioIo::new(stream), service));
                tokio::select! {
                    served = serving => if let Err(error) = served {
                        tracing::debug!(%error, "a connection ended early");
                    },
                    () = connection.wait_for_close() => tracing::debug!("a connection was closed to make room"),
                }
            });
        }
        drop(self.listener);
        if tokio::time::timeout(self.config.drain_timeout, graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time and were cut off");
        }
    }
}

/// Returns the service of a connection. It adds the connection to each request, and keeps it busy
/// until the answer is sent.
fn answering(
    service: impl Answer,
    client: ClientAddress,
    connection: Arc<Connection>,
) -> impl Service<hyper::Request<Incoming>, Response = Response, Error = Infallible, Future: Send> {
    service_fn(move |request: hyper::Request<Incoming>| {
        connection.framing().begin_body(request.body());
        let (mut request, rest) = Rest::of(request);
        let busy = Arc::new(connection.begin());
        request.extensions_mut().insert(OnConnection { client, is_spare: connection.is_spare(), busy });
        let service = service.clone();
        async move {
            let response = service.answer(request).await;
            Ok(match rest {
                Some(rest) => rest.finish(response).await,
                None => response,
            })
        }
    })
}
