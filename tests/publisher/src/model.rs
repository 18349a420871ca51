//! Publishers, a store and replicas, and the promises that they keep.

use stateright::{Model, Property};

use crate::follower::{self, Follower};
use crate::publisher::{self, Publisher};
use crate::store::{GENERATIONS, NUM_OBJECTS, Set, Store, has};

pub(crate) const NUM_PUBLISHERS: usize = 2;

/// The generations of each publisher, which share a data folder in part.
const OWN: [Set; NUM_PUBLISHERS] = [0b101, 0b011];

/// A rule that keeps a promise. Checks without a guard must find that the promise is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// A run begins only if the pointer under its lease is the one that it has read before.
    StartUnderLease,
    /// The pointer is written only if it is the one that the run has read.
    Condition,
    /// A run that has lost its lease writes and removes nothing more, except objects under their
    /// SHA-256.
    Lease,
    /// This holds for manifests.
    LeaseForManifest,
    /// This holds for each removed object, not only for the first.
    LeaseForEachObject,
    /// Superseded generations and unneeded objects are kept for a grace period.
    Grace,
    /// The grace period of a generation begins with the next publication, not with a manifest that
    /// was never published.
    NextPublication,
    /// Manifests name the generation that was current before.
    Previous,
    /// The time of a publication is that of its manifest, not that at which the upload began.
    DateAfterUpload,
    /// The manifest of the current generation is not written again.
    KeptManifest,
    /// Replicas refuse objects that are not the published ones.
    Verification,
}

#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) without: Option<Guard>,
    /// If set, nothing was published before.
    pub(crate) is_empty_at_first: bool,
    /// If set, a request that needs the lease may take effect after the lease was lost.
    pub(crate) has_late_requests: bool,
    /// The number of runs of each publisher.
    pub(crate) runs: [u8; NUM_PUBLISHERS],
    pub(crate) num_followers: usize,
    pub(crate) num_crashes: u8,
    pub(crate) num_damages: u8,
    /// The number of grace periods that pass.
    pub(crate) num_periods: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    store: Store,
    publishers: [Publisher; NUM_PUBLISHERS],
    followers: Vec<Follower>,
    num_crashes: u8,
    num_damages: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    PassGrace,
    Damage { object: usize },
    Begin { publisher: usize, generation: usize, has_new_key: bool },
    Publish { publisher: usize, step: publisher::Step },
    KillPublisher { publisher: usize },
    Follow { follower: usize, step: follower::Step },
    KillFollower { follower: usize },
}

impl Rules {
    pub(crate) fn have(&self, guard: Guard) -> bool {
        self.without != Some(guard)
    }

    fn actions_of_publisher(&self, state: &State, publisher: usize, actions: &mut Vec<Action>) {
        let Publisher { run, step, .. } = state.publishers[publisher];
        if step != publisher::Step::Begin {
            actions.push(Action::Publish { publisher, step });
            if state.num_crashes < self.num_crashes {
                actions.push(Action::KillPublisher { publisher });
            }
        } else if run.number < self.runs[publisher] {
            for generation in (0..GENERATIONS.len()).filter(|&name| has(OWN[publisher], name)) {
                let is_current = state.store.pointer.is_some_and(|pointer| pointer.generation == generation);
                actions.push(Action::Begin { publisher, generation, has_new_key: false });
                actions.extend(is_current.then_some(Action::Begin { publisher, generation, has_new_key: true }));
            }
        }
    }
}

