//! The demo shows requests that have answers, that for a profile among them, and keeps its index.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use indexer::Input;
use serde_json::Value;
use support::machine::{Server, wait_for};
use support::{TestFolder, data, data_text, program};

use crate::cli::{rows, run};

#[test]
fn the_demo_prints_working_requests_and_keeps_its_index() {
    let folder = TestFolder::empty();
    let mut generations = BTreeSet::new();
    for _ in 0..2 {
        // At the second start the private key is still there, of which the public one is made
        // again.
        let _ = fs::remove_file(folder.path().join("mgdex-data/demo-keys/public.pem"));
        let mut command = program();
        command.args(["--listen", "127.0.0.1:0"]).current_dir(folder.path());
        let mut server = Server::of_command(&mut command);
        // The lines follow just after the log line that the start waits for.
        let shown = wait_for("the examples", || {
            let text = server.stdout();
            text.ends_with("in a browser.\n").then_some(text)
        });
        let urls: Vec<&str> =
            shown.lines().filter_map(|line| line.trim().strip_prefix("curl '")?.strip_suffix('\'')).collect();
        assert_eq!(urls.len(), 5, "{shown}");
        let with_token = shown.lines().find(|line| line.contains("Bearer")).expect("a request with the token");
        check_profile_request(&server, with_token, folder.path());
        for url in urls {
            let path = url.strip_prefix(&format!("http://{}", server.address())).expect("its own address");
            let (status, body) = server.get(path);
            assert_eq!(status, 200, "{url}");
            let body: Value = serde_json::from_str(&body).expect("JSON");
            let is_protein = body["mgyp"].is_string() || body[0]["mgyp"].is_string();
            assert!(is_protein || body["data"][2]["id"].is_string(), "{url}: {body}");
        }
        let readiness: Value = serde_json::from_str(&server.get("/readyz").1).expect("JSON");
        assert_eq!(readiness["proteins"]["num_records"], 10_035);
        assert_eq!(readiness["catalogue"]["num_records"], 35_167);
        generations.insert(format!("{} {}", readiness["proteins"]["generation"], readiness["catalogue"]["generation"]));
        server.terminate();
        assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    }
    assert_eq!(generations.len(), 1, "the second start uses the index of the first");
    assert!(folder.path().join("mgdex-data/proteins/CURRENT").is_file());
    assert!(folder.path().join("mgdex-data/directory/CURRENT").is_file());
    let mode =
        |name: &str| folder.path().join("mgdex-data/demo-keys").join(name).metadata().expect(name).mode() & 0o777;
    assert_eq!(
        (mode("private.pem"), mode("token"), mode("."), mode("public.pem") & 0o200),
        (0o600, 0o600, 0o700, 0o200)
    );
    replace_made_up_proteins(folder.path());
}

