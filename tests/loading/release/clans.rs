//! Tables of families that have just those of a release: to read the whole one takes longer than to index a small release.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use support::{SAMPLE, data_text};

use crate::loading::release::flat_files::lines;
use crate::loading::release::parquet_files::for_each_row;

/// The whole table.
static WHOLE: LazyLock<String> = LazyLock::new(|| data_text("proteins/Pfam-A.clans.tsv.gz"));

/// Its lines by accession.
static LINES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = WHOLE.lines().map(|line| (line.split('\t').next().unwrap_or_default(), line));
    lines.collect()
});

/// Returns where the table of a release is.
pub(crate) fn beside(release: &Path) -> PathBuf {
    release.with_file_name("clans.tsv")
}

/// The lines of the families that rows of the bundled sample name.
static OF_SAMPLE: LazyLock<String> = LazyLock::new(|| {
    let text = data_text(SAMPLE);
    let places = text.match_indices("PF").filter_map(|(start, _)| text.get(start..start + 7));
    lines_of(&places.collect())
});

/// Returns the lines of families.
fn lines_of(families: &BTreeSet<&str>) -> String {
    let known = families.iter().filter_map(|family| LINES.get(family));
    known.fold(String::new(), |table, line| table + line + "\n")
}

/// Returns the families that the hits of a release name.
pub(crate) fn of(release: &Path) -> String {
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
pub(crate) fn add_those_of_the_sample(release: &Path) {
    let path = beside(release);
    let text = fs::read_to_string(&path).expect("written");
    let families = text.lines().chain(OF_SAMPLE.lines()).filter_map(|line| line.split('\t').next());
    fs::write(path, lines_of(&families.collect())).expect("writable");
}