impl Model for Rules {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let publishers = std::array::from_fn(Publisher::new);
        let followers = vec![Follower::default(); self.num_followers];
        let store = if self.is_empty_at_first { Store::default() } else { Store::with_publication() };
        vec![State { store, publishers, followers, num_crashes: 0, num_damages: 0 }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for publisher in 0..NUM_PUBLISHERS {
            self.actions_of_publisher(state, publisher, actions);
        }
        for (number, follower) in state.followers.iter().enumerate() {
            actions.push(Action::Follow { follower: number, step: follower.step });
            if follower.pointer().is_some() && state.num_crashes < self.num_crashes {
                actions.push(Action::KillFollower { follower: number });
            }
        }
        let current = state.store.pointer.map(|pointer| pointer.generation);
        let is_in_time = |follower: &Follower| follower.pointer().is_none_or(|old| Some(old.generation) == current);
        // The pointer is written soon after its manifest, or not with this lease.
        let is_writing = |publisher: &Publisher| publisher.step == publisher::Step::PutPointer;
        let may_pass = state.followers.iter().all(is_in_time) && !state.publishers.iter().any(is_writing);
        if state.store.now < self.num_periods && may_pass {
            actions.push(Action::PassGrace);
        }
        if state.num_damages < self.num_damages {
            let sound = |object: &usize| state.store.objects[*object].is_some_and(|object| object.is_sound);
            actions.extend((0..NUM_OBJECTS).filter(sound).map(|object| Action::Damage { object }));
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::PassGrace => state.store.now += 1,
            Action::Damage { object } => {
                state.num_damages += 1;
                state.store.objects[object].as_mut()?.is_sound = false;
            }
            Action::Begin { publisher, generation, has_new_key } => {
                state.publishers[publisher].begin(&state.store, generation, has_new_key);
            }
            Action::Publish { publisher, .. } => state.publishers[publisher].step(self, &mut state.store),
            Action::KillPublisher { publisher } => {
                state.num_crashes += 1;
                state.publishers[publisher].end();
            }
            Action::Follow { follower, .. } => state.followers[follower].step(self, &state.store),
            Action::KillFollower { follower } => {
                state.num_crashes += 1;
                state.followers[follower].crash();
            }
        }
        (state != *last).then_some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(MIXTURE, |_, state: &State| state.followers.iter().all(Follower::serves_one_generation)),
            Property::always(WHOLE, |_, state: &State| state.store.is_whole()),
            Property::always(IN_TIME, |_, state: &State| state.followers.iter().all(|follower| !follower.has_starved)),
            Property::always(GROWS, |_, state: &State| {
                !state.store.has_gone_back && state.followers.iter().all(|follower| !follower.has_gone_back)
            }),
            Property::sometimes("both publishers publish, and a replica follows", |_, state: &State| {
                let publisher = |follower: &Follower| Some(follower.disk.followed?.run.publisher);
                let mut followed = state.followers.iter().filter_map(publisher);
                let present = state.store.pointer.map(|pointer| pointer.run.publisher);
                followed.any(|before| before < NUM_PUBLISHERS && Some(before) != present)
            }),
            Property::sometimes("all replicas catch up with a second publication", |rules: &Self, state: &State| {
                state.is_followed(if rules.is_empty_at_first { 2 } else { 3 })
            }),
            Property::sometimes("objects of an old generation are removed", |_, state: &State| {
                let is_removed = |object: usize| state.store.objects[object].is_none();
                let was_complete = |name: usize| state.followers.iter().any(|it| has(it.disk.complete, name));
                (0..GENERATIONS.len()).any(|name| {
                    was_complete(name)
                        && (0..NUM_OBJECTS).any(|object| has(GENERATIONS[name], object) && is_removed(object))
                })
            }),
            Property::sometimes("a publication survives a crash", |rules: &Self, state: &State| {
                state.num_crashes == rules.num_crashes && state.store.lock.is_none() && state.is_followed(1)
            }),
            Property::sometimes("a lease is taken over from a run that goes on", |_, state: &State| {
                state.store.lock.is_some() && state.publishers.iter().any(|publisher| publisher.is_late(&state.store))
            }),
        ]
    }
}

/// The promises.
pub(crate) const MIXTURE: &str = "a replica serves one whole generation";
pub(crate) const WHOLE: &str = "the current generation of the store is whole";
pub(crate) const IN_TIME: &str = "a replica finds a generation until the end of its grace period";
pub(crate) const GROWS: &str = "the number only grows";

impl State {
    /// Returns whether all replicas have followed the store to its publication, whose number is at
    /// least this one.
    fn is_followed(&self, least: u8) -> bool {
        let pointer = self.store.pointer.filter(|pointer| pointer.sequence >= least);
        pointer.is_some_and(|pointer| self.followers.iter().all(|follower| follower.disk.has_taken(&pointer)))
    }
}
