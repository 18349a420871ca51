//! Looking up host names.

use std::io;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use super::public_address::is_public;

/// Refuses names with an address that is not public. The client connects to the returned addresses,
/// so that a name cannot change between check and use.
pub(super) struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // The client replaces the port.
            let addresses: Vec<_> = lookup_host((name.as_str(), 0)).await?.collect();
            if let Some(special) = addresses.iter().find(|address| !is_public(address.ip())) {
                return Err(io::Error::other(format!("{} is not a public address", special.ip())).into());
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
