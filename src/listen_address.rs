//! Addresses to listen on.

use std::net::{SocketAddr, ToSocketAddrs};

/// Reads an address or the name of a host, with a port. The first IPv4 address of a name counts,
/// since not every client tries IPv6.
pub(crate) fn parse(text: &str) -> Result<SocketAddr, String> {
    let found =
        text.to_socket_addrs().map_err(|error| format!("{error}: expected an address such as 127.0.0.1:8080"))?;
    found.min_by_key(SocketAddr::is_ipv6).ok_or_else(|| "the name has no address".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_up() {
        for (text, expected) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("[::1]:80", "[::1]:80"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("localhost:8080", "127.0.0.1:8080"),
        ] {
            assert_eq!(parse(text).map(|address| address.to_string()), Ok(expected.to_owned()));
        }
        for text in ["here", "localhost", ":", "localhost:x", "127.0.0.1"] {
            assert!(parse(text).is_err_and(|problem| problem.contains("127.0.0.1:8080")), "{text}");
        }
    }
}
