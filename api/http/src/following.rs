//! Serving the current generation of a folder while newer ones are published, or an earlier one where the current one is damaged.

use std::collections::HashMap;
use std::fs::File;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use store::{GenerationName, Generations, Served, Trouble, Watch};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::sleep;

use crate::DataOrigin;
use crate::blocking::blocking;
use crate::error::Problem;

const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The least time between two looks, however often somebody writes to what is served.
const NOTICES_INTERVAL: Duration = Duration::from_millis(10);

/// Attempts to open what cannot be opened take at most this part of the time, but one is made at least so often.
const ATTEMPTS_SHARE: u32 = 20;
const ATTEMPTS_INTERVAL_MAX: Duration = Duration::from_secs(30);

/// A newer generation that cannot be served.
#[derive(Clone, Debug)]
pub struct Behind {
    /// The first attempt to serve it.
    pub since: Instant,
    /// The reason.
    pub problem: Trouble,
}

/// The current generation of a folder. Requests keep the generation that they began with; an old one is closed when the last of
/// them ends.
pub struct Following<T> {
    generations: Generations,
    origin: DataOrigin,
    current: ArcSwapOption<T>,
    /// Why the newest generation cannot be served; `None` if it is.
    behind: Mutex<Option<Behind>>,
    /// Generations that are damaged, and why, where their folder does not say so because it cannot be written to.
    damaged: Mutex<HashMap<GenerationName, String>>,
    /// A descriptor that is given back for the moment in which a generation is opened: so there is one, whatever else is open.
    reserve: Mutex<Option<File>>,
}

impl<T: Served> Following<T> {
    /// Opens the current generation of a folder, which need not exist yet. If it is damaged, or of an unknown format, an earlier one is served,
    /// or none, until there is one that can be opened.
    ///
    /// # Errors
    ///
    /// * The current generation is one that a single process at a time can open, and another has it open.
    pub fn open(generations: Generations) -> store::Result<Self> {
        Self::open_from(generations, DataOrigin::Loaded)
    }

    /// Like [`Following::open`], for a folder whose generations come from elsewhere, or are not served.
    ///
    /// # Errors
    ///
    /// * See [`Following::open`].
    pub fn open_from(generations: Generations, origin: DataOrigin) -> store::Result<Self> {
        let (current, reserve) = (ArcSwapOption::empty(), Mutex::new(reserved()));
        let following =
            Self { generations, origin, current, behind: Mutex::default(), damaged: Mutex::default(), reserve };
        match following.refresh() {
            Err(error @ store::Error::Locked { .. }) => Err(error),
            _ => Ok(following),
        }
    }

    /// Returns where the generations come from.
    pub fn origin(&self) -> &DataOrigin {
        &self.origin
    }

    /// Returns the generation that is served now; `None` if none is.
    pub fn current(&self) -> Option<Arc<T>> {
        self.current.load_full()
    }

    /// Returns why a newer generation cannot be served, as a fixed text that anybody may read; `None` if there is none.
    pub fn problem(&self) -> Option<&'static str> {
        self.behind().map(|behind| behind.problem.kind()).or_else(|| self.origin.problem())
    }

    /// Returns the answer where no generation is served, given how one is loaded.
    pub fn absence(&self, how_to_load: &'static str) -> Problem {
        self.origin.absence::<T>(self.problem(), how_to_load)
    }

    /// Returns since when a newer generation cannot be served, and why.
    pub fn behind(&self) -> Option<Behind> {
        self.lock_behind().clone()
    }

    /// Takes over each new generation as it is published, for ever. One that cannot be opened is logged and tried again: the old one goes
    /// on being served.
    pub async fn follow(self: Arc<Self>) {
        let (mut pause, mut watched) = (LOOK_INTERVAL, None);
        loop {
            self.watch(&mut watched);
            tokio::select! {
                () = sleep(pause) => {}
                () = noticed(watched.as_ref()) => {}
            }
            let (this, started) = (Arc::clone(&self), Instant::now());
            // What goes wrong is logged, and kept.
            let refreshed = blocking(move || this.refresh()).await;
            pause = match refreshed {
                Ok(_) => LOOK_INTERVAL,
                Err(_) => (started.elapsed() * ATTEMPTS_SHARE).clamp(LOOK_INTERVAL, ATTEMPTS_INTERVAL_MAX),
            };
            // Somebody may go on writing.
            sleep(NOTICES_INTERVAL).await;
        }
    }

    /// Watches what is served now, if it is not watched yet. Where that is impossible, it is only looked at every second.
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

    /// Opens the current generation if it is not the one that is served, and returns its name. If it cannot be opened and none is served, an
    /// earlier one is.
    ///
    /// # Errors
    ///
    /// * The current generation is torn, damaged, of an unknown format or cannot be read. The old generation goes on being served.
    pub fn refresh(&self) -> store::Result<Option<GenerationName>> {
        let mut reserve = self.reserve.lock().unwrap_or_else(PoisonError::into_inner);
        drop(reserve.take());
        let cut = self.withdraw_if_cut();
        let refreshed = self.take_over();
        let mut behind = self.lock_behind();
        match &refreshed {
            Ok(_) => *behind = None,
            Err(error) => {
                let problem = Trouble::from(error);
                if behind.as_ref().is_none_or(|behind| behind.problem != problem) {
                    let needed =
                        if error.is_not_permitted() { ": mgdex must be able to read and write there" } else { "" };
                    tracing::error!("a new generation cannot be served: {problem}{needed}");
                }
                let since = behind.as_ref().map_or_else(Instant::now, |behind| behind.since);
                *behind = Some(Behind { since, problem });
            }
        }
        drop(behind);
        // Nobody meets an earlier generation without the problem.
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

    /// Opens the current generation if it is not the one that is served.
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

    /// Serves the youngest earlier generation that can be opened, unless one is served.
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

    /// Serves a generation no longer if its files were cut, and returns its name: a process that reads one behind its end is ended by the system.
    fn withdraw_if_cut(&self) -> Option<GenerationName> {
        let generation = self.current()?;
        let error = generation.check_lengths().err()?;
        self.withdraw(generation.name(), &error);
        Some(generation.name())
    }

    /// Serves a generation no longer that is damaged.
    pub(crate) fn withdraw(&self, name: GenerationName, error: &store::Error) {
        let problem = error.to_string();
        self.lock_damaged().insert(name, problem.clone());
        self.current.rcu(|current| current.clone().filter(|generation| generation.name() != name));
        tracing::error!("{name} is damaged and no longer served: {problem}");
    }

    /// Notes in the folder of a generation that was withdrawn that it is damaged: nobody opens it again, until it is mended or received again.
    pub(crate) fn note_damage(&self, name: GenerationName) {
        let Some(problem) = self.lock_damaged().get(&name).cloned() else { return };
        match self.generations.mark_damaged(name, &problem) {
            Ok(()) => drop(self.lock_damaged().remove(&name)),
            Err(error) => {
                tracing::warn!("its folder does not say so, and a server that starts will serve it again: {error}");
            }
        }
    }

    fn lock_damaged(&self) -> MutexGuard<'_, HashMap<GenerationName, String>> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks what is known of a newer generation, always for a short time.
    fn lock_behind(&self) -> MutexGuard<'_, Option<Behind>> {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until somebody has written to what is watched.
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

/// Takes a descriptor in reserve, if there is one.
fn reserved() -> Option<File> {
    File::open("/").ok()
}
