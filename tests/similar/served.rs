//! Searches for similar proteins over HTTP, at the real server: with HMMER, and with engines that wait, fail and pretend.

mod answers;
mod clock;
mod failing;
mod full;
mod headers;
mod hostile;
mod killed;
mod off;
mod pages;
mod removed;
mod switched;
mod together;
mod waiting;

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::{Value, json};
use support::machine::{Server, wait_for};
use support::{Answer, PROTEINS_V2, TestFolder, data, program};
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::runtime;

use super::QUERY;
use super::engines::{HEAD, path_of, programs};

/// The most time between two bytes of an answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// Waits for an engine that is let go.
const WAITS: &str = "while [ ! -e GO ]; do sleep 0.02; done; exec REAL \"$@\"";

/// Searches at once.
const AT_ONCE: &str = "exec REAL \"$@\"";

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// Data, and an engine that notes the number of its process for each run.
struct Site {
    data: TestFolder,
    folder: TempDir,
    /// Programs that stand in for those of HMMER.
    programs: Option<TempDir>,
}

/// A client with an address of its own, `127.0.0.N`.
#[derive(Clone, Copy)]
struct Client<'a> {
    server: &'a Server,
    number: u8,
}

impl Site {
    /// Makes a site with HMMER itself.
    fn new(data: TestFolder) -> Self {
        Self { data, folder: TempDir::new().expect("a temporary folder"), programs: None }
    }

    /// Makes a site where a script stands for both programs. In it, `GO` is a file, `REAL` the program itself, and `PIDS` the file of processes.
    fn with_engine(data: TestFolder, script: &str) -> Self {
        let site = Self::new(data);
        let programs = programs(&site.script("phmmer", script));
        let hmmsearch = programs.path().join("hmmsearch");
        fs::remove_file(&hmmsearch).expect("a link");
        fs::copy(programs.path().join("phmmer"), &hmmsearch).expect("copied");
        fs::write(&hmmsearch, site.script("hmmsearch", script)).expect("written");
        Self { programs: Some(programs), ..site }
    }

    fn script(&self, program: &str, script: &str) -> String {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        let script = script.replace("REAL", path_of(program).to_str().expect("text")).replace("GO", &path("go"));
        let script = script.replace("PIDS", &path("pids"));
        format!("{HEAD}export PATH=/usr/bin:/bin\necho $$ >> {}\n{script}\n", path("pids"))
    }

    /// Replaces what the engine does from now on.
    fn change_engine(&self, script: &str) {
        let programs = self.programs.as_ref().expect("an engine of its own");
        for program in ["phmmer", "hmmsearch"] {
            // A script that runs is read on, so that another file takes its name.
            let path = programs.path().join(program);
            let new = path.with_extension("new");
            fs::copy(&path, &new).expect("copied");
            fs::write(&new, self.script(program, script)).expect("written");
            fs::rename(&new, &path).expect("renamed");
        }
    }

    /// Returns the command that serves.
    fn command(&self, more: &[&str]) -> Command {
        self.command_over(self.data.path(), more)
    }

    /// Returns the command that serves another data folder with the same engine.
    fn command_over(&self, data: &Path, more: &[&str]) -> Command {
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data).args(more);
        if let Some(programs) = &self.programs {
            command.env("PATH", programs.path());
        }
        command
    }

    fn serve(&self, more: &[&str]) -> Server {
        Server::of_command(&mut self.command(more))
    }

    /// Lets the engine go on, if it waits for that.
    fn go(&self) {
        fs::write(self.folder.path().join("go"), "").expect("written");
    }

    /// Returns the processes of the engine, one for each run.
    fn pids(&self) -> Vec<String> {
        let pids = fs::read_to_string(self.folder.path().join("pids")).unwrap_or_default();
        pids.split_whitespace().map(str::to_owned).collect()
    }

    fn num_runs(&self) -> usize {
        self.pids().len()
    }

    /// Waits until the engine has been started so many times.
    fn wait_for_runs(&self, num: usize) {
        wait_for("runs of the engine", || (self.num_runs() >= num).then_some(()));
    }

    fn searches(&self) -> PathBuf {
        self.data.path().join("searches")
    }

    /// Returns the files of the searches, by their paths below the folder of searches, ascending.
    fn files(&self) -> Vec<String> {
        files(&self.searches())
    }
}

/// Returns all that is in a folder of searches but its lock; nothing if there is none.
fn files(searches: &Path) -> Vec<String> {
    if !searches.is_dir() {
        return Vec::new();
    }
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).expect("readable");
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("text")).collect()
    };
    let mut files = Vec::new();
    for name in names(searches).into_iter().filter(|name| name != "LOCK") {
        let path = searches.join(&name);
        if path.is_dir() {
            files.extend(names(&path).into_iter().map(|file| format!("{name}/{file}")));
        } else {
            files.push(name);
        }
    }
    files.sort();
    files
}

