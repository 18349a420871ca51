//! The inputs of targets in ordinary tests: the corpora, and a fixed number of changed inputs.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, RngExt, SeedableRng};
use support::machine::{number_of, rounds};
use support::project;

use super::targets::{TARGETS, Target};

const CORPORA: &str = "tests/fuzz/corpora";

/// The most bytes of a changed input.
const BYTES_MAX: usize = 16 << 10;

/// Texts that readers may take for something else, between bars.
const WORDS: &str = "\0|\n|\r\n|\t| |\"|'|\\|{|}|[|]|(|)|:|,|-1|0|1e999|NaN|18446744073709551616|\u{feff}|\u{202e}é\u{301}|%00|\\u0000|<fuzz|\
                     null|true|\n=== |>|*|||";

/// Changes inputs of a corpus, always the same for a seed.
struct Mutator {
    corpus: Vec<Vec<u8>>,
    random: StdRng,
}

impl Mutator {
    fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.pick();
        for _ in 0..1 << self.random.random_range(0..4) {
            self.change(&mut input);
        }
        input.truncate(BYTES_MAX);
        input
    }

    fn pick(&mut self) -> Vec<u8> {
        self.corpus.choose(&mut self.random).expect("an input").clone()
    }

    /// Returns a range of an input, most often a short one.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let start = self.random.random_range(0..=length);
        let longest = if self.random.random_bool(0.8) { 8 } else { length };
        (start, length.min(start + self.random.random_range(0..=longest)))
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let (start, end) = self.range(input.len());
        match self.random.random_range(0..7) {
            0 => {
                if let Some(byte) = input.get_mut(start) {
                    *byte ^= 1 << self.random.random_range(0..8);
                }
            }
            1 => drop(input.drain(start..end)),
            2 => {
                let copy = input[start..end].to_vec();
                let times = self.random.random_range(1..20);
                input.splice(start..start, copy.repeat(times));
            }
            3 => {
                let other = self.pick();
                let (from, to) = self.range(other.len());
                input.splice(start..end, other[from..to].iter().copied());
            }
            4 => {
                let mut bytes = [0; 4];
                self.random.fill_bytes(&mut bytes);
                input.splice(start..end, bytes);
            }
            number => {
                let word = WORDS.split('|').choose(&mut self.random).expect("a word");
                let end = if number == 5 { start } else { end };
                input.splice(start..end, word.bytes());
            }
        }
    }
}

/// Runs a target over its corpus and a number of changed inputs. An input that breaks the promise
/// is written to a file.
pub(crate) fn check(name: &str, num_inputs: usize) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("listed");
    let mut corpus: Vec<_> = fs::read_dir(project(CORPORA).join(name)).expect("a corpus").collect();
    corpus.sort_by_key(|entry| entry.as_ref().expect("readable").file_name());
    let corpus: Vec<Vec<u8>> =
        corpus.into_iter().map(|entry| fs::read(entry.expect("readable").path()).expect("readable")).collect();
    for input in &corpus {
        run(target, input);
    }
    let random = StdRng::seed_from_u64(number_of("MGDEX_FUZZ_SEED", 1));
    let mut mutator = Mutator { corpus, random };
    for _ in 0..number_of("MGDEX_FUZZ_INPUTS", rounds(num_inputs, 20 * num_inputs)) {
        run(target, &mutator.next_input());
    }
}

fn run(target: &Target, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(input))) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", target.name));
        fs::write(&path, input).expect("room");
        #[expect(clippy::print_stderr, reason = "the input is needed to repeat the failure")]
        {
            eprintln!("the input is in {}", path.display());
        }
        resume_unwind(panic);
    }
}

#[test]
fn every_corpus_is_that_of_a_target() {
    let names: BTreeSet<_> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let folders = fs::read_dir(project(CORPORA)).expect("corpora");
    let folders: BTreeSet<_> =
        folders.map(|entry| entry.expect("readable").file_name().into_string().expect("text")).collect();
    assert_eq!(folders, names);
}
