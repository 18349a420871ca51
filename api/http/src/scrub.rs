//! Comparing served data with their checksums, slowly and repeatedly: a disk may return other bytes
//! than were written.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use metrics::{counter, describe_counter, describe_gauge, gauge};
use store::{Contents, GenerationName, Served};

use crate::following::Following;

/// The interval at which the services are checked for work.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The time from the beginning of one comparison of a generation to the next.
const INTERVAL: Duration = Duration::from_hours(1);

/// The shortest sleep that limits a rate.
const SLEEP_MIN: Duration = Duration::from_millis(10);

const SCRUBBED_BYTES: &str = "mgdex_scrubbed_bytes_total";
const DAMAGED: &str = "mgdex_damaged_generations_total";
const LAST_SCRUB: &str = "mgdex_last_scrub_timestamp_seconds";

/// A service whose files can be compared with their checksums.
pub trait Scrub: Send {
    /// Compares the served data if that is due, and withdraws them if they are damaged.
    fn scrub_if_due(&mut self, rate_limit: &mut RateLimit);
}

/// A service, and the time of the last comparison of its generation.
struct Scrubbed<T> {
    service: Arc<Following<T>>,
    last: Option<(GenerationName, Instant)>,
}

/// Limits the rate of bytes.
pub struct RateLimit {
    bytes_per_s: u64,
    /// The time from which on the next bytes may pass.
    next: Instant,
}

/// Returns a service whose files are to be compared.
pub fn scrubbed<T: Served>(service: &Arc<Following<T>>) -> Box<dyn Scrub> {
    describe_counter!(SCRUBBED_BYTES, "Bytes of served data that were compared with their checksums.");
    describe_counter!(DAMAGED, "Generations whose data do not match their checksums.");
    describe_gauge!(LAST_SCRUB, "When all served data last matched their checksums, in seconds since 1970.");
    let kind = T::Contents::KIND;
    counter!(SCRUBBED_BYTES, "kind" => kind).increment(0);
    counter!(DAMAGED, "kind" => kind).increment(0);
    Box::new(Scrubbed { service: Arc::clone(service), last: None })
}

/// Starts to compare the data of services with their checksums: at once, and then every hour. One
/// thread does so for all services, and reads at most `bytes_per_s` bytes a second.
///
/// # Errors
///
/// * The system cannot start a thread.
pub fn spawn(mut services: Vec<Box<dyn Scrub>>, bytes_per_s: u64) -> io::Result<()> {
    let mut rate_limit = RateLimit::new(bytes_per_s);
    let work = move || {
        loop {
            for service in &mut services {
                service.scrub_if_due(&mut rate_limit);
            }
            thread::sleep(LOOK_INTERVAL);
        }
    };
    thread::Builder::new().name("scrub".to_owned()).spawn(work).map(drop)
}

impl<T: Served> Scrub for Scrubbed<T> {
    fn scrub_if_due(&mut self, rate_limit: &mut RateLimit) {
        let Some(generation) = self.service.current() else { return };
        let name = generation.name();
        if self.last.is_some_and(|(last, since)| last == name && since.elapsed() < INTERVAL) {
            return;
        }
        self.last = Some((name, Instant::now()));
        let (kind, mut num_bytes) = (T::Contents::KIND, 0);
        let mut should_continue = |more: usize| {
            num_bytes += more as u64;
            counter!(SCRUBBED_BYTES, "kind" => kind).increment(more as u64);
            rate_limit.pass(more);
            self.service.current().is_some_and(|current| current.name() == name)
        };
        match generation.scrub(&mut should_continue) {
            Ok(true) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
                gauge!(LAST_SCRUB, "kind" => kind).set(now.as_secs_f64());
                tracing::info!("{kind}/{name} is undamaged: {num_bytes} bytes match their checksums");
            }
            Ok(false) => {}
            Err(error) if error.is_damage() => {
                counter!(DAMAGED, "kind" => kind).increment(1);
                // A catalogue can be opened again once everybody has closed it.
                drop(generation);
                self.service.withdraw(name, &error);
                // The generation that replaces it, or the failure, is logged and kept.
                let _ = self.service.refresh();
                self.service.note_damage(name);
            }
            Err(error) => tracing::warn!("{kind}/{name} cannot be compared with its checksums: {error}"),
        }
    }
}

impl RateLimit {
    /// Lets `bytes_per_s` bytes a second pass.
    pub fn new(bytes_per_s: u64) -> Self {
        Self { bytes_per_s, next: Instant::now() }
    }

    /// Waits until `num_bytes` more may pass.
    fn pass(&mut self, num_bytes: usize) {
        let now = Instant::now();
        let nanos = num_bytes as u128 * 1_000_000_000 / u128::from(self.bytes_per_s.max(1));
        self.next = self.next.max(now) + Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX));
        let wait = self.next - now;
        if wait >= SLEEP_MIN {
            thread::sleep(wait);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_pass_at_the_rate() {
        let (started, mut rate_limit) = (Instant::now(), RateLimit::new(1 << 20));
        for _ in 0..5 {
            rate_limit.pass(32 << 10);
        }
        assert!(started.elapsed() >= Duration::from_millis(150), "{:?}", started.elapsed());
    }
}
