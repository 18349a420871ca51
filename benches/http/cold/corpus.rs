//! Synthetic releases, indexed.

use std::fs;
use std::path::{Path, PathBuf};

use support::{data, program};

use super::run;

/// Indexes a synthetic release with more options of `mgdex index`, and returns the data folder,
/// which is inside the folder.
pub(super) fn index(folder: &Path, num_proteins: u64, options: &[&str]) -> PathBuf {
    let [release, data_folder] = ["release", "data"].map(|name| folder.join(name));
    run(program().args(["synth", "--quiet", "--proteins", &num_proteins.to_string(), "--out"]).arg(&release));
    let mut command = program();
    command.args(["index", "--quiet", "--release"]).arg(&release).arg("--data").arg(&data_folder).args(options);
    command.arg("--biomes").arg(data("proteins/biomes_id_lineage.tsv"));
    run(command.arg("--pfam").arg(data("proteins/Pfam-A.clans.tsv.gz")));
    fs::remove_dir_all(&release).expect("it was written");
    data_folder
}

/// Returns a folder with all proteins of a release and the bundled catalogue, which stays for the
/// next time.
pub(super) fn provide(num_proteins: u64) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cold-index-{num_proteins}"));
    if !path.try_exists().expect("readable") {
        let unfinished = path.with_extension("unfinished");
        // Removes the remains of a run that was stopped.
        let _ = fs::remove_dir_all(&unfinished);
        let data_folder = index(&unfinished, num_proteins, &["--all-proteins", "--memory", "1G"]);
        let mut command = program();
        command.args(["catalogue", "load", "--quiet", "--data"]).arg(data_folder);
        run(command.arg(data("catalogue/collections")));
        fs::rename(&unfinished, &path).expect("writable");
    }
    path.join("data")
}

/// Returns the first column of a table that a command prints about a data folder, without empty
/// values.
pub(super) fn first_column(data_folder: &Path, arguments: &[&str]) -> Vec<String> {
    let printed = run(program().args(arguments).args(["--format", "tsv", "--data"]).arg(data_folder));
    let first = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    printed.lines().skip(1).map(first).filter(|value| !value.is_empty()).collect()
}
