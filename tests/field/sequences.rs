//! FASTA as programs and archives write it.

use api::paths::REFGET;
use serde_json::Value;
use store_proteins::{DigestAlgorithm, SequenceDigest};
use support::{PROTEINS_V2, TestFolder, get, post, program};

use super::printed;

const ONE: &str = "MKVLAAGIVGLCAKMKVLAAGIVGLCAKMKVLAAGIVGLCAKWWW";
const TWO: &str = "MSEIEKNIKEMIASNDVVLFMKGNPEFPQCGFSAQAVQALKAC";

/// Files of two sequences, which are called `one` and `two` where the file has names.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let blocks = |sequence: &str| {
        let blocks: Vec<_> =
            sequence.as_bytes().chunks(10).map(|block| str::from_utf8(block).expect("ASCII")).collect();
        blocks.chunks(2).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n")
    };
    let plain = format!(">one\n{ONE}\n>two\n{TWO}\n");
    let gzip = |text: &str| {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    };
    let marked = |text: &str| format!("\u{feff}{text}").into_bytes();
    vec![
        ("as everybody writes it", plain.clone().into_bytes()),
        ("without a last line break", plain.trim_end().into()),
        ("with a mark", marked(&plain)),
        ("of Windows", plain.replace('\n', "\r\n").into_bytes()),
        ("of Windows, with a mark", marked(&plain.replace('\n', "\r\n"))),
        ("in lower case", plain.replace(ONE, &ONE.to_lowercase()).into_bytes()),
        ("in blocks of ten", format!(">one\n{}\n>two\n{}\n", blocks(ONE), blocks(TWO)).into_bytes()),
        ("in lines with spaces and tabs around them", format!(">one\n  {ONE}\t\n>two \n\t{TWO}  \n").into_bytes()),
        ("with blank lines", format!("\n>one\n\n{ONE}\n\n\n>two\n{TWO}\n\n").into_bytes()),
        ("with stops at the ends", format!(">one\n{ONE}*\n>two\n{TWO}\n*\n").into_bytes()),
        ("with titles", format!(">one a title | of [nobody] \"x\"\n{ONE}\n>two\tanother\n{TWO}\n").into_bytes()),
        ("of NCBI's nr", format!(">one first\u{1}three second\n{ONE}\n>two\u{1}four\n{TWO}\n").into_bytes()),
        ("with a title in Latin-1", [&b">one \xe9t\xe9\n"[..], ONE.as_bytes(), b"\n>two\n", TWO.as_bytes()].concat()),
        ("compressed", gzip(&plain)),
        // As bgzip writes it: several members, of which the last one is empty.
        ("compressed in parts", [gzip(&format!(">one\n{ONE}\n")), gzip(&format!(">two\n{TWO}\n")), gzip("")].concat()),
        ("compressed by zstd", zstd::encode_all(plain.as_bytes(), 1).expect("memory")),
    ]
}

/// Returns the values of a member of NDJSON.
fn members(lines: &str, name: &str) -> Vec<String> {
    let line = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")[name].as_str().map(str::to_owned);
    lines.lines().map(|text| line(text).unwrap_or_else(|| panic!("{lines}"))).collect()
}

#[tokio::test]
async fn fasta_variants_are_loaded_and_looked_up() {
    let known = TestFolder::of_sample_with(true);
    known.add_source("known", &format!(">one\n{ONE}\n>two\n{TWO}\n"), "name\n");
    let api = known.router();
    let path = format!("{PROTEINS_V2}/sequences/search");
    for (number, (what, file)) in files().into_iter().enumerate() {
        let folder = TestFolder::empty();
        // A comma in the name of a file separates no files.
        let input = folder.path().join(format!("{number}, of mine.faa"));
        std::fs::write(&input, &file).expect("writable");
        let mut add = program();
        add.args(["own", "add", "mine", "--quiet", "--proteins"]).arg(&input).arg("--data").arg(folder.path());
        let added = add.output().expect("the program starts");
        assert!(added.status.success(), "{what}: {}", String::from_utf8_lossy(&added.stderr));
        let search = ["search", "--query", "source:mine", "--format", "ndjson", "--fields", "name,sequence"];
        let (_, found) = printed(&folder, &search);
        assert_eq!(members(&found, "name"), ["one", "two"], "{what}");
        assert_eq!(members(&found, "sequence"), [ONE, TWO], "{what}");

        let (code, found) = printed(&known, &["lookup", input.to_str().expect("text")]);
        assert_eq!((code, members(&found, "name")), (Some(0), vec!["one".to_owned(), "two".to_owned()]), "{what}");
        if what.starts_with("compressed") {
            continue;
        }
        let answer = post(&api, &path, "text/x-fasta", file).await;
        let found = String::from_utf8(answer.body).expect("text");
        assert_eq!(members(&found, "name"), ["one", "two"], "{what}");
    }
}

#[test]
fn all_bad_rows_are_counted_before_a_run_fails() {
    let folder = TestFolder::empty();
    let input = folder.path().join("bad.faa");
    std::fs::write(&input, format!(">one\n{ONE}\n>two\nMK7\n>a/b\nMK\n>one\nMK\n>three\n\n")).expect("writable");
    let mut add = program();
    add.args(["own", "add", "mine", "--quiet", "--proteins"]).arg(&input).arg("--data").arg(folder.path());
    let failed = add.output().expect("the program starts");
    let message = String::from_utf8_lossy(&failed.stderr);
    assert!(!failed.status.success() && message.contains("4 bad rows") && message.contains("line 3"), "{message}");
    let rejects = folder.path().join("proteins/rejects-of-last-failed-run.tsv");
    assert_eq!(std::fs::read_to_string(rejects).expect("kept").lines().count(), 5);
}

#[tokio::test]
async fn stored_stops_are_found_with_and_without_the_stop() {
    let folder = TestFolder::with_checksums("12,MKVLAARSTW*,true,1,\n13,MKVLAARSTW,true,1,\n14,MSTW,true,1,\n");
    for (sequence, expected) in [("MKVLAARSTW", 2), ("MKVLAARSTW*", 2), ("MSTW*", 1), ("MSTW**", 0)] {
        let file = folder.path().join("one.faa");
        std::fs::write(&file, format!(">x\n{sequence}\n")).expect("writable");
        let (_, found) = printed(&folder, &["lookup", "--all", file.to_str().expect("text")]);
        let found: Value = serde_json::from_str(&found).expect("JSON");
        assert_eq!(found["accessions"].as_array().map(Vec::len), Some(expected), "{found}");
    }
    let api = folder.router();
    let query = |digest: &SequenceDigest| format!("{}:{digest}", digest.algorithm().name());
    for (sequence, expected) in [("MKVLAARSTW", 2), ("MKVLAARSTW*", 1), ("MSTW", 1), ("MSTW*", 0)] {
        for digest in DigestAlgorithm::ALL.map(|algorithm| algorithm.digest(sequence)) {
            let count = printed(&folder, &["search", "--count", "--query", &query(&digest)]).1;
            assert_eq!(count, format!("{expected}\n"), "{sequence} {digest}");
            let answer = get(&api, &format!("{REFGET}/sequence/{digest}")).await;
            let body = answer.text();
            assert!(expected == 0 || body == sequence, "{sequence} {digest}: {body}");
        }
    }
}
