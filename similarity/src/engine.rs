//! The programs that do the searches.

use std::env;
use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::guards::{Guards, User};
use crate::limits::Limits;
use crate::process::{Exit, Guarded, Input};

/// The time limit for a program to print its version.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// The programs of HMMER, and those that run them under restrictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    pub(crate) phmmer: PathBuf,
    pub(crate) hmmsearch: PathBuf,
    pub(crate) guards: Guards,
    version: String,
    missing: Vec<String>,
}

/// The reason why no engine is available, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// A program is not installed.
    #[error("{program} is not installed: install HMMER and util-linux (`apt-get install hmmer util-linux`)")]
    Missing {
        /// Its name.
        program: &'static str,
    },
    /// A program is there, and is not what it should be.
    #[error("unsupported HMMER version of {program}: {problem}")]
    Unusable {
        /// Its name.
        program: &'static str,
        /// The problem.
        problem: String,
    },
}

impl Engine {
    /// Finds the programs in the folders of `PATH`, and asks them for their version, which must be
    /// 3.3 or a later one of HMMER 3. They will run as `user`, or as the user of this process.
    pub fn find(user: Option<User>) -> Result<Self, EngineError> {
        Self::find_in(&env::var_os("PATH").unwrap_or_default(), user)
    }

    /// Finds the programs like [`Engine::find`], but in other folders, separated as in `PATH`.
    pub fn find_in(folders: &OsStr, user: Option<User>) -> Result<Self, EngineError> {
        let find = |program| find(folders, program).ok_or(EngineError::Missing { program });
        let mut guards = Guards::new(find, user)?;
        let (phmmer, hmmsearch) = (find("phmmer")?, find("hmmsearch")?);
        let ask = |guards: &Guards| {
            let version = version_of(guards, "phmmer", &phmmer)?;
            Ok((version, version_of(guards, "hmmsearch", &hmmsearch)?))
        };
        let ((version, other), missing) = guards.confine([&phmmer, &hmmsearch], ask)?;
        if other != version {
            return Err(EngineError::Unusable {
                program: "hmmsearch",
                problem: format!("it is {other}, and phmmer is {version}"),
            });
        }
        Ok(Self { phmmer, hmmsearch, guards, version, missing })
    }

    /// Returns the version, such as `HMMER 3.3.2`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns sentences about restrictions that this machine cannot impose on the programs, for
    /// its administrator.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}

/// Shows the version, the user and the restrictions of the programs, and the restrictions that are
/// missing.
impl Display for Engine {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}, {}", self.version, self.guards)?;
        self.missing.iter().try_for_each(|missing| write!(f, "; {missing}"))
    }
}

/// Returns the path of a program that can be executed.
fn find(folders: &OsStr, program: &str) -> Option<PathBuf> {
    let is_executable = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    };
    env::split_paths(folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(is_executable)
}

/// Returns the version that a program prints, or why it cannot be used, with its actual output in a
/// line for the log.
fn version_of(guards: &Guards, name: &'static str, program: &Path) -> Result<String, (EngineError, String)> {
    let unusable = |problem: String, output: &str| {
        let line = output.lines().find(|line| !line.trim().is_empty()).unwrap_or(&problem).trim().to_owned();
        (EngineError::Unusable { program: name, problem }, line)
    };
    let folder = tempfile::tempdir().map_err(|error| {
        tracing::warn!("cannot ask {} for its version: {error}", program.display());
        unusable("mgdex cannot create a temporary folder to run it in".to_owned(), "")
    })?;
    let limits = Limits { time: Some(VERSION_TIME), cpu_time: Some(VERSION_TIME), ..Limits::default() };
    let guarded = Guarded { guards, limits: &limits, folder: folder.path(), may_continue: &|_| true };
    let exit = guarded.run(program, &["-h".as_ref()], Input::Nothing);
    let Exit { output, status, .. } = exit.map_err(|error| unusable(error.public_message(), &error.to_string()))?;
    let version = output.lines().find_map(|line| {
        let version = line.strip_prefix("# ")?.split(" (").next()?;
        version.starts_with("HMMER ").then_some(version)
    });
    let version = version.ok_or_else(|| unusable(format!("it does not print its version ({status})"), &output))?;
    let minor = version.strip_prefix("HMMER 3.").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
    if minor.is_none_or(|minor| minor < 3) {
        return Err(unusable(format!("it is {version}, and HMMER 3.3 or later is needed"), ""));
    }
    Ok(version.to_owned())
}
