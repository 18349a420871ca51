//! How many requests each client has under way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::client::ClientAddress;

/// The requests that are under way, by client. Only clients that have some are remembered.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    /// How many one client may have.
    max: usize,
    /// How many each has.
    counts: Arc<Mutex<HashMap<ClientAddress, usize>>>,
}

/// A request of a client, counted until this is dropped.
#[derive(Debug)]
pub(super) struct Share {
    /// Where it is counted.
    shares: Shares,
    /// The client.
    client: ClientAddress,
}

/// A client has as many requests under way as it may.
#[derive(Debug)]
pub(super) struct ShareTaken;

impl Shares {
    /// Allows each client so many.
    pub(super) fn new(max: usize) -> Self {
        Self { max, counts: Arc::default() }
    }

    /// Counts a request of a client; one whose client is not known is not counted.
    pub(super) fn take(&self, client: Option<ClientAddress>) -> Result<Option<Share>, ShareTaken> {
        let Some(client) = client else { return Ok(None) };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= self.max {
            return Err(ShareTaken);
        }
        *count += 1;
        Ok(Some(Share { shares: self.clone(), client }))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = self.shares.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_its_share_and_nobody_is_remembered() {
        let shares = Shares::new(2);
        let [one, other] = [1, 2].map(|last| Some(ClientAddress::new([10, 0, 0, last].into())));
        let (first, second) = (shares.take(one).expect("free"), shares.take(one).expect("free"));
        assert!(shares.take(one).is_err() && shares.take(other).is_ok() && shares.take(None).is_ok());
        drop(first);
        assert!(shares.take(one).is_ok());
        drop(second);
        assert!(shares.counts.lock().expect("whole").is_empty());
    }
}
