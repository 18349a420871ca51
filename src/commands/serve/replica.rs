//! The services that are served, and the origins of their data.

use std::path::PathBuf;

use api::DataOrigin;
use clap::{Args, ValueEnum};

use crate::data_folder::{DataFolder, Kind};
use crate::distributed::{FollowArguments, Followers};
use crate::failure::Failure;

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Replicas")]
pub(crate) struct ReplicaArguments {
    #[command(flatten)]
    follow: FollowArguments,
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
    /// Profiles, and the directory that authorises access to them
    Profiles,
}

/// The followers of an object store, if there is one, and the services that are not served.
pub(super) struct Replica {
    followers: Followers,
    not_served: Vec<Kind>,
}

impl ReplicaArguments {
    pub(super) fn serves(&self, service: Service) -> bool {
        self.services.contains(&service)
    }
}

impl Replica {
    /// Prepares to follow. The directory is followed only if profiles are served. `neighbours` are
    /// files and folders that are written meanwhile, and the free space that each needs on its
    /// disk.
    pub(super) fn prepare(
        arguments: &ReplicaArguments,
        data: &DataFolder,
        has_profiles: bool,
        neighbours: &[(PathBuf, u64)],
    ) -> Result<Self, Failure> {
        let is_served = |kind: &Kind| match kind {
            Kind::Proteins => arguments.serves(Service::Proteins),
            Kind::Catalogue => arguments.serves(Service::Catalogue),
            Kind::Directory => arguments.serves(Service::Profiles) && has_profiles,
        };
        let (served, not_served): (Vec<_>, Vec<_>) = Kind::ALL.into_iter().partition(is_served);
        let followers = Followers::prepare(&arguments.follow, data, &served, neighbours)?;
        Ok(Self { followers, not_served })
    }

    pub(super) fn origin(&self, kind: Kind) -> DataOrigin {
        if self.not_served.contains(&kind) {
            return DataOrigin::Disabled;
        }
        self.followers.origin(kind)
    }

    /// Follows from now on.
    pub(super) fn follow(self) {
        self.followers.follow();
    }
}
