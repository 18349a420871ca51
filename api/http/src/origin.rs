//! Origins of the data of a service.

use std::sync::Arc;

use store::{Contents, FollowState, Lag, Served};

use crate::error::Problem;
use crate::paths;

/// The origin of the data of a service.
#[derive(Clone, Default)]
pub enum DataOrigin {
    /// They are loaded on this machine.
    #[default]
    Loaded,
    /// They are fetched from elsewhere when they are published there.
    Followed(Arc<FollowState>),
    /// This server does not serve them.
    Disabled,
}

impl DataOrigin {
    pub(crate) fn progress(&self) -> Option<String> {
        if let Self::Followed(follower) = self { follower.progress() } else { None }
    }

    pub(crate) fn problem(&self) -> Option<&'static str> {
        if let Self::Followed(follower) = self { Some(follower.problem()?.kind()) } else { None }
    }

    /// Returns the number of seconds since the last successful request to the remote.
    pub fn asked_seconds_ago(&self) -> Option<u64> {
        if let Self::Followed(follower) = self { Some(follower.reached_at()?.elapsed().as_secs()) } else { None }
    }

    /// Returns whether the data are fetched from elsewhere.
    pub fn is_followed(&self) -> bool {
        matches!(self, Self::Followed(_))
    }

    /// Returns how far the served data are behind the data published elsewhere.
    pub fn lag(&self) -> Option<Lag> {
        if let Self::Followed(follower) = self { follower.lag() } else { None }
    }

    /// Returns the error while there are no readable data, given the public description of their
    /// problem.
    pub(crate) fn absence<T: Served>(&self, problem: Option<&str>, how_to_load: &'static str) -> Problem {
        let (what, command) = (T::WHAT, T::Contents::COMMAND);
        Problem::NotLoaded(match self {
            Self::Loaded if problem == Some(store::Error::NOT_PERMITTED) => format!(
                "This server has no permission to read and write {what} in its data folder: see its log for the path."
            )
            .into(),
            Self::Loaded if problem.is_some() => {
                format!("This server cannot read {what}: {} says why. `{command}` builds them again.", paths::READY)
                    .into()
            }
            Self::Loaded => how_to_load.into(),
            Self::Followed(_) => {
                format!("This server has not fetched {what} yet: {} shows the progress.", paths::READY).into()
            }
            Self::Disabled => format!("This server does not serve {what}.").into(),
        })
    }
}
