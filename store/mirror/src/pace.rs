//! Transferring no more than so many bytes a second.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

/// Lets bytes pass at a rate, whoever they are from.
#[derive(Debug)]
pub(crate) struct Pacer {
    bytes_per_s: Option<u64>,
    /// When the next bytes may pass.
    next: Mutex<Instant>,
}

impl Pacer {
    pub(crate) fn new(bytes_per_s: Option<u64>) -> Self {
        Self { bytes_per_s, next: Mutex::new(Instant::now()) }
    }

    /// Waits until so many bytes may pass.
    pub(crate) async fn pass(&self, num_bytes: usize) {
        let Some(bytes_per_s) = self.bytes_per_s else { return };
        let turn = {
            let mut next = self.next.lock().await;
            let turn = (*next).max(Instant::now());
            let nanos = num_bytes as u128 * 1_000_000_000 / u128::from(bytes_per_s.max(1));
            *next = turn + Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX));
            turn
        };
        sleep_until(turn).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn bytes_wait_for_those_before_them() {
        let started = Instant::now();
        let pacer = Pacer::new(Some(1000));
        for expected_ms in [0, 500, 1500] {
            pacer.pass(if expected_ms == 0 { 500 } else { 1000 }).await;
            assert_eq!(started.elapsed().as_millis(), expected_ms);
        }
        Pacer::new(None).pass(usize::MAX).await;
        assert_eq!(started.elapsed().as_millis(), 1500);
    }
}
