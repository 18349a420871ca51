//! Harvests of a server of the catalogue: all objects that it shows arrive, whatever its faults;
//! missing ones are reported, and no server is sent more requests than necessary.

mod answers;
mod documents;
mod faults;
mod killed;
mod load;
mod odd;
mod refused;
mod server;
mod since;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use support::program;

use documents::key_of;

/// Returns the command that harvests a server without sparing it.
fn harvest(url: &str, to: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["catalogue", "harvest", "--rate", "none", "--retry-pause", "1ms", "--from", url, "--to"]).arg(to);
    command.args(more);
    command
}

/// Runs a command that must succeed.
fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the binary");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Runs a harvest that must fail, and returns its message.
fn fail(command: &mut Command) -> String {
    let output = command.output().expect("the binary");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && !message.contains("panicked"), "{output:?}");
    message
}

/// Returns the files of a harvest, decompressed, without its lock and the report, which has dates.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() || ["harvest.json", "harvest.lock"].contains(&&*name) {
            continue;
        }
        let bytes = fs::read(&path).expect("readable");
        let mut text = String::new();
        if path.extension().is_some_and(|extension| extension == "gz") {
            MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).expect(&name);
        } else {
            text = String::from_utf8(bytes).expect(&name);
        }
        files.insert(name, text);
    }
    files
}

/// Returns the lines of a file of a harvest. A file without lines does not exist.
fn lines(folder: &Path, name: &str) -> Vec<Value> {
    let files = files(folder);
    let text = files.get(name).or_else(|| files.get(&format!("{name}.jsonl.gz")));
    text.into_iter().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).expect(name)).collect()
}

/// Returns the keys of the documents of a kind, including those that are only parts of analyses.
fn keys(folder: &Path, kind: &str) -> BTreeSet<String> {
    let mut keys: BTreeSet<String> = lines(folder, kind).iter().map(key_of).collect();
    let part = match kind {
        "runs" => "run",
        "assemblies" => "assembly",
        _ => return keys,
    };
    keys.extend(
        lines(folder, "analyses").iter().map(|analysis| &analysis[part]).filter(|part| part.is_object()).map(key_of),
    );
    keys
}

fn report(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("harvest.json")).expect("a report")).expect("JSON")
}
