//! Serving the current generation of a folder while newer ones are published, or an earlier one if
//! the current one is damaged.

use std::collections::HashMap;
use std::fs::File;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use store::{ErrorSummary, GenerationName, Generations, Served, Watch};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::sleep;

use crate::DataOrigin;
use crate::blocking::blocking;
use crate::error::Problem;

const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The least time between two looks, even if somebody writes to the served data all the time.
const NOTICES_INTERVAL: Duration = Duration::from_millis(10);

/// Attempts to open a generation that cannot be opened take at most this share of the time, but are
/// made at least at this interval.
const ATTEMPTS_SHARE: u32 = 20;
const ATTEMPTS_INTERVAL_MAX: Duration = Duration::from_secs(30);

/// A newer generation that cannot be served.
#[derive(Clone, Debug)]
pub struct UpdateFailure {
    /// The first attempt to serve it.
    pub since: Instant,
    /// The reason.
    pub problem: ErrorSummary,
}

/// The current generation of a folder. Requests keep the generation that they began with; an old
/// one is closed when the last of these requests ends.
pub struct Following<T> {
    generations: Generations,
    origin: DataOrigin,
    current: ArcSwapOption<T>,
    /// The reason why the newest generation cannot be served; `None` if it is served.
    update_failure: Mutex<Option<UpdateFailure>>,
    /// Damaged generations whose folders cannot be written to, with the reasons: the folders
    /// themselves do not record them.
    damaged: Mutex<HashMap<GenerationName, String>>,
    /// A descriptor in reserve. It is closed while a generation is opened, so that one is free even
    /// if all others are in use.
    reserve: Mutex<Option<File>>,
}

impl<T: Served> Following<T> {
    /// Opens the current generation of a folder, which need not exist yet. If it is damaged or has
    /// an unknown format, an earlier one is served, or none, until one can be opened.
    ///
    /// # Errors
    ///
    /// * Only one process at a time can open the current generation, and another one has it open.
    pub fn open(generations: Generations) -> store::Result<Self> {
        Self::open_from(generations, DataOrigin::Loaded)
    }

    /// Like [`Following::open`], for a folder whose generations are fetched from elsewhere, or are
    /// not served.
    ///
    /// # Errors
    ///
    /// * See [`Following::open`].
    pub fn open_from(generations: Generations, origin: DataOrigin) -> store::Result<Self> {
        let (current, reserve) = (ArcSwapOption::empty(), Mutex::new(reserved()));
        let following =
            Self { generations, origin, current, update_failure: Mutex::default(), damaged: Mutex::default(), reserve };
        match following.refresh() {
            Err(error @ store::Error::Locked { .. }) => Err(error),
            _ => Ok(following),
        }
    }

    /// Returns the origin of the generations.
    pub fn origin(&self) -> &DataOrigin {
        &self.origin
    }

    /// Returns the generation that is served now, if there is one.
    pub fn current(&self) -> Option<Arc<T>> {
        self.current.load_full()
    }

