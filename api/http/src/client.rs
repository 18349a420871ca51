//! The client of a request, as far as addresses tell.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::http::{Extensions, HeaderMap, HeaderName};

/// The header to which a proxy appends the address of its client.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The smallest network that a customer gets. All its addresses count as one client.
const NETWORK_BITS_V6: u32 = 64;

/// The address by which clients are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientAddress(IpAddr);

/// The connection that a request came on: an extension of the request.
#[derive(Clone)]
pub struct OnConnection {
    pub(crate) client: ClientAddress,
    /// If set, it is open for health checks only.
    pub is_spare: bool,
    /// Keeps the connection busy until this is dropped.
    pub busy: Arc<dyn Send + Sync>,
}

impl ClientAddress {
    /// Returns what clients are told apart by: the address, or the network of one that has many.
    pub(crate) fn new(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> NETWORK_BITS_V6 << NETWORK_BITS_V6;
                Self(IpAddr::V6(Ipv6Addr::from(network)))
            }
            address @ IpAddr::V4(_) => Self(address),
        }
    }

    /// Returns the client of a request: the other end of the connection, or, behind a trusted proxy, the last address in `X-Forwarded-For`. The
    /// addresses before it were sent by the client. A proxy that does not know its client, or tells nothing that can be read, is the client itself.
    pub(crate) fn from_request(headers: &HeaderMap, extensions: &Extensions, trust_proxy: bool) -> Option<Self> {
        let told = if trust_proxy { headers.get_all(FORWARDED_FOR).iter().next_back() } else { None };
        let told = told.and_then(|told| address(told.to_str().ok()?.rsplit(',').next()?.trim()));
        let connected = || extensions.get().map(|connection: &OnConnection| connection.client);
        told.map(Self::new).or_else(connected)
    }
}

/// Reads an address, which some proxies give with a port or in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn client(address: &str) -> ClientAddress {
        ClientAddress::new(address.parse().expect("an address"))
    }

    #[test]
    fn a_network_is_one_client_and_so_is_an_address_in_both_forms() {
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
        assert_ne!(client("10.0.0.1"), client("10.0.0.2"));
    }

    #[test]
    fn only_a_proxy_that_is_trusted_speaks_for_others_and_only_its_own_word_counts() {
        let mut extensions = Extensions::new();
        extensions.insert(OnConnection { client: client("10.0.0.1"), is_spare: false, busy: Arc::new(()) });
        let mut headers = HeaderMap::new();
        let of = |headers: &HeaderMap, trust| ClientAddress::from_request(headers, &extensions, trust);
        assert_eq!(of(&headers, true), Some(client("10.0.0.1")));
        headers.append(FORWARDED_FOR, HeaderValue::from_static("10.9.9.9"));
        headers.append(FORWARDED_FOR, HeaderValue::from_static("10.9.9.8, 10.0.0.2"));
        assert_eq!(of(&headers, true), Some(client("10.0.0.2")));
        assert_eq!(of(&headers, false), Some(client("10.0.0.1")));
        headers.append(FORWARDED_FOR, HeaderValue::from_static("unknown"));
        assert_eq!(of(&headers, true), Some(client("10.0.0.1")));
    }

    #[test]
    fn a_proxy_may_name_ports_and_what_it_does_not_know() {
        let mut extensions = Extensions::new();
        extensions.insert(OnConnection { client: client("10.0.0.1"), is_spare: false, busy: Arc::new(()) });
        for (told, expected) in [
            ("10.0.0.2:5678", "10.0.0.2"),
            ("10.9.9.9, [2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("10.0.0.2:99999", "10.0.0.1"),
            ("10.0.0.2, unknown", "10.0.0.1"),
            ("10.0.0.2,", "10.0.0.1"),
            ("_hidden", "10.0.0.1"),
            ("", "10.0.0.1"),
        ] {
            let headers = HeaderMap::from_iter([(FORWARDED_FOR, HeaderValue::from_static(told))]);
            assert_eq!(ClientAddress::from_request(&headers, &extensions, true), Some(client(expected)), "{told}");
        }
    }
}
