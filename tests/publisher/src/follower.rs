//! A replica that follows: `follow.rs` and `follow/*.rs` of the code.

use crate::model::{Guard, Rules};
use crate::store::{GENERATIONS, Pointer, Set, Store, has, split};

/// The next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    #[default]
    Poll,
    /// Looks for the generation on the disk, otherwise reads its manifest.
    Begin(Pointer),
    Fetch(Pointer),
    Record(Pointer),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Follower {
    pub(crate) step: Step,
    pub(crate) disk: Disk,
    /// If set, a manifest or an object was missing before the end of the grace period.
    pub(crate) has_starved: bool,
    /// If set, publications were recorded in another order than that of their numbers.
    pub(crate) has_gone_back: bool,
}

/// Survives crashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Disk {
    /// The generation that is served, and the objects in it.
    pub(crate) current: Option<(usize, Set)>,
    pub(crate) followed: Option<Pointer>,
    /// The generation that is received, and the objects that have arrived.
    receiving: Option<(usize, Set)>,
    /// Generations that are complete, among them those before a rollback.
    pub(crate) complete: Set,
    /// Objects that were received damaged, and not refused.
    damaged: Set,
}

impl Follower {
    /// Returns whether the generation that is served is complete and sound.
    pub(crate) fn serves_one_generation(&self) -> bool {
        let is_sound = |(name, objects)| objects == GENERATIONS[name] && objects & self.disk.damaged == 0;
        self.disk.current.is_none_or(is_sound)
    }

    /// Returns the pointer at which the replica works.
    pub(crate) fn pointer(&self) -> Option<Pointer> {
        match self.step {
            Step::Poll => None,
            Step::Begin(pointer) | Step::Fetch(pointer) | Step::Record(pointer) => Some(pointer),
        }
    }

    pub(crate) fn step(&mut self, rules: &Rules, store: &Store) {
        let disk = &mut self.disk;
        self.step = match self.step {
            Step::Poll => match store.pointer {
                Some(pointer) if !disk.has_taken(&pointer) => Step::Begin(pointer),
                _ => Step::Poll,
            },
            Step::Begin(pointer) if disk.followed.is_some_and(|followed| pointer.sequence < followed.sequence) => {
                Step::Poll
            }
            Step::Begin(pointer) if has(disk.complete, pointer.generation) => {
                disk.current = Some((pointer.generation, GENERATIONS[pointer.generation]));
                Step::Record(pointer)
            }
            Step::Begin(pointer) => {
                let found = store.manifests[pointer.generation];
                self.has_starved |= found.is_none();
                if found == Some(pointer.manifest) {
                    disk.receive(pointer.generation);
                    Step::Fetch(pointer)
                } else {
                    Step::Poll
                }
            }
            Step::Fetch(pointer) => {
                let (name, received) = disk.receiving.expect("it was begun");
                if let Some((object, _)) = split(GENERATIONS[name] & !received) {
                    let found = store.objects[object];
                    self.has_starved |= found.is_none();
                    if let Some(found) = found.filter(|found| found.is_sound || !rules.have(Guard::Verification)) {
                        disk.receiving = Some((name, received | 1 << object));
                        disk.damaged |= u8::from(!found.is_sound) << object;
                        Step::Fetch(pointer)
                    } else {
                        Step::Poll
                    }
                } else {
                    disk.current = disk.receiving.take();
                    disk.complete |= 1 << name;
                    Step::Record(pointer)
                }
            }
            Step::Record(pointer) => {
                self.has_gone_back |= disk.followed.is_some_and(|before| pointer.sequence < before.sequence);
                disk.followed = Some(pointer);
                Step::Poll
            }
        };
    }

    pub(crate) fn crash(&mut self) {
        self.step = Step::Poll;
    }
}

impl Disk {
    /// Returns whether a pointer was followed. The number and the generation are on the disk.
    pub(crate) fn has_taken(&self, pointer: &Pointer) -> bool {
        let noted = |pointer: Pointer| (pointer.sequence, pointer.generation);
        self.followed.map(noted) == Some(noted(*pointer))
            && self.current.map(|(name, _)| name) == Some(pointer.generation)
    }

    /// Continues to receive a generation, and shares the objects that the present one has.
    fn receive(&mut self, generation: usize) {
        let received = self.receiving.filter(|(name, _)| *name == generation).map_or(0, |(_, received)| received);
        let shared = self.current.map_or(0, |(_, objects)| objects & !self.damaged & GENERATIONS[generation]);
        self.receiving = Some((generation, received | shared));
    }
}