/// Checks that an index of other rows in the folder of the demo, with the tables in the program,
/// keeps own data of a file and not the made-up proteins.
fn replace_made_up_proteins(folder: &Path) {
    let example = |name: &str| folder.join("data/proteins/own").join(name).display().to_string();
    let run_here = |arguments: &[&str]| run(program().args(arguments).current_dir(folder));
    let written = run_here(&["files", "data"]);
    assert_eq!((written.code, written.stdout.lines().count()), (Some(0), 22), "{written:?}");
    assert_eq!(fs::read(example("assembly.faa")).ok(), fs::read(data("proteins/own/assembly.faa")).ok());
    let again = run_here(&["files", "data"]);
    assert!(again.code == Some(1) && again.stderr.contains("contigs.fna"), "{again:?}");
    let added = run_here(&["own", "add", "soil", "--proteins", &example("assembly.faa")]);
    assert_eq!(added.code, Some(0), "{added:?}");
    fs::write(folder.join("rows.csv"), rows()).expect("writable");
    let done = run_here(&["index", "--portal", "rows.csv", "--allow-shrink"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    for expected in ["left out: synthetic", "families and clans: using the bundled table", "9 proteins: soil"] {
        assert!(done.stderr.contains(expected), "{expected}: {}", done.stderr);
    }
    assert_eq!(run_here(&["search", "--query", "*", "--count"]).stdout, "12\n");
    let named = run_here(&["search", "--pfam", "5", "--fields", "accession", "--format", "tsv"]);
    assert_eq!(named.stdout, "accession\nMGYP000000000012\n");
}

/// Checks that the last request that is shown gets the profile of the demo's user, with the token
/// that it reads from a file.
fn check_profile_request(server: &Server, command: &str, folder: &Path) {
    let file =
        command.trim().strip_prefix("curl -H \"Authorization: Bearer $(cat '").and_then(|rest| rest.split_once('\''));
    let (file, rest) = file.unwrap_or_else(|| panic!("{command}"));
    assert_eq!(
        (command.len() < 150, rest),
        (true, &*format!(")\" 'http://{}/my/profile'", server.address())),
        "{command}"
    );
    let token = fs::read_to_string(folder.join(file)).expect("a token");
    let (status, body) = server.get_with("/my/profile", &[("authorization", &format!("Bearer {}", token.trim_end()))]);
    let profile: Value = serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {status} {body}"));
    assert_eq!(profile["attributes"]["email"], "demo@example.org", "{profile}");
    let user = profile["user"]["userReference"].as_str().expect("a user").to_owned();
    assert!(data_text("profiles/directory.jsonl").contains(&user), "{user}");
    assert_eq!(server.get("/my/profile").0, 401, "nobody else gets it");
}

/// Returns a data folder with little in it, to which the demo adds nothing.
fn small_folder() -> TestFolder {
    let folder = TestFolder::of_rows(&rows());
    folder.publish_catalogue(vec![Input::Path(data("catalogue/collections/cogs.jsonl.gz"))]);
    folder
}

#[test]
fn the_demo_makes_no_token_for_given_keys() {
    let folder = small_folder();
    let key = folder.path().join("public.pem");
    fs::write(&key, rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).expect("a key").public_key_pem())
        .expect("writable");
    let mut command = program();
    command.args(["--listen", "127.0.0.1:0", "--jwt-key"]).arg(&key).arg("--data").arg(folder.path());
    let server = Server::of_command(&mut command);
    let shown = wait_for("the examples", || {
        let text = server.stdout();
        text.ends_with("in a browser.\n").then_some(text)
    });
    assert!(!shown.contains("Bearer"), "{shown}");
    assert!(!folder.path().join("demo-keys").is_dir());
}

/// Starts the demo at a terminal, asks for a page and for something that is not there, and ends it
/// by Ctrl-C once all that is logged has been shown: a terminal drops output that it has not shown
/// by then. Returns the output until it serves, and after that.
fn at_a_terminal(options: &str, last_logged: Option<&str>) -> (Vec<String>, String) {
    let folder = small_folder();
    // A shell that stays would be ended by Ctrl-C, too, and have an exit code of its own.
    let line = format!("exec {} --listen 127.0.0.1:0 {options}", program().get_program().display());
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--return", "--flush", "--command", &line, "/dev/null"]);
    terminal.env("MGDEX_DATA", folder.path()).env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut terminal = terminal.spawn().expect("script");
    let (mut keys, shown) = (terminal.stdin.take().expect("piped"), terminal.stdout.take().expect("piped"));
    let mut lines = BufReader::new(shown).lines().map(|line| line.expect("text"));
    let mut beginning = Vec::new();
    while !beginning.last().is_some_and(|line: &String| line.starts_with("http://")) {
        beginning.push(lines.next().expect("an address").trim_end().to_owned());
    }
    let address = beginning[beginning.len() - 1]["http://".len()..].trim_end_matches('/').to_owned();
    for path in ["/healthz", "/nothing"] {
        let mut stream = TcpStream::connect(&address).expect("it serves");
        write!(stream, "GET {path} HTTP/1.0\r\nhost: {address}\r\n\r\n").expect("it reads");
        support::machine::read_answer(&mut stream);
    }
    let mut rest = Vec::new();
    while let Some(last) = last_logged
        && !rest.last().is_some_and(|line: &String| line.contains(last))
    {
        rest.push(lines.next().expect("what is logged"));
    }
    keys.write_all(b"\x03").expect("a terminal");
    rest.extend(lines);
    assert_eq!(terminal.wait().expect("a child").code(), Some(0), "{rest:?}");
    (beginning, rest.join("\n"))
}

#[test]
fn terminals_show_a_short_start_and_requests_only_on_demand() {
    let (beginning, rest) = at_a_terminal("", None);
    assert!((3..=8).contains(&beginning.len()), "{beginning:?}");
    assert!(beginning.iter().any(|line| line.contains("3 proteins") && line.contains("27 resources")), "{beginning:?}");
    assert!(!rest.contains("/healthz") && !rest.contains("/nothing"), "{rest}");
    let (beginning, rest) = at_a_terminal("--log-requests", Some("/nothing"));
    assert!((3..=8).contains(&beginning.len()), "{beginning:?} {rest}");
}
