//! Programs that replace those of HMMER.

use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::machine::wait_for;
use crate::project;
use tempfile::TempDir;

/// Programs that a script, and the search itself, find.
const PROGRAMS: [&str; 6] = ["unshare", "setpriv", "prlimit", "nice", "sh", "setsid"];

/// The beginning of a script, which answers a request for its version.
pub const HEAD: &str =
    "#!/bin/sh\nif [ \"$1\" = -h ]; then echo '# HMMER 3.3.2 (Nov 2020); http://hmmer.org/'; exit; fi\n";

/// Searches at once.
pub const AT_ONCE: &str = "exec REAL \"$@\"";

/// Searches once the test lets it go, by unlocking a file.
pub const WAITS: &str = "flock -s GO true; exec REAL \"$@\"";

/// Returns an engine that records the number of its process and then runs a script, in which `REAL`
/// is an engine that searches, and `PIDS` the file of processes. It reports its version only if it
/// can write to that file, so that it runs only with the files of the test.
pub fn noting(pids: &Path, script: &str) -> String {
    let real = format!("'{}'", project("tests/support/src/similarity/engine.sh").display());
    let pids = pids.to_str().expect("text");
    let script = script.replace("REAL", &real).replace("PIDS", pids);
    format!("#!/bin/sh\n: >> {pids} || exit\n{HEAD}export PATH=/usr/bin:/bin\necho $$ >> {pids}\n{script}\n")
}

/// Makes a folder of programs of which `phmmer` is a script.
pub fn programs(script: &str) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let found = PROGRAMS.map(|program| (program, path_of(program)));
    for (program, path) in found.into_iter().chain([("hmmsearch", project("tests/support/src/similarity/engine.sh"))]) {
        symlink(path, folder.path().join(program)).expect("a link");
    }
    replace(folder.path(), script);
    folder
}

/// Makes a script `phmmer` in a folder of programs. A running script is still being read, so a new
/// file replaces it.
pub fn replace(programs: &Path, script: &str) {
    let [phmmer, new] = ["phmmer", "phmmer.new"].map(|name| programs.join(name));
    fs::write(&new, script).expect("written");
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).expect("permissions");
    fs::rename(&new, &phmmer).expect("renamed");
}

fn path_of(program: &str) -> PathBuf {
    let folders = env::var_os("PATH").expect("a path");
    let found = env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{program} is installed"))
}

/// Nearly always from match to match, otherwise equally often either way.
const TRANSITIONS: &str = "0.02020 4.60517 4.60517 0.69315 0.69315 0.69315 0.69315";

/// Returns a profile of residues in HMMER's format, whose numbers are the same everywhere.
pub fn profile(residues: &str) -> String {
    let numbers = |num: usize| "  2.99573".repeat(num);
    let position = |(number, residue): (usize, char)| {
        let residue = residue.to_ascii_lowercase();
        let match_row = format!("{:7} {}{:7} {residue} - - -\n", number + 1, numbers(20), number + 1);
        format!("{match_row}        {}\n        {TRANSITIONS}\n", numbers(20))
    };
    let positions: String = residues.chars().enumerate().map(position).collect();
    let head = "HMMER3/f [3.3.2 | Nov 2020]\nNAME  PF00005\nLENG";
    let tags = "ALPH  amino\nRF    no\nMM    no\nCONS  yes\nCS    no\nMAP   yes\n";
    let statistics =
        ["MSV -9.0", "VITERBI -9.5", "FORWARD -4.0"].map(|statistic| format!("STATS LOCAL {statistic} 0.7\n")).concat();
    let letters = "A  C  D  E  F  G  H  I  K  L  M  N  P  Q  R  S  T  V  W  Y";
    let columns = "            m->m     m->i     m->d     i->m     i->i     d->m     d->d";
    let begin = format!("        {}\n        {TRANSITIONS}\n", numbers(20));
    let length = residues.len();
    format!("{head}  {length}\n{tags}{statistics}HMM     {letters}\n{columns}\n{begin}{positions}//\n")
}

/// Checks that none of the processes is running. A killed process may be a zombie.
pub fn assert_gone(pids: &[String]) {
    assert!(!pids.is_empty());
    for pid in pids {
        wait_for("the end of a process", || {
            let Ok(state) = fs::read_to_string(Path::new("/proc").join(pid).join("stat")) else { return Some(()) };
            state.rsplit(')').next().is_some_and(|rest| rest.trim().starts_with('Z')).then_some(())
        });
    }
}

/// Kills processes, some of which may have ended. It uses a shell, since not every system has the
/// program `kill`.
pub fn kill(pids: &[String]) {
    let sent = Command::new("sh").args(["-c", "kill -9 \"$@\" 2>&1", "sh"]).args(pids).output();
    sent.expect("a shell");
}
