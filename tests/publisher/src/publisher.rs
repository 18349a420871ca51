//! A publisher: `publish.rs`, `publish/*.rs` and `lease.rs` of the code.

use crate::model::{Guard, Rules};
use crate::store::{GENERATIONS, Manifest, NUM_OBJECTS, Object, Pointer, Run, Set, Store, has, set, split};

/// The number of generations that are kept.
const KEEP: usize = 1;

/// The next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    #[default]
    Begin,
    TakeLease,
    CompareStart,
    ReadManifest,
    LookUp {
        left: Set,
    },
    Upload,
    PutManifest,
    PutPointer,
    ListManifests,
    RemoveManifests {
        old: Set,
    },
    ListObjects,
    RemoveObjects {
        old: Set,
        is_checked: bool,
    },
    Release,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Publisher {
    /// The present run, or the next one.
    pub(crate) run: Run,
    pub(crate) step: Step,
    /// If set, the run had its lease when it began to send the request of the next step.
    has_checked: bool,
    pub(crate) work: Work,
}

/// The memory of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Work {
    generation: usize,
    /// If set, the key of this run has not signed the last publication.
    has_new_key: bool,
    before: Option<Pointer>,
    began: u8,
    /// The manifest of the generation, which is in the store.
    manifest: Option<Manifest>,
    missing: Set,
    needed: Set,
}

impl Publisher {
    pub(crate) fn new(publisher: usize) -> Self {
        Self { run: Run { publisher, number: 0 }, step: Step::Begin, has_checked: false, work: Work::default() }
    }

    /// Begins a run, which reads the pointer.
    pub(crate) fn begin(&mut self, store: &Store, generation: usize, has_new_key: bool) {
        self.work = Work { generation, has_new_key, before: store.pointer, began: store.now, ..Work::default() };
        self.step = Step::TakeLease;
    }

    /// Ends a run, after an error or a crash, too.
    pub(crate) fn end(&mut self) {
        let run = Run { number: self.run.number + 1, ..self.run };
        *self = Self { run, step: Step::Begin, has_checked: false, work: Work::default() };
    }

    /// Returns whether the run works without its lease, and has not noticed that yet.
    pub(crate) fn is_late(&self, store: &Store) -> bool {
        !matches!(self.step, Step::Begin | Step::TakeLease) && store.lock != Some(self.run)
    }

