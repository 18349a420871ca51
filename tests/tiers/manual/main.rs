//! The manual and the README are correct: their blocks are run as a reader would, chapter by
//! chapter, each in a folder of its own, and their output is compared with the output shown. The
//! links of the manual resolve, and its notebook runs.
//!
//! `manual/README.md` describes the marks of blocks. Blocks in R run before a release, with
//! `MGDEX_TEST_THOROUGH=1`.

mod blocks;
mod fits;
mod session;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use blocks::Block;
use session::Session;
use support::machine::Server;
use support::{needed_program, needed_python, project};
use tempfile::TempDir;

/// The chapters that have something to run, a test each.
macro_rules! chapters {
    ($($name:ident: $path:literal,)*) => {
        $(#[test]
        fn $name() {
            if tools().is_some() {
                Session::run($path);
            }
        })*

        const CHAPTERS: &[&str] = &[$($path),*];
    };
}

chapters! {
    readme: "README.md",
    start: "manual/src/start.md",
    ask_proteins: "manual/src/ask-proteins.md",
    ask_catalogue: "manual/src/ask-catalogue.md",
    similarity: "manual/src/similarity.md",
    programs: "manual/src/programs.md",
    cite: "manual/src/cite.md",
    own_data: "manual/src/own-data.md",
    release: "manual/src/release.md",
    catalogue: "manual/src/catalogue.md",
    operate: "manual/src/operate.md",
    replicas: "manual/src/replicas.md",
    profiles: "manual/src/profiles.md",
    settings: "manual/src/settings.md",
}

#[test]
fn every_chapter_with_blocks_is_run() {
    let pages = fs::read_dir(project("manual/src")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let found: BTreeSet<String> = pages
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| !Block::all(&fs::read_to_string(path).expect("text")).is_empty())
        .map(|path| format!("manual/src/{}", path.file_name().expect("a name").to_string_lossy()))
        .collect();
    let run: BTreeSet<String> =
        CHAPTERS.iter().filter(|path| **path != "README.md").map(|path| (*path).to_owned()).collect();
    assert_eq!(found, run);
}

#[test]
fn links_resolve_and_pages_are_short() {
    let output = Command::new(project("manual/check")).output().expect("a script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn servers_serve_the_manual_with_valid_links() {
    let folder = TempDir::new().expect("a temporary folder");
    let server = Server::start(folder.path());
    assert_eq!(server.get("/docs/manual").0, 303);
    assert_eq!(server.get("/docs/manual/nothing.html").0, 404);
    let (mut asked, mut waiting) = (BTreeSet::new(), vec!["index.html".to_owned()]);
    while let Some(page) = waiting.pop() {
        if !asked.insert(page.clone()) {
            continue;
        }
        let (status, body) = server.get(&format!("/docs/manual/{page}"));
        assert_eq!(status, 200, "{page}");
        let links = body.split("href=\"").skip(1).filter_map(|rest| rest.split(['"', '#']).next());
        let is_page = |link: &&str| !link.is_empty() && !link.contains(':') && !link.starts_with("../");
        waiting.extend(links.filter(is_page).map(str::to_owned));
    }
    assert!(asked.len() >= CHAPTERS.len() && asked.contains("manual.css"), "{asked:?}");
    let (status, portal) = server.get("/portal");
    assert!(status == 200 && portal.contains("/docs/manual/\">manual</a>"), "{portal}");
}

#[test]
#[ignore = "tried before a release, by `.ci/release manual`"]
fn the_notebook_runs() {
    let (Some(python), Some(_)) = (needed_python("manual/requirements.txt"), tools()) else { return };
    let folder = TempDir::new().expect("a temporary folder");
    session::copy_demo(folder.path());
    let server = Server::start(&folder.path().join("mgdex-data"));
    let mut execute = Command::new(&python);
    execute.arg(project("manual/notebook/execute")).arg(project("manual/notebook/biomes-and-families.ipynb"));
    execute.arg(folder.path().join("executed.ipynb")).env("MGDEX_URL", format!("http://{}", server.address()));
    let output = execute.output().expect("an interpreter");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the Python with the packages that the manual needs, if its other programs are installed,
/// too.
fn tools() -> Option<PathBuf> {
    for (program, package) in [("curl", "curl"), ("jq", "jq"), ("openssl", "openssl"), ("phmmer", "hmmer")] {
        needed_program(program, package)?;
    }
    needed_python("tests/python/requirements.txt")
}
