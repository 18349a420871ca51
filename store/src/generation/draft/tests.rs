use serde::{Deserialize, Serialize};

use super::*;

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::generation) struct Words(String);

impl Contents for Words {
    const KIND: &'static str = "words";
    const COMMAND: &'static str = "mgdex write";
    const FORMAT: u32 = 3;
}

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::generation) struct LivingWords;

impl Contents for LivingWords {
    const KIND: &'static str = "living words";
    const COMMAND: &'static str = "mgdex live";
    const FORMAT: u32 = 1;
    const REWRITTEN: &'static [&'static str] = &["living"];
}

pub(in crate::generation) fn origin() -> Origin {
    Origin { written_by: "test".into(), finished_unix_s: 0, inputs: Vec::new(), report: serde_json::Value::Null }
}

pub(in crate::generation) fn publish(generations: &Generations, word: &str) -> GenerationName {
    let draft = generations.begin().expect("free");
    fs::create_dir(draft.path().join("inner")).expect("new");
    fs::write(draft.path().join("inner/data"), word).expect("writable");
    draft.publish(origin(), Words(word.into()), Vec::new()).expect("published")
}

#[test]
fn the_newest_is_current_and_the_previous_one_is_kept() {
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
fn dropped_drafts_and_leftovers_are_removed() {
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
fn orphans_of_killed_builds_are_removed() {
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
fn torn_altered_and_unknown_generations_have_different_errors() {
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

#[test]
fn an_unfinished_draft_is_continued() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let one = publish(&generations, "one");
    let draft = generations.resume_or_begin().expect("free");
    assert!(!draft.is_resumed());
    assert!(matches!(generations.resume_or_begin(), Err(Error::Busy { .. })));
    let path = draft.path().to_owned();
    fs::write(path.join("half"), "half").expect("writable");
    drop(draft);

    // Other drafts neither remove nor see it.
    let two = publish(&generations, "two");
    let three = publish(&generations, "three");
    assert_eq!(generations.names().expect("readable").len(), 2, "{one} is gone, {two} and {three} are there");

    let draft = generations.resume_or_begin().expect("free");
    assert!(draft.is_resumed() && draft.path() == path);
    // The run before was killed while it published.
    fs::write(path.join("manifest.json"), "stale").expect("writable");
    fs::write(path.join("manifest.json.crc32"), "stale").expect("writable");
    let four = draft.publish(origin(), Words("four".into()), Vec::new()).expect("published");
    assert_eq!(generations.current().expect("readable"), Some(four));
    let manifest = Manifest::<Words>::read(&generations.path(four)).expect("whole");
    assert_eq!(manifest.files.iter().map(|file| &*file.path).collect::<Vec<_>>(), ["half"]);
    assert!(!generations.resume_or_begin().expect("free").is_resumed(), "it was published");
}

#[test]
fn the_youngest_unfinished_draft_is_continued_and_can_be_discarded() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let unfinished = |number| retention::unfinished_name(Uuid::from_u128(number));
    // The order of the names differs from the order of the times.
    for (number, hour) in [(2, 1), (1, 3), (3, 2)] {
        let path = folder.path().join(unfinished(number));
        fs::create_dir(&path).expect("new");
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(3600 * hour);
        File::open(&path).and_then(|file| file.set_modified(time)).expect("writable");
    }
    fs::create_dir(folder.path().join("unfinished-symphony")).expect("new");
    drop(generations.begin().expect("free"));
    let draft = generations.resume_or_begin().expect("free");
    assert_eq!(draft.path(), folder.path().join(unfinished(1)));
    draft.discard().expect("removed");
    let mut left = generations.entries().expect("readable");
    left.sort_unstable();
    assert_eq!(left, ["LOCK", "unfinished-symphony"], "the others are gone, and what is not ours is left alone");

    let draft = generations.begin().expect("free");
    draft.discard().expect("removed");
    assert_eq!(generations.entries().expect("readable").len(), 2);
}

#[test]
fn sealed_files_are_not_read_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let seal = |draft: &Draft| {
        fs::create_dir_all(draft.path().join("inner/deep")).expect("new");
        fs::write(draft.path().join("inner/data"), "word").expect("writable");
        fs::write(draft.path().join("inner/deep/data"), "deep").expect("writable");
        fs::write(draft.path().join("open"), "open").expect("writable");
        let sealed = seal::seal_folder(draft.path(), "inner").expect("sealed");
        assert_eq!(sealed.iter().map(|file| &*file.path).collect::<Vec<_>>(), ["inner/data", "inner/deep/data"]);
        sealed
    };
    let draft = generations.begin().expect("free");
    let sealed = seal(&draft);
    let journal = serde_json::to_string(&sealed).expect("serializable");
    assert_eq!(serde_json::from_str::<Vec<FileEntry>>(&journal).expect("readable"), sealed);
    fs::write(draft.path().join("inner/data"), "wurd").expect("writable");
    let path = generations.path(draft.publish(origin(), Words("word".into()), sealed).expect("published"));
    let manifest = Manifest::<Words>::read(&path).expect("sizes agree");
    let names: Vec<_> = manifest.files.iter().map(|file| &*file.path).collect();
    assert_eq!(names, ["inner/data", "inner/deep/data", "open"]);
    let error = manifest.verify_files(&path).expect_err("altered");
    assert!(matches!(error, Error::Altered { path: altered, .. } if altered == path.join("inner/data")));

    let damages: [fn(&Path); 2] =
        [|path| fs::write(path, "words").expect("writable"), |path| fs::remove_file(path).expect("there")];
    for damage in damages {
        let current = generations.current().expect("readable");
        let draft = generations.begin().expect("free");
        let sealed = seal(&draft);
        damage(&draft.path().join("inner/deep/data"));
        let error = draft.publish(origin(), Words("word".into()), sealed).expect_err("damaged");
        assert!(matches!(&error, Error::Altered { path, .. } if path.ends_with("inner/deep/data")), "{error}");
        assert_eq!(generations.current().expect("readable"), current);
    }
}

#[test]
fn files_that_are_rewritten_are_published_and_not_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let draft = generations.begin().expect("free");
    for name in ["living", "living/deep", "livingroom"] {
        fs::create_dir(draft.path().join(name)).expect("new");
        fs::write(draft.path().join(name).join("data"), "word").expect("writable");
    }
    let path = generations.path(draft.publish(origin(), LivingWords, Vec::new()).expect("published"));
    fs::write(path.join("living/deep/data"), "other words").expect("writable");
    let manifest = Manifest::<LivingWords>::read(&path).expect("whole");
    assert_eq!(manifest.files.iter().map(|file| &*file.path).collect::<Vec<_>>(), ["livingroom/data"]);
    manifest.verify_files(&path).expect("unaltered");
}
