//! The client of a request, identified by its address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::http::{Extensions, HeaderMap, HeaderName};

/// The header to which a proxy appends the address of its client.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The smallest network that a customer gets. All its addresses count as one client.
const NETWORK_BITS_V6: u32 = 64;

/// The address that identifies a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientAddress(IpAddr);

/// The connection that a request arrived on: an extension of the request.
#[derive(Clone)]
pub struct OnConnection {
    pub(crate) client: ClientAddress,
    /// If set, the connection is open for health checks only.
    pub is_spare: bool,
    /// Keeps the connection busy until this is dropped.
    pub busy: Arc<dyn Send + Sync>,
}

impl ClientAddress {
    /// Identifies a client by its address or, if it has many, by its network.
    pub(crate) fn new(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> NETWORK_BITS_V6 << NETWORK_BITS_V6;
                Self(IpAddr::V6(Ipv6Addr::from(network)))
            }
            address @ IpAddr::V4(_) => Self(address),
        }
    }

    /// Returns the client of a request: the other end of the connection, or, behind a trusted
    /// proxy, the last address in `X-Forwarded-For`. The addresses before it were sent by the
    /// client. If a proxy does not know its client or sends no readable address, the proxy counts
    /// as the client.
    pub(crate) fn from_request(headers: &HeaderMap, extensions: &Extensions, trust_proxy: bool) -> Option<Self> {
        let forwarded = if trust_proxy { headers.get_all(FORWARDED_FOR).iter().next_back() } else { None };
        let forwarded = forwarded.and_then(|forwarded| address(forwarded.to_str().ok()?.rsplit(',').next()?.trim()));
        let connected = || extensions.get().map(|connection: &OnConnection| connection.client);
        forwarded.map(Self::new).or_else(connected)
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
    fn networks_and_mapped_addresses_are_one_client() {
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
        assert_ne!(client("10.0.0.1"), client("10.0.0.2"));
    }

    #[test]
    fn only_the_last_address_of_a_trusted_proxy_counts() {
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
    fn forwarded_addresses_may_have_ports_or_be_unknown() {
        let mut extensions = Extensions::new();
        extensions.insert(OnConnection { client: client("10.0.0.1"), is_spare: false, busy: Arc::new(()) });
        for (forwarded, expected) in [
            ("10.0.0.2:5678", "10.0.0.2"),
            ("10.9.9.9, [2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("10.0.0.2:99999", "10.0.0.1"),
            ("10.0.0.2, unknown", "10.0.0.1"),
            ("10.0.0.2,", "10.0.0.1"),
            ("_hidden", "10.0.0.1"),
            ("", "10.0.0.1"),
        ] {
            let headers = HeaderMap::from_iter([(FORWARDED_FOR, HeaderValue::from_static(forwarded))]);
            assert_eq!(ClientAddress::from_request(&headers, &extensions, true), Some(client(expected)), "{forwarded}");
        }
    }
}
