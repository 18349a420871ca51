use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use object_store::throttle::{ThrottleConfig, ThrottledStore};
use serde::{Deserialize, Serialize};
use store::{Contents, Origin};
use tempfile::TempDir;

use super::*;

#[derive(Serialize, Deserialize)]
struct Words;

impl Contents for Words {
    const KIND: &'static str = "words";
    const COMMAND: &'static str = "mgdex write";
    const FORMAT: u32 = 1;
}

/// A data folder, and a store that is a folder.
pub(crate) struct Folders {
    folder: TempDir,
    pub(crate) remote: Remote,
    pub(crate) from: LocalGenerations,
    pub(crate) to: LocalGenerations,
}

impl Folders {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let local = |name| LocalGenerations {
            kind: GenerationKind::of::<Words>(),
            generations: Generations::new(folder.path().join(name)),
        };
        let (from, to) = (local("from"), local("to"));
        let remote = Remote::open(&format!("file://{}", folder.path().join("store").display())).expect("a folder");
        Self { folder, remote, from, to }
    }

    pub(crate) fn stored(&self, path: &str) -> PathBuf {
        self.folder.path().join("store").join(path)
    }

    /// Builds a generation with files of these contents.
    pub(crate) fn build(&self, files: &[(&str, &str)]) -> GenerationName {
        let draft = self.from.generations.begin().expect("free");
        for (path, content) in files {
            let path = draft.path().join(path);
            fs::create_dir_all(path.parent().expect("inside")).expect("new");
            fs::write(path, content).expect("writable");
        }
        let report = serde_json::Value::Null;
        let origin = Origin { written_by: "test".into(), finished_unix_s: 0, inputs: Vec::new(), report };
        draft.publish(origin, Words, Vec::new()).expect("published")
    }

    pub(crate) async fn publish(&self) -> Result<Report> {
        self.publish_as(&config()).await
    }

    pub(crate) async fn publish_signed(&self, key: &SigningKey) -> Result<Report> {
        self.publish_as(&PublishConfig { signing_key: Some(key.clone()), ..config() }).await
    }

    /// Returns the name of the current generation of the publisher.
    pub(crate) fn current_name(&self) -> GenerationName {
        self.from.generations.current().expect("readable").expect("built")
    }

    async fn publish_as(&self, config: &PublishConfig) -> Result<Report> {
        publish(&self.remote, std::slice::from_ref(&self.from), config).await
    }

    pub(crate) async fn pointer(&self) -> Pointer {
        self.remote.pointer("words").await.expect("readable").expect("published").0
    }

    /// Returns the paths of all objects.
    pub(crate) fn objects(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.stored("objects")).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).expect("readable").flatten());
        files.map(|file| file.path()).collect()
    }
}

pub(crate) fn config() -> PublishConfig {
    PublishConfig { chunk_bytes: 4, ..PublishConfig::default() }
}

#[tokio::test]
async fn files_become_chunks_and_existing_ones_are_skipped() {
    let folders = Folders::new();
    assert!(matches!(folders.publish().await, Err(Error::Nothing)));
    let first = folders.build(&[("a", "aaaabbbbc"), ("inner/b", "aaaa"), ("empty", "")]);
    let dry = folders.publish_as(&PublishConfig { is_dry_run: true, ..config() }).await.expect("publishable");
    assert!(folders.objects().is_empty() && !folders.stored("LOCK").is_file());
    let report = folders.publish().await.expect("publishable");
    let [published] = &*report.published else { panic!("{report:?}") };
    assert_eq!((published.generation, published.sequence, published.was_current), (first, 1, false));
    assert_eq!(published.num_uploaded_objects, dry.published[0].num_uploaded_objects);
    assert_eq!(folders.objects().len(), published.num_uploaded_objects);
    let pointer = folders.pointer().await;
    let manifest = folders.remote.manifest("words", &pointer).await.expect("sound");
    let lengths: Vec<_> = manifest.files.iter().map(|file| (&*file.path, file.chunks.len())).collect();
    assert_eq!(lengths[..3], [("a", 3), ("empty", 0), ("inner/b", 1)]);
    assert!(!folders.stored("LOCK").is_file(), "the lease was given back");

    let again = folders.publish().await.expect("publishable");
    assert_eq!((again.published[0].num_uploaded_objects, again.published[0].was_current), (0, true));
    assert_eq!(folders.pointer().await, pointer);

    folders.build(&[("a", "aaaabbbbcd"), ("inner/b", "aaaa")]);
    let second = folders.publish().await.expect("publishable");
    assert_eq!(second.published[0].sequence, 2);
    let names = folders.objects();
    assert!(names.iter().any(|path| fs::read(path).expect("there") == b"cd"));
}

