//! Following an object store while serving.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use api::DataOrigin;
use store_mirror::{FollowConfig, Follower, Remote, VerifyKey};

use super::publishing::{local, read_key};
use crate::data_folder::{DataFolder, Kind};
use crate::distributed::FollowArguments;
use crate::failure::Failure;

/// The free space that must remain in addition to a new generation and to the needs of other
/// writers.
const MARGIN_BYTES: u64 = 64 << 20;

/// The followers of an object store, one for each kind.
pub(crate) struct Followers(Vec<(Kind, Follower)>);

impl Followers {
    /// Prepares to follow data of some kinds, if a store is named. `neighbours` are files and
    /// folders that are written meanwhile, and the free space that each needs on its disk.
    pub(crate) fn prepare(
        arguments: &FollowArguments,
        data: &DataFolder,
        kinds: &[Kind],
        neighbours: &[(PathBuf, u64)],
    ) -> Result<Self, Failure> {
        let Some(url) = &arguments.follow else { return Ok(Self(Vec::new())) };
        let verify_keys: Vec<_> =
            (arguments.verify_key.iter()).map(|file| read_key(file, VerifyKey::from_pem)).collect::<Result<_, _>>()?;
        let config = FollowConfig {
            interval: arguments.follow_interval,
            rate: arguments.follow_rate.map(|size| size.0 as u64),
            margin_bytes: margin_bytes(&data.path, neighbours),
            verify_keys: verify_keys.into_iter().flatten().collect(),
        };
        let remote = Remote::open(url).map_err(|error| Failure::Usage(error.to_string()))?;
        if remote.is_in_clear() && config.verify_keys.is_empty() {
            tracing::warn!(
                "{} is followed without TLS and without --verify-key: anyone on the network path can change what is served, and who is locked",
                remote.url()
            );
        }
        let follower = |&kind| (kind, Follower::new(remote.clone(), local(data, kind), &config));
        let followers = kinds.iter().map(follower).collect();
        tracing::info!("following {}", remote.url());
        Ok(Self(followers))
    }

    pub(crate) fn origin(&self, kind: Kind) -> DataOrigin {
        let follower = self.0.iter().find(|(followed, _)| *followed == kind);
        follower.map_or(DataOrigin::Loaded, |(_, follower)| DataOrigin::Followed(follower.state()))
    }

    /// Follows from now on.
    pub(crate) fn follow(self) {
        for (_, follower) in self.0 {
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

/// Returns the number of the disk of a file or folder, even if it does not exist yet.
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
