//! The user who runs the programs that search for similar proteins.

use std::fs;
use std::os::unix::fs::MetadataExt;

use clap::Args;
use rustix::process::geteuid;
use similarity::{Engine, EngineError, User};

use crate::data_folder::DataFolder;

/// The user without any files, on each system.
const NOBODY: User = User { uid: 65534, gid: 65534 };

#[derive(Clone, Debug, Args)]
pub(crate) struct EngineUser {
    /// User that runs the search program if mgdex runs as root, by name or number [default: the
    /// owner of the data folder, or nobody if that is root]
    #[arg(long, env = "MGDEX_ENGINE_USER", value_name = "USER", value_parser = parse)]
    engine_user: Option<User>,
}

impl EngineUser {
    /// Looks for the engine, which will run as this user.
    pub(crate) fn find(&self, data: &DataFolder) -> Result<Engine, EngineError> {
        let owner = fs::metadata(&data.path).ok().filter(|metadata| metadata.uid() != 0);
        let user = owner.map_or(NOBODY, |owner| User { uid: owner.uid(), gid: owner.gid() });
        Engine::find(self.engine_user.or(geteuid().is_root().then_some(user)))
    }

    /// Looks for the engine, and logs the restrictions that it lacks.
    pub(crate) fn find_and_warn(&self, data: &DataFolder) -> Result<Engine, EngineError> {
        let engine = self.find(data)?;
        for missing in engine.missing() {
            tracing::warn!("{} is not fully confined: {missing}", engine.version());
        }
        Ok(engine)
    }
}

/// Looks for a user among those of this machine, or accepts a number.
fn parse(text: &str) -> Result<User, String> {
    // Without a list of users, a number is still a user.
    let users = fs::read_to_string("/etc/passwd").ok();
    let mut users = users
        .iter()
        .flat_map(|users| users.lines())
        .map(|line| line.split(':').collect::<Vec<_>>())
        .filter(|fields| fields.len() > 3);
    let user = users.find(|fields| [fields[0], fields[2]].contains(&text));
    match user.map_or((text.parse(), text.parse()), |fields| (fields[2].parse(), fields[3].parse())) {
        (Ok(uid), Ok(gid)) => Ok(User { uid, gid }),
        _ => Err("no such user in /etc/passwd".to_owned()),
    }
}
