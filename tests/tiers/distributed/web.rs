//! Replicas that follow a web server over the folder of a store.

use std::fs;
use std::io::{self, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::machine::wait_for;
use support::{HttpServer, TestFolder};

use support::replicas::{Site, served_state, wait_until_served};

/// Answers a request for a file, with entity tags.
fn answer(head: &[String], mut stream: &TcpStream, folder: &Path, num_unchanged: &AtomicUsize) -> io::Result<()> {
    let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().trim_start_matches('/');
    let shown = head.iter().find_map(|line| line.to_lowercase().strip_prefix("if-none-match: ").map(str::to_owned));
    let (status, tag, body) = match fs::read(folder.join(path)) {
        Ok(body) => {
            let hash = body.iter().fold(body.len(), |sum, byte| sum.wrapping_mul(31) ^ usize::from(*byte));
            let tag = format!("\"{hash:x}\"");
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
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}

#[test]
fn replicas_follow_a_web_server_with_conditional_requests() {
    let (mut site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let (store, num_unchanged) = (site.store(), Arc::<AtomicUsize>::default());
    let counted = Arc::clone(&num_unchanged);
    let web = HttpServer::start(move |head, stream| answer(head, stream, &store, &counted));
    let store = std::mem::replace(&mut site.url, format!("http://{}", web.address()));
    let replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    wait_for("unchanged answers", || (num_unchanged.load(Ordering::Relaxed) >= 3).then_some(()));
    site.url = store;
    wait_until_served(&replica, site.publish_state(2));
    assert_eq!(served_state(&replica), 2);
}
