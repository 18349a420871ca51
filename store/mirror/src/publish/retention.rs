//! The generations and objects that a store keeps.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path as FilePath;
use std::time::{Duration, SystemTime};

use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path;
use store::{GenerationName, unix_now_s};

use super::{PublishConfig, Report};
use crate::layout::{Chunk, GENERATIONS, OBJECTS, RemoteManifest, from_json, manifest_path, parse_manifest_path};
use crate::lease::Lease;
use crate::remote::Remote;
use crate::{Error, Result};

/// The most objects of a store: 600 TB, if all have the maximal length.
const LISTED_MAX: usize = 10_000_000;

/// Removes generations that are neither current nor among the newest and were superseded long ago,
/// then objects that no other generation needs. `needed` are the objects of generations that are
/// current, or would be after a dry run.
pub(super) async fn remove_old(
    remote: &Remote,
    lease: Option<&Lease>,
    mut needed: HashSet<Chunk>,
    config: &PublishConfig,
    report: &mut Report,
) -> Result<()> {
    let now_s = unix_now_s();
    let mut kinds: BTreeMap<String, Vec<RemoteManifest>> = BTreeMap::new();
    for path in list(remote, GENERATIONS).await?.into_iter().map(|(path, ..)| path) {
        let Some((kind, _)) = parse_manifest_path(&path) else { continue };
        let Some((bytes, _)) = remote.read(&path).await? else { continue };
        kinds.entry(kind.to_owned()).or_default().push(from_json(&path, &bytes)?);
    }
    for (kind, mut manifests) in kinds {
        let current = remote.pointer(&kind).await?.map(|(pointer, _)| pointer.generation);
        let current = report.published.iter().find(|new| new.kind == kind).map(|new| new.generation).or(current);
        let old = superseded(&mut manifests, current, config, now_s);
        for manifest in manifests {
            let path = manifest_path(&kind, manifest.generation);
            if !old.contains(&manifest.generation) {
                needed.extend(manifest.files.into_iter().flat_map(|file| file.chunks));
                continue;
            }
            debug_assert_ne!(Some(manifest.generation), current, "the current generation of the store is whole");
            if let Some(lease) = lease {
                lease.hold(remote.remove(&path)).await?;
            }
            report.removed_generations.push(path);
        }
    }
    let needed: HashSet<String> = needed.iter().map(Chunk::path).collect();
    let objects = list(remote, OBJECTS).await?;
    let is_old = |changed_s: u64| now_s.saturating_sub(changed_s) > config.grace.as_secs();
    for (path, size_bytes, changed_s) in objects {
        if needed.contains(&path) || !is_old(changed_s) {
            continue;
        }
        if let Some(lease) = lease {
            lease.hold(remote.remove(&path)).await?;
        }
        report.num_removed_objects += 1;
        report.removed_bytes += size_bytes;
    }
    if let (Some(folder), Some(_)) = (&remote.folder, lease) {
        remove_unfinished(&folder.join(OBJECTS), config.grace);
    }
    Ok(())
}

/// Returns the generations to remove, and sorts the manifests by time, the newest first.
fn superseded(
    manifests: &mut [RemoteManifest],
    current: Option<GenerationName>,
    config: &PublishConfig,
    now_s: u64,
) -> HashSet<GenerationName> {
    manifests.sort_by_key(|manifest| {
        let is_current = Some(manifest.generation) == current;
        std::cmp::Reverse((is_current, manifest.sequence, manifest.published_unix_s))
    });
    let is_old = |old: &&RemoteManifest| now_s.saturating_sub(superseded_s(old, manifests)) > config.grace.as_secs();
    manifests.iter().skip(config.keep.max(1)).filter(is_old).map(|old| old.generation).collect()
}

/// Returns the time at which the next generation was published. Generations of killed publishers
/// have manifests, too, and a number that another one got, or a new signature of the old one. So
/// the latest time counts of those that may be the next.
fn superseded_s(old: &RemoteManifest, manifests: &[RemoteManifest]) -> u64 {
    let next = manifests.iter().map(|other| other.sequence).filter(|sequence| *sequence > old.sequence).min();
    let follows = |other: &&RemoteManifest| Some(other.sequence) == next || other.previous == Some(old.generation);
    manifests.iter().filter(follows).map(|other| other.published_unix_s).fold(old.published_unix_s, u64::max)
}

