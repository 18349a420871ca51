//! Commands that publish generations.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use store::Generations;
use store_catalogue::CatalogueGeneration;
use store_profiles::DirectoryGeneration;
use store_proteins::ProteinGeneration;
use support::failing_calls::{FailingCalls, Fault, FileCall};
use support::machine::{Inputs, kill_after, mgdex};
use support::profile_writers::copy_folder;
use support::release::runs::Release;
use support::{needed, program};
use tempfile::TempDir;

use super::fail_each;

/// One in this many calls of a run fails, and each of the last ones, which publish.
const CALLS_PER_FAILING: usize = 31;
const LAST_CALLS: usize = 16;

/// A command that takes longer hangs.
const RUN_MAX: Duration = Duration::from_mins(5);

/// A command that publishes a generation in a data folder.
struct Publication<'a> {
    /// The folder of the generations.
    kind: &'static str,
    before: TempDir,
    /// `true` if the command also succeeds over the new state.
    can_repeat: bool,
    command: &'a dyn Fn(&Path) -> Command,
}

/// The states before and after a command without failing calls.
struct Whole {
    old: u64,
    new: u64,
    /// The files and folders afterwards.
    entries: Vec<String>,
}

/// Returns the number of entries of the current generation after checking every byte of it.
fn num_current(kind: &str, data: &Path) -> store::Result<u64> {
    let generations = Generations::new(data.join(kind));
    let Some(name) = generations.current()? else { return Ok(0) };
    match kind {
        "proteins" => {
            ProteinGeneration::verify_published(&generations, name)?;
            Ok(ProteinGeneration::open(&generations, name)?.statistics().num_proteins)
        }
        "catalogue" => {
            CatalogueGeneration::verify_published(&generations, name)?;
            Ok(CatalogueGeneration::open(&generations, name)?.contents().num_resources.into())
        }
        _ => {
            DirectoryGeneration::open(&generations, name)?;
            Ok(DirectoryGeneration::verify_published(&generations, name)?.num_users)
        }
    }
}

/// Returns the names in a folder of generations, without identifiers.
fn entries(generations: &Path) -> Vec<String> {
    let name = |name: &OsStr| {
        let name = name.to_str().expect("text");
        if name.starts_with("gen-") { "gen-".to_owned() } else { name.to_owned() }
    };
    let entries = fs::read_dir(generations).expect("readable");
    let mut names: Vec<_> = entries.map(|entry| name(&entry.expect("readable").file_name())).collect();
    names.sort();
    names
}

/// Checks the outcome of a command some of whose calls were made to fail: it has succeeded, or its
/// message names the file of one of them, or a folder above that.
fn check(output: &Output, data: &Path, failed: &[FileCall], fault: Fault) -> Result<(), String> {
    let message = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(());
    }
    let is_named = |call: &FileCall| {
        let mut paths = call.path.ancestors().take_while(|path| path.starts_with(data));
        paths.any(|path| message.contains(&path.display().to_string()))
    };
    let is_refusal = output.status.code() == Some(1) && !message.contains("panicked");
    if is_refusal && fault != Fault::Short && failed.iter().any(is_named) { Ok(()) } else { Err(message.into_owned()) }
}

impl Publication<'_> {
    fn copy(&self) -> TempDir {
        let data = TempDir::new().expect("a temporary folder");
        copy_folder(self.before.path(), data.path());
        data
    }

    /// Checks the folder after a command, and after the same command without failing calls.
    fn check_folder(&self, data: &Path, has_succeeded: bool, whole: &Whole) -> Result<(), String> {
        let found = num_current(self.kind, data).map_err(|error| error.to_string())?;
        if found != whole.new && (has_succeeded || found != whole.old) {
            return Err(format!("{found} entries are served"));
        }
        if found == whole.old || self.can_repeat {
            let again = (self.command)(data).output().expect("the binary");
            let found = num_current(self.kind, data).map_err(|error| error.to_string())?;
            if !again.status.success() || found != whole.new {
                return Err(format!("the next run: {found} entries are served, {again:?}"));
            }
        }
        let entries = entries(&data.join(self.kind));
        if entries == whole.entries { Ok(()) } else { Err(format!("these files are left: {entries:?}")) }
    }

    /// Lets calls of the command fail. Returns whether there were any.
    fn fail(&self, calls: &FailingCalls, first: usize, fault: Fault, whole: &Whole) -> Result<bool, String> {
        let data = self.copy();
        calls.fail(first, fault);
        let mut command = (self.command)(data.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let process = calls.watch(&mut command, data.path()).spawn().expect("the binary");
        let output = kill_after(process, RUN_MAX);
        let failed: Vec<_> = calls.calls().into_iter().filter(|call| call.has_failed).collect();
        let checked = check(&output, data.path(), &failed, fault)
            .and_then(|()| self.check_folder(data.path(), output.status.success(), whole));
        checked.map_err(|problem| format!("{:?}: {problem}", failed.first()))?;
        Ok(!failed.is_empty())
    }

    /// Lets each call of the command fail, or some of them.
    fn run(&self) {
        let Some(calls) = needed(FailingCalls::new()) else { return };
        let data = self.copy();
        let watched = calls.watch(&mut (self.command)(data.path()), data.path()).output().expect("the binary");
        assert!(watched.status.success(), "{watched:?}");
        let num_calls = calls.calls().len();
        assert!(num_calls > LAST_CALLS, "the program is not watched");
        let [old, new] = [self.before.path(), data.path()].map(|data| num_current(self.kind, data).expect("sound"));
        assert_ne!(old, new);
        let whole = Whole { old, new, entries: entries(&data.path().join(self.kind)) };
        let is_in_sample = |call| call % CALLS_PER_FAILING == 0 || call + LAST_CALLS > num_calls;
        fail_each(self.kind, num_calls, is_in_sample, |first, fault| self.fail(&calls, first, fault, &whole));
    }
}

