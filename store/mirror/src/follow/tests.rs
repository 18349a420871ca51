use std::fs;

use store::GenerationName;

use super::*;
use crate::publish::tests::Folders;
use crate::signature::tests::new_key;

fn config() -> FollowConfig {
    FollowConfig { interval: Duration::from_millis(20), rate: None, margin_bytes: 1 << 20, verify_keys: Vec::new() }
}

fn follower(folders: &Folders) -> Follower {
    Follower::new(folders.remote.clone(), folders.to.clone(), &config())
}

/// Runs the first step of following.
async fn step(follower: &Follower) -> Result<()> {
    follower.poll().await;
    match follower.outstanding(false).await {
        Some(pointer) => follower.take_over(&pointer).await,
        None => Ok(()),
    }
}

fn current(folders: &Folders) -> Option<GenerationName> {
    folders.to.generations.current().expect("readable")
}

#[tokio::test]
async fn publications_and_rollbacks_become_current() {
    let folders = Folders::new();
    let follower = follower(&folders);
    step(&follower).await.expect("nothing to do");
    assert!(follower.state().problem().is_some_and(|problem| problem.to_string().contains("CURRENT-words")));
    let first = folders.build(&[("a", "aaaabbbbc"), ("inner/b", "aaaa"), ("empty", "")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("sound");
    assert_eq!((current(&folders), follower.state().problem()), (Some(first), None));
    for (path, content) in [("a", "aaaabbbbc"), ("inner/b", "aaaa"), ("empty", "")] {
        assert_eq!(fs::read_to_string(folders.to.generations.path(first).join(path)).expect("there"), content);
    }
    let second = folders.build(&[("a", "other")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("sound");
    assert_eq!(current(&folders), Some(second));

    folders.from.generations.roll_back(&folders.from.kind, None, |_| Ok(())).expect("two");
    folders.publish().await.expect("publishable");
    // The data folder has it already.
    fs::remove_dir_all(folders.stored("objects")).expect("there");
    step(&follower).await.expect("sound");
    assert_eq!(current(&folders), Some(first));
    assert_eq!(folders.to.generations.followed().expect("readable"), Some((3, first)));
}

#[tokio::test]
async fn altered_and_missing_objects_are_named_until_they_are_fixed() {
    let folders = Folders::new();
    let follower = follower(&folders);
    let first = folders.build(&[("a", "first")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("sound");
    let second = folders.build(&[("a", "aaaabbbbc")]);
    folders.publish().await.expect("publishable");
    let object =
        folders.objects().into_iter().find(|path| fs::read(path).expect("there") == b"bbbb").expect("published");
    let name = object.file_name().expect("a name").to_string_lossy().into_owned();
    let manifest = folders.stored(&crate::layout::manifest_path("words", second));
    let sound_manifest = fs::read(&manifest).expect("there");
    for damage in [Some("bbxb"), Some("bbb"), Some("bbbbb"), None] {
        match damage {
            Some(content) => fs::write(&object, content).expect("writable"),
            None => fs::remove_file(&object).expect("there"),
        }
        let error = step(&follower).await.expect_err("damaged");
        assert!(error.is_refusal() && error.to_string().contains(&name), "{damage:?}: {error}");
        assert_eq!(current(&folders), Some(first));
    }
    fs::write(&object, "bbbb").expect("writable");
    fs::write(&manifest, String::from_utf8_lossy(&sound_manifest).replace("\"a\"", "\"b\"")).expect("writable");
    let error = step(&follower).await.expect_err("damaged");
    assert!(error.is_refusal() && error.to_string().contains(&second.to_string()), "{error}");
    fs::write(&manifest, sound_manifest).expect("writable");
    step(&follower).await.expect("mended");
    assert_eq!(current(&folders), Some(second));
}

#[tokio::test]
async fn torn_local_generations_are_fetched_again() {
    let folders = Folders::new();
    let follower = follower(&folders);
    let name = folders.build(&[("a", "aaaabbbbc")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("sound");
    let path = folders.to.generations.path(name).join("a");
    fs::write(&path, "aaaa").expect("writable");
    step(&follower).await.expect("sound");
    assert_eq!((current(&folders), fs::read_to_string(path).expect("there")), (Some(name), "aaaabbbbc".to_owned()));
}

#[tokio::test]
async fn restored_stores_are_rejected_unless_the_data_folder_is_empty() {
    let folders = Folders::new();
    let follower = follower(&folders);
    folders.build(&[("a", "first")]);
    folders.publish().await.expect("publishable");
    let old = fs::read(folders.stored("CURRENT-words")).expect("published");
    let second = folders.build(&[("a", "second")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("sound");
    fs::write(folders.stored("CURRENT-words"), &old).expect("writable");
    let error = step(&follower).await.expect_err("an older publication");
    assert!(matches!(error, Error::RolledBack { found: 1, known: 2, .. }), "{error}");
    assert_eq!(current(&folders), Some(second));
    fs::remove_dir_all(folders.to.generations.root()).expect("there");
    step(&follower).await.expect("a new replica");
    assert_ne!(current(&folders), Some(second));
}

#[tokio::test]
async fn failures_are_retried_later_and_other_generations_at_once() {
    let folders = Folders::new();
    folders.build(&[("a", "first")]);
    folders.publish().await.expect("publishable");
    let pointer = folders.pointer().await;
    let interval = Duration::from_millis(50);
    let mut backoff = Backoff { num_failures: 0, failed: None };
    assert!(backoff.is_due(&pointer, interval));
    for _ in 0..100 {
        backoff.fail(pointer.clone());
    }
    assert!(!backoff.is_due(&pointer, interval));
    assert!(backoff.is_due(&Pointer { sequence: 2, ..pointer.clone() }, interval));
    tokio::time::sleep(interval * BACKOFF_MAX).await;
    assert!(backoff.is_due(&pointer, interval));
}

#[tokio::test]
async fn only_publications_with_a_trusted_signature_are_followed() {
    let folders = Folders::new();
    let ((key, _, public), (other, _, other_public)) = (new_key(), new_key());
    let keys = |texts: &[&str]| texts.iter().flat_map(|text| VerifyKey::from_pem(text).expect("keys")).collect();
    let follower_of = |texts: &[&str]| {
        let config = FollowConfig { verify_keys: keys(texts), ..config() };
        Follower::new(folders.remote.clone(), folders.to.clone(), &config)
    };
    let follower = follower_of(&[&public]);
    let kind = |follower: &Follower| follower.state().problem().map(|problem| problem.kind());
    folders.build(&[("a", "unsigned")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("nothing that may be followed");
    assert_eq!((current(&folders), kind(&follower)), (None, Some("refused: signature")));

    // A generation that was published unsigned is signed by publishing it again.
    let first = folders.current_name();
    folders.publish_signed(&key).await.expect("publishable");
    step(&follower).await.expect("signed");
    assert_eq!((current(&folders), kind(&follower)), (Some(first), None));
    folders.publish_signed(&key).await.expect("publishable");
    let pointer = folders.pointer().await;
    assert_eq!(pointer.sequence, 2, "it was current already");

    folders.build(&[("a", "signed with another key")]);
    folders.publish_signed(&other).await.expect("publishable");
    step(&follower).await.expect("nothing that may be followed");
    assert_eq!((current(&folders), kind(&follower)), (Some(first), Some("refused: signature")));
    let both = follower_of(&[&public, &other_public]);
    step(&both).await.expect("signed");
    assert_eq!(current(&folders), Some(folders.current_name()));

    // A signed pointer that was followed before, and one with another number.
    let path = folders.stored("CURRENT-words");
    fs::write(&path, crate::layout::to_json(&pointer)).expect("writable");
    assert!(matches!(step(&both).await, Err(Error::RolledBack { found: 2, known: 3, .. })));
    fs::write(&path, crate::layout::to_json(&Pointer { sequence: 9, ..pointer })).expect("writable");
    let late = follower_of(&[&public]);
    step(&late).await.expect("nothing that may be followed");
    assert_eq!(kind(&late), Some("refused: signature"));
}

#[tokio::test]
async fn existing_files_are_shared_and_only_others_are_fetched() {
    let folders = Folders::new();
    let follower = follower(&folders);
    let first = folders.build(&[("a", "aaaabbbbc"), ("inner/b", "xxxxyyyy"), ("c", "12345678")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("sound");
    let second = folders.build(&[("a", "aaaabbbbc"), ("inner/b", "xxxxyyyz"), ("c", "12345678"), ("d", "new")]);
    folders.publish().await.expect("publishable");
    let path = |generation, file| folders.to.generations.path(generation).join(file);
    // A manifest that was altered on the disk differs from the published one.
    fs::write(path(first, "c"), "1234567x").expect("writable");
    for object in folders.objects() {
        let content = fs::read(&object).expect("there");
        if [&b"aaaa"[..], b"bbbb", b"c"].contains(&&*content) {
            fs::remove_file(object).expect("there");
        }
    }
    step(&follower).await.expect("what is missing in the store is here");
    assert_eq!(current(&folders), Some(second));
    let inode =
        |generation, file| std::os::unix::fs::MetadataExt::ino(&fs::metadata(path(generation, file)).expect("there"));
    assert_eq!(inode(first, "a"), inode(second, "a"));
    assert_ne!(inode(first, "inner/b"), inode(second, "inner/b"));
    for (file, content) in [("a", "aaaabbbbc"), ("inner/b", "xxxxyyyz"), ("c", "12345678"), ("d", "new")] {
        assert_eq!(fs::read_to_string(path(second, file)).expect("there"), content);
    }
    assert_eq!(fs::read_to_string(path(first, "c")).expect("there"), "1234567x");
}

#[tokio::test]
async fn altered_manifests_do_not_match_the_signature() {
    let folders = Folders::new();
    let (key, _, public) = new_key();
    let name = folders.build(&[("a", "aaaa")]);
    folders.publish_signed(&key).await.expect("publishable");
    let manifest = folders.stored(&crate::layout::manifest_path("words", name));
    let sound = fs::read(&manifest).expect("there");
    let altered = String::from_utf8_lossy(&sound).replace("\"a\"", "\"b\"").into_bytes();
    fs::write(&manifest, &altered).expect("writable");
    let config = FollowConfig { verify_keys: VerifyKey::from_pem(&public).expect("a key"), ..config() };
    let follower = Follower::new(folders.remote.clone(), folders.to.clone(), &config);
    let error = step(&follower).await.expect_err("altered");
    assert!(error.is_refusal() && error.kind() == "refused: manifest", "{error}");
    // A pointer to it lacks a signature.
    let pointer = Pointer { manifest_sha256: crate::layout::sha256_text(&altered), ..folders.pointer().await };
    fs::write(folders.stored("CURRENT-words"), crate::layout::to_json(&pointer)).expect("writable");
    let follower = Follower::new(folders.remote.clone(), folders.to.clone(), &config);
    step(&follower).await.expect("nothing that may be followed");
    assert_eq!(follower.state().problem().map(|problem| problem.kind()), Some("refused: signature"));
    assert_eq!(current(&folders), None);
    // The publisher does not trust it, either.
    folders.publish_signed(&key).await.expect("publishable");
    step(&follower).await.expect("signed");
    assert_eq!(current(&folders), Some(name));
}

#[tokio::test]
async fn received_parts_are_removed_if_the_disk_is_full() {
    let folders = Folders::new();
    let name = folders.build(&[("a", "aaaabbbbc")]);
    folders.publish().await.expect("publishable");
    let follower = follower(&folders);
    let object = folders.objects().pop().expect("published");
    let content = fs::read(&object).expect("there");
    fs::remove_file(&object).expect("there");
    step(&follower).await.expect_err("one is missing");
    let receiving = folders.to.generations.root().join(format!("receiving-{name}"));
    assert!(receiving.is_dir(), "what has arrived is kept");
    fs::write(&object, content).expect("writable");
    let config = FollowConfig { margin_bytes: u64::MAX, ..config() };
    let full = Follower::new(folders.remote.clone(), folders.to.clone(), &config);
    let error = step(&full).await.expect_err("not enough room");
    assert!(matches!(error, Error::NoRoom { .. }) && error.kind() == "no room", "{error}");
    assert!(!receiving.is_dir());
    step(&follower).await.expect("there is room");
}
