//! Counting what each client has of something of which no client may have all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::client::ClientAddress;

/// How much each client has. Only clients that have some are remembered.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    max: usize,
    counts: Arc<Mutex<HashMap<ClientAddress, usize>>>,
}

/// One of those that a client has, counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Shares,
    client: ClientAddress,
}

#[derive(Debug)]
pub(crate) struct ShareTaken;

impl Shares {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, counts: Arc::default() }
    }

    /// Counts one more for a client, unless it has as many as it may.
    pub(crate) fn take(&self, client: ClientAddress) -> Result<Share, ShareTaken> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get(&client).copied().unwrap_or_default();
        if count >= self.max {
            return Err(ShareTaken);
        }
        counts.insert(client, count + 1);
        Ok(Share { shares: self.clone(), client })
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
        let [one, other] = [1, 2].map(|last| ClientAddress::new([10, 0, 0, last].into()));
        let (first, second) = (shares.take(one).expect("free"), shares.take(one).expect("free"));
        assert!(shares.take(one).is_err() && shares.take(other).is_ok());
        drop(first);
        assert!(shares.take(one).is_ok());
        drop(second);
        assert!(shares.counts.lock().expect("whole").is_empty());
    }
}
