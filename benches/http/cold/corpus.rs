//! Synthetic releases, indexed.

use std::fs;
use std::path::{Path, PathBuf};

use support::measure::folder_bytes;
use support::process::Process;
use support::{data, program};

use super::catalogue::Corpus;
use super::run;

/// Indexes a synthetic release with more options of `mgdex index`, prints what that takes, and
/// returns the data folder, which is inside the folder.
pub(super) fn index(folder: &Path, num_proteins: u64, options: &[&str]) -> PathBuf {
    let [release, data_folder] = ["release", "data"].map(|name| folder.join(name));
    run(program().args(["synth", "--quiet", "--proteins", &num_proteins.to_string(), "--out"]).arg(&release));
    let mut command = program();
    command.args(["index", "--quiet", "--release"]).arg(&release).arg("--data").arg(&data_folder).args(options);
    command.arg("--biomes").arg(data("proteins/biomes_id_lineage.tsv"));
    let indexed = Process::run(command.arg("--pfam").arg(data("proteins/Pfam-A.clans.tsv.gz")));
    let (seconds, bytes) = (indexed.elapsed.as_secs_f64(), folder_bytes(&data_folder) as f64);
    print!("indexed in {seconds:.0} s, {:.0} s of the processor, ", indexed.cpu_s);
    println!("{:.1} bytes a protein", bytes / num_proteins as f64);
    fs::remove_dir_all(&release).expect("it was written");
    data_folder
}

/// Returns a data folder with all proteins of a release and the bundled catalogue, which stays for
/// the next time.
pub(super) fn provide(num_proteins: u64) -> PathBuf {
    provide_in(&format!("cold-index-{num_proteins}"), |folder| {
        let data_folder = index(folder, num_proteins, &["--all-proteins", "--memory", "1G"]);
        load(&data_folder, &data("catalogue/collections"));
    })
}

/// Returns a data folder with a catalogue, which stays for the next time.
pub(super) fn provide_catalogue(corpus: &Corpus) -> PathBuf {
    let name = corpus.path.file_name().expect("a folder").to_string_lossy();
    provide_in(&format!("cold-{name}"), |folder| load(&folder.join("data"), &corpus.path))
}

fn provide_in(name: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if !path.try_exists().expect("readable") {
        let unfinished = path.with_extension("unfinished");
        // Removes the remains of a run that was stopped.
        let _ = fs::remove_dir_all(&unfinished);
        make(&unfinished);
        fs::rename(&unfinished, &path).expect("writable");
    }
    path.join("data")
}

/// Loads a catalogue, and prints what that takes.
fn load(data_folder: &Path, collections: &Path) {
    let mut command = program();
    command.args(["catalogue", "load", "--quiet", "--data"]).arg(data_folder).arg(collections);
    let loaded = Process::run(&mut command);
    let bytes = folder_bytes(&data_folder.join("catalogue")) as f64;
    print!("catalogue loaded in {:.0} s, {:.0} s of the processor, ", loaded.elapsed.as_secs_f64(), loaded.cpu_s);
    println!("{:.0} MB", bytes / 1e6);
}

/// Returns the first column of a table that a command prints about a data folder, without empty
/// values.
pub(super) fn first_column(data_folder: &Path, arguments: &[&str]) -> Vec<String> {
    let printed = run(program().args(arguments).args(["--format", "tsv", "--data"]).arg(data_folder));
    let first = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    printed.lines().skip(1).map(first).filter(|value| !value.is_empty()).collect()
}
