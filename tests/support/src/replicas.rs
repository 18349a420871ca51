//! A publisher, a store that is a folder, and replicas.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::machine::{Inputs, Server, acknowledged, mgdex, read_answer, wait_for};
use crate::{TestFolder, data, program, states};
use serde_json::Value;
use store::GenerationName;

pub struct Site {
    inputs: Inputs,
    pub publisher: TestFolder,
    folder: TestFolder,
    /// The URL of the store, by default its folder.
    pub url: String,
    /// Settings of the store for the environment.
    pub settings: Vec<(&'static str, String)>,
}

impl Site {
    /// Prepares a site with a folder as its store.
    pub fn new() -> Self {
        let folder = TestFolder::empty();
        let url = format!("file://{}", folder.path().join("store").display());
        Self { inputs: Inputs::new(), publisher: TestFolder::empty(), folder, url, settings: Vec::new() }
    }

    pub fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    /// Indexes a state at the publisher, without publishing it.
    pub fn index(&self, number: u64) -> GenerationName {
        self.index_in(self.publisher.path(), number)
    }

    pub fn index_in(&self, data: &Path, number: u64) -> GenerationName {
        acknowledged(&self.inputs.index(data, number).output().expect("the binary"))
    }

    /// Loads a small catalogue at the publisher.
    pub fn load_catalogue(&self, options: &[&str]) {
        let mut command = program();
        command.args(["catalogue", "load", "--quiet", "--data"]).arg(self.publisher.path()).args(options);
        command.args(["studies", "biomes"].map(|name| data(&format!("catalogue/collections/{name}.jsonl.gz"))));
        assert!(command.output().expect("the binary").status.success());
    }

    pub fn publish_command(&self, arguments: &[&str]) -> Command {
        self.publish_command_of(self.publisher.path(), arguments)
    }

    pub fn publish_command_of(&self, data: &Path, arguments: &[&str]) -> Command {
        let mut command = mgdex("publish", data);
        command.arg("--to").arg(&self.url).args(arguments).envs(self.settings.iter().cloned());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Publishes the current data, and returns the output of the command.
    pub fn publish(&self, arguments: &[&str]) -> String {
        succeeded(&self.publish_command(arguments).output().expect("the binary"))
    }

    /// Indexes a state and publishes it.
    pub fn publish_state(&self, number: u64) -> GenerationName {
        let name = self.index(number);
        self.publish(&[]);
        name
    }

    /// Starts a replica of the proteins.
    pub fn replica(&self, data: &Path) -> Server {
        Server::of_command(&mut self.replica_command(data, &["--services", "proteins"]))
    }

    pub fn replica_command(&self, data: &Path, arguments: &[&str]) -> Command {
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--follow", &self.url]);
        command.args(["--follow-interval", "100ms", "--data"]).arg(data).args(arguments);
        command.envs(self.settings.iter().cloned()).stdin(Stdio::null());
        command
    }

    /// Returns the paths of all objects in the folder of the store.
    pub fn objects(&self) -> Vec<PathBuf> {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let files: Vec<_> =
            entries(&self.store().join("objects")).flat_map(|folder| entries(&folder).collect::<Vec<_>>()).collect();
        files.into_iter().filter(|file| !file.to_string_lossy().contains('#')).collect()
    }

    /// Reads a document of the store.
    pub fn document(&self, path: &str) -> Option<Value> {
        let text = fs::read_to_string(self.store().join(path)).ok()?;
        Some(serde_json::from_str(&text).expect("JSON"))
    }

    /// Returns the path of an object that only the current generation needs: the largest of its
    /// chunks.
    pub fn object_of(&self, generation: GenerationName) -> PathBuf {
        self.object_of_kind("proteins", &generation.to_string())
    }

    pub fn object_of_kind(&self, kind: &str, generation: &str) -> PathBuf {
        let manifest = self.document(&format!("generations/{kind}/{generation}.json")).expect("published");
        let chunks = manifest["files"]
            .as_array()
            .expect("files")
            .iter()
            .flat_map(|file| file["chunks"].as_array().expect("chunks"));
        let largest = chunks.max_by_key(|chunk| chunk["size_bytes"].as_u64()).expect("not empty");
        let sha256 = largest["sha256"].as_str().expect("a text");
        self.store().join("objects").join(&sha256[..2]).join(sha256)
    }
}

/// Returns the output of a command that must succeed.
pub fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns status and body of `/readyz`.
pub fn readiness(server: &Server) -> (u16, Value) {
    let (status, body) = server.get("/readyz");
    (status, serde_json::from_str(&body).expect("JSON"))
}

/// Waits until a server serves a generation of the proteins.
pub fn wait_until_served(server: &Server, generation: GenerationName) {
    wait_for("the generation to be served", || {
        (readiness(server).1["proteins"]["generation"] == generation.to_string()).then_some(())
    });
}

/// Waits until a server reports a kind of problem with new proteins to strangers, and more to its
/// log.
pub fn wait_for_problem(server: &Server, kind: &str, parts: &[&str]) {
    wait_for("the problem", || {
        let is_logged = parts.iter().all(|part| server.log().contains(part));
        (readiness(server).1["proteins"]["problem"] == kind && is_logged).then_some(())
    });
}

/// Returns the number of the state that a server answers from, after checking that all of the
/// answer is of that state.
pub fn served_state(server: &Server) -> u64 {
    let (status, body) = server.get_protein("/protein/search?biome_id=2&limit=1000");
    assert_eq!(status, 200, "{body}");
    let hits: Value = serde_json::from_str(&body).expect("JSON");
    let number = hits[0]["cluster_size"].as_u64().expect("a number");
    let found: Vec<_> = hits.as_array().expect("hits").iter().map(|hit| (&hit["mgyp"], &hit["cluster_size"])).collect();
    let expected: Vec<_> = states::accessions(number)
        .map(|accession| (Value::from(format!("MGYP{accession:012}")), Value::from(number)))
        .collect();
    assert_eq!(found, expected.iter().map(|(mgyp, size)| (mgyp, size)).collect::<Vec<_>>());
    number
}

/// Returns a measurement of a server, of the proteins.
pub fn measured(server: &Server, name: &str) -> u64 {
    let log = server.log();
    let address =
        log.split("metrics on http://").nth(1).and_then(|rest| rest.split("/metrics").next()).expect("metrics");
    let mut stream = TcpStream::connect(address).expect("the server accepts");
    write!(stream, "GET /metrics HTTP/1.0\r\nhost: mgdex.test\r\n\r\n").expect("the server reads");
    let (_, body) = read_answer(&mut stream);
    let line = body.lines().find(|line| line.starts_with(&format!("{name}{{kind=\"proteins\"}}")));
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or_else(|| panic!("{name}: {body}"))
}

/// Returns the number of objects that each attempt to fetch proteins began to fetch, as logged.
pub fn fetches(server: &Server) -> Vec<usize> {
    let log = server.log();
    let lines = log.lines().filter(|line| line.contains("proteins/") && line.contains("objects to fetch"));
    lines
        .map(|line| line.split(": ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).expect("a number"))
        .collect()
}