/// Returns the objects below a folder, with sizes and times in seconds since 1970.
async fn list(remote: &Remote, folder: &str) -> Result<Vec<(String, u64, u64)>> {
    let found = remote.objects.list(Some(&Path::from(folder))).map_ok(|found| {
        let changed_s = u64::try_from(found.last_modified.timestamp()).unwrap_or(0);
        (found.location.to_string(), found.size, changed_s)
    });
    let found: std::result::Result<Vec<_>, _> = found.take(LISTED_MAX + 1).try_collect().await;
    let found = found.map_err(Error::remote("list", folder))?;
    if found.len() > LISTED_MAX {
        return Err(Error::refused(folder, format_args!("it has more than {LISTED_MAX} objects")));
    }
    Ok(found)
}

/// Removes leftovers of killed publishers in a folder: files whose names end in `#` and a number,
/// which are never listed. If one cannot be removed now, a later run removes it.
fn remove_unfinished(objects: &FilePath, grace: Duration) {
    let entries = |folder: &FilePath| fs::read_dir(folder).into_iter().flatten().flatten();
    let is_old = |changed: SystemTime| changed.elapsed().is_ok_and(|age| age > grace);
    for folder in entries(objects) {
        for file in entries(&folder.path()) {
            let is_unfinished = file.file_name().to_string_lossy().contains('#');
            if is_unfinished && file.metadata().and_then(|file| file.modified()).is_ok_and(is_old) {
                let _ = fs::remove_file(file.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::FORMAT;

    fn manifest(number: u128, sequence: u64, published_unix_s: u64) -> RemoteManifest {
        let generation = format!("gen-{number:08x}-0000-0000-0000-000000000000").parse().expect("a name");
        let kind = "words".to_owned();
        let (previous, files) = (None, Vec::new());
        RemoteManifest { format: FORMAT, kind, generation, sequence, published_unix_s, previous, files }
    }

    #[test]
    fn the_newest_are_kept_and_others_for_the_grace_period() {
        let published = || vec![manifest(1, 1, 100), manifest(2, 2, 200), manifest(3, 3, 300), manifest(4, 4, 400)];
        let name = |number| manifest(number, 0, 0).generation;
        let t = |keep, grace_s, now_s, current| {
            let config = PublishConfig { keep, grace: Duration::from_secs(grace_s), ..PublishConfig::default() };
            let old = superseded(&mut published(), Some(name(current)), &config, now_s);
            let mut old: Vec<_> = (1..=4).filter(|&number| old.contains(&name(number))).collect();
            old.sort_unstable();
            old
        };
        assert_eq!(t(2, 0, 1000, 4), [1, 2]);
        assert_eq!(t(1, 0, 1000, 4), [1, 2, 3]);
        assert_eq!(t(0, 0, 1000, 4), [1, 2, 3], "the current one is always kept");
        assert_eq!(t(9, 0, 1000, 4), Vec::<u128>::new());
        // The first was superseded at 200, the second at 300.
        assert_eq!(t(2, 750, 1000, 4), [1]);
        assert_eq!(t(2, 800, 1000, 4), Vec::<u128>::new());
        // A rollback made the first one current again.
        assert_eq!(t(1, 0, 1000, 1), [2, 3, 4]);
    }

    #[test]
    fn manifests_that_were_never_published_supersede_nothing() {
        // The publisher of the second was killed, and the third got its number a day later.
        let mut manifests = [manifest(1, 1, 100), manifest(2, 2, 200), manifest(3, 2, 90_000)];
        let current = Some(manifest(3, 2, 0).generation);
        let config = PublishConfig { keep: 1, grace: Duration::from_secs(1000), ..PublishConfig::default() };
        let old = |now_s, manifests: &mut [RemoteManifest]| superseded(manifests, current, &config, now_s);
        assert_eq!(old(90_001, &mut manifests), [manifests[1].generation].into());
        assert_eq!(old(91_001, &mut manifests).len(), 2);
        // The first was signed again with the number of the second.
        let current = Some(manifest(3, 3, 0).generation);
        let third = RemoteManifest { previous: Some(manifest(1, 0, 0).generation), ..manifest(3, 3, 90_000) };
        let mut manifests = [manifest(1, 1, 100), manifest(2, 2, 200), third];
        assert_eq!(superseded(&mut manifests, current, &config, 90_001), HashSet::new());
    }
}