/// Returns a folder in which a state of proteins is published.
fn with_state(inputs: &Inputs, number: u64) -> TempDir {
    let before = TempDir::new().expect("a temporary folder");
    inputs.publish(before.path(), number);
    before
}

#[test]
fn failing_calls_of_a_run_over_rows_leave_the_old_or_the_new_proteins() {
    let inputs = Inputs::new();
    let command = |data: &Path| {
        let mut command = inputs.index(data, 2);
        command.args(["--threads", "1"]);
        command
    };
    Publication { kind: "proteins", before: with_state(&inputs, 1), can_repeat: true, command: &command }.run();
}

#[test]
fn failing_calls_of_a_run_over_a_release_leave_the_old_or_the_new_proteins() {
    let release = Release::write(60, &["--only-representatives"]);
    let command = |data: &Path| release.index(data);
    Publication { kind: "proteins", before: with_state(&Inputs::new(), 1), can_repeat: true, command: &command }.run();
}

#[test]
fn failing_calls_while_own_proteins_are_added_leave_the_old_or_the_new_proteins() {
    let inputs = Inputs::new();
    let fasta = inputs.write("own.faa", ">a\nMKVLAARSTW\n>b\nMKVLAARSTWMKVL\n");
    let command = |data: &Path| {
        let mut command = program();
        command.args(["own", "add", "mine", "--quiet", "--replace", "--proteins"]).arg(&fasta).arg("--data").arg(data);
        command
    };
    Publication { kind: "proteins", before: with_state(&inputs, 1), can_repeat: true, command: &command }.run();
}

#[test]
fn failing_calls_of_a_rollback_leave_the_old_or_the_new_proteins() {
    let inputs = Inputs::new();
    let before = with_state(&inputs, 1);
    inputs.publish(before.path(), 2);
    let command = |data: &Path| mgdex("rollback", data);
    Publication { kind: "proteins", before, can_repeat: false, command: &command }.run();
}

#[test]
fn failing_calls_while_a_catalogue_is_loaded_or_changed_leave_the_old_or_the_new_one() {
    let inputs = Inputs::new();
    let line = |number: u32| format!(r#"{{"type":"biomes","id":"root:B{number}","attributes":{{}}}}"#);
    let [few, more] = [3, 5].map(|num| {
        let lines: Vec<_> = (0..num).map(line).collect();
        inputs.write(&format!("{num}.jsonl"), &lines.join("\n"))
    });
    let change = |name: &'static str, data: &Path, file: &Path| {
        let mut command = program();
        command.args(["catalogue", name, "--quiet", "--memory", "64M", "--threads", "1", "--data"]).arg(data).arg(file);
        command
    };
    let before = || {
        let before = TempDir::new().expect("a temporary folder");
        let output = change("load", before.path(), &few).output().expect("the binary");
        assert!(output.status.success(), "{output:?}");
        before
    };
    let load = |data: &Path| {
        let mut command = change("load", data, &more);
        command.arg("--keep-sealed");
        command
    };
    Publication { kind: "catalogue", before: before(), can_repeat: true, command: &load }.run();
    let add = |data: &Path| change("add", data, &more);
    Publication { kind: "catalogue", before: before(), can_repeat: true, command: &add }.run();
}

#[test]
fn failing_calls_while_a_directory_is_loaded_leave_the_old_or_the_new_one() {
    let inputs = Inputs::new();
    let line = |number: u32| {
        let user = format!("usr-00000000-0000-4000-8000-{number:012}");
        format!(r#"{{"type":"user","userName":"u{number}","userReference":"{user}","accountNonLocked":true}}"#)
    };
    let [few, more] = [3, 5].map(|num| {
        let lines: Vec<_> = (0..num).map(line).collect();
        inputs.write(&format!("{num}.jsonl"), &lines.join("\n"))
    });
    let load = |data: &Path, file: &Path| {
        let mut command = program();
        command.args(["directory", "load", "--quiet", "--data"]).arg(data).arg(file);
        command
    };
    let before = TempDir::new().expect("a temporary folder");
    assert!(load(before.path(), &few).output().expect("the binary").status.success());
    let command = |data: &Path| load(data, &more);
    Publication { kind: "directory", before, can_repeat: true, command: &command }.run();
}
