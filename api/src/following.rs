//! Serving the current generation of a folder while newer ones are published.

use std::fs::File;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use store::{GenerationName, Generations, Trouble};

use crate::Supply;
use crate::blocking::blocking;

const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// A generation that can be opened and served.
pub trait Served: Sized + Send + Sync + 'static {
    /// What it holds, for the log.
    const WHAT: &'static str;

    /// Opens a generation.
    ///
    /// # Errors
    ///
    /// * It is torn, of an unknown format or cannot be read.
    fn open(generations: &Generations, name: GenerationName) -> store::Result<Self>;

    /// Returns its name.
    fn name(&self) -> GenerationName;
}

/// That a newer generation is there and cannot be served.
#[derive(Clone, Debug)]
pub(crate) struct Behind {
    pub(crate) since: Instant,
    pub(crate) problem: Trouble,
}

/// The current generation of a folder. Requests keep the generation that they began with; an old one is closed when the last of
/// them ends.
pub struct Following<T> {
    generations: Generations,
    supply: Supply,
    current: ArcSwapOption<T>,
    /// Why the newest generation cannot be served; `None` if it is.
    behind: Mutex<Option<Behind>>,
    /// A descriptor that is given back for the moment in which a generation is opened: so there is one, whatever else is open.
    reserve: Mutex<Option<File>>,
}

impl<T: Served> Following<T> {
    /// Opens the current generation of a folder, which need not exist yet.
    ///
    /// # Errors
    ///
    /// * The current generation is torn, of an unknown format or cannot be read, or it is one that a single process at a time can open, and
    ///   another has it open.
    pub fn open(generations: Generations) -> store::Result<Self> {
        Self::open_supplied(generations, Supply::Loaded)
    }

    /// Does the same for a folder whose generations come from elsewhere, or are not served. A damaged generation that comes from elsewhere is
    /// no error: it is fetched again.
    ///
    /// # Errors
    ///
    /// * See [`Following::open`].
    pub fn open_supplied(generations: Generations, supply: Supply) -> store::Result<Self> {
        let (current, behind, reserve) = (ArcSwapOption::empty(), Mutex::default(), Mutex::new(reserved()));
        let following = Self { generations, supply, current, behind, reserve };
        match following.take_over() {
            Err(error) if following.is_fetched_again(&error) => {
                let problem = Trouble::from(&error);
                tracing::error!("what is here cannot be served: {problem}");
                *following.lock_behind() = Some(Behind { since: Instant::now(), problem });
            }
            taken => drop(taken?),
        }
        Ok(following)
    }

    pub(crate) fn supply(&self) -> &Supply {
        &self.supply
    }

    pub(crate) fn current(&self) -> Option<Arc<T>> {
        self.current.load_full()
    }

    /// Returns why a newer generation cannot be served, as strangers are told; `None` if there is none.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        self.behind().map(|behind| behind.problem.kind()).or_else(|| self.supply.problem())
    }

    /// Returns since when a newer generation cannot be served, and why.
    pub(crate) fn behind(&self) -> Option<Behind> {
        self.lock_behind().clone()
    }

    /// Takes over each new generation as it is published, for ever. One that cannot be opened is logged and tried again: the old one goes
    /// on being served.
    pub async fn follow(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK_INTERVAL).await;
            let this = Arc::clone(&self);
            // What goes wrong is logged, and kept.
            let _ = blocking(move || this.refresh()).await;
        }
    }

    /// Opens the current generation if it is not the one that is served, and returns its name.
    ///
    /// # Errors
    ///
    /// * See [`Following::open`]. The old generation goes on being served.
    pub fn refresh(&self) -> store::Result<Option<GenerationName>> {
        let mut reserve = self.reserve.lock().unwrap_or_else(PoisonError::into_inner);
        drop(reserve.take());
        let refreshed = self.take_over();
        *reserve = reserved();
        let mut behind = self.lock_behind();
        match &refreshed {
            Ok(taken) => {
                *behind = None;
                if let Some(name) = taken {
                    tracing::info!("now serving {} of {name}", T::WHAT);
                }
            }
            Err(error) => {
                let problem = Trouble::from(error);
                if behind.as_ref().is_none_or(|behind| behind.problem != problem) {
                    tracing::error!("a new generation cannot be served: {problem}");
                }
                let since = behind.as_ref().map_or_else(Instant::now, |behind| behind.since);
                *behind = Some(Behind { since, problem });
            }
        }
        refreshed
    }

    /// Does what [`Following::refresh`] says, without a word.
    fn take_over(&self) -> store::Result<Option<GenerationName>> {
        if matches!(self.supply, Supply::NotServed) {
            return Ok(None);
        }
        let served = self.current.load().as_ref().map(|generation| generation.name());
        match self.generations.current()? {
            Some(name) if Some(name) != served => {
                self.current.store(Some(Arc::new(T::open(&self.generations, name)?)));
                Ok(Some(name))
            }
            _ => Ok(None),
        }
    }

    fn is_fetched_again(&self, error: &store::Error) -> bool {
        use store::Error::{Altered, Index, Torn, UnknownFormat};
        let is_damage = matches!(error, Torn { .. } | Altered { .. } | Index { .. } | UnknownFormat { .. });
        is_damage && matches!(self.supply, Supply::Followed(_))
    }

    /// Locks what is known of a newer generation, always for a short time.
    fn lock_behind(&self) -> MutexGuard<'_, Option<Behind>> {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a descriptor in reserve, if there is one.
fn reserved() -> Option<File> {
    File::open("/").ok()
}
