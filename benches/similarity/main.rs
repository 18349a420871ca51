//! Similar proteins, beside the same engine on a ready file.
//!
//! **What is measured.** The processor time of `mgdex similar` for a query of 300 residues among a
//! million proteins, which are selected from the index and streamed into the engine, and of
//! `phmmer` on a FASTA file of them that is there already, taken in turns; that of the stream
//! alone, into an engine that only reads; and of ten queries at once, for which the proteins are
//! written to a file first. Then of a server: how long a small search takes beyond the engine, how
//! much the server grows while it searches, what other requests notice of that, and how quickly a
//! search is answered that is known.
//!
//! **Corpus.** `mgdex synth --proteins 1000000 --seed 7`, all of them indexed. Their residues are
//! independent draws with real frequencies, of which `phmmer` takes 12 % less time than of real
//! ones.
//!
//! **Notes.** `cargo bench --bench similarity` needs HMMER, and takes some two minutes.
//! `MGDEX_BENCH_PROTEINS` is another number.

#![expect(clippy::print_stdout, reason = "the results")]

mod served;

use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::process::Process;
use support::{data, program};
use tempfile::TempDir;

const NUM_PROTEINS: &str = "1000000";
const ROUNDS: usize = 3;
const QUERY_RESIDUES: usize = 300;

/// An engine that reads all, and finds nothing: what is left is the work of the stream.
const READER: &str = "#!/bin/sh\nif [ \"$1\" = -h ]; then exec /usr/bin/phmmer -h; fi\nexec cat > /dev/null\n";

fn main() {
    let num_proteins = env::var("MGDEX_BENCH_PROTEINS").unwrap_or_else(|_| NUM_PROTEINS.to_owned());
    let folder = TempDir::new().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let (release, index, targets) = (path("release"), path("data"), path("targets.fasta"));
    let run = |command: &mut Command| assert!(command.status().expect("the program starts").success(), "{command:?}");
    run(program()
        .args(["synth", "--quiet", "--proteins", &num_proteins, "--seed", "7", "--out"])
        .arg(&release)
        .stdout(null()));
    let mut indexing = program();
    indexing.args(["index", "--quiet", "--all-proteins", "--release"]).arg(&release).arg("--data").arg(&index);
    indexing
        .arg("--biomes")
        .arg(data("proteins/biomes_id_lineage.tsv"))
        .arg("--pfam")
        .arg(data("proteins/Pfam-A.clans.tsv.gz"));
    run(indexing.stdout(null()));
    let mut export = program();
    export.args(["search", "--query", "length:[1 TO *]", "--limit", "all", "--format", "fasta", "--data"]).arg(&index);
    run(export.stdout(fs::File::create(&targets).expect("a file")));
    let [one, ten] = [1, 10].map(|num| queries(folder.path(), &targets, num));

    println!("{num_proteins} proteins, a query of {QUERY_RESIDUES} residues: seconds of the processor");
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let ours = Process::run(program().args(["similar", "--quiet", "--data"]).arg(&index).arg(&one));
        let mut by_hand = Command::new("phmmer");
        by_hand.args([
            "--cpu",
            "0",
            "--notextw",
            "-E",
            "1e-3",
            "--domE",
            "1e-3",
            "--tblout",
            "hits",
            "--domtblout",
            "domains",
            "-o",
            "out",
        ]);
        let by_hand = Process::run(by_hand.current_dir(folder.path()).arg(&one).arg(&targets));
        ratios.push(ours.cpu_s / by_hand.cpu_s);
        println!(
            "  mgdex similar {:.2} ({:.2} s), phmmer on a ready file {:.2} ({:.2} s): {:.2} ×",
            ours.cpu_s,
            ours.elapsed.as_secs_f64(),
            by_hand.cpu_s,
            by_hand.elapsed.as_secs_f64(),
            ours.cpu_s / by_hand.cpu_s,
        );
    }
    ratios.sort_by(f64::total_cmp);
    println!("  median {:.2} ×", ratios[ROUNDS / 2]);
    // A search without a result fails, which does not matter here.
    let mut stream = Command::new("sh");
    stream
        .args(["-c", "\"$@\" 2> /dev/null || true", "sh", env!("CARGO_BIN_EXE_mgdex"), "similar", "--data"])
        .arg(&index);
    let stream = Process::run(stream.arg(&one).env("PATH", reader(folder.path()))).cpu_s;
    println!("  the stream alone, with a reader: {stream:.2}");
    let ours = Process::run(program().args(["similar", "--quiet", "--data"]).arg(&index).arg(&ten));
    println!("  ten queries at once: {:.2}, {:.2} a query", ours.cpu_s, ours.cpu_s / 10.0);
    let query = fs::read_to_string(&one).expect("readable");
    served::measure(&index, folder.path(), &targets, query.lines().nth(1).expect("residues"));
}

fn null() -> Stdio {
    Stdio::null()
}

/// Writes a file of queries, which are targets of about the same length.
fn queries(folder: &Path, targets: &Path, num: usize) -> PathBuf {
    let text = fs::read_to_string(targets).expect("readable");
    let records = text.split('>').filter_map(|record| {
        let (name, lines) = record.split_once('\n')?;
        let residues: String = lines.split_whitespace().collect();
        residues.len().abs_diff(QUERY_RESIDUES).lt(&6).then(|| format!(">{name}\n{residues}\n"))
    });
    let path = folder.join(format!("queries-{num}"));
    fs::write(&path, records.take(num).collect::<String>()).expect("written");
    path
}

/// Makes a folder of programs in which the engine only reads.
fn reader(folder: &Path) -> PathBuf {
    let programs = folder.join("programs");
    fs::create_dir(&programs).expect("a new folder");
    for program in ["setpriv", "prlimit", "nice", "hmmsearch", "cat", "sh"] {
        symlink(Path::new("/usr/bin").join(program), programs.join(program)).expect("a link");
    }
    let phmmer = programs.join("phmmer");
    fs::write(&phmmer, READER).expect("written");
    fs::set_permissions(&phmmer, fs::Permissions::from_mode(0o755)).expect("permissions");
    programs
}
