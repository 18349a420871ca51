//! The database that profiles are in, if it is not the embedded store.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, value_parser};
use indexer::counted;
use postgres_profiles::{DatabaseAddress, PostgresConfig, PostgresProfiles};
use store::{ProfileSource, ProfilesConfig};
use tokio::runtime::Runtime;

use crate::failure::Failure;

#[derive(Clone, Debug, Args)]
pub(crate) struct ProfileDatabase {
    /// A PostgreSQL database for the profiles, such as `postgres://mgdex@db1,db2,db3/mgdex?sslmode=require`, which several servers may share
    /// [default: the data folder]
    #[arg(long = "profiles", env = "MGDEX_PROFILES", hide_env_values = true, value_name = "URL")]
    address: Option<DatabaseAddress>,
    /// Certificates of the authorities that the database's servers are trusted by, in PEM [default: those of the system]
    #[arg(long = "profiles-ca", env = "MGDEX_PROFILES_CA", value_name = "FILE", requires = "address")]
    authorities: Option<PathBuf>,
    /// The most connections to the database, besides one for its health and four for exports
    #[arg(long = "profiles-connections", env = "MGDEX_PROFILES_CONNECTIONS", value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    connections: u32,
}

impl ProfileDatabase {
    /// Connects to the database, or returns `None` if none is named. If it does not answer, it is tried again for as long as the program runs.
    pub(crate) fn open(
        &self,
        runtime: &Runtime,
        profiles: ProfilesConfig,
    ) -> Result<Option<Arc<dyn ProfileSource>>, Failure> {
        let Some(address) = self.address.clone() else { return Ok(None) };
        let name = address.to_string();
        let config = PostgresConfig {
            address,
            authorities: self.authorities.clone(),
            connections_max: self.connections as usize,
            profiles,
        };
        let _in_runtime = runtime.enter();
        let profiles = PostgresProfiles::new(config)?;
        runtime.block_on(profiles.check());
        let state = profiles.state();
        if state.failure.is_none() {
            tracing::info!("{} in {name}", counted(state.num_profiles, "profile"));
        }
        Ok(Some(Arc::new(profiles)))
    }
}
