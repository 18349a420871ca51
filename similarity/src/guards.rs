//! Restrictions that keep a program from using anything it does not need. Each is tried when the
//! programs are looked for. A restriction that this machine does not support is left out, and
//! reported.

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

use crate::EngineError;
use crate::limits::Limits;

/// The increase of the nice value of a program, which lowers its priority.
const NICE: &str = "-n5";

const DESCRIPTORS_MAX: u32 = 32;

/// The processor time between the signal for the limit and the kill, in seconds.
const CPU_GRACE_S: u64 = 5;

/// The newest rules of the kernel that are requested. An older kernel has fewer.
const RULES: ABI = ABI::V10;

/// The folders of programs and libraries that a program may need, in addition to itself and the
/// libraries next to its folder.
const INSTALLED: &str = "/bin /lib /lib32 /lib64 /usr/bin /usr/lib /usr/lib32 /usr/lib64 /usr/local/lib /etc/ld.so.cache /nix/store /gnu/store";

/// The file operations that a program may do in its folder.
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

/// Programs that start another one under limits, and the restrictions imposed on it apart from new
/// privileges and capabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guards {
    unshare: PathBuf,
    setpriv: PathBuf,
    prlimit: PathBuf,
    nice: PathBuf,
    /// The user that it runs as, or `None` for the user of this process.
    user: Option<User>,
    /// The files that it can read and execute. It can write only in its folder.
    files: Vec<PathBuf>,
    /// The restrictions of [`RESTRICTIONS`] that the machine supports.
    is_supported: [bool; 3],
}

/// The descriptions of missing restrictions.
const RESTRICTIONS: [&str; 3] = [
    "it has the rights of the user who runs mgdex",
    "it can use all files that its user can use",
    "it can use the network",
];
const USER: usize = 0;
const FILES: usize = 1;
const NETWORK: usize = 2;

impl Guards {
    /// Creates guards from programs, which `find` finds.
    pub(crate) fn new<E>(find: impl Fn(&'static str) -> Result<PathBuf, E>, user: Option<User>) -> Result<Self, E> {
        Ok(Self {
            unshare: find("unshare").unwrap_or_else(|_| PathBuf::from("unshare")),
            setpriv: find("setpriv")?,
            prlimit: find("prlimit")?,
            nice: find("nice")?,
            user: user.filter(|user| user.uid != geteuid().as_raw()),
            files: INSTALLED.split(' ').map(PathBuf::from).collect(),
            is_supported: [true; 3],
        })
    }

    /// Imposes all restrictions that this machine supports on programs, which `ask` runs. Returns
    /// the answer, and the missing restrictions with the reasons.
    pub(crate) fn confine<T>(
        &mut self,
        programs: [&Path; 2],
        ask: impl Fn(&Self) -> Result<T, (EngineError, String)>,
    ) -> Result<(T, Vec<String>), EngineError> {
        for program in programs.iter().filter_map(|program| program.canonicalize().ok()) {
            self.files.extend(program.parent().map(|folder| folder.join("../lib")));
            self.files.push(program);
        }
        let (mut answer, mut missing) = (ask(self), Vec::new());
        if answer.is_err() {
            self.is_supported = [false; 3];
            answer = ask(self);
            for (part, what) in RESTRICTIONS.iter().enumerate().filter(|_| answer.is_ok()) {
                self.is_supported[part] = true;
                if let Err((_, problem)) = ask(self) {
                    self.is_supported[part] = false;
                    missing.push(format!("{what}: {problem}"));
                }
            }
        }
        missing.extend(self.missing_capabilities());
        answer.map(|answer| (answer, missing)).map_err(|(none, _)| none)
    }

    fn user(&self) -> Option<User> {
        self.user.filter(|_| self.is_supported[USER])
    }

    /// Returns the reason why a program may have capabilities, if it may. `setpriv` does not report
    /// that it cannot drop them.
    fn missing_capabilities(&self) -> Option<String> {
        let may_drop = || capabilities(None).is_ok_and(|own| own.effective.contains(CapabilitySet::SETPCAP));
        let has_none = self.user().is_some() || !geteuid().is_root() || may_drop();
        (!has_none).then(|| "it may have capabilities of root: mgdex is not allowed to drop them".to_owned())
    }

    /// Changes the owner of a folder and its contents to the user that programs run as.
    pub(crate) fn give(&self, folder: &Path) -> io::Result<()> {
        let Some(User { uid, gid }) = self.user() else { return Ok(()) };
        let give = |path: &Path| lchown(path, Some(uid), Some(gid));
        folder.read_dir()?.try_for_each(|entry| give(&entry?.path()))?;
        give(folder)
    }

    /// Restricts the file and network access of this thread, and of everything that it starts,
    /// permanently.
    pub(crate) fn restrict(&self, folder: &Path) -> io::Result<()> {
        if !self.is_supported[FILES] {
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

    /// Returns the command that starts a program under guards. The program and its arguments are to
    /// be appended.
    pub(crate) fn command(&self, limits: &Limits) -> Command {
        let Limits { memory_bytes, output_bytes, cpu_time, .. } = limits;
        let mut command = Command::new(if self.is_supported[NETWORK] { &self.unshare } else { &self.setpriv });
        if self.is_supported[NETWORK] {
            // Only root can do without a user namespace.
            command.args((!geteuid().is_root()).then_some("--user")).arg("--net").arg(&self.setpriv);
        }
        // The kernel kills the program when the thread that started it ends.
        command.args(["--pdeathsig", "KILL", "--no-new-privs", "--inh-caps=-all"]);
        command.args(geteuid().is_root().then_some("--bounding-set=-all"));
        if let Some(User { uid, gid }) = self.user() {
            command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".to_owned()]);
        }
        command.arg(&self.prlimit).args([format!("--as={memory_bytes}"), format!("--fsize={output_bytes}")]);
        // The signal for the soft limit can be distinguished from others.
        let cpu_s = cpu_time.map(|time| time.as_secs().max(1));
        command.args(cpu_s.map(|limit| format!("--cpu={limit}:{}", limit.saturating_add(CPU_GRACE_S))));
        command.args(["--core=0".to_owned(), format!("--nofile={DESCRIPTORS_MAX}")]);
        command.arg(&self.nice).arg(NICE);
        command
    }
}

/// Shows the restrictions that are in effect.
impl Display for Guards {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let uid = self.user().map_or_else(|| geteuid().as_raw(), |user| user.uid);
        write!(f, "as user {uid}, without new privileges")?;
        f.write_str(if self.missing_capabilities().is_none() { ", capabilities" } else { "" })?;
        f.write_str(if self.is_supported[FILES] { ", other files" } else { "" })?;
        f.write_str(if self.is_supported[NETWORK] { ", network" } else { "" })
    }
}
