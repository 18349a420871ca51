//! A generation that is being built.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::manifest::{Contents, Manifest, Origin};
use super::{CURRENT, GenerationName, Generations, durable, retention};
use crate::{Error, Result};

/// The file whose lock is held while a generation is being built.
const LOCK: &str = "LOCK";

/// The next `CURRENT`, before it is renamed.
const CURRENT_NEXT: &str = "CURRENT.next";

/// A generation that is being built. Dropped unpublished, it leaves nothing behind.
#[derive(Debug)]
pub struct Draft {
    /// Where it will be published.
    generations: Generations,
    /// The uuid of the run.
    run: Uuid,
    /// The folder to write into.
    path: PathBuf,
    /// Locked as long as the draft lives.
    lock: File,
}

impl Draft {
    /// Takes the lock, removes what earlier builds left behind and makes an empty folder.
    pub(super) fn begin(generations: &Generations) -> Result<Self> {
        let root = generations.root();
        durable::create_folders(root)?;
        let lock_path = root.join(LOCK);
        let lock = File::create(&lock_path).map_err(Error::io("cannot create", &lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy { path: root.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(Error::io("cannot lock", &lock_path)(error)),
        }
        retention::clean(generations)?;
        let run = Uuid::new_v4();
        let path = root.join(format!("{}{run}", retention::DRAFT_PREFIX));
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        Ok(Self { generations: generations.clone(), run, path, lock })
    }

    /// Returns the folder to write into.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the generation current: whoever opens the current generation gets either the one before or this one, whole, also
    /// after a power cut at any moment. The one before is kept; older ones are removed.
    ///
    /// # Errors
    ///
    /// * A file cannot be written or synced. The generation before stays current.
    pub fn publish<C: Contents>(self, origin: Origin, contents: C) -> Result<GenerationName> {
        let root = self.generations.root();
        let previous = self.generations.current();
        let new_file = self.lock.metadata().map_err(Error::io("cannot read", root))?;
        Manifest::seal(&self.path, self.run, origin, contents, &new_file.permissions())?;
        let name = GenerationName(self.run);
        // All that may not fit on the disk is written before anything gets its final name.
        let next = root.join(CURRENT_NEXT);
        durable::write(&next, format!("{name}\n").as_bytes())?;
        durable::rename(root, &self.path, &self.generations.path(name))?;
        durable::rename(root, &next, &root.join(CURRENT))?;
        // Where nobody knows which generation came before, all are kept: somebody has to look.
        if let Ok(Some(previous)) = previous {
            // The new one is published; what cannot be removed now is removed by the next build.
            let _ = retention::keep_only(&self.generations, |old| old == name || old == previous);
        }
        Ok(name)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Gone if it was published; rubbish that cannot be removed now is removed by the next build.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Words(String);

    impl Contents for Words {
        const KIND: &'static str = "words";
        const FORMAT: u32 = 3;
    }

    fn origin() -> Origin {
        Origin { written_by: "test".into(), finished_unix_s: 0, inputs: Vec::new(), report: serde_json::Value::Null }
    }

    fn publish(generations: &Generations, word: &str) -> GenerationName {
        let draft = generations.begin().expect("free");
        fs::create_dir(draft.path().join("inner")).expect("new");
        fs::write(draft.path().join("inner/data"), word).expect("writable");
        draft.publish(origin(), Words(word.into())).expect("published")
    }

    #[test]
    fn the_newest_is_current_and_one_before_is_kept() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("words"));
        let published: Vec<_> = ["one", "two", "three"].map(|word| publish(&generations, word)).into();
        assert_eq!(generations.current().expect("readable"), Some(published[2]));
        let mut kept = published[1..].to_vec();
        kept.sort_unstable();
        assert_eq!(generations.names().expect("readable"), kept);
        let manifest = Manifest::<Words>::read(&generations.path(published[2])).expect("whole");
        assert_eq!(manifest.contents.0, "three");
        assert_eq!(manifest.files.iter().map(|file| &*file.path).collect::<Vec<_>>(), ["inner/data"]);
        manifest.verify_files(&generations.path(published[2])).expect("unaltered");
    }

    #[test]
    fn a_dropped_draft_leaves_nothing_and_rubbish_is_cleaned() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path());
        let one = publish(&generations, "one");
        fs::create_dir_all(folder.path().join("building-of-a-killed-run/inner")).expect("new");
        let draft = generations.begin().expect("free");
        assert!(matches!(generations.begin(), Err(Error::Busy { .. })));
        drop(draft);
        let left: Vec<_> =
            generations.entries().expect("readable").into_iter().filter(|name| name.contains("building")).collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(generations.current().expect("readable"), Some(one));
    }

    #[test]
    fn orphans_of_killed_builds_do_not_add_up() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("new/words"));
        let one = publish(&generations, "one");
        for orphan in 0..3 {
            fs::create_dir(generations.path(GenerationName(Uuid::from_u128(orphan)))).expect("new");
        }
        drop(generations.begin().expect("free"));
        let kept = generations.names().expect("readable");
        assert!(kept.len() == 2 && kept.contains(&one), "the current one and one other: {kept:?}");

        let path = generations.root().join(CURRENT);
        let damages: [fn(&Path); 2] =
            [|path| fs::write(path, "nonsense").expect("writable"), |path| fs::remove_file(path).expect("there")];
        for damage in damages {
            let before = generations.names().expect("readable");
            damage(&path);
            let next = publish(&generations, "next");
            assert_eq!(generations.current().expect("mended"), Some(next));
            let after = generations.names().expect("readable");
            assert!(before.iter().all(|name| after.contains(name)), "nobody knew which was the one before");
        }
    }

    #[test]
    fn torn_altered_and_unknown_generations_are_told_apart() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path());
        let path = generations.path(publish(&generations, "word"));
        let data = path.join("inner/data");

        fs::write(&data, "wurd").expect("writable");
        let manifest = Manifest::<Words>::read(&path).expect("sizes agree");
        assert!(matches!(manifest.verify_files(&path), Err(Error::Altered { path, .. }) if path == data));

        fs::write(&data, "wor").expect("writable");
        let error = Manifest::<Words>::read(&path).expect_err("cut").to_string();
        assert!(error.contains("inner/data has 3 of 4 bytes") && error.contains("CURRENT"), "{error}");

        let manifest_path = path.join("manifest.json");
        let newer = fs::read_to_string(&manifest_path).expect("readable").replace("\"format\": 3", "\"format\": 4");
        fs::write(&manifest_path, &newer).expect("writable");
        assert!(matches!(Manifest::<Words>::read(&path), Err(Error::Torn { .. })), "the manifest was edited");
        fs::write(path.join("manifest.json.crc32"), format!("{:08x}\n", crc32fast::hash(newer.as_bytes())))
            .expect("writable");
        assert!(matches!(Manifest::<Words>::read(&path), Err(Error::UnknownFormat { found: 4, known: 3, .. })));
    }
}
