//! Generations that are open elsewhere, torn or altered.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;

use store::{Error, GenerationName};

use super::*;

/// Publishes some resources, and returns the folder with the database.
fn published() -> (Folder, GenerationName, PathBuf) {
    let folder = Folder::new();
    let name = folder.publish(|builder| {
        for number in 0..3000 {
            let mut sample =
                CatalogueEntry::new("samples", format!("S{number}"), body(&format!("marked {number:0500}")));
            sample.text = vec![format!("sample {number}")];
            add(builder, &sample);
        }
    });
    let resources = folder.generations.path(name).join("resources");
    (folder, name, resources)
}

fn open_error(folder: &Folder) -> Error {
    match CatalogueGeneration::open_current(&folder.generations) {
        Ok(_) => panic!("it opens"),
        Err(error) => error,
    }
}

#[test]
fn one_process_at_a_time_serves_it_and_it_can_be_verified_meanwhile() {
    let (folder, name, _) = published();
    let generation = folder.open();
    let error = open_error(&folder);
    assert!(matches!(error, Error::Locked { .. }) && error.to_string().contains("one process at a time"), "{error}");
    let expected = CatalogueVerification {
        num_resources: 3000,
        num_types: 1,
        missing: [].into(),
        databases: CheckedDatabases::Served,
    };
    let verify = || CatalogueGeneration::verify_published(&folder.generations, name);
    assert_eq!(verify().expect("sound"), expected);
    assert_eq!(generation.resources(&[2999]).expect("whole").len(), 1);
    drop(generation);
    assert_eq!(verify().expect("sound"), expected);
    for _ in 0..3 {
        assert_eq!(folder.open().contents().num_resources, 3000);
    }
}

#[test]
fn verifying_leaves_the_database_alone() {
    let (folder, name, resources) = published();
    // A server that starts meanwhile must find the database free, so that verifying must neither
    // lock nor open it.
    let opened = OpenOptions::new().read(true).open(resources.join("db")).expect("there");
    opened.try_lock().expect("free");
    let looks = || {
        let entries = fs::read_dir(&resources).expect("readable").map(|entry| entry.expect("readable"));
        let mut looks: Vec<_> = entries
            .map(|entry| (entry.file_name(), entry.metadata().and_then(|file| file.modified()).expect("readable")))
            .collect();
        looks.sort_unstable();
        looks
    };
    let before = looks();
    let verified = CatalogueGeneration::verify_published(&folder.generations, name).expect("sound");
    assert_eq!(verified.num_resources, 3000);
    opened.unlock().expect("ours");
    assert_eq!(CatalogueGeneration::verify_published(&folder.generations, name).expect("sound"), verified);
    assert_eq!(looks(), before);
}

#[test]
fn torn_databases_are_rejected() {
    let (folder, name, resources) = published();
    let file = resources.join("db");
    let length = fs::metadata(&file).expect("there").len();
    for left in [length - 1, length / 2, 0] {
        OpenOptions::new().write(true).open(&file).and_then(|file| file.set_len(left)).expect("writable");
        let error = open_error(&folder);
        assert!(matches!(error, Error::Torn { .. }) && error.to_string().contains("mgdex catalogue load"), "{error}");
        assert!(CatalogueGeneration::verify_published(&folder.generations, name).is_err());
        assert_eq!(fs::metadata(&file).expect("there").len(), left, "nothing was touched");
    }
    fs::remove_file(&file).expect("there");
    assert!(matches!(open_error(&folder), Error::Torn { .. }));
}

#[test]
fn foreign_databases_are_rejected() {
    let (folder, name, resources) = published();
    let (_other, _, others) = {
        let folder = Folder::new();
        let name = folder.publish(|builder| {
            for number in 0..9000 {
                let text = body(&format!("other {number:0500}"));
                add(builder, &CatalogueEntry::new("samples", format!("S{number}"), text));
            }
        });
        let path = folder.generations.path(name).join("resources");
        (folder, name, path)
    };
    fs::remove_dir_all(&resources).expect("there");
    fs::rename(others, &resources).expect("one file system");
    assert!(matches!(open_error(&folder), Error::Torn { .. }));
    assert!(CatalogueGeneration::verify_published(&folder.generations, name).is_err());

    fs::write(resources.join("db"), vec![b'?'; 10 << 20]).expect("writable");
    let error = open_error(&folder).to_string();
    assert!(error.contains("mgdex catalogue load") || error.contains("damaged"), "{error}");
}

#[test]
fn a_value_with_another_checksum_is_no_resource() {
    let (folder, name, resources) = published();
    {
        // A thread that flushes would hold the lock of the files for some time after the database
        // is closed.
        let db = sled::Config::new().path(&resources).flush_every_ms(None).open().expect("closed");
        let tree = db.open_tree("resources").expect("there");
        let mut value = tree.get(7_u32.to_be_bytes()).expect("readable").expect("there").to_vec();
        value[30] ^= 1;
        tree.insert(7_u32.to_be_bytes(), value).expect("writable");
        tree.remove(9_u32.to_be_bytes()).expect("writable");
        db.flush().expect("writable");
    }
    let generation = folder.open();
    for (ordinals, problem) in [(&[7][..], "resource 7"), (&[6, 7, 8], "resource 7"), (&[8, 9, 10], "resource 9")] {
        let error = generation.resources(ordinals).expect_err("damaged").to_string();
        assert!(error.contains(problem), "{error}");
    }
    assert!(generation.resources(&[10, 8]).is_ok());
    for opened in [Some(generation), None] {
        let error = CatalogueGeneration::verify_published(&folder.generations, name).expect_err("damaged");
        assert!(matches!(&error, Error::Altered { path, .. } if *path == resources), "{error}");
        drop(opened);
    }
}

#[test]
fn an_altered_index_is_found() {
    let (folder, name, _) = published();
    let index = folder.generations.path(name).join("index");
    let postings = fs::read_dir(&index)
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .find(|path| path.extension().is_some_and(|extension| extension == "idx"))
        .expect("there");
    let mut bytes = fs::read(&postings).expect("readable");
    bytes[20] ^= 1;
    fs::write(&postings, &bytes).expect("writable");
    let error = CatalogueGeneration::verify_published(&folder.generations, name).expect_err("altered");
    assert!(matches!(&error, Error::Altered { path, .. } if *path == postings), "{error}");
    bytes.pop();
    fs::write(&postings, &bytes).expect("writable");
    assert!(matches!(open_error(&folder), Error::Torn { .. }));
}
