//! Following an object store while serving.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use api::DataOrigin;
use clap::{Args, ValueEnum};
use mirror::{FollowConfig, Follower, Remote, VerifyKey};

use crate::commands::publish::read_key;
use crate::data_folder::{DataFolder, Kind};
use crate::duration;
use crate::failure::Failure;
use crate::size::Size;

/// The bounds of the pause between two looks at the object store, of which each costs something.
const INTERVAL_MIN: Duration = Duration::from_millis(100);
const INTERVAL_MAX: Duration = Duration::from_hours(24);

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Replicas")]
pub(crate) struct ReplicaArguments {
    /// Follow an object store that `mgdex publish` publishes to: what is published there is fetched and served. Also https:// URLs of such a store
    #[arg(long, env = "MGDEX_FOLLOW", hide_env_values = true, value_name = "URL")]
    follow: Option<String>,
    /// Follow only what was signed with one of these keys by `mgdex publish --sign`: Ed25519 as SPKI in PEM [default: follow whatever the store has]
    #[arg(long, env = "MGDEX_VERIFY_KEY", value_name = "FILE", num_args = 1.., value_delimiter = ',', requires = "follow")]
    verify_key: Vec<PathBuf>,
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

/// The free space that must remain besides a new generation, plus what other writers need.
const MARGIN_BYTES: u64 = 64 << 20;

/// The followers of an object store, one for each kind.
#[derive(Default)]
pub(super) struct Replica {
    followers: Vec<(Kind, Follower)>,
    not_served: Vec<Kind>,
}

impl ReplicaArguments {
    pub(super) fn serves(&self, service: Service) -> bool {
        self.services.contains(&service)
    }
}

impl Replica {
    /// Prepares to follow. The directory is followed only if profiles are served. `neighbours` are files and folders that are written to while it is
    /// followed, and the free space that each needs on its disk.
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
        let mut followers = Vec::new();
        if let Some(url) = &arguments.follow {
            let verify_keys: Vec<_> = (arguments.verify_key.iter())
                .map(|file| read_key(file, VerifyKey::from_pem))
                .collect::<Result<_, _>>()?;
            let config = FollowConfig {
                interval: arguments.follow_interval,
                rate: arguments.follow_rate.map(|size| size.0 as u64),
                margin_bytes: margin_bytes(&data.path, neighbours),
                verify_keys: verify_keys.into_iter().flatten().collect(),
            };
            let remote = Remote::open(url).map_err(|error| Failure::Usage(error.to_string()))?;
            if remote.is_in_clear() && config.verify_keys.is_empty() {
                tracing::warn!(
                    "{} is followed without TLS and without --verify-key: whoever is on the way decides what is served, and who is locked",
                    remote.url()
                );
            }
            for kind in served {
                followers.push((kind, Follower::new(remote.clone(), data.local(kind), &config)));
            }
            tracing::info!("following {}", remote.url());
        }
        Ok(Self { followers, not_served })
    }

    pub(super) fn origin(&self, kind: Kind) -> DataOrigin {
        if self.not_served.contains(&kind) {
            return DataOrigin::Disabled;
        }
        let follower = self.followers.iter().find(|(followed, _)| *followed == kind);
        follower.map_or(DataOrigin::Loaded, |(_, follower)| DataOrigin::Followed(follower.state()))
    }

    /// Follows from now on.
    pub(super) fn follow(self) {
        for (_, follower) in self.followers {
            tokio::spawn(follower.follow());
        }
    }
}

/// Returns the free space that must remain on the disk of a folder for all its writers.
fn margin_bytes(folder: &Path, neighbours: &[(PathBuf, u64)]) -> u64 {
    let disk = disk(folder);
    let needs = neighbours.iter().filter(|(path, _)| self::disk(path) == disk).map(|(_, needed_bytes)| needed_bytes);
    MARGIN_BYTES + needs.sum::<u64>()
}

/// Returns the number of the disk that a file or folder is on, or will be.
fn disk(path: &Path) -> Option<u64> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|path| path.metadata().ok()).map(|metadata| metadata.dev())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_the_same_disk_add_to_the_margin() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let here = |name: &str| folder.path().join(name);
        let elsewhere = PathBuf::from("/proc/nothing");
        let neighbours = [(here("profiles"), 128 << 20), (here("new/log"), 256 << 20), (elsewhere, 1 << 40)];
        assert_eq!(margin_bytes(&here("data"), &neighbours), (64 + 128 + 256) << 20);
        assert_eq!(margin_bytes(&here("data"), &neighbours[..0]), 64 << 20);
    }
}
