//! Following an object store while serving.

use std::sync::Arc;
use std::time::Duration;

use api::{Lag, Supplier, Supply};
use clap::{Args, ValueEnum};
use mirror::{FollowConfig, FollowState, Follower, Remote};

use crate::data_folder::{DataFolder, Kind};
use crate::duration;
use crate::failure::Failure;
use crate::size::Size;

/// The bounds of the pause between two looks at the object store, of which each costs something.
const INTERVAL_MIN: Duration = Duration::from_millis(100);
const INTERVAL_MAX: Duration = Duration::from_hours(24);

#[derive(Clone, Debug, Args)]
pub(crate) struct ReplicaArguments {
    /// Follow an object store that `mgdex publish` publishes to: what is published there is fetched and served. Also https:// URLs of such a store
    #[arg(long, env = "MGDEX_FOLLOW", value_name = "URL")]
    follow: Option<String>,
    /// Pause between two looks at the object store
    #[arg(long, env = "MGDEX_FOLLOW_INTERVAL", value_name = "TIME", default_value = "5s", value_parser = duration::between(INTERVAL_MIN, INTERVAL_MAX))]
    follow_interval: Duration,
    /// Fetch at most so many bytes a second of each kind of data
    #[arg(long, env = "MGDEX_FOLLOW_RATE", value_name = "SIZE")]
    follow_rate: Option<Size>,
    /// Serve, and follow, only these services
    #[arg(long, env = "MGDEX_SERVICES", value_name = "SERVICE", value_enum, value_delimiter = ',', num_args = 1.., default_value = "proteins,catalogue,profiles")]
    services: Vec<Service>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Service {
    /// Proteins
    Proteins,
    /// Studies, samples and related resources
    Catalogue,
    /// Profiles, and the directory that they are authorised by
    Profiles,
}

/// What follows an object store, kind by kind.
#[derive(Default)]
pub(super) struct Replica {
    followers: Vec<(Kind, Follower)>,
    not_served: Vec<Kind>,
}

/// What `/readyz` tells of a follower.
struct State(Arc<FollowState>);

impl Supplier for State {
    fn progress(&self) -> Option<String> {
        self.0.progress()
    }

    fn problem(&self) -> Option<String> {
        self.0.problem()
    }

    fn lag(&self) -> Option<Lag> {
        let mirror::Lag { since, failed } = self.0.lag()?;
        Some(Lag { since, failed })
    }
}

impl ReplicaArguments {
    pub(super) fn serves(&self, service: Service) -> bool {
        self.services.contains(&service)
    }
}

impl Replica {
    /// Prepares to follow. The directory is followed only if profiles are served.
    pub(super) fn prepare(
        arguments: &ReplicaArguments,
        data: &DataFolder,
        has_profiles: bool,
    ) -> Result<Self, Failure> {
        let is_served = |kind: &Kind| match kind {
            Kind::Proteins => arguments.serves(Service::Proteins),
            Kind::Catalogue => arguments.serves(Service::Catalogue),
            Kind::Directory => arguments.serves(Service::Profiles) && has_profiles,
        };
        let (served, not_served): (Vec<_>, Vec<_>) = Kind::ALL.into_iter().partition(is_served);
        let mut followers = Vec::new();
        if let Some(url) = &arguments.follow {
            let config = FollowConfig {
                interval: arguments.follow_interval,
                rate: arguments.follow_rate.map(|size| size.0 as u64),
            };
            let remote = Remote::open(url)?;
            for kind in served {
                followers.push((kind, Follower::new(remote.clone(), data.shelf(kind), &config)));
            }
            tracing::info!("following {}", remote.url());
        }
        Ok(Self { followers, not_served })
    }

    pub(super) fn supply(&self, kind: Kind) -> Supply {
        if self.not_served.contains(&kind) {
            return Supply::NotServed;
        }
        let follower = self.followers.iter().find(|(followed, _)| *followed == kind);
        follower.map_or(Supply::Loaded, |(_, follower)| Supply::Followed(Arc::new(State(follower.state()))))
    }

    /// Follows from now on.
    pub(super) fn follow(self) {
        for (_, follower) in self.followers {
            tokio::spawn(follower.follow());
        }
    }
}
