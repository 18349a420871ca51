//! The objects of a harvest and of the one before, counted by type.
//!
//! They are told apart by 64 bits of a hash: some 40 bytes an object, so that the two million of MGnify take less than 100 MB.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

const RUNS: &str = "runs";

/// The numbers of the objects of a type. Runs are counted that are only in analyses, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// All of this harvest.
    pub total: u64,
    /// Those that the one before did not have.
    pub new: u64,
    /// Those that differ from what the one before has.
    pub changed: u64,
    /// Those of the one before that are not there any more.
    pub withdrawn: u64,
}

/// Returns a hash that is the same in all runs.
pub(super) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the text of a member of an object, or its number as a text.
pub(super) fn member(object: &str, name: &str) -> Option<String> {
    let members: HashMap<Cow<str>, &RawValue> = serde_json::from_str(object).ok()?;
    let value = members.get(name)?.get();
    match value.as_bytes().first()? {
        b'"' => serde_json::from_str(value).ok(),
        b'0'..=b'9' => Some(value.to_owned()),
        _ => None,
    }
}

#[derive(Clone, Copy, Default)]
struct Object {
    is_old: bool,
    is_same: bool,
    new: Option<Shown>,
}

/// An object as this harvest has it.
#[derive(Clone, Copy)]
struct Shown {
    /// Of a sample, what its time of change hashes to.
    updated_at: u64,
    /// The server has just shown it.
    is_fresh: bool,
}

/// The objects that are known.
#[derive(Default)]
pub(super) struct Objects {
    known: HashMap<u64, Object>,
    numbers: BTreeMap<&'static str, Numbers>,
    /// Runs that are embedded in analyses, with their samples.
    runs: HashSet<u64>,
    /// Assemblies that are embedded in analyses, and their times of change.
    pub(super) assemblies: BTreeMap<String, String>,
}

/// What is embedded in an analysis.
#[derive(Deserialize)]
struct Embedding {
    run: Option<Embedded>,
    sample: Option<Embedded>,
    assembly: Option<Embedded>,
    read_run: Option<Vec<Embedded>>,
}

#[derive(Deserialize)]
struct Embedded {
    accession: Option<String>,
    updated_at: Option<String>,
    sample_accession: Option<String>,
    #[serde(default)]
    ena_accessions: Vec<String>,
}

impl Embedding {
    /// Reads what is embedded in a line of a file, if these are analyses.
    fn of(file: &str, text: &str) -> Option<Self> {
        if file == "analyses" { serde_json::from_str(text).ok() } else { None }
    }

    /// Returns the runs that need not be asked for. The run of another sample says only in its own details which one.
    fn runs(&self) -> impl Iterator<Item = &str> {
        let is_of_sample = |run: &&Embedded| {
            run.sample_accession.as_ref().is_none_or(|own| {
                self.sample
                    .as_ref()
                    .is_some_and(|it| it.accession.as_ref() == Some(own) || it.ena_accessions.contains(own))
            })
        };
        self.run
            .iter()
            .chain(self.read_run.iter().flatten())
            .filter(is_of_sample)
            .filter_map(|run| run.accession.as_deref())
    }
}

impl Objects {
    fn change(&mut self, file: &'static str, id: u64, change: impl FnOnce(&mut Object)) {
        let object = self.known.entry(hash((file, id))).or_default();
        let numbers = self.numbers.entry(file).or_default();
        object.count(numbers, false);
        change(object);
        object.count(numbers, true);
    }

    /// Notes an object of the harvest before.
    pub(super) fn add_old(&mut self, file: &'static str, id: u64, text: &str) {
        self.change(file, id, |object| object.is_old = true);
        for run in Embedding::of(file, text).iter().flat_map(Embedding::runs) {
            self.change(RUNS, hash(run), |object| (object.is_old, object.is_same) = (true, true));
        }
    }

    /// Notes an object of this harvest.
    pub(super) fn add_new(&mut self, file: &'static str, id: u64, text: &str, is_fresh: bool) {
        let updated_at = if file == "samples" { hash(member(text, "updated_at").unwrap_or_default()) } else { 0 };
        let shown = Shown { updated_at, is_fresh };
        self.change(file, id, |object| object.show(shown));
        let Some(embedding) = Embedding::of(file, text) else { return };
        for run in embedding.runs() {
            self.change(RUNS, hash(run), |object| object.show(Shown { updated_at: 0, is_fresh }));
            self.runs.insert(hash(run));
        }
        if let Some(Embedded { accession: Some(accession), updated_at, .. }) = embedding.assembly {
            self.assemblies.insert(accession, updated_at.unwrap_or_default());
        }
    }

    /// Notes that the harvest before has an object of the open section as it is now.
    pub(super) fn add_same(&mut self, file: &'static str, id: u64) {
        self.change(file, id, |object| object.is_same = true);
    }

    fn shown(&self, file: &'static str, id: &str) -> Option<Shown> {
        self.known.get(&hash((file, hash(id))))?.new
    }

    pub(super) fn has(&self, file: &'static str, id: &str) -> bool {
        self.shown(file, id).is_some()
    }

    /// Tells whether the server has just shown an object.
    pub(super) fn has_fresh(&self, file: &'static str, id: &str) -> bool {
        self.shown(file, id).is_some_and(|shown| shown.is_fresh)
    }

    /// Tells whether a sample is known as it was changed last.
    pub(super) fn has_sample(&self, accession: &str, updated_at: &str) -> bool {
        self.shown("samples", accession).is_some_and(|shown| shown.updated_at == hash(updated_at))
    }

    pub(super) fn has_run(&self, accession: &str) -> bool {
        self.runs.contains(&hash(accession))
    }

    pub(super) fn total(&self, file: &str) -> u64 {
        self.numbers.get(file).map_or(0, |numbers| numbers.total)
    }

    pub(super) fn numbers(&self) -> BTreeMap<String, Numbers> {
        self.numbers.iter().map(|(file, numbers)| ((*file).to_owned(), *numbers)).collect()
    }
}

impl Object {
    /// Notes that this harvest has the object. What is carried over is the same as before, and no better than what the server has just shown.
    fn show(&mut self, shown: Shown) {
        let is_like_known = self.new.is_none_or(|known| known.updated_at == shown.updated_at);
        let is_known = self.new.is_some_and(|known| known.is_fresh);
        if shown.is_fresh {
            self.is_same &= is_like_known;
        } else {
            self.is_same |= is_like_known || !is_known;
        }
        if shown.is_fresh || !is_known {
            self.new = Some(shown);
        }
    }

    /// Adds the object to the numbers of its type, or takes it away.
    fn count(self, numbers: &mut Numbers, is_added: bool) {
        let Self { is_old, is_same, new } = self;
        let is_new = new.is_some();
        for (number, is_counted) in [
            (&mut numbers.total, is_new),
            (&mut numbers.new, is_new && !is_old),
            (&mut numbers.changed, is_new && is_old && !is_same),
            (&mut numbers.withdrawn, is_old && !is_new),
        ] {
            *number = if is_added { *number + u64::from(is_counted) } else { *number - u64::from(is_counted) };
        }
    }
}
