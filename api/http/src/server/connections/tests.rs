use std::time::Duration;

use super::*;

/// Returns a client.
fn client(last: u8) -> ClientAddress {
    ClientAddress::new([10, 0, 0, last].into())
}

/// Admits a connection, for which there must be room.
fn admit(connections: &Arc<Connections>, last: u8) -> Arc<Connection> {
    let connection = connections.admit(client(last)).expect("there is room");
    assert!(!connection.is_spare());
    connection
}

/// Admits a connection, for which there must be no room.
fn admit_spare(connections: &Arc<Connections>, last: u8) -> Arc<Connection> {
    let connection = connections.admit(client(last)).expect("there is a spare one");
    assert!(connection.is_spare());
    connection
}

#[test]
fn unfinished_headers_take_memory_of_their_client_until_they_end() {
    let connections = Connections::new(10, 5);
    let [one, other] = [1, 2].map(|last| admit(&connections, last));
    assert!(one.has_room_for(HEADER_FREE_BYTES) && one.has_room_for(HEADERS_BYTES_MAX / 2));
    let another = admit(&connections, 1);
    assert!(another.has_room_for(HEADER_FREE_BYTES) && !another.has_room_for(1));
    assert!(other.has_room_for(HEADER_FREE_BYTES + HEADERS_BYTES_MAX / 2));
    let request = one.begin();
    assert!(another.has_room_for(1) && one.has_room_for(HEADERS_BYTES_MAX), "bodies have limits of their own");
    drop(request);
    assert!(one.has_room_for(HEADERS_BYTES_MAX / 4));
}

/// Returns whether a connection is to be closed.
async fn is_closed(connection: &Connection) -> bool {
    tokio::time::timeout(Duration::ZERO, connection.wait_for_close()).await.is_ok()
}

#[tokio::test]
async fn unused_connections_close_before_idle_ones_and_busy_ones_never() {
    let connections = Connections::new(3, 3);
    let idle = admit(&connections, 1);
    let busy = admit(&connections, 2);
    drop(idle.begin());
    let work = busy.begin();
    let new = admit(&connections, 3);
    let fourth = admit(&connections, 4);
    assert!(is_closed(&new).await && !is_closed(&idle).await);
    drop(fourth.begin());
    let fifth = admit(&connections, 5);
    assert!(is_closed(&idle).await && !is_closed(&fourth).await, "the one that is idle for longer");
    let others = (fourth.begin(), fifth.begin());
    let spare = admit_spare(&connections, 6);
    assert!(!is_closed(&busy).await, "all are busy");
    drop(work);
    let sixth = admit(&connections, 6);
    assert!(is_closed(&busy).await && !is_closed(&spare).await);
    drop((others, sixth));
}

#[tokio::test]
async fn spare_connections_close_for_other_spare_ones() {
    let connections = Connections::new(1, 1);
    let busy = admit(&connections, 1);
    let _work = busy.begin();
    let first = admit_spare(&connections, 2);
    let others: Vec<_> = (1..SPARE_MAX).map(|_| admit_spare(&connections, 1)).collect();
    let last = admit_spare(&connections, 1);
    assert!(is_closed(&first).await && !is_closed(&busy).await);
    drop((first, others, last));
    let working: Vec<_> = (0..SPARE_MAX).map(|_| admit_spare(&connections, 1).begin()).collect();
    assert!(connections.admit(client(1)).is_none(), "all are busy");
    drop(working);
    assert_eq!(connections.lock().num_spare, 0);
}

#[tokio::test]
async fn clients_have_at_most_their_share() {
    let connections = Connections::new(4, 2);
    let (first, second) = (admit(&connections, 1), admit(&connections, 1));
    let work = first.begin();
    let third = admit(&connections, 1);
    assert!(is_closed(&second).await, "its own, though there is room for others");
    let _work = third.begin();
    drop(admit_spare(&connections, 1));
    let _other = admit(&connections, 2);
    drop(work);
    drop(first);
    drop(second);
    assert!(!connections.admit(client(1)).expect("there is room").is_spare());
    drop(third);
}
