//! Tables with only the named families: reading the whole table takes longer than building a small
//! index.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::release::tables::{for_each_row, lines};
use crate::{SAMPLE, data_text};

/// The whole table.
static WHOLE: LazyLock<String> = LazyLock::new(|| data_text("proteins/Pfam-A.clans.tsv.gz"));

/// Its lines by accession.
static LINES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = WHOLE.lines().map(|line| (line.split('\t').next().unwrap_or_default(), line));
    lines.collect()
});

/// Returns where the table of a release is.
pub fn table_path(release: &Path) -> PathBuf {
    release.with_file_name("clans.tsv")
}

/// Returns the lines of families.
fn lines_of(families: &BTreeSet<&str>) -> String {
    let known = families.iter().filter_map(|family| LINES.get(family));
    known.fold(String::new(), |table, line| table + line + "\n")
}

/// Families that queries name, whether proteins have them or not.
const USUAL: [&str; 10] =
    ["PF00001", "PF00002", "PF00003", "PF00004", "PF00005", "PF00006", "PF00007", "PF00008", "PF00009", "PF00010"];

/// Returns the families whose accessions are in a text, and those that queries name.
pub fn named_in(text: &str) -> String {
    let named = text.match_indices("PF").filter_map(|(start, _)| text.get(start..start + 7));
    lines_of(&named.chain(USUAL).collect())
}

/// Returns the families that the hits of a release name.
pub fn of(release: &Path) -> String {
    let table = release.join("mgy_proteins_pfam.parquet");
    let mut families: BTreeSet<String> = BTreeSet::new();
    if table.is_file() {
        for_each_row(&table, ["pfam_accession"], |[family]| {
            families.insert(format!("PF{:0>5}", family.to_string()));
        });
    } else {
        let hits = lines(&release.join("mgy_proteins_pfam.tsv.gz"));
        families.extend(hits.filter_map(|hit| hit.split('\t').nth(1).map(str::to_owned)));
    }
    lines_of(&families.iter().map(String::as_str).collect())
}

/// Puts the families of the bundled sample into the table of a release, too.
pub fn add_sample_families(release: &Path) {
    let path = table_path(release);
    let table = fs::read_to_string(&path).expect("written") + &data_text(SAMPLE);
    fs::write(path, named_in(&table)).expect("writable");
}
