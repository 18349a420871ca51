//! The database that profiles are in, if it is not the embedded store.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use postgres_profiles::{DatabaseAddress, PostgresConfig, PostgresProfiles};
use store::{ProfileSource, ProfilesConfig};
use tokio::runtime::Runtime;

use crate::confidential::Confidential;
use crate::failure::Failure;

/// A command asks one thing after the other.
const COMMAND_CONNECTIONS: usize = 2;

#[derive(Clone, Debug, Args)]
pub(crate) struct ProfileDatabase {
    /// A PostgreSQL database for the profiles, such as `postgres://mgdex@db1,db2,db3/mgdex?sslmode=require`, which several servers may share
    /// [default: the data folder]
    #[arg(long = "profiles", env = "MGDEX_PROFILES", hide_env_values = true, value_name = "URL", value_parser = Confidential::<DatabaseAddress>::new())]
    pub(crate) address: Option<DatabaseAddress>,
    /// Certificates of the authorities that the database's servers are trusted by, in PEM [default: those of the system]
    #[arg(long = "profiles-ca", env = "MGDEX_PROFILES_CA", value_name = "FILE", requires = "address")]
    authorities: Option<PathBuf>,
}

impl ProfileDatabase {
    /// Connects to the database, or returns `None` if none is named. If it does not answer, it is tried again for as long as the program runs.
    /// Lines of the audit log are deleted after `audit_days`.
    pub(crate) fn open(
        &self,
        runtime: &Runtime,
        connections_max: usize,
        audit_days: Option<u16>,
        profiles: ProfilesConfig,
    ) -> Result<Option<Arc<PostgresProfiles>>, Failure> {
        let Some(address) = self.address.clone() else { return Ok(None) };
        let config =
            PostgresConfig { address, authorities: self.authorities.clone(), connections_max, audit_days, profiles };
        let _in_runtime = runtime.enter();
        let profiles = PostgresProfiles::new(config)?;
        runtime.block_on(profiles.check());
        Ok(Some(Arc::new(profiles)))
    }

    /// Connects to the database for a command, or returns `None` if none is named.
    pub(crate) fn reach(&self) -> Result<Option<ReachedDatabase>, Failure> {
        let runtime = Runtime::new()?;
        let limits = ProfilesConfig { attributes_max: usize::MAX };
        let Some(profiles) = self.open(&runtime, COMMAND_CONNECTIONS, None, limits)? else { return Ok(None) };
        match profiles.state().failure {
            Some(failure) => Err(Failure::Message(failure.to_string())),
            None => Ok(Some(ReachedDatabase { profiles, runtime })),
        }
    }
}

/// A database that answers, and what it is asked in.
pub(crate) struct ReachedDatabase {
    // Dropped first, since it has tasks in the runtime.
    pub(crate) profiles: Arc<PostgresProfiles>,
    pub(crate) runtime: Runtime,
}
