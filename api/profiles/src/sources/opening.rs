//! Opening the embedded store, and trying again if the disk prevents it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use store::{ErrorSummary, available_bytes};
use store_profiles::{PROFILES_FREE_BYTES_MIN, Profiles, ProfilesConfig, ProfilesState};

/// The interval at which the free space is checked.
const INTERVAL: Duration = Duration::from_secs(1);

/// The longest pause between two attempts: each reads the whole store.
const PAUSE_MAX: Duration = Duration::from_mins(1);

/// A store, or the reason why it could not be opened.
pub(crate) struct Opening {
    opened: OnceLock<Arc<Profiles>>,
    problem: Mutex<Option<ErrorSummary>>,
}

impl Opening {
    /// Wraps an opened store.
    pub(crate) fn done(profiles: Arc<Profiles>) -> Arc<Self> {
        Arc::new(Self { opened: profiles.into(), problem: Mutex::default() })
    }

    /// Opens the store in a folder. After a temporary failure, such as a full disk, this is tried
    /// again once there is room, until this is dropped.
    ///
    /// # Errors
    ///
    /// * Another process has the store open.
    pub(crate) fn begin(folder: &Path, config: ProfilesConfig) -> store::Result<Arc<Self>> {
        let error = match Profiles::open(folder, config) {
            Ok(profiles) => return Ok(Self::done(Arc::new(profiles))),
            Err(error @ store::Error::ProfilesLocked { .. }) => return Err(error),
            Err(error) => error,
        };
        tracing::error!("profiles are not served: {error}");
        let opening = Arc::new(Self { opened: OnceLock::new(), problem: Mutex::new(Some(ErrorSummary::from(&error))) });
        if may_pass(&error, folder) {
            let (awaited, folder) = (Arc::downgrade(&opening), folder.to_owned());
            let attempts = Attempts { folder, config, pause: INTERVAL, last: Instant::now() };
            let try_again = move |mut attempts: Attempts| {
                while let Some(opening) = awaited.upgrade()
                    && !attempts.try_again(&opening)
                {
                    drop(opening);
                    thread::sleep(INTERVAL);
                }
            };
            let thread = thread::Builder::new().name("profiles-opening".into()).spawn(move || try_again(attempts));
            if let Err(error) = thread {
                tracing::error!("no further attempts are made to open the profiles: {error}");
            }
        }
        Ok(opening)
    }

    /// Returns the store, if it is open.
    ///
    /// # Errors
    ///
    /// * It could not be opened.
    pub(crate) fn get(&self) -> store::Result<Arc<Profiles>> {
        let opened = self.opened.get().map(Arc::clone);
        opened.ok_or_else(|| {
            store::Error::ProfilesFailed(self.problem().map(|problem| problem.to_string()).unwrap_or_default())
        })
    }

    pub(crate) fn state(&self) -> ProfilesState {
        let unopened = || ProfilesState { failure: self.problem(), ..ProfilesState::default() };
        self.opened.get().map_or_else(unopened, |profiles| profiles.state())
    }

    fn problem(&self) -> Option<ErrorSummary> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

struct Attempts {
    folder: PathBuf,
    config: ProfilesConfig,
    pause: Duration,
    last: Instant,
}

impl Attempts {
    /// Opens the store if there is room and the last attempt was long enough ago. Returns whether
    /// no further attempt is needed.
    fn try_again(&mut self, opening: &Opening) -> bool {
        if is_full(&self.folder) || self.last.elapsed() < self.pause {
            return false;
        }
        let error = match Profiles::open(&self.folder, self.config) {
            Ok(profiles) => {
                tracing::info!("profiles are served now");
                let _ = opening.opened.set(Arc::new(profiles));
                return true;
            }
            Err(error) => error,
        };
        tracing::error!("profiles are still not served: {error}");
        *opening.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(ErrorSummary::from(&error));
        (self.pause, self.last) = ((2 * self.pause).min(PAUSE_MAX), Instant::now());
        !may_pass(&error, &self.folder)
    }
}

/// Returns whether a later attempt to open a store may succeed: a command may have it open for a
/// moment. Damage is permanent.
fn may_pass(error: &store::Error, folder: &Path) -> bool {
    use store::Error::{Io, NoRoom, ProfilesLocked};
    matches!(error, Io { .. } | NoRoom { .. } | ProfilesLocked { .. }) || is_full(folder)
}

/// Returns whether the disk of a folder is full. The folder may be missing. The engine panics in
/// some places if the disk is full.
fn is_full(folder: &Path) -> bool {
    let existing = folder.ancestors().find_map(|folder| available_bytes(folder).ok());
    existing.is_some_and(|available_bytes| available_bytes < PROFILES_FREE_BYTES_MIN)
}
