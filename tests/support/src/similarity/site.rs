//! A server over data, with an engine of the test.

use std::env;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::machine::{Server, wait_for};
use crate::{TestFolder, program};
use similarity::Engine;
use tempfile::TempDir;

use super::engine::{noting, programs, replace};

/// Data, and an engine that records the number of its process for each run.
pub struct Site {
    pub data: TestFolder,
    pub folder: TempDir,
    /// Programs that replace those of HMMER.
    pub programs: Option<TempDir>,
    /// The engine may wait until this is unlocked.
    gate: File,
}

impl Site {
    /// Makes a site with the programs that are installed.
    pub fn with_installed(data: TestFolder) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let gate = File::create(folder.path().join("go")).expect("new");
        gate.lock().expect("a lock");
        Self { data, folder, programs: None, gate }
    }

    /// Makes a site where a script stands for both programs. In it, `GO` is the file that is locked
    /// until the test lets the engine go.
    pub fn with_engine(data: TestFolder, script: &str) -> Self {
        let site = Self::with_installed(data);
        let programs = programs(&site.script(script));
        let hmmsearch = programs.path().join("hmmsearch");
        fs::remove_file(&hmmsearch).expect("a link");
        symlink("phmmer", &hmmsearch).expect("a link");
        Self { programs: Some(programs), ..site }
    }

    fn script(&self, script: &str) -> String {
        let go = self.folder.path().join("go").display().to_string();
        noting(&self.folder.path().join("pids"), &script.replace("GO", &go))
    }

    /// Replaces the engine's script from now on.
    pub fn change_engine(&self, script: &str) {
        replace(self.programs.as_ref().expect("an engine of its own").path(), &self.script(script));
    }

    /// Returns the engine.
    pub fn engine(&self) -> Engine {
        let installed = env::var_os("PATH").unwrap_or_default();
        let folders = self.programs.as_ref().map_or(&*installed, |programs| programs.path().as_os_str());
        Engine::find_in(folders, None).expect("an engine")
    }

    /// Has a command find the same engine.
    pub fn with_programs(&self, mut command: Command) -> Command {
        if let Some(programs) = &self.programs {
            command.env("PATH", programs.path());
        }
        command
    }

    /// Returns the command that serves.
    pub fn command(&self, more: &[&str]) -> Command {
        self.command_over(self.data.path(), more)
    }

    /// Returns the command that serves another data folder with the same engine.
    pub fn command_over(&self, data: &Path, more: &[&str]) -> Command {
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data).args(more);
        self.with_programs(command)
    }

    pub fn serve(&self, more: &[&str]) -> Server {
        Server::of_command(&mut self.command(more))
    }

    /// Lets the engine continue, if it waits for that.
    pub fn go(&self) {
        self.gate.unlock().expect("a lock");
    }

    /// Returns the processes of the engine, one for each run.
    pub fn pids(&self) -> Vec<String> {
        // Without the file, no process has run yet.
        let pids = fs::read_to_string(self.folder.path().join("pids")).ok();
        pids.iter().flat_map(|pids| pids.split_whitespace()).map(str::to_owned).collect()
    }

    pub fn num_runs(&self) -> usize {
        self.pids().len()
    }

    /// Waits until the engine has been started the given number of times.
    pub fn wait_for_runs(&self, num: usize) {
        wait_for("runs of the engine", || (self.num_runs() >= num).then_some(()));
    }

    pub fn searches(&self) -> PathBuf {
        self.data.path().join("searches")
    }

    /// Returns the name of the folder of a search, which equal ones share.
    pub fn run(&self, id: &str) -> String {
        run(&self.searches(), id)
    }

    /// Returns the files of the searches, by their paths below the folder of searches, ascending.
    pub fn files(&self) -> Vec<String> {
        files(&self.searches())
    }
}

/// Returns the name of the folder of a search in one of searches.
pub fn run(searches: &Path, id: &str) -> String {
    let names = files(searches).into_iter().filter_map(|file| Some(file.strip_suffix("/job.json")?.to_owned()));
    let has = |name: &String| fs::read_to_string(searches.join(name).join("job.json")).expect("readable").contains(id);
    names.into_iter().find(has).unwrap_or_else(|| panic!("{id} has no folder"))
}

/// Returns all entries in a folder of searches except its lock; nothing if the folder is missing.
pub fn files(searches: &Path) -> Vec<String> {
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
