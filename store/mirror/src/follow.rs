//! Following an object store: its generations are copied into a data folder and become current in
//! it.

mod fetch;
mod journal;
mod sharing;

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use metrics::{counter, describe_counter, describe_gauge, gauge};
use store::{ErrorSummary, FollowState, lock, unix_now_s};
use tokio::time::sleep;

use crate::blocking::blocking;
use crate::layout::Pointer;
use crate::pace::Pacer;
use crate::publish::LocalGenerations;
use crate::remote::{Remote, Version};
use crate::signature::{self, VerifyKey};
use crate::{Error, Result};

const LAG_GENERATIONS: &str = "mgdex_replica_lag_generations";
const LAG_SECONDS: &str = "mgdex_replica_lag_seconds";
const FETCHED_BYTES: &str = "mgdex_replica_fetched_bytes_total";
const REFUSALS: &str = "mgdex_replica_refusals_total";
const LAST_POLL: &str = "mgdex_replica_last_poll_timestamp_seconds";

/// The random part of the pause between two polls, so that many replicas do not poll at once.
const JITTER: f64 = 0.2;

/// The longest pause after repeated failures, as a multiple of the usual one. Each failure doubles
/// it.
const BACKOFF_MAX: u32 = 16;

/// The settings of a follower.
#[derive(Clone, Debug)]
pub struct FollowConfig {
    /// The pause between two polls.
    pub interval: Duration,
    /// The maximum number of bytes fetched per second and kind, if limited.
    pub rate: Option<u64>,
    /// The free space that must remain on the disk in addition to a new generation, in bytes.
    pub margin_bytes: u64,
    /// The keys that verify publications, each of which is signed with one of them. Without keys,
    /// every publication is followed.
    pub verify_keys: Vec<VerifyKey>,
}

/// Keeps the generations of one kind in a data folder up to date with an object store.
#[derive(Debug)]
pub struct Follower {
    remote: Remote,
    local: LocalGenerations,
    config: FollowConfig,
    pacer: Pacer,
    state: Arc<FollowState>,
    /// The last pointer that was read.
    latest: Mutex<Option<(Pointer, Version)>>,
}

/// Decides when to retry a generation that has failed.
struct Backoff {
    num_failures: u32,
    failed: Option<(Instant, Pointer)>,
}

impl Follower {
    /// Prepares to follow. Nothing is read.
    pub fn new(remote: Remote, local: LocalGenerations, config: &FollowConfig) -> Self {
        let (config, pacer, state) = (config.clone(), Pacer::new(config.rate), Arc::default());
        Self { remote, local, config, pacer, state, latest: Mutex::default() }
    }

    /// Returns the state, which changes as the follower works.
    pub fn state(&self) -> Arc<FollowState> {
        Arc::clone(&self.state)
    }

    /// Follows forever. Failures are logged, recorded in the state, and retried.
    pub async fn follow(self) {
        describe_gauge!(LAG_GENERATIONS, "Publications that are not yet current here.");
        describe_gauge!(LAG_SECONDS, "Time since the newest of them was published, in seconds; 0 if all are served.");
        describe_counter!(FETCHED_BYTES, "Bytes fetched from the store.");
        describe_counter!(REFUSALS, "Attempts that failed because something was missing, altered or rolled back.");
        describe_gauge!(LAST_POLL, "When the store last answered, in seconds since 1970.");
        // Both exist from the start, so that an alert sees the first rejection.
        let kind = self.local.kind.name();
        counter!(FETCHED_BYTES, "kind" => kind).increment(0);
        counter!(REFUSALS, "kind" => kind).increment(0);
        let mut backoff = Backoff { num_failures: 0, failed: None };
        // The generation on the disk may be damaged.
        let mut is_checked = false;
        loop {
            self.poll().await;
            if let Some(pointer) = self.outstanding(is_checked).await
                && backoff.is_due(&pointer, self.config.interval)
            {
                let taken = tokio::select! {
                    taken = self.take_over(&pointer) => taken,
                    never = self.poll_forever() => match never {},
                };
                match taken {
                    Ok(()) => (backoff, is_checked) = (Backoff { num_failures: 0, failed: None }, true),
                    Err(error) => {
                        self.failed(&error);
                        backoff.fail(pointer.clone());
                    }
                }
                self.measure_lag().await;
            }
            sleep(self.pause()).await;
        }
    }

    async fn poll_forever(&self) -> Infallible {
        loop {
            sleep(self.pause()).await;
            self.poll().await;
        }
    }

    /// Reads the pointer of the store.
    async fn poll(&self) {
        let (kind, known) = (self.local.kind.name(), self.latest());
        let read = self.remote.pointer_unless(kind, known.as_ref()).await;
        match read.and_then(|read| signature::check(&self.config.verify_keys, kind, &read.0).map(|()| read)) {
            Ok(latest) => {
                gauge!(LAST_POLL, "kind" => kind).set(as_f64(unix_now_s()));
                if let Some(problem) = self.state.reached() {
                    tracing::info!("{} answers again; the problem was: {}", self.remote.url(), problem.kind());
                }
                *lock(&self.latest) = Some(latest);
                self.measure_lag().await;
            }
            Err(error) => {
                if matches!(error, Error::Signature { .. }) {
                    counter!(REFUSALS, "kind" => kind).increment(1);
                }
                let summary = ErrorSummary::from(&error);
                if self.state.unreachable(summary.clone()) {
                    tracing::warn!("{kind} cannot be followed for now: {summary}");
                }
            }
        }
    }

