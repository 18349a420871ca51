//! The walk of the documentation from the contigs of an assembly to queries over its proteins and those of a release, with the tools that it
//! names.
//!
//! They are in a virtual environment that `tests/python/setup` makes, once. Without them, the test fails.

use std::fs;

use serde_json::Value;

use crate::cli::Done;
use crate::cli::documented::{blocks, chapter, shell};
use support::machine::Server;
use support::{data, program, python};
use tempfile::TempDir;

/// The releases of the walk, which are synthetic here, and their seeds.
const RELEASES: [(&str, &str); 2] = [("2026_07", "1"), ("2026_10", "2")];

/// The number of proteins of a release, some hundreds of which have the family of the walk.
const NUM_PROTEINS: &str = "6000";

/// What the walk takes from the bundled data.
const INPUTS: [(&str, &str); 4] = [
    ("own/contigs.fna", "contigs.fna"),
    ("own/PF00005.sto", "PF00005.sto"),
    ("biomes_id_lineage.tsv", "biomes.tsv"),
    ("Pfam-A.clans.tsv.gz", "Pfam-A.clans.tsv.gz"),
];

/// The protein of the contigs that has the family.
const TRANSPORTER: &str = "OFHT01000022_c_4";

/// A folder in which the walk is done.
struct Walk {
    folder: TempDir,
    /// The lines, and what came of each.
    done: Vec<(String, Done)>,
}

impl Walk {
    /// Does all commands in their order. Those after `mgdex serve &` ask the server that it starts.
    fn of(chapter: &str) -> Self {
        let python = python("pyrodigal, pyhmmer");
        let folder = TempDir::new().expect("a temporary folder");
        let (path, data_folder) = (folder.path(), folder.path().join("mgdex-data"));
        for (source, name) in INPUTS {
            fs::copy(data("proteins").join(source), path.join(name)).expect(source);
        }
        for (name, seed) in RELEASES {
            let mut synth = program();
            synth.args(["synth", "--quiet", "--proteins", NUM_PROTEINS, "--seed", seed, "--out", name]);
            assert!(synth.current_dir(path).output().expect("the binary").status.success());
        }
        fs::write(path.join("search.py"), blocks(chapter, "python")[0]).expect("writable");
        fs::write(path.join("annotations.tsv"), blocks(chapter, "text")[0]).expect("writable");

        let (mut done, mut server): (Vec<(String, Done)>, Option<Server>) = (Vec::new(), None);
        for line in blocks(chapter, "sh").iter().flat_map(|block| block.lines()) {
            if line == "mgdex serve &" {
                server = Some(Server::start(&data_folder));
                continue;
            }
            let address = server.as_ref().map_or("127.0.0.1:8080", Server::address);
            let outcome = shell(&line.replace("127.0.0.1:8080", address), path, &data_folder, python.parent());
            assert_eq!(outcome.code, Some(0), "{line}: {outcome:?}");
            done.push((line.to_owned(), outcome));
        }
        assert!(server.is_some_and(|mut server| server.is_running()), "it goes on through all changes");
        Self { folder, done }
    }

    /// Returns what came of the only command with a text in it.
    fn outcome(&self, text: &str) -> &Done {
        let mut found = self.done.iter().filter(|(line, _)| line.contains(text));
        let (Some((_, outcome)), None) = (found.next(), found.next()) else { panic!("not one command: {text}") };
        outcome
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect(name)
    }
}

#[test]
fn the_documented_walk_leads_from_contigs_to_queries_over_both() {
    let walk = Walk::of(&chapter("Your own data"));
    let proteins = walk.text("proteins.faa");
    let headers: Vec<&str> = proteins.lines().filter(|line| line.starts_with('>')).collect();
    let hits = walk.text("hits.domtblout");
    let hits: Vec<&str> = hits.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(hits.len() == 1 && hits[0].starts_with(TRANSPORTER), "{hits:?}");

    let listed = &walk.outcome("mgdex own list").stdout;
    assert!(listed.starts_with(&format!("soil\t{}\tMGYP900000000000\t", headers.len())), "{listed}");
    let found = &walk.outcome("mgdex search --query 'pfam:PF00005' --limit all").stdout;
    let (own, of_release): (Vec<&str>, Vec<&str>) =
        found.lines().skip(1).partition(|line| line.contains(&format!("\t{TRANSPORTER}\tsoil\t")));
    assert!(own.len() == 1 && !of_release.is_empty(), "{found}");
    let has_family =
        |line: &&str| line.rsplit('\t').next().is_some_and(|list| list.split(';').any(|one| one == "PF00005"));
    assert!(of_release.iter().all(has_family), "{found}");
    let mine = walk.text("mine.fasta");
    assert!(mine.matches('>').count() == 1 && mine.contains(TRANSPORTER), "{mine}");
    let num_complete = headers.iter().filter(|header| header.contains("partial=00")).count();
    let counted = &walk.outcome("mgdex search --query 'study:soils-2026").stdout;
    assert_eq!(counted.trim_end(), num_complete.to_string());
    let facets = &walk.outcome("mgdex facets").stdout;
    let num_found = own.len() + of_release.len();
    assert!(facets.lines().any(|line| line.starts_with("root\t") && line.contains(&num_found.to_string())), "{facets}");

    let accession = own[0].split('\t').next().expect("a column");
    let same = &walk.outcome("mgdex lookup mine.fasta").stdout;
    assert!(same.contains(accession), "{same}");
    let record: Value = serde_json::from_str(&walk.outcome(&format!("/proteins/{TRANSPORTER}")).stdout).expect("JSON");
    assert_eq!([&record["name"], &record["source"], &record["accession"]], [TRANSPORTER, "soil", accession]);
    assert_eq!(record["description"], "ATP-binding protein of an ABC transporter");
    let fasta = &walk.outcome(&format!("/soil:{TRANSPORTER}")).stdout;
    assert_eq!(fasta.lines().nth(1), mine.lines().nth(1), "{fasta}");

    let taken = &walk.outcome("mgdex index --release 2026_10").stderr;
    assert!(taken.contains("1 source of own data taken over, 17 proteins: soil"), "{taken}");
    let left = shell("mgdex own list", walk.folder.path(), &walk.folder.path().join("mgdex-data"), None);
    assert_eq!((left.code, &*left.stdout), (Some(0), ""), "{left:?}");
}
