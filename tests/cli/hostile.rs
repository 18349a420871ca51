//! Clients that send too little, too much or nonsense get an answer or a closed connection, and do
//! not harm other clients.

use std::io::{Read, Write};
use std::net::Shutdown;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::cli::rows;
use support::machine::{Server, read_answer};
use support::program;
use support::{PROTEINS, TestFolder};

/// The letters that paths and queries are made of, with some that they must not have.
const LETTERS: &[u8] = b"MGYP0123456789%/.?&=;:+_abcdefil \xff\0";

fn serve(folder: &TestFolder) -> Server {
    Server::of_command(program().args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path()))
}

#[test]
fn half_closed_connections_get_their_answer() {
    let folder = TestFolder::of_rows(&rows());
    let server = serve(&folder);
    for version in ["1.0", "1.1"] {
        let mut stream = server.connect();
        let request = format!("GET {PROTEINS}/protein/search?biome_lineage=root HTTP/{version}\r\nHost: a\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("open");
        stream.shutdown(Shutdown::Write).expect("open");
        assert_eq!(read_answer(&mut stream).0, 200, "HTTP/{version}");
    }
}

#[test]
fn nonsense_is_refused_without_a_server_error() {
    let folder = TestFolder::of_rows(&rows());
    let server = serve(&folder);
    let mut random = SmallRng::seed_from_u64(11);
    for round in 0..400 {
        let length = random.random_range(0..60);
        let text: Vec<u8> = (0..length).map(|_| LETTERS[random.random_range(0..LETTERS.len())]).collect();
        let mut request = match round % 4 {
            0 => text,
            1 => [b"GET ", PROTEINS.as_bytes(), b"/protein/", &text].concat(),
            2 => [b"GET ", PROTEINS.as_bytes(), b"/protein/search?", &text].concat(),
            _ => [b"HEAD ", PROTEINS.as_bytes(), b"/", &text].concat(),
        };
        request.extend(b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let mut stream = server.connect();
        let mut answer = Vec::new();
        // The server may close the connection before all was said.
        let _ = stream.write_all(&request).and_then(|()| stream.read_to_end(&mut answer));
        let status = answer.get(9..12).unwrap_or_default();
        assert_ne!(status.first(), Some(&b'5'), "{:?}", String::from_utf8_lossy(&request));
    }
    assert_eq!(server.get(&format!("{PROTEINS}/protein/12")).0, 200);
    assert!(!server.log().contains("panicked"), "{}", server.log());
}
