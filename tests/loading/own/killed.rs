//! Killed changes of own data, and killed runs over a release beside it: the last good state stays,
//! and the next run succeeds.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use rand::RngExt;
use store_proteins::{Protein, ProteinGeneration};
use support::machine::{acknowledged, generations, kill_after, leftovers, mgdex, rounds, seeded};
use support::program;
use tempfile::TempDir;

use super::plain::Tables;
use super::source::Source;
use support::families;
use support::release::runs::Release;

/// The representatives of two releases. Their numbers identify the releases.
const RELEASES: [u64; 2] = [600, 700];

/// The rows of two versions of a source. Their numbers identify the versions.
const VERSIONS: [usize; 2] = [150, 200];

/// The contents of an index: a release, and a version of the source with the number of its first
/// protein.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    release: usize,
    source: Option<(usize, u64)>,
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Add(usize),
    Remove,
    Index(usize),
}

struct Site {
    folder: TempDir,
    releases: [Release; 2],
    versions: [Source; 2],
    /// One more than the numbers of all proteins seen so far.
    next: u64,
}

impl Site {
    fn new() -> Self {
        let tables = Tables::read();
        let releases = RELEASES.map(|num_proteins| Release::write(num_proteins, &["--only-representatives"]));
        for release in &releases {
            families::add_sample_families(&release.path());
        }
        let versions = VERSIONS.map(|num_rows| Source::of_sample("soil", 0..num_rows, &tables));
        Self { folder: TempDir::new().expect("a temporary folder"), releases, versions, next: 0 }
    }

    fn command(&self, step: Step, before: Option<State>) -> Command {
        let data = self.folder.path();
        match step {
            Step::Add(version) => {
                let mut command = self.versions[version].command(data, data);
                command.args(before.and_then(|state| state.source).map(|_| "--replace"));
                command
            }
            Step::Remove => {
                let mut command = program();
                command.args(["own", "remove", "soil", "--data"]).arg(data);
                command
            }
            Step::Index(release) => self.releases[release].index(data),
        }
    }

    /// Runs a command without a disturbance, and returns its duration.
    fn run(&self, step: Step, before: Option<State>) -> Duration {
        let started = Instant::now();
        acknowledged(&self.command(step, before).output().expect("the binary"));
        started.elapsed()
    }

    /// Reads every byte of the current generation.
    fn state(&self, context: &str) -> State {
        let generation = ProteinGeneration::open_current(&generations(self.folder.path()));
        let generation = generation.unwrap_or_else(|error| panic!("{context}: {error}")).expect(context);
        generation.verify().unwrap_or_else(|error| panic!("{context}: {error}"));
        let source = generation.sources().first().map(|source| {
            let version = VERSIONS.iter().position(|number| *number as u64 == source.num_proteins).expect(context);
            let first = source.first.number();
            for protein in &self.versions[version].numbered(first) {
                let found: Option<Protein> = generation.fetch(protein.accession).expect("sound");
                assert_eq!(found.as_ref(), Some(protein), "{context}");
            }
            (version, first)
        });
        let num_own = source.map_or(0, |(version, _)| VERSIONS[version] as u64);
        let num_of_release = generation.statistics().num_proteins - num_own;
        let release = RELEASES.iter().position(|number| *number == num_of_release).expect(context);
        State { release, source }
    }

    /// Checks the state after a run that started from another state.
    fn check(&mut self, step: Step, before: State, output: &Output, context: &str) -> State {
        let found = self.state(context);
        let is_after = match (step, found.source) {
            (Step::Add(version), Some((other, first))) => {
                found.release == before.release && version == other && first >= self.next
            }
            (Step::Remove, None) => found.release == before.release,
            (Step::Index(release), source) => found.release == release && source == before.source,
            _ => false,
        };
        if output.status.success() {
            assert!(is_after, "{context}: {before:?}, then {found:?}");
        } else {
            // It may have been killed after the publish and before its last message.
            assert_eq!(output.status.code(), None, "{context}: {output:?}");
            assert!(is_after || found == before, "{context}: {before:?}, then {found:?}");
        }
        self.next = self.next.max(found.source.map_or(0, |(version, first)| first + VERSIONS[version] as u64));
        assert!(leftovers(self.folder.path()).len() <= 1, "{context}: a run removes what those before it left");
        found
    }
}

#[test]
fn killed_runs_keep_the_last_state_and_reuse_no_accession() {
    let mut site = Site::new();
    let (mut random, seed) = seeded();
    site.run(Step::Index(1), None);
    // The duration of each run that nothing interrupts.
    let index_time = site.run(Step::Index(0), None);
    let add_time = site.run(Step::Add(0), None);
    let mut state = site.state("before all");
    let remove_time = site.run(Step::Remove, Some(state));
    site.next = state.source.expect("added").1 + VERSIONS[0] as u64;
    state = site.state("removed");

    // A killed run over a release resumes only with the same release.
    let (mut unfinished, mut num_killed, mut num_with_rubbish) = (None, 0, 0);
    while num_killed < rounds(3, 24) || num_with_rubbish == 0 && num_killed < 100 {
        let (step, time) = match random.random_range(0..3) {
            0 => (Step::Index(unfinished.unwrap_or(1 - state.release)), index_time),
            1 if state.source.is_some() => (Step::Remove, remove_time),
            _ => (Step::Add(random.random_range(0..VERSIONS.len())), add_time),
        };
        let context = format!("{step:?}, kill {num_killed}, seed {seed}");
        let process = site.command(step, Some(state)).spawn().expect("the binary");
        let output = kill_after(process, time.mul_f64(random.random_range(0.0..1.3)));
        let found = site.check(step, state, &output, &context);
        num_killed += usize::from(!output.status.success());
        num_with_rubbish += usize::from(!leftovers(site.folder.path()).is_empty());
        if let Step::Index(release) = step {
            unfinished = (!output.status.success() && found == state).then_some(release);
        }
        state = found;
    }
    assert!(num_with_rubbish > 0, "no run was killed in the middle of its work; seed {seed}");

    let last = [Step::Add(0), Step::Index(unfinished.unwrap_or(1 - state.release)), Step::Add(1), Step::Remove];
    for step in last {
        let output = site.command(step, Some(state)).output().expect("the binary");
        assert!(output.status.success(), "{step:?}, seed {seed}: {output:?}");
        state = site.check(step, state, &output, &format!("{step:?} after all kills, seed {seed}"));
    }
    assert_eq!(leftovers(site.folder.path()), [""; 0]);
    let verified = mgdex("verify", site.folder.path()).output().expect("the binary");
    assert!(verified.status.success(), "{verified:?}");
}
