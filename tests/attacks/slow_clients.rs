//! One address, or one user, occupies all places for slow clients.

use std::io::{Read, Write};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crate::attacks::neighbours::Site;
use support::profile_writers::Connection;

/// More than the places for streams and for arriving bodies.
const MANY: usize = 140;

#[test]
fn unread_streams_leave_places_for_other_clients() {
    let site = Site::start();
    let request = "GET /metagenomics/api/v1/samples.csv HTTP/1.1\r\nhost: a\r\n\r\n";
    let unread: Vec<_> = (0..MANY)
        .map(|_| {
            let mut stream = site.attacker().expect("the server accepts");
            stream.write_all(request.as_bytes()).expect("open");
            let mut status = [0; 12];
            stream.read_exact(&mut status).expect("an answer");
            (stream, status)
        })
        .collect();
    let num_streams = unread.iter().filter(|(_, status)| status.ends_with(b"200")).count();
    assert_eq!(num_streams, MANY_FOR_ONE, "a client has its share");
    let (status, _) = site.server().get("/metagenomics/api/v1/publications.csv");
    assert_eq!(status, 200, "another client has a place");
}

/// Half of the places: the share of a client, and of a user.
const MANY_FOR_ONE: usize = 64;

/// Their bodies count four times as memory: the total for all of them would be several times that
/// of all answers.
#[test]
fn interrupted_batches_release_their_resources() {
    const NUM_ACCESSIONS: usize = 2_500;
    let site = Site::start_with(&["--answer-memory", "8M"]);
    let accessions: Vec<String> = (0..NUM_ACCESSIONS).map(|number| format!("MGYP{:012}", number + 1)).collect();
    let body = accessions.join("\n");
    let path = "/metagenomics/proteins/api/v2/proteins/batch?format=ndjson";
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let begin = |num_bytes: usize| {
        let mut stream = site.attacker().expect("the server accepts");
        stream.write_all(head.as_bytes()).expect("open");
        stream.write_all(&body.as_bytes()[..num_bytes]).expect("open");
        stream
    };
    for number in 0..MANY {
        drop(begin(body.len() / 2));
        let mut stream = begin(body.len());
        let mut start = [0; 4096];
        if number % 2 == 0 {
            // The answer is under way.
            stream.read_exact(&mut start).expect("an answer");
            assert!(start.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&start));
        }
    }
    let mut answer = String::new();
    begin(body.len()).read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("x-missing: 2500\r\n"), "{}", &answer[..500]);
    assert_eq!(answer.matches("\"found\":false").count(), NUM_ACCESSIONS);
}

#[test]
fn slow_bodies_leave_places_for_other_clients() {
    let site = Site::start();
    let path = "/metagenomics/api/v1/publications/search";
    let head = "host: a\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n";
    let slow = format!("POST {path} HTTP/1.1\r\n{head}");
    let token = format!("authorization: Bearer {}\r\n", site.token());
    let slow_write = format!("PATCH /my/profile HTTP/1.1\r\n{token}{head}");
    let requests = [slow, slow_write];
    site.withstands_while("slow bodies", |is_over| {
        let open = |request: &String| {
            let mut stream = site.attacker().expect("the server accepts");
            stream.write_all(request.as_bytes()).expect("open");
            stream
        };
        let _streams: Vec<_> = requests.iter().cycle().take(2 * MANY).map(open).collect();
        // A request whose body arrives long after its header.
        let mut late = site.server().connect();
        late.write_all(requests[0].as_bytes()).expect("open");
        thread::sleep(Duration::from_millis(300));
        late.write_all(b"{\"search\":\"marine\" }").expect("open");
        let mut status = [0; 12];
        late.read_exact(&mut status).expect("an answer");
        assert_eq!(&status, b"HTTP/1.1 200");
        while !is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let mut connection = Connection::open(site.server().address()).expect("the server accepts");
    assert_eq!(connection.get("/my/profile", site.token()).expect("an answer").status, 200);
}
