//! Serving the current generation of a folder while newer ones are published.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use store::{GenerationName, Generations};

use crate::blocking::blocking;

/// How often a server looks for a new generation.
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

/// The current generation of a folder. Requests keep the generation that they began with; an old one is closed when the last of
/// them ends.
pub struct Following<T> {
    /// The folder.
    generations: Generations,
    /// The generation that is served.
    current: ArcSwapOption<T>,
}

impl<T: Served> Following<T> {
    /// Opens the current generation of a folder, which need not exist yet.
    ///
    /// # Errors
    ///
    /// * The current generation is torn, of an unknown format or cannot be read, or it is one that a single process at a time can open, and
    ///   another has it open.
    pub fn open(generations: Generations) -> store::Result<Self> {
        let current = match generations.current()? {
            Some(name) => Some(Arc::new(T::open(&generations, name)?)),
            None => None,
        };
        Ok(Self { generations, current: ArcSwapOption::new(current) })
    }

    /// Returns the generation that is served.
    pub(crate) fn current(&self) -> Option<Arc<T>> {
        self.current.load_full()
    }

    /// Takes over each new generation as it is published, for ever. One that cannot be opened is logged and passed over: the
    /// old one goes on being served.
    pub async fn follow(self: Arc<Self>) {
        let mut last_problem = String::new();
        loop {
            tokio::time::sleep(LOOK_INTERVAL).await;
            let this = Arc::clone(&self);
            let problem = match blocking(move || this.refresh()).await {
                Ok(Some(name)) => {
                    tracing::info!("now serving {} of {name}", T::WHAT);
                    String::new()
                }
                Ok(None) => String::new(),
                Err(error) => error.to_string(),
            };
            if !problem.is_empty() && problem != last_problem {
                tracing::error!("a new generation cannot be served: {problem}");
            }
            last_problem = problem;
        }
    }

    /// Opens the current generation if it is not the one that is served, and returns its name.
    ///
    /// # Errors
    ///
    /// * See [`Following::open`]. The old generation goes on being served.
    pub fn refresh(&self) -> store::Result<Option<GenerationName>> {
        let served = self.current.load().as_ref().map(|generation| generation.name());
        match self.generations.current()? {
            Some(name) if Some(name) != served => {
                self.current.store(Some(Arc::new(T::open(&self.generations, name)?)));
                Ok(Some(name))
            }
            _ => Ok(None),
        }
    }
}
