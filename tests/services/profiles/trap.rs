//! A server that schemas name, and that must not be called.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

/// The time in which a late connection would arrive.
const GRACE: Duration = Duration::from_millis(150);

/// A server that must not be called.
pub(crate) struct Trap {
    listener: TcpListener,
}

impl Trap {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a listener");
        Self { listener }
    }

    /// Returns the address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("bound")
    }

    /// Checks that no connection has arrived, and none arrives a moment later.
    pub(crate) async fn expect_nobody(&self) {
        tokio::time::sleep(GRACE).await;
        match self.listener.accept() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            result => panic!("somebody called: {result:?}"),
        }
    }
}
