//! Replicas that follow a web server over the folder of a store.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use support::TestFolder;
use support::machine::wait_for;

use crate::site::{Site, served_state, wait_until_served};

/// A web server that knows files and entity tags, and is read from only.
struct WebServer {
    address: String,
    num_unchanged: Arc<AtomicUsize>,
}

impl WebServer {
    #[expect(clippy::disallowed_methods, reason = "its threads end with the process of the test")]
    fn start(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound").to_string();
        let num_unchanged = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&num_unchanged);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, counted) = (folder.clone(), Arc::clone(&counted));
                thread::spawn(move || answer(&stream, &folder, &counted));
            }
        });
        Self { address, num_unchanged }
    }
}

/// Answers one request.
fn answer(stream: &TcpStream, folder: &Path, num_unchanged: &AtomicUsize) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
    let Some(request) = lines.next() else { return };
    let shown = lines.filter_map(|line| line.to_lowercase().strip_prefix("if-none-match: ").map(str::to_owned)).last();
    let path = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
    let (status, tag, body) = match fs::read(folder.join(path)) {
        Ok(body) => {
            let tag = format!(
                "\"{:x}\"",
                body.iter().fold(body.len(), |sum, byte| sum.wrapping_mul(31) ^ usize::from(*byte))
            );
            if shown.as_ref() == Some(&tag) {
                num_unchanged.fetch_add(1, Ordering::Relaxed);
                ("304 Not Modified", tag, Vec::new())
            } else {
                ("200 OK", tag, body)
            }
        }
        Err(_) => ("404 Not Found", "\"none\"".to_owned(), Vec::new()),
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\netag: {tag}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    // Who asked may have gone away.
    let mut stream = stream;
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

#[test]
fn a_replica_follows_a_web_server_and_asks_on_condition() {
    let (mut site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let web = WebServer::start(site.store());
    let store = std::mem::replace(&mut site.url, format!("http://{}", web.address));
    let replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    wait_for("unchanged answers", || (web.num_unchanged.load(Ordering::Relaxed) >= 3).then_some(()));
    site.url = store;
    wait_until_served(&replica, site.publish_state(2));
    assert_eq!(served_state(&replica), 2);
}