    pub(crate) fn step(&mut self, rules: &Rules, store: &mut Store) {
        if self.needs_lease(rules) && !self.has_checked {
            if store.lock != Some(self.run) {
                return self.end();
            }
            if rules.has_late_requests {
                self.has_checked = true;
                return;
            }
        }
        self.has_checked = false;
        let work = &mut self.work;
        self.step = match self.step {
            // `Model::actions` begins runs.
            Step::Begin => return,
            Step::TakeLease => {
                store.lock = Some(self.run);
                Step::CompareStart
            }
            Step::CompareStart if rules.have(Guard::StartUnderLease) && store.pointer != work.before => {
                return self.end();
            }
            Step::CompareStart => Step::ReadManifest,
            Step::ReadManifest => {
                let known = work.before.filter(|pointer| pointer.generation == work.generation);
                work.manifest = known
                    .map(|pointer| pointer.manifest)
                    .filter(|&known| store.manifests[work.generation] == Some(known));
                Step::LookUp { left: GENERATIONS[work.generation] }
            }
            Step::LookUp { left } => match split(left) {
                Some((object, left)) => {
                    work.missing |= u8::from(store.objects[object].is_none()) << object;
                    Step::LookUp { left }
                }
                None => Step::Upload,
            },
            Step::Upload => match split(work.missing) {
                Some((object, missing)) => {
                    store.objects[object] = Some(Object { changed: store.now, is_sound: true });
                    work.missing = missing;
                    Step::Upload
                }
                None if work.manifest.is_none() => Step::PutManifest,
                None if !work.has_new_key => Step::ListManifests,
                None if rules.have(Guard::KeptManifest) => Step::PutPointer,
                None => Step::PutManifest,
            },
            Step::PutManifest => {
                let published = if rules.have(Guard::DateAfterUpload) { store.now } else { work.began };
                let previous = work.before.map(|pointer| pointer.generation);
                let manifest = Manifest { sequence: work.sequence(), published, previous, run: self.run };
                work.manifest = Some(manifest);
                store.manifests[work.generation] = Some(manifest);
                Step::PutPointer
            }
            Step::PutPointer => {
                if rules.have(Guard::Condition) && store.pointer != work.before {
                    return self.end();
                }
                let (sequence, generation) = (work.sequence(), work.generation);
                let manifest = work.manifest.expect("it was written or known");
                store.put_pointer(Pointer { sequence, generation, manifest, run: self.run });
                Step::ListManifests
            }
            Step::ListManifests => {
                let old = superseded(rules, store, work.generation);
                let kept = (0..GENERATIONS.len()).filter(|&name| store.manifests[name].is_some() && !has(old, name));
                work.needed = kept.fold(GENERATIONS[work.generation], |needed, name| needed | GENERATIONS[name]);
                Step::RemoveManifests { old }
            }
            Step::RemoveManifests { old } => match split(old) {
                Some((generation, old)) => {
                    store.manifests[generation] = None;
                    Step::RemoveManifests { old }
                }
                None => Step::ListObjects,
            },
            Step::ListObjects => {
                let is_old = |changed| !rules.have(Guard::Grace) || store.is_over(changed);
                let is_old = |object: &usize| store.objects[*object].is_some_and(|object| is_old(object.changed));
                let old = (0..NUM_OBJECTS).filter(|&object| !has(work.needed, object)).filter(is_old);
                Step::RemoveObjects { old: set(old), is_checked: false }
            }
            Step::RemoveObjects { old, .. } => match split(old) {
                Some((object, old)) => {
                    store.objects[object] = None;
                    Step::RemoveObjects { old, is_checked: true }
                }
                None => Step::Release,
            },
            Step::Release => {
                store.lock = None;
                return self.end();
            }
        };
    }

    /// Returns whether the next step takes effect only under the lease.
    fn needs_lease(&self, rules: &Rules) -> bool {
        let needs = match self.step {
            Step::PutManifest => rules.have(Guard::LeaseForManifest),
            Step::PutPointer | Step::Release => true,
            Step::RemoveManifests { old } => old != 0,
            Step::RemoveObjects { old, is_checked } => {
                old != 0 && (rules.have(Guard::LeaseForEachObject) || !is_checked)
            }
            _ => false,
        };
        needs && rules.have(Guard::Lease)
    }
}

impl Work {
    fn sequence(&self) -> u8 {
        self.before.map_or(1, |pointer| pointer.sequence + 1)
    }
}

/// Returns the generations that are not kept, and were superseded longer ago than the grace period:
/// `superseded` of `retention.rs`.
fn superseded(rules: &Rules, store: &Store, current: usize) -> Set {
    let mut manifests: Vec<_> =
        store.manifests.iter().enumerate().filter_map(|(name, manifest)| Some((name, (*manifest)?))).collect();
    manifests
        .sort_by_key(|(name, manifest)| std::cmp::Reverse((*name == current, manifest.sequence, manifest.published)));
    let superseded = |place: usize| {
        let (name, own) = manifests[place];
        if !rules.have(Guard::NextPublication) {
            return own.published.max(manifests[place - 1].1.published);
        }
        let all = manifests.iter().map(|(_, other)| other);
        let next = all.clone().map(|other| other.sequence).filter(|sequence| *sequence > own.sequence).min();
        let is_named = |other: &Manifest| rules.have(Guard::Previous) && other.previous == Some(name);
        let follows = |other: &&Manifest| Some(other.sequence) == next || is_named(other);
        all.filter(follows).fold(own.published, |time, other| time.max(other.published))
    };
    let is_old = |place: &usize| !rules.have(Guard::Grace) || store.is_over(superseded(*place));
    set((KEEP..manifests.len()).filter(is_old).map(|place| manifests[place].0))
}