#[tokio::test]
async fn a_second_run_fixes_missing_and_damaged_objects() {
    let folders = Folders::new();
    folders.build(&[("a", "aaaabbbbc")]);
    folders.publish().await.expect("publishable");
    fs::remove_file(&folders.objects()[0]).expect("there");
    let fixed = folders.publish().await.expect("publishable");
    assert_eq!((fixed.published[0].num_uploaded_objects, fixed.published[0].was_current), (1, true));
    let pointer = folders.pointer().await;
    let manifest = folders.stored(&manifest_path("words", pointer.generation));
    for damage in [|path: &PathBuf| fs::remove_file(path), |path: &PathBuf| fs::write(path, "{}")] {
        damage(&manifest).expect("writable");
        folders.publish().await.expect("publishable");
        let pointer = folders.pointer().await;
        folders.remote.manifest("words", &pointer).await.expect("made again");
    }
    assert_eq!(folders.pointer().await.sequence, 3);
}

#[tokio::test]
async fn damaged_files_are_not_published() {
    let folders = Folders::new();
    let name = folders.build(&[("a", "aaaabbbbc")]);
    fs::write(folders.from.generations.path(name).join("a"), "aaaabbbbd").expect("writable");
    let error = folders.publish().await.expect_err("damaged");
    assert!(matches!(&error, Error::Store(store::Error::Altered { path, .. }) if path.ends_with("a")), "{error}");
    assert!(folders.objects().is_empty() && !folders.stored("LOCK").is_file());
    assert!(folders.remote.pointer("words").await.expect("readable").is_none());
}

#[tokio::test]
async fn a_run_publishes_nothing_if_another_has_published_meanwhile() {
    let folders = Folders::new();
    folders.build(&[("a", "one")]);
    folders.publish().await.expect("publishable");
    let before = folders.remote.pointer("words").await.expect("readable");
    folders.build(&[("a", "two")]);
    folders.publish().await.expect("publishable");
    let now = folders.pointer().await;
    let lease = Lease::take(&folders.remote).await.expect("free");
    let next = Pointer { sequence: 2, ..now.clone() };
    for before in [before.as_ref(), None] {
        let moved =
            switch(&folders.remote, &lease, "words", before, &Pointer { published_unix_s: 1, ..next.clone() }).await;
        assert!(matches!(moved, Err(Error::Moved { .. })), "{moved:?}");
    }
    assert_eq!(folders.pointer().await, now);
}

