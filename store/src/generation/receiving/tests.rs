use std::fs;
use std::io;

use super::super::draft::tests::{LivingWords, Words, origin, publish};
use super::*;

/// Copies files of a published generation into one that is being received.
fn copy(from: &Path, receiving: &Receiving, files: &[crate::FileEntry]) {
    for file in files {
        let opened = receiving.open(&file.path, file.size_bytes).expect("a path inside");
        io::copy(&mut File::open(from.join(&file.path)).expect("there"), &mut &opened).expect("writable");
    }
}

struct Folders {
    _folder: tempfile::TempDir,
    from: Generations,
    to: Generations,
    kind: GenerationKind,
}

fn folders(kind: GenerationKind) -> Folders {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [from, to] = ["from", "to"].map(|name| Generations::new(folder.path().join(name)));
    Folders { _folder: folder, from, to, kind }
}

#[test]
fn a_complete_copy_becomes_current_and_the_previous_one_is_kept() {
    let Folders { _folder, from, to, kind } = folders(GenerationKind::of::<Words>());
    let old = publish(&to, "old");
    let name = publish(&from, "new");
    let files = from.published_files(&kind, name).expect("whole");
    assert_eq!(
        files.iter().map(|file| &*file.path).collect::<Vec<_>>(),
        ["inner/data", "manifest.json.crc32", "manifest.json"]
    );
    let receiving = to.receive(&kind, name).expect("free");
    assert!(matches!(to.receive(&kind, name), Err(Error::Busy { .. })));
    copy(&from.path(name), &receiving, &files[1..]);
    assert!(matches!(receiving.publish(), Err(Error::Torn { .. })));
    assert_eq!(to.current().expect("readable"), Some(old));

    let receiving = to.receive(&kind, name).expect("free");
    assert!(receiving.path().join("manifest.json").is_file(), "what has arrived stays");
    copy(&from.path(name), &receiving, &files[..1]);
    assert_eq!(receiving.publish().expect("whole"), name);
    assert_eq!(to.current().expect("readable"), Some(name));
    let mut kept = vec![old, name];
    kept.sort_unstable();
    assert_eq!(to.names().expect("readable"), kept);
    let rubbish = to.entries().expect("readable").into_iter().find(|entry| entry.starts_with("receiving-"));
    assert_eq!(rubbish, None);
}

#[test]
fn altered_copies_are_rejected_and_removed() {
    let Folders { _folder, from, to, kind } = folders(GenerationKind::of::<Words>());
    let name = publish(&from, "new");
    let files = from.published_files(&kind, name).expect("whole");
    let receiving = to.receive(&kind, name).expect("free");
    copy(&from.path(name), &receiving, &files);
    fs::write(receiving.path().join("inner/data"), "old").expect("writable");
    let folder = receiving.path();
    let error = receiving.publish().expect_err("altered");
    assert!(matches!(&error, Error::Altered { path, .. } if path.ends_with("inner/data")), "{error}");
    assert!(!folder.is_dir() && to.current().expect("readable").is_none());
}

#[test]
fn paths_out_of_the_generation_are_rejected() {
    let Folders { _folder, from, to, kind } = folders(GenerationKind::of::<Words>());
    let receiving = to.receive(&kind, publish(&from, "one")).expect("free");
    for path in ["", "../data", "/data", "inner/../../data", "."] {
        assert!(matches!(receiving.open(path, 1), Err(Error::Altered { .. })), "{path}");
    }
}

#[test]
fn leftovers_are_removed_and_other_kinds_are_rejected() {
    let Folders { _folder, from, to, kind } = folders(GenerationKind::of::<Words>());
    let (one, two) = (publish(&from, "one"), publish(&from, "two"));
    let leftover = to.receive(&kind, one).expect("free").path();
    drop(to.receive(&kind, two).expect("free"));
    assert!(!leftover.is_dir());
    let receiving = to.receive(&kind, two).expect("free");
    copy(&from.path(two), &receiving, &from.published_files(&kind, two).expect("whole"));
    drop(receiving);
    let other = GenerationKind::of::<LivingWords>();
    assert!(matches!(to.receive(&other, two).expect("free").publish(), Err(Error::Torn { .. })));
    drop(to.begin().expect("free"));
    assert_eq!(to.entries().expect("readable"), ["LOCK"], "a build removes them, too");
}

#[test]
fn the_last_received_one_is_recorded_while_a_generation_is_current() {
    let Folders { _folder, from, to, kind: _ } = folders(GenerationKind::of::<Words>());
    assert_eq!(to.followed().expect("nothing"), None);
    let name = publish(&from, "one");
    from.set_followed(7, name).expect("writable");
    assert_eq!(from.followed().expect("readable"), Some((7, name)));
    fs::remove_file(from.root().join("CURRENT")).expect("there");
    assert_eq!(from.followed().expect("readable"), None);
}

#[test]
fn files_that_are_rewritten_are_made_from_their_sealed_copy() {
    let Folders { _folder, from, to, kind } = folders(GenerationKind::of::<LivingWords>());
    let publish = |is_sealed: bool| {
        let draft = from.begin().expect("free");
        fs::create_dir_all(draft.path().join("living/inner")).expect("new");
        fs::write(draft.path().join("living/inner/data"), "as published").expect("writable");
        if is_sealed {
            draft.keep_sealed(&kind).expect("writable");
        }
        draft.publish(origin(), LivingWords, Vec::new()).expect("published")
    };
    let error = from.published_files(&kind, publish(false)).expect_err("no sealed copy");
    assert!(error.to_string().contains("`mgdex live --keep-sealed`"), "{error}");
    let name = publish(true);
    fs::write(from.path(name).join("living/inner/data"), "rewritten").expect("writable");
    let files = from.published_files(&kind, name).expect("whole");
    assert_eq!(files[0].path, "sealed/living/inner/data");
    assert_eq!(kind.copied_bytes(files.iter().map(|file| (&*file.path, file.size_bytes))), 12);
    let receiving = to.receive(&kind, name).expect("free");
    copy(&from.path(name), &receiving, &files);
    assert_eq!(receiving.publish().expect("whole"), name);
    let restored = to.path(name).join("living/inner/data");
    assert_eq!(fs::read_to_string(&restored).expect("restored"), "as published");

    // The folder can be removed, unless the sealed copy is damaged.
    let restore = || sealed_copy::restore(&to.path(name), "living", &files);
    fs::remove_dir_all(to.path(name).join("living")).expect("there");
    restore().expect("a sealed copy");
    assert_eq!(fs::read_to_string(&restored).expect("restored"), "as published");
    fs::remove_dir_all(to.path(name).join("living")).expect("there");
    fs::write(to.path(name).join(&files[0].path), "has publishe").expect("writable");
    let error = restore().expect_err("damaged");
    assert!(matches!(&error, Error::Altered { path, .. } if path.ends_with("sealed/living/inner/data")), "{error}");
    assert!(!to.path(name).join("living").is_dir());
}
