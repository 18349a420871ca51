use std::fs;

use store::GenerationName;

use super::*;
use crate::publish::tests::Folders;

fn follower(folders: &Folders) -> Follower {
    let config = FollowConfig { interval: Duration::from_millis(20), rate: None };
    Follower::new(folders.remote.clone(), folders.to.clone(), &config)
}

/// Does what the first step of following does.
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
async fn what_is_published_becomes_current_here_and_a_rollback_too() {
    let folders = Folders::new();
    let follower = follower(&folders);
    step(&follower).await.expect("nothing to do");
    assert!(follower.state().problem().is_some_and(|problem| problem.contains("CURRENT-words")));
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
    // It is here already.
    fs::remove_dir_all(folders.stored("objects")).expect("there");
    step(&follower).await.expect("sound");
    assert_eq!(current(&folders), Some(first));
    assert_eq!(folders.to.generations.followed().expect("readable"), Some((3, first)));
}

#[tokio::test]
async fn what_is_altered_or_missing_is_refused_with_its_name_until_it_is_mended() {
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
async fn a_generation_that_is_torn_here_is_fetched_again() {
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
async fn a_store_that_was_put_back_is_refused_unless_nothing_is_here() {
    let folders = Folders::new();
    let follower = follower(&folders);
    folders.build(&[("a", "first")]);
    folders.publish().await.expect("publishable");
    let old = fs::read(folders.stored("CURRENT-words")).expect("published");
    let second = folders.build(&[("a", "second")]);
    folders.publish().await.expect("publishable");
    step(&follower).await.expect("sound");
    fs::write(folders.stored("CURRENT-words"), &old).expect("writable");
    let error = step(&follower).await.expect_err("put back");
    assert!(matches!(error, Error::PutBack { found: 1, known: 2, .. }), "{error}");
    assert_eq!(current(&folders), Some(second));
    fs::remove_dir_all(folders.to.generations.root()).expect("there");
    step(&follower).await.expect("a new replica");
    assert_ne!(current(&folders), Some(second));
}

#[tokio::test]
async fn failures_are_tried_again_later_and_other_generations_at_once() {
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
