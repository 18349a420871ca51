//! The database of profiles, if they are not in the embedded store.

use std::sync::Arc;

use store::Error;
use store_postgres::{PostgresConfig, PostgresProfiles};
use store_profiles::{ExportLine, Imported, ProfileSource, ProfilesConfig};
use tokio::runtime::Runtime;

use crate::distributed::DatabaseArguments;
use crate::failure::Failure;

/// A command sends one request after the other.
const COMMAND_CONNECTIONS: usize = 2;

/// Connects to the database, or returns `None` if none is named. If it does not answer, this is
/// tried again as long as the program runs. Lines of the audit log are deleted after `audit_days`.
pub(crate) fn open_database(
    arguments: &DatabaseArguments,
    runtime: &Runtime,
    connections_max: usize,
    audit_days: u16,
    profiles: ProfilesConfig,
) -> Result<Option<Arc<dyn ProfileSource>>, Failure> {
    let opened = open(arguments, runtime, connections_max, Some(audit_days), profiles)?;
    Ok(opened.map(|profiles| profiles as Arc<dyn ProfileSource>))
}

fn open(
    arguments: &DatabaseArguments,
    runtime: &Runtime,
    connections_max: usize,
    audit_days: Option<u16>,
    profiles: ProfilesConfig,
) -> Result<Option<Arc<PostgresProfiles>>, Failure> {
    let Some(address) = arguments.address.clone() else { return Ok(None) };
    let authorities = arguments.authorities.clone();
    let config = PostgresConfig { address, authorities, connections_max, audit_days, profiles };
    let _in_runtime = runtime.enter();
    let profiles = PostgresProfiles::new(config)?;
    runtime.block_on(profiles.check());
    Ok(Some(Arc::new(profiles)))
}

/// A database that answers, and the runtime for its requests.
pub(crate) struct ReachedDatabase {
    // Dropped first, since it has tasks in the runtime.
    profiles: Arc<PostgresProfiles>,
    runtime: Runtime,
}

impl ReachedDatabase {
    /// Connects to the database for a command, or returns `None` if none is named.
    pub(crate) fn reach(arguments: &DatabaseArguments) -> Result<Option<Self>, Failure> {
        let runtime = Runtime::new()?;
        let limits = ProfilesConfig { attributes_max: usize::MAX };
        let Some(profiles) = open(arguments, &runtime, COMMAND_CONNECTIONS, None, limits)? else { return Ok(None) };
        match profiles.state().failure {
            Some(failure) => Err(Failure::Message(failure.to_string())),
            None => Ok(Some(Self { profiles, runtime })),
        }
    }

    pub(crate) fn profiles(&self) -> &dyn ProfileSource {
        &*self.profiles
    }

    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Imports into a database without profiles. `refuse` gets the number of each line that cannot
    /// be imported, and the reason.
    pub(crate) fn import(
        &self,
        lines: impl Iterator<Item = Result<ExportLine, Error>>,
        refuse: impl FnMut(u64, &str),
    ) -> Result<Imported, Failure> {
        Ok(self.runtime.block_on(self.profiles.import(lines, refuse))?)
    }
}
