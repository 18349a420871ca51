//! Own proteins that are added beside a release: proteins of the release under other names, with a
//! row of annotations and all Pfam hits each.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use store_proteins::{Protein, ProteinGeneration, ProteinQuery, RecordParts};
use support::process::Process;

use crate::run::Run;

/// The number of own proteins.
pub(crate) const NUM_OWN: usize = 100_000;

/// The costs of commands beside a release.
pub(crate) struct Own {
    /// The index of the release, and how long it took.
    pub(crate) name: String,
    pub(crate) index: Duration,
    pub(crate) index_bytes: u64,
    pub(crate) add: Process,
    /// The bytes of files that the generation does not share with the one before.
    pub(crate) added_bytes: u64,
    pub(crate) replace: Duration,
    pub(crate) remove: Duration,
}

/// Adds own proteins to the index of a run, adds them again in their own place, and removes them.
pub(crate) fn measure(run: &Run) -> Own {
    let inputs = run.data().join("own");
    fs::create_dir(&inputs).expect("new");
    write(&run.generation(), &inputs);
    let own = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mgdex"));
        command.args(["own", arguments[0], "bench"]).args(&arguments[1..]).arg("--quiet").arg("--data").arg(run.data());
        Process::run(command.current_dir(&inputs))
    };
    let files = ["--proteins", "own.faa", "--annotations", "own.tsv", "--pfam", "own.domtblout"];
    let index_bytes = run.size_bytes(|_| true);
    let add = own(&[&["add"][..], &files].concat());
    assert_eq!(run.generation().sources()[0].num_proteins, NUM_OWN as u64);
    let added_bytes = run.size_bytes(|file| file.nlink() == 1);
    let replace = own(&[&["add", "--replace"][..], &files].concat()).elapsed;
    let remove = own(&["remove"]).elapsed;
    Own { name: run.name.clone(), index: run.process.elapsed, index_bytes, add, added_bytes, replace, remove }
}

/// Writes the files of own proteins.
fn write(generation: &ProteinGeneration, folder: &Path) {
    let file = |name: &str| BufWriter::new(File::create(folder.join(name)).expect("writable"));
    let [mut fasta, mut annotations, mut hits] = ["own.faa", "own.tsv", "own.domtblout"].map(file);
    writeln!(annotations, "name\tbiome\tstudy\tassembly\tcluster_size\tdescription").expect("room");
    let mut records = generation.reader(RecordParts::ALL);
    let found = generation.search(&ProteinQuery::Everything, NUM_OWN).expect("sound");
    for (number, hit) in found.iter().enumerate() {
        let Protein { sequence, biomes, pfam_annotations, cluster_size, .. } =
            records.fetch(hit.accession).expect("sound").expect("it was found");
        let name = format!("k141_{}_{}", number / 10, number % 10 + 1);
        let (start, end) = (number % 10 * 9000 + 1, number % 10 * 9000 + 3 * sequence.len());
        writeln!(fasta, ">{name} # {start} # {end} # 1 # ID=1_1;partial=00\n{sequence}*").expect("room");
        let lineage = biomes.first().map_or("root", |biome| &*biome.lineage);
        writeln!(annotations, "{name}\t{lineage}\tmine\tplot {}\t{cluster_size}\tprotein {number}", number % 8)
            .expect("room");
        for hit in pfam_annotations.into_iter().map(|found| found.hit) {
            let (family, evalue, score, length) = (hit.family, hit.evalue, hit.bit_score, sequence.len());
            let ([hmm_start, hmm_end], [start, end]) = ([hit.hmm_start, hit.hmm_end], [hit.env_start, hit.env_end]);
            let both = format!("{start} {end} {start} {end}");
            writeln!(hits, "{name} - {length} model {family}.1 99 1e-9 9 0 1 1 1e-9 {evalue} {score} 0 {hmm_start} {hmm_end} {both} 0.9 -")
                .expect("room");
        }
    }
}
