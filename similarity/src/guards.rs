//! What keeps a program from what it does not need. Each part is tried when the programs are looked for. One that this machine does not have is left out,
//! and told.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::os::unix::fs::lchown;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
    make_bitflags, path_beneath_rules,
};
use rustix::process::geteuid;
use rustix::thread::{CapabilitySet, capabilities};

use crate::NoEngine;
use crate::limits::Limits;

/// How much lower than others a program is in the order of the scheduler.
const NICE: &str = "-n5";

const DESCRIPTORS_MAX: u32 = 32;

/// The time of the processor between the signal that it is over and the end, in seconds.
const CPU_GRACE_S: u64 = 5;

/// The newest rules of the kernel that are asked for. An older kernel has fewer.
const RULES: ABI = ABI::V10;

/// Where programs and libraries are that a program may need, beside itself and the libraries next to its folder.
const INSTALLED: &str = "/bin /lib /lib32 /lib64 /usr/bin /usr/lib /usr/lib32 /usr/lib64 /usr/local/lib /etc/ld.so.cache /nix/store /gnu/store";

/// What a program may do in its folder.
const IN_ITS_FOLDER: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
    ReadFile | ReadDir | WriteFile | Truncate | MakeReg | MakeDir | RemoveFile | RemoveDir
});
const TO_NULL: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile | WriteFile});

/// A user with a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    /// The number of the user.
    pub uid: u32,
    /// The number of the group.
    pub gid: u32,
}

/// Programs that start another one under limits, and what is taken from it beside new privileges and capabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guards {
    unshare: PathBuf,
    setpriv: PathBuf,
    prlimit: PathBuf,
    nice: PathBuf,
    /// As whom it runs, unless as the user who runs this program.
    user: Option<User>,
    /// What it can read and execute. It writes in its folder alone.
    files: Vec<PathBuf>,
    /// Which of [`PARTS`] the machine can take.
    is_taken: [bool; 3],
}

/// What is told where a part cannot be taken.
const PARTS: [&str; 3] = [
    "it has the rights of the user who runs mgdex",
    "it can use all files that its user can use",
    "it can use the network",
];
const USER: usize = 0;
const FILES: usize = 1;
const NETWORK: usize = 2;

