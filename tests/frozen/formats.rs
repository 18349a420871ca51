//! Each kind of data has one format. Another is refused with the name of the command that builds it
//! again.

use std::fs;
use std::path::Path;

use flate2::Crc;
use store::{Generations, Result};
use store_catalogue::CatalogueGeneration;
use store_profiles::{DirectoryGeneration, Profiles, ProfilesConfig};
use store_proteins::ProteinGeneration;
use support::profile_writers::copy_folder;
use support::{program, project};
use tempfile::TempDir;

/// The frozen data of a kind: their folder, their format, the command that builds them, and a
/// function that opens a copy of them.
type Kind = (&'static str, u32, &'static str, fn(&Path) -> Result<()>);

const KINDS: [Kind; 4] = [
    ("v7/proteins", 7, "mgdex index", |root| ProteinGeneration::open_current(&Generations::new(root)).map(drop)),
    ("catalogue/v6/catalogue", 6, "mgdex catalogue load", |root| {
        CatalogueGeneration::open_current(&Generations::new(root)).map(drop)
    }),
    ("profiles/v1/directory", 1, "mgdex directory load", |root| {
        DirectoryGeneration::open_current(&Generations::new(root)).map(drop)
    }),
    ("profiles/v1/profiles", 1, "mgdex profiles import", |root| {
        Profiles::open(root, ProfilesConfig { attributes_max: 200 }).map(drop)
    }),
];

/// Changes the format named in the data, as if another version of mgdex had written them.
fn change_format(root: &Path, from: u32, to: u32) {
    let change = |path: &Path, space: &str| {
        let (from, to) = (format!("\"format\":{space}{from}"), format!("\"format\":{space}{to}"));
        let text = fs::read_to_string(path).expect("committed").replacen(&from, &to, 1);
        assert!(text.contains(&to), "{text}");
        fs::write(path, &text).expect("writable");
        text
    };
    let Ok(current) = fs::read_to_string(root.join("CURRENT")) else {
        change(&root.join("db/store.json"), "");
        return;
    };
    let generation = root.join(current.trim());
    let mut checksum = Crc::new();
    checksum.update(change(&generation.join("manifest.json"), " ").as_bytes());
    fs::write(generation.join("manifest.json.crc32"), format!("{:08x}", checksum.sum())).expect("writable");
}

#[test]
fn other_formats_are_refused_with_the_rebuild_command() {
    for (frozen, format, command, open) in KINDS {
        for other in [format - 1, format + 1] {
            let folder = TempDir::new().expect("a temporary folder");
            let root = folder.path().join(Path::new(frozen).file_name().expect("a name"));
            copy_folder(&project("tests/frozen").join(frozen), &root);
            change_format(&root, format, other);
            let error = open(&root).expect_err("of another format").to_string();
            let expected = format!("has format {other}, and this mgdex reads format {format}");
            assert!(error.contains(&expected) && error.contains(&format!("`{command}`")), "{error}");
            if command == "mgdex index" {
                let done = program().args(["search", "--query", "*", "--data"]).arg(folder.path()).output();
                let done = done.expect("the binary");
                let shown = String::from_utf8(done.stderr).expect("text");
                assert_eq!((done.status.code(), &*done.stdout), (Some(1), &b""[..]), "{shown}");
                assert!(shown.contains(&expected) && shown.contains("`mgdex index`"), "{shown}");
            }
        }
    }
}