    /// Returns the pointer of the store if its generation is not current in the data folder, or was
    /// not checked yet.
    async fn outstanding(&self, is_checked: bool) -> Option<Pointer> {
        let (pointer, _) = self.latest()?;
        let generations = self.local.generations.clone();
        let read = move || {
            let current = generations.current()?;
            let is_damaged = current.map(|name| generations.is_marked_damaged(name)).transpose()? == Some(true);
            Ok((current, generations.followed()?, is_damaged))
        };
        let (current, followed, is_damaged) = blocking(read).await.ok()?;
        let is_taken = is_checked
            && !is_damaged
            && current == Some(pointer.generation)
            && followed == Some((pointer.sequence, pointer.generation));
        if is_taken {
            self.state.in_step();
        } else if followed.is_none_or(|(sequence, _)| pointer.sequence > sequence) {
            self.state.knows_newer();
        }
        (!is_taken).then_some(pointer)
    }

    /// Makes the generation of a pointer current in the data folder.
    async fn take_over(&self, pointer: &Pointer) -> Result<()> {
        let (own, name, sequence) = (self.local.clone(), pointer.generation, pointer.sequence);
        let is_here = blocking(move || own.make_current_if_present(sequence, name)).await?;
        if !is_here {
            self.fetch(pointer).await?;
        }
        let generations = self.local.generations.clone();
        let record = move || {
            debug_assert!(generations.followed()?.is_none_or(|(last, _)| last <= sequence), "the number only grows");
            Ok(generations.set_followed(sequence, name)?)
        };
        blocking(record).await?;
        tracing::info!("{}/{name} is current, publication {sequence}", self.local.kind.name());
        self.state.in_step();
        Ok(())
    }

    fn failed(&self, error: &Error) {
        let kind = self.local.kind.name();
        if error.is_refusal() {
            counter!(REFUSALS, "kind" => kind).increment(1);
        }
        let summary = ErrorSummary::from(error);
        if self.state.failed(summary.clone()) {
            tracing::error!("{kind}: a new generation cannot be adopted, and will be tried again: {summary}");
        }
    }

    async fn measure_lag(&self) {
        let Some((pointer, _)) = self.latest() else { return };
        let generations = self.local.generations.clone();
        let Ok(followed) = blocking(move || Ok(generations.followed()?)).await else { return };
        let sequence = followed.map_or(0, |(sequence, _)| sequence);
        let lag = pointer.sequence.saturating_sub(sequence);
        let lag_s = if lag == 0 { 0 } else { unix_now_s().saturating_sub(pointer.published_unix_s) };
        let kind = self.local.kind.name();
        gauge!(LAG_GENERATIONS, "kind" => kind).set(as_f64(lag));
        gauge!(LAG_SECONDS, "kind" => kind).set(as_f64(lag_s));
    }

    fn pause(&self) -> Duration {
        self.config.interval.mul_f64(rand::random_range(1.0 - JITTER..1.0 + JITTER))
    }

    fn latest(&self) -> Option<(Pointer, Version)> {
        lock(&self.latest).clone()
    }
}

impl LocalGenerations {
    /// Makes a generation current if the data folder has it already, complete: after a rollback of
    /// the publisher, or a kill at the last moment.
    ///
    /// # Errors
    ///
    /// * The store has an older state than before.
    fn make_current_if_present(&self, sequence: u64, name: store::GenerationName) -> Result<bool> {
        let Self { kind, generations } = self;
        if let Some((known, generation)) = generations.followed()?
            && (sequence < known || sequence == known && name != generation)
        {
            return Err(Error::RolledBack { found: sequence, known, note: generations.followed_path() });
        }
        if generations.current()? == Some(name) {
            return match generations.published_files(kind, name) {
                Err(store::Error::Torn { .. }) => Ok(false),
                found => Ok(found.map(|_| true)?),
            };
        }
        if !generations.names()?.contains(&name) {
            return Ok(false);
        }
        let check = |name| {
            let folder = generations.path(name);
            generations.published_files(kind, name)?.iter().try_for_each(|file| store::verify_file(&folder, file))
        };
        match generations.roll_back(kind, Some(name), check) {
            Ok(_) => Ok(true),
            // It is fetched again.
            Err(store::Error::Torn { .. } | store::Error::Altered { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl Backoff {
    /// Returns whether to try again. A generation that differs from the failed one is tried at
    /// once.
    fn is_due(&self, pointer: &Pointer, interval: Duration) -> bool {
        let Some((when, failed)) = &self.failed else { return true };
        let pause = interval * BACKOFF_MAX.min(2_u32.saturating_pow(self.num_failures));
        failed != pointer || when.elapsed() >= pause
    }

    fn fail(&mut self, pointer: Pointer) {
        let is_same = self.failed.as_ref().is_some_and(|(_, failed)| *failed == pointer);
        self.num_failures = if is_same { self.num_failures + 1 } else { 0 };
        self.failed = Some((Instant::now(), pointer));
    }
}

#[expect(clippy::cast_precision_loss, reason = "measurements")]
fn as_f64(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests;
