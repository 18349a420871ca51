//! Looking up the names of hosts.

use std::io;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use super::public_address::is_public;

/// Looks names up, and refuses those with an address that is not public. What it returns is what is connected to, so that a name cannot
/// mean one address when it is checked and another when it is used.
pub(super) struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // The port is that of the URL, whatever stands here.
            let addresses: Vec<_> = lookup_host((name.as_str(), 0)).await?.collect();
            if let Some(special) = addresses.iter().find(|address| !is_public(address.ip())) {
                return Err(io::Error::other(format!("{} is not a public address", special.ip())).into());
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
