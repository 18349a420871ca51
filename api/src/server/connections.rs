//! The open connections: how many there may be, and which of them is closed when there is one too many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::client::ClientAddress;
use crate::limits::{Share, Shares};

/// The open connections of a server.
pub(super) struct Connections {
    /// How many there may be.
    max: usize,
    /// How many each client has.
    shares: Shares,
    /// Which there are.
    open: Mutex<Open>,
    /// Notified when a connection ends or becomes idle.
    changed: Notify,
}

/// Which connections there are.
#[derive(Default)]
struct Open {
    /// By number.
    connections: HashMap<u64, Entry>,
    /// Numbers connections and their changes in the order of time.
    clock: u64,
}

/// What is known of a connection.
struct Entry {
    /// Who is at the other end.
    client: ClientAddress,
    /// Counts it among those of its client.
    _share: Share,
    /// What it does.
    phase: Phase,
    /// When it began to do that.
    since: u64,
    /// Notified when it is to be closed.
    close: Arc<Notify>,
}

/// What a connection does, in the order in which connections are closed to make room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// It has never sent a whole request.
    New,
    /// It was answered, and may ask again.
    Idle,
    /// It waits for an answer, or is reading one.
    Busy,
}

/// An admitted connection. There is room for another when this is dropped.
pub(super) struct Connection {
    /// The connections that it belongs to.
    all: Arc<Connections>,
    /// Its number.
    number: u64,
    /// Notified when it is to be closed.
    close: Arc<Notify>,
}

/// What becomes of a new connection.
enum Admission {
    /// It is admitted.
    Admitted(Arc<Connection>),
    /// Its client has its share of connections, and all of them are busy.
    ShareTaken,
    /// All connections are busy: it has to wait.
    AllBusy,
}

/// A connection is busy until this is dropped.
pub(super) struct Busy(Arc<Connection>);

impl Connections {
    /// Allows so many connections, and so many of each client.
    pub(super) fn new(max: usize, max_of_client: usize) -> Arc<Self> {
        Arc::new(Self { max, shares: Shares::new(max_of_client), open: Mutex::default(), changed: Notify::new() })
    }

    /// Admits a connection. If there is no room, one that has nothing to do is closed; if all are busy, the new one waits. Returns `None` if
    /// its client has its share of connections and all of them are busy.
    pub(super) async fn admit(self: &Arc<Self>, client: ClientAddress) -> Option<Arc<Connection>> {
        loop {
            // Notices every change after this line.
            let changed = self.changed.notified();
            match self.try_admit(client) {
                Admission::Admitted(connection) => return Some(connection),
                Admission::ShareTaken => return None,
                Admission::AllBusy => changed.await,
            }
        }
    }

    /// Admits a connection if there is room, or another has nothing to do.
    fn try_admit(self: &Arc<Self>, client: ClientAddress) -> Admission {
        let mut open = self.lock();
        let share = self.shares.take(client).or_else(|taken| {
            open.close_one(|entry| entry.client == client);
            self.shares.take(client).map_err(|_| taken)
        });
        let Ok(share) = share else { return Admission::ShareTaken };
        if open.connections.len() >= self.max && !open.close_one(|_| true) {
            return Admission::AllBusy;
        }
        let (number, close) = open.insert(client, share);
        Admission::Admitted(Arc::new(Connection { all: Arc::clone(self), number, close }))
    }

    /// Locks what is known of the connections, always for a short time.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Adds a new connection, and returns its number.
    fn insert(&mut self, client: ClientAddress, share: Share) -> (u64, Arc<Notify>) {
        self.clock += 1;
        let close = Arc::new(Notify::new());
        let entry = Entry { client, _share: share, phase: Phase::New, since: self.clock, close: Arc::clone(&close) };
        self.connections.insert(self.clock, entry);
        (self.clock, close)
    }

    /// Closes one of the eligible connections that have nothing to do: first those that never sent a request, then idle ones, the oldest first.
    /// Returns whether there was one.
    fn close_one(&mut self, is_eligible: impl Fn(&Entry) -> bool) -> bool {
        let eligible = self.connections.iter().filter(|(_, entry)| entry.phase != Phase::Busy && is_eligible(entry));
        let first = eligible.min_by_key(|(_, entry)| (entry.phase, entry.since)).map(|(number, _)| *number);
        let closed = first.and_then(|number| self.connections.remove(&number));
        if let Some(entry) = &closed {
            entry.close.notify_one();
        }
        closed.is_some()
    }
}

impl Connection {
    /// Notes that a request has arrived.
    pub(super) fn begin(self: &Arc<Self>) -> Busy {
        self.set_phase(Phase::Busy);
        Busy(Arc::clone(self))
    }

    /// Waits until the connection is to be closed.
    pub(super) async fn told_to_close(&self) {
        self.close.notified().await;
    }

    /// Notes what it does from now on.
    fn set_phase(&self, phase: Phase) {
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
        self.0.set_phase(Phase::Idle);
        self.0.all.changed.notify_one();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.lock().connections.remove(&self.number);
        self.all.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Returns a client.
    fn client(last: u8) -> ClientAddress {
        ClientAddress::new([10, 0, 0, last].into())
    }

    /// Admits a connection, for which there must be room.
    async fn admit(connections: &Arc<Connections>, last: u8) -> Arc<Connection> {
        connections.admit(client(last)).await.expect("there is room")
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
            async move { connections.admit(client(6)).await.is_some() }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished() && !is_closed(&busy).await, "all are busy");
        drop(work);
        assert!(waiting.await.expect("no panic"));
        assert!(is_closed(&busy).await);
        drop(others);
    }

    #[tokio::test]
    async fn a_client_has_its_share_and_no_more() {
        let connections = Connections::new(4, 2);
        let (first, second) = (admit(&connections, 1).await, admit(&connections, 1).await);
        let work = first.begin();
        let third = admit(&connections, 1).await;
        assert!(is_closed(&second).await, "its own, though there is room for others");
        let _work = third.begin();
        assert!(connections.admit(client(1)).await.is_none(), "all of its share are busy");
        let _other = admit(&connections, 2).await;
        drop(work);
        drop(first);
        drop(second);
        assert!(connections.admit(client(1)).await.is_some());
        drop(third);
    }
}
