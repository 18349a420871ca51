//! The open connections: how many there may be, and which must go when there is one too many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::client::ClientAddress;

/// The open connections of a server.
pub(super) struct Connections {
    /// How many there may be.
    max: usize,
    /// How many of them one address may have.
    max_of_address: usize,
    /// Which there are.
    open: Mutex<Open>,
    /// Told when one ends, or has nothing to do any more.
    changed: Notify,
}

/// Which connections there are.
#[derive(Default)]
struct Open {
    /// By number.
    connections: HashMap<u64, Entry>,
    /// How many connections each address has that has any.
    of_address: HashMap<ClientAddress, usize>,
    /// Numbers connections and their changes in the order of time.
    clock: u64,
}

/// What is known of a connection.
struct Entry {
    /// Who is at the other end.
    address: ClientAddress,
    /// What it does.
    phase: Phase,
    /// When it began to do that.
    since: u64,
    /// Told when it is to be closed.
    close: Arc<Notify>,
}

/// What a connection does, in the order in which connections are closed for want of room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// It has never sent a whole request.
    New,
    /// It has been answered, and may ask again.
    Idle,
    /// It waits for an answer, or is reading one.
    Busy,
}

/// A connection that was let in. Its room is free again when this is dropped.
pub(super) struct Connection {
    /// The connections that it belongs to.
    all: Arc<Connections>,
    /// Its number.
    number: u64,
    /// Told when it is to be closed.
    close: Arc<Notify>,
}

/// What becomes of a connection that wants to be let in.
enum Admission {
    /// It is.
    Admitted(Arc<Connection>),
    /// Its client has its share, and is busy with all of it.
    ShareTaken,
    /// All connections are busy: it has to wait.
    AllBusy,
}

/// A connection is busy while there is one of these.
pub(super) struct Busy {
    /// The connection.
    connection: Arc<Connection>,
}

impl Connections {
    /// Makes room for so many connections, and for so many of each address.
    pub(super) fn new(max: usize, max_of_address: usize) -> Arc<Self> {
        Arc::new(Self { max, max_of_address, open: Mutex::default(), changed: Notify::new() })
    }

    /// Lets a connection in. Where there is no room, one is closed for it that has nothing to do; where all are busy, it waits. Returns
    /// `None` where its address has its share, and all of them are busy.
    pub(super) async fn admit(self: &Arc<Self>, address: ClientAddress) -> Option<Arc<Connection>> {
        loop {
            // Whoever changes something after this look is heard.
            let changed = self.changed.notified();
            match self.try_admit(address) {
                Admission::Admitted(connection) => return Some(connection),
                Admission::ShareTaken => return None,
                Admission::AllBusy => changed.await,
            }
        }
    }

    /// Lets a connection in if there is room, or one that has nothing to do.
    fn try_admit(self: &Arc<Self>, address: ClientAddress) -> Admission {
        let mut open = self.lock();
        let has_share = open.of_address.get(&address).is_some_and(|number| *number >= self.max_of_address);
        if has_share && !open.close_one(|entry| entry.address == address) {
            return Admission::ShareTaken;
        }
        if open.connections.len() < self.max || open.close_one(|_| true) {
            let (number, close) = open.insert(address);
            return Admission::Admitted(Arc::new(Connection { all: Arc::clone(self), number, close }));
        }
        Admission::AllBusy
    }

    /// Waits until nobody else looks or changes something, which takes no time.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Notes a new connection, and returns its number.
    fn insert(&mut self, address: ClientAddress) -> (u64, Arc<Notify>) {
        self.clock += 1;
        let close = Arc::new(Notify::new());
        let entry = Entry { address, phase: Phase::New, since: self.clock, close: Arc::clone(&close) };
        self.connections.insert(self.clock, entry);
        *self.of_address.entry(address).or_default() += 1;
        (self.clock, close)
    }

