//! The object store.

use crate::model::NUM_PUBLISHERS;

/// A set of objects or generations, with a bit for each.
pub(crate) type Set = u8;

/// The objects of each generation. The first has two that the second does not need; the third needs
/// one of these again.
pub(crate) const GENERATIONS: [Set; 3] = [0b011, 0b100, 0b110];

pub(crate) const NUM_OBJECTS: usize = 3;

/// A run of a publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Run {
    pub(crate) publisher: usize,
    pub(crate) number: u8,
}

/// The content of a manifest, apart from the objects of its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Manifest {
    pub(crate) sequence: u8,
    pub(crate) published: u8,
    /// The generation that was current before.
    pub(crate) previous: Option<usize>,
    pub(crate) run: Run,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pointer {
    pub(crate) sequence: u8,
    pub(crate) generation: usize,
    /// In place of its SHA-256.
    pub(crate) manifest: Manifest,
    pub(crate) run: Run,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Object {
    pub(crate) changed: u8,
    pub(crate) is_sound: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Store {
    pub(crate) pointer: Option<Pointer>,
    pub(crate) manifests: [Option<Manifest>; GENERATIONS.len()],
    pub(crate) objects: [Option<Object>; NUM_OBJECTS],
    pub(crate) lock: Option<Run>,
    /// The number of grace periods that have passed.
    pub(crate) now: u8,
    /// If set, a pointer was followed by one whose number is not greater.
    pub(crate) has_gone_back: bool,
}

pub(crate) fn has(set: Set, member: usize) -> bool {
    set >> member & 1 == 1
}

/// Returns the first member of a set, and the others.
pub(crate) fn split(set: Set) -> Option<(usize, Set)> {
    (set != 0).then(|| (set.trailing_zeros() as usize, set & (set - 1)))
}

pub(crate) fn set(members: impl Iterator<Item = usize>) -> Set {
    members.fold(0, |set, member| set | 1 << member)
}

impl Store {
    /// Returns a store to which a third publisher has published the first generation. A run with
    /// the second was killed before the pointer; then the first was signed again.
    pub(crate) fn with_publication() -> Self {
        let run = Run { publisher: NUM_PUBLISHERS, number: 0 };
        let manifest = Manifest { sequence: 1, published: 0, previous: None, run };
        let killed = Manifest { sequence: 2, previous: Some(0), ..manifest };
        let mut store =
            Self { pointer: Some(Pointer { sequence: 2, generation: 0, manifest, run }), ..Self::default() };
        store.manifests = [Some(manifest), Some(killed), None];
        for object in (0..NUM_OBJECTS).filter(|&object| has(GENERATIONS[0], object)) {
            store.objects[object] = Some(Object { changed: 0, is_sound: true });
        }
        store
    }

    /// Returns whether a replica can fetch the generation of the pointer, if there is a pointer.
    pub(crate) fn is_whole(&self) -> bool {
        let is_whole = |pointer: &Pointer| {
            let objects = GENERATIONS[pointer.generation];
            self.manifests[pointer.generation] == Some(pointer.manifest)
                && (0..NUM_OBJECTS).all(|object| !has(objects, object) || self.objects[object].is_some())
        };
        self.pointer.as_ref().is_none_or(is_whole)
    }

    pub(crate) fn is_over(&self, grace_since: u8) -> bool {
        self.now > grace_since
    }

    pub(crate) fn put_pointer(&mut self, pointer: Pointer) {
        self.has_gone_back |= self.pointer.is_some_and(|before| pointer.sequence <= before.sequence);
        self.pointer = Some(pointer);
    }
}
