//! One address posts bodies that use as much memory as possible.

use std::fmt::Write as _;
use std::thread;
use std::time::Duration;

use support::machine::rounds;
use support::profile_writers::Connection;

use crate::attacks::neighbours::Site;

/// The memory that a server may use for bodies posted by one address.
const MEMORY_MAX_BYTES: usize = 500 << 20;

/// The additional memory that it may still use 10 seconds later.
const LEFT_MAX_BYTES: usize = 150 << 20;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const PARTS: &str = "multipart/form-data; boundary=x";

const SEARCHES: &str = "/metagenomics/proteins/api/v2/searches";

fn request(method: &str, path: &str, content_type: &str, header: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("host: a\r\nconnection: close\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n");
    format!("{method} {path} HTTP/1.1\r\n{head}{header}\r\n{body}").into_bytes()
}

fn post(path: &str, content_type: &str, body: &str) -> Vec<u8> {
    request("POST", path, content_type, "", body)
}

/// Lists of a list of one number, to some length.
fn nested(num_bytes: usize) -> String {
    format!("[{}[1]]", "[1],".repeat(num_bytes / 4))
}

fn assert_bounded(site: &Site, name: &str, request: &[u8]) {
    let before = site.resident();
    site.withstands(name, request);
    let peak = site.peak();
    assert!(peak < MEMORY_MAX_BYTES as u64, "{name}: {peak} bytes");
    thread::sleep(Duration::from_secs(rounds(0, 10) as u64));
    let left = site.resident().saturating_sub(before);
    assert!(left < rounds(MEMORY_MAX_BYTES, LEFT_MAX_BYTES) as u64, "{name}: {left} bytes more than before");
}

#[test]
fn forms_use_limited_memory() {
    let site = Site::start();
    let parts = "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n".repeat(60_000);
    let mut fields = String::new();
    for number in 0..400_000 {
        let _ = write!(fields, "a{number}=1&");
    }
    for path in ["/portal/find", "/portal/compare"] {
        assert_bounded(&site, "parts", &post(path, PARTS, &parts));
        assert_bounded(&site, "fields", &post(path, FORM, &fields));
    }
    assert_bounded(&site, "fields of a search", &post("/portal/similar", FORM, &"a=1&".repeat(2_300_000)));
    let words = format!("proteins={}", "MGYP000000000001+".repeat(100_000));
    assert_bounded(&site, "a long list", &post("/portal/compare", FORM, &words));
    let sequence = format!("query={}", "M".repeat(9_000_000));
    assert_bounded(&site, "a long sequence", &post("/portal/similar", FORM, &sequence));
}

#[test]
fn json_bodies_use_limited_memory() {
    let site = Site::start();
    let v2 = "/metagenomics/proteins/api/v2/proteins";
    assert_bounded(&site, "lists", &post(&format!("{v2}/search"), JSON, &format!("{{\"q\":{}}}", nested(510 << 10))));
    assert_bounded(
        &site,
        "conditions",
        &post(&format!("{v2}/search"), JSON, &format!("{{\"pfam\":[{}1]}}", "1,".repeat(250_000))),
    );
    assert_bounded(&site, "items", &post(&format!("{v2}/batch"), JSON, &nested(4 << 20)));
    assert_bounded(&site, "lists for a search", &post(SEARCHES, JSON, &format!("{{\"q\":{}}}", nested(9 << 20))));
    let mut members = "{\"a\":1".to_owned();
    for number in 0..600_000 {
        let _ = write!(members, ",\"a{number}\":1");
    }
    assert_bounded(&site, "members", &post(SEARCHES, JSON, &format!("{members}}}")));
    assert_bounded(
        &site,
        "sequences",
        &post("/metagenomics/proteins/api/v2/sequences/search", "text/plain", &">\n".repeat(4 << 20)),
    );
}

/// If several proteins are given, none is looked up.
#[test]
fn searches_for_many_proteins_use_limited_memory() {
    let site = Site::start();
    assert_bounded(&site, "accessions", &post(SEARCHES, FORM, &"accession=4584121307&".repeat(430_000)));
    let list = format!("{{\"accession\":[{}1]}}", "4584121307,".repeat(850_000));
    assert_bounded(&site, "a list of accessions", &post(SEARCHES, JSON, &list));
}

#[test]
fn attributes_use_limited_memory() {
    let site = Site::start();
    let token = format!("authorization: Bearer {}\r\n", site.token());
    let body = format!("{{\"a\":{}}}", nested(250 << 10));
    let mut connection = Connection::open(site.server().address()).expect("the server accepts");
    let own = connection.get("/my/profile", site.token()).expect("an answer").json();
    let path = format!("/profiles/{}", own["reference"].as_str().expect("a reference"));
    for (method, path) in [("POST", "/profiles"), ("PATCH", &path)] {
        assert_bounded(&site, method, &request(method, path, JSON, &token, &body));
    }
}
