//! The highest and the lowest rate of a transfer.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout};

/// Limits the rate of bytes of all transfers that share it.
#[derive(Debug)]
pub(crate) struct Pacer {
    bytes_per_s: Option<u64>,
    /// The time from which the next bytes may pass.
    next: Mutex<Instant>,
}

impl Pacer {
    pub(crate) fn new(bytes_per_s: Option<u64>) -> Self {
        Self { bytes_per_s, next: Mutex::new(Instant::now()) }
    }

    /// Waits until `num_bytes` may pass.
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

/// The window in which an object must be received at [`LEAST_BYTES_PER_S`] or faster.
const WINDOW: Duration = Duration::from_secs(30);

/// The least speed of an object.
const LEAST_BYTES_PER_S: u64 = 10_000;

/// Waits for the bytes of an object, and fails if they are too slow. Only the waiting counts, not
/// the work between.
pub(crate) struct LeastSpeed {
    left: Duration,
    num_bytes: u64,
}

impl LeastSpeed {
    pub(crate) fn new() -> Self {
        Self { left: WINDOW, num_bytes: 0 }
    }

    /// Waits for the next bytes.
    ///
    /// # Errors
    ///
    /// * Too few bytes were received in a window.
    pub(crate) async fn wait<T>(&mut self, next: impl Future<Output = T>) -> Result<T, String> {
        tokio::pin!(next);
        loop {
            let began = Instant::now();
            let received = timeout(self.left, &mut next).await;
            self.left = self.left.saturating_sub(began.elapsed());
            match received {
                Ok(received) => return Ok(received),
                Err(_) if self.num_bytes >= LEAST_BYTES_PER_S * WINDOW.as_secs() => *self = Self::new(),
                Err(_) => {
                    let (num_bytes, seconds) = (self.num_bytes, WINDOW.as_secs());
                    return Err(format!("it arrives too slowly: {num_bytes} bytes in {seconds} s"));
                }
            }
        }
    }

    pub(crate) fn count(&mut self, num_bytes: usize) {
        self.num_bytes += num_bytes as u64;
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

    /// Waits for all parts, each of which takes a while, and returns the number of received ones.
    async fn received(num_parts: usize, num_bytes: usize, part_s: f64, pause_s: f64) -> Result<usize, String> {
        let mut speed = LeastSpeed::new();
        for _ in 0..num_parts {
            speed.wait(tokio::time::sleep(Duration::from_secs_f64(part_s))).await?;
            speed.count(num_bytes);
            tokio::time::sleep(Duration::from_secs_f64(pause_s)).await;
        }
        Ok(num_parts)
    }

    #[tokio::test(start_paused = true)]
    async fn slow_transfers_are_aborted() {
        assert_eq!(received(100, 11_000, 1.0, 0.0).await, Ok(100));
        assert_eq!(received(4, 600_000, 45.0, 0.0).await, Err("it arrives too slowly: 0 bytes in 30 s".to_owned()));
        assert_eq!(received(4, 600_000, 29.0, 0.0).await, Ok(4));
        assert!(received(100, 9_000, 1.0, 0.0).await.is_err());
        assert!(received(100, 1, 5.0, 0.0).await.is_err(), "byte by byte");
        // The rate limit of the transfer does not count as slowness of the store.
        assert_eq!(received(100, 1000, 0.01, 60.0).await, Ok(100));
    }
}