#[tokio::test]
async fn old_generations_and_their_objects_are_removed_after_the_grace_period() {
    let folders = Folders::new();
    let no_grace = PublishConfig { grace: Duration::ZERO, ..config() };
    for content in ["1111aaaa", "2222aaaa", "3333aaaa"] {
        folders.build(&[("a", content)]);
        // Ages are whole seconds.
        std::thread::sleep(Duration::from_millis(1100));
        let report = folders.publish().await.expect("publishable");
        assert_eq!((report.removed_generations.len(), report.num_removed_objects), (0, 0), "all are kept for a day");
    }
    let unfinished = folders.objects()[0].with_extension("x#1");
    fs::write(&unfinished, "what a killed publisher has left").expect("writable");
    std::thread::sleep(Duration::from_millis(1100));
    let dry = folders.publish_as(&PublishConfig { is_dry_run: true, ..no_grace.clone() }).await.expect("publishable");
    let num_objects = folders.objects().len();
    let report = folders.publish_as(&no_grace).await.expect("publishable");
    assert_eq!(
        (&report.removed_generations, report.num_removed_objects),
        (&dry.removed_generations, dry.num_removed_objects)
    );
    assert_eq!(report.removed_generations.len(), 1, "of three, two are kept: {report:?}");
    assert_eq!(folders.objects().len(), num_objects - 1 - report.num_removed_objects);
    assert!(!unfinished.is_file());
    let left: Vec<_> = folders.objects().into_iter().map(|path| fs::read(path).expect("there")).collect();
    for (content, is_kept) in [("1111", false), ("2222", true), ("3333", true), ("aaaa", true)] {
        assert_eq!(left.iter().any(|object| object == content.as_bytes()), is_kept, "{content}");
    }
}

#[tokio::test]
async fn a_run_that_finds_another_pointer_under_its_lease_keeps_the_manifest() {
    let folders = Folders::new();
    let name = folders.build(&[("a", "one")]);
    folders.publish().await.expect("publishable");
    let files = folders.from.generations.published_files(&folders.from.kind, name).expect("built");
    // Another run published the same generation after this one had read the pointer.
    let candidate = Candidate { local: &folders.from, name, files, before: None };
    let lease = Lease::take(&folders.remote).await.expect("free");
    let moved = publish_under(&folders.remote, Some(&lease), &[candidate], &config()).await;
    assert!(matches!(moved, Err(Error::Moved { .. })), "{moved:?}");
    folders.remote.manifest("words", &folders.pointer().await).await.expect("the one that was published");
}

#[tokio::test]
async fn a_new_signature_keeps_the_manifest() {
    let folders = Folders::new();
    let (key, ..) = crate::signature::tests::new_key();
    folders.build(&[("a", "one")]);
    folders.publish().await.expect("publishable");
    let before = folders.pointer().await;
    folders.publish_signed(&key).await.expect("publishable");
    let now = folders.pointer().await;
    assert_eq!((now.sequence, &now.manifest_sha256), (2, &before.manifest_sha256));
    folders.remote.manifest("words", &now).await.expect("sound");
}

#[tokio::test]
async fn the_time_of_a_publication_is_after_its_upload() {
    let folders = Folders::new();
    folders.build(&[("a", "aaaabbbbcccc")]);
    let dry = folders.publish_as(&PublishConfig { is_dry_run: true, ..config() }).await.expect("publishable");
    let began_s = unix_now_s();
    let rate = Some(dry.published[0].uploaded_bytes / 3);
    folders.publish_as(&PublishConfig { rate, ..config() }).await.expect("publishable");
    assert!(folders.pointer().await.published_unix_s >= began_s + 2);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_removed_after_the_lease_was_lost() {
    let mut folders = Folders::new();
    for name in ["aa11", "aa22"] {
        let path = folders.stored("objects/aa").join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("new");
        fs::write(&path, "not needed").expect("writable");
        File::options().write(true).open(path).and_then(|file| file.set_modified(UNIX_EPOCH)).expect("there");
    }
    let lease = Lease::take(&folders.remote).await.expect("free");
    let slow = ThrottleConfig { wait_delete_per_call: Duration::from_secs(10), ..ThrottleConfig::default() };
    folders.remote.objects = Arc::new(ThrottledStore::new(Arc::clone(&folders.remote.objects), slow));
    let (needed, config, mut report) = (HashSet::new(), config(), Report::default());
    let removing = retention::remove_old(&folders.remote, Some(&lease), needed, &config, &mut report);
    let other_takes_over = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        fs::remove_file(folders.stored("LOCK")).expect("there");
    };
    let (removed, ()) = tokio::join!(removing, other_takes_over);
    assert!(matches!(removed, Err(Error::LeaseLost)), "{removed:?}");
    assert_eq!(folders.objects().len(), 1, "the first was removed under the lease");
}