impl<'a> Client<'a> {
    fn new(server: &'a Server) -> Self {
        Self { server, number: 1 }
    }

    /// Sends a request on a connection of its own, unless the server is gone.
    #[expect(clippy::needless_pass_by_value, reason = "methods are constants")]
    fn try_ask(self, method: Method, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Option<Answer> {
        let mut stream = self.connect()?;
        let mut head = format!("{method} {path} HTTP/1.0\r\n");
        if headers.iter().all(|(name, _)| *name != "host") {
            head += "host: mgdex.test\r\n";
        }
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        if !body.is_empty() {
            head.extend(["content-length: ", &body.len().to_string(), "\r\n"]);
        }
        stream.write_all(&[head.as_bytes(), b"\r\n", body].concat()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        read(&answer)
    }

    fn connect(self) -> Option<TcpStream> {
        let address: SocketAddr = self.server.address().parse().expect("an address");
        let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let connected = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((Ipv4Addr::new(127, 0, 0, self.number), 0).into())?;
            socket.connect(address).await?.into_std()
        });
        let stream = connected.ok()?;
        stream.set_nonblocking(false).expect("a socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        Some(stream)
    }

    /// Sends a request, which is answered.
    #[expect(clippy::needless_pass_by_value, reason = "methods are constants")]
    fn ask(self, method: Method, path: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Answer {
        let answer = self.try_ask(method.clone(), path, headers, body.as_ref());
        answer.unwrap_or_else(|| panic!("{method} {path} is not answered: {}", self.server.log()))
    }

    fn get(self, path: &str) -> Answer {
        self.ask(Method::GET, &format!("{PROTEINS_V2}{path}"), &[], "")
    }

    fn post(self, order: &Value) -> Answer {
        self.ask(Method::POST, &format!("{PROTEINS_V2}/searches"), &JSON, order.to_string())
    }

    /// Begins a search, which is taken, and returns its identifier.
    fn begin(self, order: &Value) -> String {
        let answer = self.post(order);
        assert!(matches!(answer.status, StatusCode::OK | StatusCode::ACCEPTED), "{answer:?}");
        id(&answer)
    }

    /// Begins a search, and waits until it has found its hits.
    fn search(self, order: &Value) -> String {
        let id = self.begin(order);
        let state = self.wait(&id);
        assert_eq!(state["state"], "done", "{state}");
        id
    }

    fn state(self, id: &str) -> Value {
        let answer = self.get(&format!("/searches/{id}"));
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.json()
    }

    /// Waits for the end of a search.
    fn wait(self, id: &str) -> Value {
        wait_for("the end of a search", || {
            let answer = self.get(&format!("/searches/{id}?wait=20"));
            assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
            Some(answer.json()).filter(|state| state["state"] == "done" || state["state"] == "failed")
        })
    }

    fn remove(self, id: &str) -> Answer {
        self.ask(Method::DELETE, &format!("{PROTEINS_V2}/searches/{id}"), &[], "")
    }

    /// Returns the hits, in a form and with other parameters.
    fn hits(self, id: &str, parameters: &str) -> Answer {
        self.get(&format!("/searches/{id}/hits?{parameters}"))
    }

    /// Returns the hits in a form that is a text.
    fn text(self, id: &str, parameters: &str) -> String {
        let answer = self.hits(id, parameters);
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        String::from_utf8(answer.body).expect("text")
    }
}

/// Reads an answer, unless it is cut off.
fn read(answer: &[u8]) -> Option<Answer> {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = StatusCode::from_bytes(lines.next()?.split(' ').nth(1)?.as_bytes()).ok()?;
    let header = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?))
    };
    let headers = lines.map(header).collect::<Option<HeaderMap>>()?;
    Some(Answer { status, headers, body: answer[end + 4..].to_vec() })
}

/// Returns the identifier in the state of a search.
fn id(answer: &Answer) -> String {
    answer.json()["id"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

/// Returns what an answer says is wrong.
fn detail(answer: &Answer) -> String {
    let answer = answer.json();
    answer["detail"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Returns an order that differs from those of other numbers.
fn order(number: usize) -> Value {
    json!({ "sequence": &QUERY[number % 20..], "q": format!("length:[{} TO *]", 1 + number / 20), "E": 1 })
}

/// Returns the profile of a family, as HMMER writes it.
fn profile() -> String {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("profile");
    let built = Command::new("hmmbuild").arg("--amino").arg(&path).arg(data("proteins/own/PF00005.sto")).output();
    assert!(built.expect("hmmbuild is installed").status.success());
    fs::read_to_string(&path).expect("written")
}
