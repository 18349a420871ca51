//! The open connections: their limits, and the choice of one that is closed for a new one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::framing::Framing;
use crate::client::ClientAddress;
use crate::limits::{Memory, MemoryShare, Places, TakenPlaces};

/// The number of additional connections that may be open for health checks while all others are
/// busy.
const SPARE_MAX: usize = 16;

/// The most memory of all unfinished headers, and the part of each that is not counted: most are
/// shorter.
const HEADERS_BYTES_MAX: usize = 64 << 20;
const HEADER_FREE_BYTES: usize = 8 << 10;

/// The position of the bits of a phase.
const PHASE_SHIFT: u32 = 62;

pub(super) struct Connections {
    max: usize,
    /// Places of connections, counted by client.
    of_clients: Places,
    /// The memory of unfinished headers.
    headers: Memory,
    open: Mutex<Open>,
    /// Numbers connections and their changes in the order of time.
    clock: AtomicU64,
}

#[derive(Default)]
struct Open {
    connections: HashMap<u64, Entry>,
    num_spare: usize,
}

struct Entry {
    client: ClientAddress,
    /// Counts the connection among those of its client; `None` for a spare one.
    share: Option<TakenPlaces>,
    activity: Arc<Activity>,
}

/// The activity of a connection. It changes twice a request, and therefore without a lock.
#[derive(Default)]
struct Activity {
    /// The phase in the top two bits, and below them the reading of the clock when it began.
    phase_since: AtomicU64,
    close: Notify,
}

/// The phases of a connection, in the order in which connections are closed to make room.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// It has never sent a whole request.
    New = 0,
    /// It was answered, and may send another request.
    Idle,
    /// It waits for an answer, or is reading one.
    Busy,
}

/// An admitted connection. Its place is free again when this is dropped.
pub(super) struct Connection {
    all: Arc<Connections>,
    number: u64,
    activity: Arc<Activity>,
    is_spare: bool,
    /// The memory of an unfinished header.
    header: Mutex<MemoryShare>,
    framing: Mutex<Framing>,
}

/// A connection is busy until this is dropped.
pub(super) struct Busy(Arc<Connection>);

impl Connections {
    /// Allows `max` connections, at most `max_of_client` of each client.
    pub(super) fn new(max: usize, max_of_client: usize) -> Arc<Self> {
        let of_clients = Places::new(usize::MAX, max_of_client);
        let headers = Memory::shared(HEADERS_BYTES_MAX, HEADER_FREE_BYTES, max_of_client, max);
        Arc::new(Self { max, of_clients, headers, open: Mutex::default(), clock: AtomicU64::new(0) })
    }

    /// Admits a connection, for which an idle one may be closed: one of its client, if that client
    /// has its share of connections. If all are busy, it is a spare one. Returns `None` if all
    /// spare ones are busy, too.
    pub(super) fn admit(self: &Arc<Self>, client: ClientAddress) -> Option<Arc<Connection>> {
        let mut open = self.lock();
        let share = self.share(client, &mut open);
        let is_spare = share.is_none();
        let is_full = open.num_spare >= SPARE_MAX;
        if is_spare && is_full && !open.close_one(Entry::is_spare) {
            return None;
        }
        let (number, activity) = (self.tick(), Arc::new(Activity::default()));
        activity.set(Phase::New, number);
        open.insert(number, Entry { client, share, activity: Arc::clone(&activity) });
        let (header, framing) = (Mutex::new(self.headers.none(client.into())), Mutex::default());
        Some(Arc::new(Connection { all: Arc::clone(self), number, activity, is_spare, header, framing }))
    }

    /// Makes room for a connection, and counts it among those of its client. Returns `None` if
    /// the room is used up.
    fn share(&self, client: ClientAddress, open: &mut Open) -> Option<TakenPlaces> {
        let take = || self.of_clients.try_take(client.into(), 1);
        let share = take().or_else(|| {
            open.close_one(|entry| entry.client == client && !entry.is_spare());
            take()
        });
        let has_room = open.connections.len() - open.num_spare < self.max;
        share.filter(|_| has_room || open.close_one(|entry| !entry.is_spare()))
    }

    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    /// Locks the list of connections, always for a short time.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is_spare(&self) -> bool {
        self.share.is_none()
    }
}

impl Open {
    fn insert(&mut self, number: u64, entry: Entry) {
        self.num_spare += usize::from(entry.is_spare());
        self.connections.insert(number, entry);
    }

    fn remove(&mut self, number: u64) -> Option<Entry> {
        let removed = self.connections.remove(&number);
        self.num_spare -= usize::from(removed.as_ref().is_some_and(Entry::is_spare));
        removed
    }

    /// Closes one of the eligible connections that are not busy: first those that never sent a
    /// request, then idle ones, the oldest first. Returns whether one was closed.
    fn close_one(&mut self, is_eligible: impl Fn(&Entry) -> bool) -> bool {
        let eligible = self.connections.iter().filter(|(_, entry)| is_eligible(entry));
        let idle = eligible.filter_map(|(number, entry)| Some((entry.activity.idleness()?, *number)));
        let closed = idle.min().and_then(|(_, number)| self.remove(number));
        if let Some(entry) = &closed {
            entry.activity.close.notify_one();
        }
        closed.is_some()
    }
}

impl Connection {
    /// Returns whether the connection is open for health checks only.
    pub(super) fn is_spare(&self) -> bool {
        self.is_spare
    }

    /// Counts bytes that were read, unless they belong to a body. The connection is closed if
    /// memory for their header runs out.
    pub(super) fn count_header(&self, num_bytes: usize) {
        if !self.has_room_for(num_bytes) {
            self.activity.close.notify_one();
        }
    }

    fn has_room_for(&self, num_bytes: usize) -> bool {
        self.activity.idleness().is_none() || self.lock_header().add(num_bytes)
    }

    /// Locks the state of the framing, always for a short time.
    pub(super) fn framing(&self) -> MutexGuard<'_, Framing> {
        self.framing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_header(&self) -> MutexGuard<'_, MemoryShare> {
        self.header.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(self: &Arc<Self>) -> Busy {
        self.lock_header().set(0);
        self.set_phase(Phase::Busy);
        Busy(Arc::clone(self))
    }

    /// Waits until the connection is to be closed.
    pub(super) async fn wait_for_close(&self) {
        self.activity.close.notified().await;
    }

    fn set_phase(&self, phase: Phase) {
        self.activity.set(phase, self.all.tick());
    }
}

impl Activity {
    fn set(&self, phase: Phase, since: u64) {
        self.phase_since.store((phase as u64) << PHASE_SHIFT | since, Ordering::Relaxed);
    }

    /// Returns a number that is lower the sooner the connection should be closed to make room, or
    /// `None` if it is busy.
    fn idleness(&self) -> Option<u64> {
        let phase_since = self.phase_since.load(Ordering::Relaxed);
        (phase_since >> PHASE_SHIFT != Phase::Busy as u64).then_some(phase_since)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.set_phase(Phase::Idle);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.lock().remove(self.number);
    }
}

#[cfg(test)]
mod tests;
