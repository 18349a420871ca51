//! Origins of the data of a service.

use std::sync::Arc;
use std::time::Instant;

use store::{Contents, Served};

use crate::http::error::Problem;
use crate::paths;

/// The origin of the data of a service.
#[derive(Clone, Default)]
pub enum DataOrigin {
    /// They are loaded on this machine.
    #[default]
    Loaded,
    /// They are fetched from elsewhere, as they are published there.
    Followed(Arc<dyn ReplicaStatus>),
    /// This server does not serve them.
    Disabled,
}

/// The state of a replica, which fetches data from elsewhere.
pub trait ReplicaStatus: Send + Sync {
    /// Returns what is being fetched, and how much of it is there.
    fn progress(&self) -> Option<String>;

    /// Returns why nothing newer is there, as a fixed text that anybody may read.
    fn problem(&self) -> Option<&'static str>;

    /// Returns when the remote was last asked successfully.
    fn asked(&self) -> Option<Instant>;

    /// Returns since when something newer is known that is not here; `None` if nothing is.
    fn lag(&self) -> Option<Lag>;
}

/// How far a replica is behind what is published elsewhere.
#[derive(Clone, Debug)]
pub struct Lag {
    /// The time at which it became known.
    pub since: Instant,
    /// The time since which attempts to fetch it have failed, and why, as a fixed text.
    pub failed: Option<(Instant, &'static str)>,
}

impl DataOrigin {
    pub(crate) fn progress(&self) -> Option<String> {
        if let Self::Followed(status) = self { status.progress() } else { None }
    }

    pub(crate) fn problem(&self) -> Option<&'static str> {
        if let Self::Followed(status) = self { status.problem() } else { None }
    }

    /// Returns how many seconds ago the remote was last asked successfully.
    pub(crate) fn asked_seconds_ago(&self) -> Option<u64> {
        if let Self::Followed(status) = self { Some(status.asked()?.elapsed().as_secs()) } else { None }
    }

    pub(crate) fn is_followed(&self) -> bool {
        matches!(self, Self::Followed(_))
    }

    pub(crate) fn lag(&self) -> Option<Lag> {
        if let Self::Followed(status) = self { status.lag() } else { None }
    }

    /// Returns the answer where there are no data, or none that can be read.
    pub(crate) fn absence<T: Served>(&self, is_unreadable: bool, how_to_load: &'static str) -> Problem {
        let (what, command) = (T::WHAT, T::Contents::COMMAND);
        Problem::NotLoaded(match self {
            Self::Loaded if is_unreadable => {
                format!("This server cannot read {what}: {} tells why. `{command}` builds them again.", paths::READY)
                    .into()
            }
            Self::Loaded => how_to_load.into(),
            Self::Followed(_) => {
                format!("This server has not fetched {what} yet: {} tells how far it is.", paths::READY).into()
            }
            Self::Disabled => format!("This server does not serve {what}.").into(),
        })
    }
}
