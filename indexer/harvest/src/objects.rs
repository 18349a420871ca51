//! The objects of a harvest and of the previous one, counted by type.
//!
//! They are identified by 64 bits of a hash: 40 to 75 bytes per object, depending on how full the
//! table is, or about 150 MB for the two million objects of MGnify.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

const RUNS: &str = "runs";
const SAMPLES: &str = "samples";

/// The numbers of objects of a type. Runs that are only in analyses count too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// All of this harvest.
    pub total: u64,
    /// Objects that the previous harvest does not have.
    pub new: u64,
    /// Objects that differ from those of the previous harvest.
    pub changed: u64,
    /// Objects of the previous harvest that no longer exist.
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

/// A number that stays the same until its object changes: the hash of its line, or for a sample,
/// the hash of its time of change.
type Stamp = NonZeroU64;

/// The stamp of an object that is only known to exist.
const UNKNOWN: Stamp = Stamp::MIN;

#[derive(Clone, Copy, Default)]
struct Object {
    /// The stamp in the previous harvest.
    old: Option<Stamp>,
    /// The stamp in this harvest.
    new: Option<Stamp>,
    /// Set if this harvest got it from the server.
    is_fresh: bool,
}

/// The known objects.
#[derive(Default)]
pub(super) struct Objects {
    known: HashMap<u64, Object>,
    numbers: BTreeMap<&'static str, Numbers>,
    /// Runs that are embedded in analyses, with their samples.
    runs: HashSet<u64>,
    /// Assemblies that are embedded in analyses, and their times of change.
    pub(super) assemblies: BTreeMap<String, String>,
}

/// The objects embedded in an analysis.
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
    /// Reads the objects embedded in a line of a file, if the file has analyses.
    fn of(file: &str, text: &str) -> Option<Self> {
        if file == "analyses" { serde_json::from_str(text).ok() } else { None }
    }

    /// Returns the runs that need no request. If a run has another sample, only its own details
    /// name that sample.
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

    /// Notes an object of the previous harvest.
    pub(super) fn add_old(&mut self, file: &'static str, id: u64, text: &str) {
        let stamp = stamp(file, text);
        self.change(file, id, |object| object.old = Some(stamp));
        for run in Embedding::of(file, text).iter().flat_map(Embedding::runs) {
            self.change(RUNS, hash(run), |object| object.old = object.old.or(Some(UNKNOWN)));
        }
    }

    /// Notes an object of this harvest.
    pub(super) fn add_new(&mut self, file: &'static str, id: u64, text: &str, is_fresh: bool) {
        let stamp = stamp(file, text);
        self.change(file, id, |object| object.show(stamp, is_fresh));
        let Some(embedding) = Embedding::of(file, text) else { return };
        for run in embedding.runs() {
            self.change(RUNS, hash(run), |object| object.new = object.new.or(Some(UNKNOWN)));
            self.runs.insert(hash(run));
        }
        if let Some(Embedded { accession: Some(accession), updated_at, .. }) = embedding.assembly {
            self.assemblies.insert(accession, updated_at.unwrap_or_default());
        }
    }

    fn object(&self, file: &'static str, id: &str) -> Object {
        self.known.get(&hash((file, hash(id)))).copied().unwrap_or_default()
    }

    pub(super) fn has(&self, file: &'static str, id: &str) -> bool {
        self.object(file, id).new.is_some()
    }

    /// Returns whether this harvest got an object from the server.
    pub(super) fn has_fresh(&self, file: &'static str, id: &str) -> bool {
        self.object(file, id).is_fresh
    }

    /// Returns whether the latest version of a sample is known.
    pub(super) fn has_sample(&self, accession: &str, updated_at: &str) -> bool {
        self.object(SAMPLES, accession).new == Some(stamp_of(updated_at))
    }

    pub(super) fn has_run(&self, accession: &str) -> bool {
        self.runs.contains(&hash(accession))
    }

    pub(super) fn total(&self, file: &str) -> u64 {
        self.numbers.get(file).map_or(0, |numbers| numbers.total)
    }

    /// Returns the number of objects of the most frequent type.
    pub(super) fn max_objects(&self) -> u64 {
        self.numbers.values().map(|numbers| numbers.total).max().unwrap_or_default()
    }

    pub(super) fn numbers(&self) -> BTreeMap<String, Numbers> {
        self.numbers.iter().map(|(file, numbers)| ((*file).to_owned(), *numbers)).collect()
    }
}

impl Object {
    /// Notes that this harvest has the object. Reused objects are older than those that the server
    /// has just shown.
    fn show(&mut self, stamp: Stamp, is_fresh: bool) {
        if is_fresh || !self.is_fresh {
            self.new = Some(stamp);
        }
        self.is_fresh |= is_fresh;
    }

    /// Adds the object to the numbers of its type, or subtracts it.
    fn count(self, numbers: &mut Numbers, is_added: bool) {
        let Self { old, new, .. } = self;
        let is_other = |(old, new)| old != new && old != UNKNOWN && new != UNKNOWN;
        for (number, is_counted) in [
            (&mut numbers.total, new.is_some()),
            (&mut numbers.new, new.is_some() && old.is_none()),
            (&mut numbers.changed, old.zip(new).is_some_and(is_other)),
            (&mut numbers.withdrawn, old.is_some() && new.is_none()),
        ] {
            *number = if is_added { *number + u64::from(is_counted) } else { *number - u64::from(is_counted) };
        }
    }
}

fn stamp(file: &str, text: &str) -> Stamp {
    let updated_at = if file == SAMPLES { member(text, "updated_at") } else { None };
    stamp_of(updated_at.as_deref().unwrap_or(text))
}

fn stamp_of(text: &str) -> Stamp {
    Stamp::new(hash(text)).filter(|stamp| *stamp != UNKNOWN).unwrap_or(Stamp::MAX)
}
