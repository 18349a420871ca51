//! Proteins that have changed since: real ones of which some part of the residues is kept are found
//! again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use support::{TestFolder, needed_program};
use tempfile::TempDir;

use support::similarity::command::{json_lines, printed, sequences, similar};
use support::similarity::proteins::row;

/// Half bits of BLOSUM62, a row and a column for each of [`RESIDUES`].
const BLOSUM62: [[i8; 20]; 20] = [
    [4, -1, -2, -2, 0, -1, -1, 0, -2, -1, -1, -1, -1, -2, -1, 1, 0, -3, -2, 0],
    [-1, 5, 0, -2, -3, 1, 0, -2, 0, -3, -2, 2, -1, -3, -2, -1, -1, -3, -2, -3],
    [-2, 0, 6, 1, -3, 0, 0, 0, 1, -3, -3, 0, -2, -3, -2, 1, 0, -4, -2, -3],
    [-2, -2, 1, 6, -3, 0, 2, -1, -1, -3, -4, -1, -3, -3, -1, 0, -1, -4, -3, -3],
    [0, -3, -3, -3, 9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1],
    [-1, 1, 0, 0, -3, 5, 2, -2, 0, -3, -2, 1, 0, -3, -1, 0, -1, -2, -1, -2],
    [-1, 0, 0, 2, -4, 2, 5, -2, 0, -3, -3, 1, -2, -3, -1, 0, -1, -3, -2, -2],
    [0, -2, 0, -1, -3, -2, -2, 6, -2, -4, -4, -2, -3, -3, -2, 0, -2, -2, -3, -3],
    [-2, 0, 1, -1, -3, 0, 0, -2, 8, -3, -3, -1, -2, -1, -2, -1, -2, -2, 2, -3],
    [-1, -3, -3, -3, -1, -3, -3, -4, -3, 4, 2, -3, 1, 0, -3, -2, -1, -3, -1, 3],
    [-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4, -2, 2, 0, -3, -2, -1, -2, -1, 1],
    [-1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5, -1, -3, -1, 0, -1, -3, -2, -2],
    [-1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5, 0, -2, -1, -1, -1, -1, 1],
    [-2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6, -4, -2, -2, 1, 3, -1],
    [-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7, -1, -1, -4, -3, -2],
    [1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4, 1, -3, -2, -2],
    [0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5, -2, -2, 0],
    [-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11, 2, -3],
    [-2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7, -1],
    [0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4],
];

/// The residues, and how frequent they are among all, in thousandths.
const RESIDUES: &[u8; 20] = b"ARNDCQEGHILKMFPSTWYV";
const FREQUENCIES: [u32; 20] = [78, 51, 45, 54, 19, 43, 63, 74, 22, 51, 91, 57, 22, 39, 52, 71, 58, 13, 32, 64];

/// The parts of the residues that are kept, in hundredths.
const KEPT: [usize; 4] = [90, 70, 50, 30];

/// The number of proteins of each length.
const NUM: usize = 50;

/// Draws a residue by weights.
fn draw(random: &mut StdRng, weight: impl Fn(usize) -> f64) -> u8 {
    let weights: Vec<f64> = (0..RESIDUES.len()).map(weight).collect();
    let mut rest = random.random_range(0.0..weights.iter().sum());
    let position = weights.iter().position(|weight| {
        rest -= weight;
        rest < 0.0
    });
    RESIDUES[position.unwrap_or_default()]
}

/// Changes a sequence: a share of its positions is kept, others get a residue that evolution would
/// put there, and some are inserted or removed.
fn changed(residues: &[u8], kept: usize, random: &mut StdRng) -> String {
    let mut positions: Vec<usize> = (0..residues.len()).collect();
    positions.shuffle(random);
    let is_kept: BTreeSet<usize> = positions.into_iter().take(residues.len() * kept / 100).collect();
    // One insertion or deletion for each 35 / (1 - kept) residues.
    let gap = f64::from(u32::try_from(100 - kept).expect("small")) / 100.0 / 35.0;
    let mut text = String::new();
    for (position, &residue) in residues.iter().enumerate() {
        let odds = |of: usize| {
            let from = RESIDUES.iter().position(|other| *other == residue);
            let score = from.map_or(0, |from| BLOSUM62[from][of]);
            if RESIDUES[of] == residue { 0.0 } else { f64::from(FREQUENCIES[of]) * (f64::from(score) / 2.0).exp2() }
        };
        match (is_kept.contains(&position), random.random_bool(gap)) {
            (false, true) if random.random_bool(0.5) => continue,
            (_, true) => text.push(draw(random, |of| f64::from(FREQUENCIES[of])).into()),
            _ => {}
        }
        text.push(if is_kept.contains(&position) { residue } else { draw(random, odds) }.into());
    }
    text
}

#[test]
fn strongly_changed_proteins_are_found() {
    let Some(_) = needed_program("phmmer", "hmmer") else { return };
    let mut random = StdRng::seed_from_u64(36);
    let mut real: Vec<String> = sequences(&TestFolder::of_sample()).into_iter().map(|(_, residues)| residues).collect();
    real.retain(|residues| residues.bytes().all(|residue| RESIDUES.contains(&residue)));
    real.shuffle(&mut random);
    for (lengths, least) in [(100..=600, [50, 50, 50, 47]), (40..=99, [49, 49, 45, 0])] {
        let (mut queries, mut rows) = (Vec::new(), Vec::new());
        // The number of a target encodes query and part.
        for (query, residues) in real.iter().filter(|residues| lengths.contains(&residues.len())).take(NUM).enumerate()
        {
            queries.push(format!(">{query}\n{residues}\n"));
            for (part, kept) in KEPT.iter().enumerate() {
                let (number, target) = (
                    u32::try_from(1 + 4 * query + part).expect("few"),
                    changed(residues.as_bytes(), *kept, &mut random),
                );
                rows.push(row(number, &target));
            }
        }
        let data = TestFolder::of_rows(&rows.concat());
        let folder = TempDir::new().expect("a temporary folder");
        let fasta = folder.path().join("queries");
        fs::write(&fasta, queries.concat()).expect("written");
        // As many as in a release of a million, of which only these are searched.
        let mut command =
            similar(data.path(), &fasta, &["--evalue", "1e-3", "--space", "1000400", "--format", "ndjson"]);
        let mut found: BTreeMap<usize, usize> = BTreeMap::new();
        for hit in json_lines(&printed(&mut command)) {
            let [query, target] =
                ["query", "accession"].map(|name| hit[name].as_str().expect("text").trim_start_matches("MGYP"));
            let (query, target): (usize, usize) = (query.parse().expect("a number"), target.parse().expect("a number"));
            if (target - 1) / 4 == query {
                *found.entry((target - 1) % 4).or_default() += 1;
            }
        }
        for (part, least) in least.into_iter().enumerate() {
            let num_found = found.get(&part).copied().unwrap_or_default();
            assert!(num_found >= least, "{lengths:?}, {} % kept: {num_found} of {NUM}", KEPT[part]);
        }
    }
}