    /// Forgets a connection.
    fn remove(&mut self, number: u64) -> Option<Entry> {
        let entry = self.connections.remove(&number)?;
        if let Some(count) = self.of_address.get_mut(&entry.address) {
            *count -= 1;
            if *count == 0 {
                self.of_address.remove(&entry.address);
            }
        }
        Some(entry)
    }

    /// Closes one of some connections that has nothing to do: first those that never sent a request, then those that wait for the next one,
    /// the oldest first. Tells whether there was one.
    fn close_one(&mut self, is_eligible: impl Fn(&Entry) -> bool) -> bool {
        let eligible = self.connections.iter().filter(|(_, entry)| entry.phase != Phase::Busy && is_eligible(entry));
        let first = eligible.min_by_key(|(_, entry)| (entry.phase, entry.since)).map(|(number, _)| *number);
        let closed = first.and_then(|number| self.remove(number));
        if let Some(entry) = &closed {
            entry.close.notify_one();
        }
        closed.is_some()
    }
}

impl Connection {
    /// Notes that a request has arrived.
    pub(super) fn begin(self: &Arc<Self>) -> Busy {
        self.turn(Phase::Busy);
        Busy { connection: Arc::clone(self) }
    }

    /// Waits until it is to be closed.
    pub(super) async fn told_to_close(&self) {
        self.close.notified().await;
    }

    /// Notes what it does from now on.
    fn turn(&self, phase: Phase) {
        let mut open = self.all.lock();
        open.clock += 1;
        let now = open.clock;
        if let Some(entry) = open.connections.get_mut(&self.number) {
            (entry.phase, entry.since) = (phase, now);
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.connection.turn(Phase::Idle);
        self.connection.all.changed.notify_one();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.lock().remove(self.number);
        self.all.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Returns an address.
    fn address(last: u8) -> ClientAddress {
        ClientAddress::new([10, 0, 0, last].into())
    }

    /// Lets a connection in, for which there must be room.
    async fn admit(connections: &Arc<Connections>, last: u8) -> Arc<Connection> {
        connections.admit(address(last)).await.expect("there is room")
    }

    /// Tells whether a connection was told to close.
    async fn is_closed(connection: &Connection) -> bool {
        tokio::time::timeout(Duration::ZERO, connection.told_to_close()).await.is_ok()
    }

    #[tokio::test]
    async fn connections_without_a_request_go_first_then_idle_ones_and_busy_ones_never() {
        let connections = Connections::new(3, 3);
        let idle = admit(&connections, 1).await;
        let busy = admit(&connections, 2).await;
        drop(idle.begin());
        let work = busy.begin();
        let new = admit(&connections, 3).await;
        let fourth = admit(&connections, 4).await;
        assert!(is_closed(&new).await && !is_closed(&idle).await);
        drop(fourth.begin());
        let fifth = admit(&connections, 5).await;
        assert!(is_closed(&idle).await && !is_closed(&fourth).await, "the one that is idle for longer");
        let others = (fourth.begin(), fifth.begin());
        let waiting = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.admit(address(6)).await.is_some() }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished() && !is_closed(&busy).await, "all are busy");
        drop(work);
        assert!(waiting.await.expect("no panic"));
        assert!(is_closed(&busy).await);
        drop(others);
    }

    #[tokio::test]
    async fn an_address_has_its_share_and_no_more() {
        let connections = Connections::new(4, 2);
        let (first, second) = (admit(&connections, 1).await, admit(&connections, 1).await);
        let work = first.begin();
        let third = admit(&connections, 1).await;
        assert!(is_closed(&second).await, "its own, though there is room for others");
        let _work = third.begin();
        assert!(connections.admit(address(1)).await.is_none(), "all of its share are busy");
        let _other = admit(&connections, 2).await;
        drop(work);
        drop(first);
        drop(second);
        assert!(connections.admit(address(1)).await.is_some());
        drop(third);
    }
}