    /// Returns the reason why a newer generation cannot be served, as a fixed text that anybody may
    /// read; `None` if no newer generation has failed.
    pub fn problem(&self) -> Option<&'static str> {
        self.update_failure().map(|failure| failure.problem.kind()).or_else(|| self.origin.problem())
    }

    /// Returns the error while no generation is served. `how_to_load` says how to load one.
    pub fn absence(&self, how_to_load: &'static str) -> Problem {
        self.origin.absence::<T>(self.problem(), how_to_load)
    }

    /// Returns the time since which a newer generation cannot be served, and the reason.
    pub fn update_failure(&self) -> Option<UpdateFailure> {
        self.lock_update_failure().clone()
    }

    /// Takes over each new generation as it is published, forever. If one cannot be opened, this is
    /// logged and tried again, and the old one is still served.
    pub async fn follow(self: Arc<Self>) {
        let (mut pause, mut watched) = (LOOK_INTERVAL, None);
        loop {
            self.watch(&mut watched);
            tokio::select! {
                () = sleep(pause) => {}
                () = noticed(watched.as_ref()) => {}
            }
            let (this, started) = (Arc::clone(&self), Instant::now());
            // A failure is logged, and kept.
            let refreshed = blocking(move || this.refresh()).await;
            pause = match refreshed {
                Ok(_) => LOOK_INTERVAL,
                Err(_) => (started.elapsed() * ATTEMPTS_SHARE).clamp(LOOK_INTERVAL, ATTEMPTS_INTERVAL_MAX),
            };
            // Somebody may still be writing.
            sleep(NOTICES_INTERVAL).await;
        }
    }

    /// Watches the served generation, if it is not watched yet. If that is impossible, it is only
    /// checked every second.
    fn watch(&self, watched: &mut Option<(GenerationName, AsyncFd<Watch>)>) {
        let served = self.current();
        if watched.as_ref().map(|(name, _)| *name) != served.as_ref().map(|generation| generation.name()) {
            *watched = served.and_then(|generation| {
                let watch = generation.watch().ok()??;
                #[expect(
                    deprecated,
                    reason = "what replaces it is unsafe, for descriptors that others may close: this one is owned"
                )]
                let watch = AsyncFd::with_interest(watch, Interest::READABLE).ok()?;
                Some((generation.name(), watch))
            });
        }
    }

    /// Opens the current generation unless it is served already, and returns its name. If it cannot
    /// be opened and none is served, serves an earlier one.
    ///
    /// # Errors
    ///
    /// * The current generation is torn, damaged, of an unknown format or cannot be read. The old
    ///   generation is still served.
    pub fn refresh(&self) -> store::Result<Option<GenerationName>> {
        let mut reserve = self.reserve.lock().unwrap_or_else(PoisonError::into_inner);
        drop(reserve.take());
        let cut = self.withdraw_if_cut();
        let refreshed = self.take_over();
        let mut update_failure = self.lock_update_failure();
        match &refreshed {
            Ok(_) => *update_failure = None,
            Err(error) => {
                let problem = ErrorSummary::from(error);
                if update_failure.as_ref().is_none_or(|failure| failure.problem != problem) {
                    let needed =
                        if error.is_not_permitted() { ": mgdex must be able to read and write there" } else { "" };
                    tracing::error!("a new generation cannot be served: {problem}{needed}");
                }
                let since = update_failure.as_ref().map_or_else(Instant::now, |failure| failure.since);
                *update_failure = Some(UpdateFailure { since, problem });
            }
        }
        drop(update_failure);
        // No request gets an earlier generation without the problem.
        let taken = match &refreshed {
            Ok(taken) => *taken,
            Err(store::Error::Locked { .. }) => None,
            Err(_) => self.fall_back(),
        };
        *reserve = reserved();
        if let Some(name) = taken {
            tracing::info!("now serving {} of {name}", T::WHAT);
        }
        if let Some(name) = cut {
            self.note_damage(name);
        }
        refreshed
    }

    /// Opens the current generation unless it is served already.
    fn take_over(&self) -> store::Result<Option<GenerationName>> {
        if matches!(self.origin, DataOrigin::Disabled) {
            return Ok(None);
        }
        let served = self.current.load().as_ref().map(|generation| generation.name());
        match self.generations.current()? {
            Some(name) if Some(name) != served => self.serve(name).map(Some),
            _ => Ok(None),
        }
    }

    /// Serves the latest earlier generation that can be opened, unless one is served.
    fn fall_back(&self) -> Option<GenerationName> {
        if !T::FALLS_BACK || self.current.load().is_some() {
            return None;
        }
        self.generations.earlier().ok()?.into_iter().find_map(|name| self.serve(name).ok())
    }

    fn serve(&self, name: GenerationName) -> store::Result<GenerationName> {
        if let Some(problem) = self.lock_damaged().get(&name) {
            return Err(store::Error::Altered { path: self.generations.path(name), problem: problem.clone() });
        }
        self.current.store(Some(Arc::new(T::open(&self.generations, name)?)));
        Ok(name)
    }

    /// Withdraws a generation if its files were cut, and returns its name: the system kills a
    /// process that reads a mapped file beyond its end.
    fn withdraw_if_cut(&self) -> Option<GenerationName> {
        let generation = self.current()?;
        let error = generation.check_lengths().err()?;
        self.withdraw(generation.name(), &error);
        Some(generation.name())
    }

    /// Withdraws a damaged generation.
    pub(crate) fn withdraw(&self, name: GenerationName, error: &store::Error) {
        let problem = error.to_string();
        self.lock_damaged().insert(name, problem.clone());
        self.current.rcu(|current| current.clone().filter(|generation| generation.name() != name));
        tracing::error!("{name} is damaged and no longer served: {problem}");
    }

    /// Marks the folder of a withdrawn generation as damaged: nobody opens it again until it is
    /// fixed or received again.
    pub(crate) fn note_damage(&self, name: GenerationName) {
        let Some(problem) = self.lock_damaged().get(&name).cloned() else { return };
        match self.generations.mark_damaged(name, &problem) {
            Ok(()) => drop(self.lock_damaged().remove(&name)),
            Err(error) => {
                tracing::warn!("{name} cannot be marked as damaged, so the next start serves it again: {error}");
            }
        }
    }

    fn lock_damaged(&self) -> MutexGuard<'_, HashMap<GenerationName, String>> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the failure of a newer generation, always for a short time.
    fn lock_update_failure(&self) -> MutexGuard<'_, Option<UpdateFailure>> {
        self.update_failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until somebody writes to the watched generation.
async fn noticed(watched: Option<&(GenerationName, AsyncFd<Watch>)>) {
    if let Some((_, watch)) = watched
        && let Ok(mut ready) = watch.readable().await
    {
        watch.get_ref().take();
        ready.clear_ready();
    } else {
        pending::<()>().await;
    }
}

/// Opens a descriptor in reserve, if one is free.
fn reserved() -> Option<File> {
    File::open("/").ok()
}