impl Guards {
    /// Takes programs, which `find` finds.
    pub(crate) fn new<E>(find: impl Fn(&'static str) -> Result<PathBuf, E>, user: Option<User>) -> Result<Self, E> {
        Ok(Self {
            unshare: find("unshare").unwrap_or_else(|_| PathBuf::from("unshare")),
            setpriv: find("setpriv")?,
            prlimit: find("prlimit")?,
            nice: find("nice")?,
            user: user.filter(|user| user.uid != geteuid().as_raw()),
            files: INSTALLED.split(' ').map(PathBuf::from).collect(),
            is_taken: [true; 3],
        })
    }

    /// Takes all that this machine can take from programs, which are asked, and returns what they say, and what could not be taken for which reason.
    pub(crate) fn confine<T>(
        &mut self,
        programs: [&Path; 2],
        ask: impl Fn(&Self) -> Result<T, (NoEngine, String)>,
    ) -> Result<(T, Vec<String>), NoEngine> {
        for program in programs.iter().filter_map(|program| program.canonicalize().ok()) {
            self.files.extend(program.parent().map(|folder| folder.join("../lib")));
            self.files.push(program);
        }
        let (mut said, mut missing) = (ask(self), Vec::new());
        if said.is_err() {
            self.is_taken = [false; 3];
            said = ask(self);
            for (part, what) in PARTS.iter().enumerate().filter(|_| said.is_ok()) {
                self.is_taken[part] = true;
                if let Err((_, problem)) = ask(self) {
                    self.is_taken[part] = false;
                    missing.push(format!("{what}: {problem}"));
                }
            }
        }
        missing.extend(self.missing_capabilities());
        said.map(|said| (said, missing)).map_err(|(none, _)| none)
    }

    fn user(&self) -> Option<User> {
        self.user.filter(|_| self.is_taken[USER])
    }

    /// Says why a program may have capabilities, if it may. `setpriv` does not tell when it cannot take them.
    fn missing_capabilities(&self) -> Option<String> {
        let may_take = || capabilities(None).is_ok_and(|own| own.effective.contains(CapabilitySet::SETPCAP));
        let is_taken = self.user().is_some() || !geteuid().is_root() || may_take();
        (!is_taken).then(|| "it may have capabilities of root: mgdex has no right to take them".to_owned())
    }

    /// Gives a folder, and what is in it, to the user as whom a program runs.
    pub(crate) fn give(&self, folder: &Path) -> io::Result<()> {
        let Some(User { uid, gid }) = self.user() else { return Ok(()) };
        let give = |path: &Path| lchown(path, Some(uid), Some(gid));
        folder.read_dir()?.try_for_each(|entry| give(&entry?.path()))?;
        give(folder)
    }

    /// Takes what this thread, and what it starts, can do with files and over the network, for good.
    pub(crate) fn restrict(&self, folder: &Path) -> io::Result<()> {
        if !self.is_taken[FILES] {
            return Ok(());
        }
        let enforce = || {
            let rules = Ruleset::default().handle_access(AccessFs::from_all(RULES))?;
            let rules = rules.handle_access(AccessNet::from_all(RULES))?.scope(Scope::from_all(RULES))?.create()?;
            let rules = rules.add_rules(path_beneath_rules(&self.files, AccessFs::from_read(RULES)))?;
            let rules = rules.add_rules(path_beneath_rules(["/dev/null"], TO_NULL))?;
            rules.add_rules(path_beneath_rules([folder], IN_ITS_FOLDER))?.restrict_self()
        };
        match enforce().map_err(io::Error::other)?.ruleset {
            RulesetStatus::NotEnforced => Err(io::Error::other("the kernel has no Landlock")),
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        }
    }

    /// Returns what starts a program, to which it and its arguments are added.
    pub(crate) fn command(&self, limits: &Limits) -> Command {
        let Limits { memory_bytes, output_bytes, cpu_time, .. } = limits;
        let mut command = Command::new(if self.is_taken[NETWORK] { &self.unshare } else { &self.setpriv });
        if self.is_taken[NETWORK] {
            // Only root may do without a namespace of users.
            command.args((!geteuid().is_root()).then_some("--user")).arg("--net").arg(&self.setpriv);
        }
        // The kernel kills the program when the thread ends that started it.
        command.args(["--pdeathsig", "KILL", "--no-new-privs", "--inh-caps=-all"]);
        command.args(geteuid().is_root().then_some("--bounding-set=-all"));
        if let Some(User { uid, gid }) = self.user() {
            command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".to_owned()]);
        }
        command.arg(&self.prlimit).args([format!("--as={memory_bytes}"), format!("--fsize={output_bytes}")]);
        // The signal that the soft limit sends tells itself from others.
        let cpu_s = cpu_time.map(|time| time.as_secs().max(1));
        command.args(cpu_s.map(|limit| format!("--cpu={limit}:{}", limit.saturating_add(CPU_GRACE_S))));
        command.args(["--core=0".to_owned(), format!("--nofile={DESCRIPTORS_MAX}")]);
        command.arg(&self.nice).arg(NICE);
        command
    }
}

/// Says what holds.
impl Display for Guards {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let uid = self.user().map_or_else(|| geteuid().as_raw(), |user| user.uid);
        write!(f, "as user {uid}, without new privileges")?;
        f.write_str(if self.missing_capabilities().is_none() { ", capabilities" } else { "" })?;
        f.write_str(if self.is_taken[FILES] { ", other files" } else { "" })?;
        f.write_str(if self.is_taken[NETWORK] { ", network" } else { "" })
    }
}
