//! The opened store.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{BuildError, RecyclingMethod};
use futures_util::stream::BoxStream;
use store::{Owner, ProfileReference, UserReference};
use store_profiles::{
    ExportLine, Imported, Permission, Profile, ProfileBackend, ProfileFault, ProfileSource, ProfileWrite,
    ProfilesConfig, ProfilesState, SchemaChecks, SchemaError, SchemaLimits, SearchKey, WriteResult, WriteTurns,
};
use uuid::Uuid;

use crate::address::DatabaseAddress;
use crate::batcher::Batcher;
use crate::changes::Changes;
use crate::connections::{Connections, WAIT_PATIENCE};
use crate::connector::Connector;
use crate::export;
use crate::health::Health;
use crate::import;
use crate::lookup::Lookup;
use crate::row::{self, USERS_BY_EMAIL, USERS_BY_NAME};
use crate::tls::{self, TlsError};
use crate::writing::{Writer, blocking};

/// The most exports in progress: during one, the database keeps all older versions of rows.
const EXPORTS_MAX: usize = 4;

/// Settings of the store.
#[derive(Clone, Debug)]
pub struct PostgresConfig {
    /// The database.
    pub address: DatabaseAddress,
    /// Certificates of the trusted authorities, in PEM. Without a file, those that the system
    /// trusts.
    pub authorities: Option<PathBuf>,
    /// The most connections for requests. There are a few more, for exports and for the watch.
    pub connections_max: usize,
    /// The number of days for which lines of the audit log are kept. `None` deletes none.
    pub audit_days: Option<u16>,
    /// Limits of profiles.
    pub profiles: ProfilesConfig,
}

/// The reason why the store cannot be used, even if the database answers.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// Connections cannot be encrypted.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Connections cannot be pooled.
    #[error("cannot pool connections: {0}")]
    Pool(#[from] BuildError),
}

/// Profiles in PostgreSQL, which several servers may share.
///
/// It must be made and used within a runtime of tokio. All returned data are committed.
pub struct PostgresProfiles {
    connections: Arc<Connections>,
    exports: Connections,
    health: Health,
    /// The name of the database in errors.
    name: String,
    checks: Arc<SchemaChecks>,
    lookup: Arc<Lookup>,
    writer: Writer,
}

impl PostgresProfiles {
    /// Prepares connections. They are made when they are needed, and the first one migrates the
    /// tables to the version of this program.
    ///
    /// # Errors
    ///
    /// * The certificates cannot be used.
    pub fn new(config: PostgresConfig) -> Result<Self, PostgresError> {
        let PostgresConfig { address, authorities, connections_max, audit_days, profiles } = config;
        let tls = tls::settings(authorities.as_deref(), address.is_encrypted())?;
        let connector = Connector::new(tls, address.handshake());
        let session = address.session();
        let several = address.has_several_hosts();
        let pool = |max, patience, recycling| Connections::new(&session, &connector, max, patience, recycling, several);
        // Requests use no transactions of several statements.
        let connections = Arc::new(pool(connections_max, WAIT_PATIENCE, RecyclingMethod::Fast)?);
        let exports = pool(EXPORTS_MAX, Duration::ZERO, RecyclingMethod::Custom("ROLLBACK".to_owned()))?;
        let health = Health::watch(pool(1, WAIT_PATIENCE, RecyclingMethod::Fast)?, audit_days);
        let name = address.to_string();
        let checks = Arc::new(SchemaChecks::new());
        let lookup = Arc::new(Lookup::new(&connections));
        let changes = Batcher::new(Changes { connections: Arc::clone(&connections) });
        let writer = Writer {
            connections: Arc::clone(&connections),
            lookup: Arc::clone(&lookup),
            changes,
            turns: WriteTurns::default(),
            checks: Arc::clone(&checks),
            config: profiles,
        };
        Ok(Self { connections, exports, health, name, checks, lookup, writer })
    }

    /// Queries whether the database answers, and updates [`ProfileSource::state`].
    pub async fn check(&self) {
        self.health.check().await;
    }

    /// Imports the profiles of an export into a database without profiles: either all of them or
    /// none. Calls `refuse` with the number of each rejected line, from 1, and the reason. The
    /// profiles are read while this is polled.
    ///
    /// # Errors
    ///
    /// * The database has profiles.
    /// * The lines cannot be read, or the database cannot be reached.
    pub async fn import(
        &self,
        lines: impl Iterator<Item = store::Result<ExportLine>>,
        refuse: impl FnMut(u64, &str),
    ) -> Result<Imported, ProfileFault> {
        import::import(self.exports.get().await?, &self.name, lines, refuse).await
    }
}

#[async_trait]
impl ProfileSource for PostgresProfiles {
    async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault> {
        self.lookup.get(reference).await
    }

    async fn find(&self, owner: Owner) -> Result<Option<Profile>, ProfileFault> {
        self.lookup.find(&owner).await
    }

    async fn search(&self, key: SearchKey, value: String, limit: usize) -> Result<Vec<UserReference>, ProfileFault> {
        let statement = match key {
            SearchKey::Email => USERS_BY_EMAIL,
            SearchKey::Name => USERS_BY_NAME,
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.connections.query(statement, &[&&key.digest(&value)[..], &limit]).await?;
        let users = rows.iter().map(|row| row.try_get::<_, Uuid>(0).map(UserReference::new));
        users.collect::<Result<_, _>>().map_err(|error| row::unreadable(&error.to_string()))
    }

    async fn read_schema(
        &self,
        caller: UserReference,
        text: String,
        limits: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault> {
        let checks = Arc::clone(&self.checks);
        blocking(move || checks.read(caller, &text, limits)).await.ok_or(ProfileFault::Overloaded)
    }

    async fn write(&self, write: ProfileWrite, seen: Option<Profile>, permission: Permission) -> WriteResult {
        let written = self.writer.write(&write, seen.as_ref(), &permission).await?;
        self.health.count_write(match write {
            ProfileWrite::Create(_) => 1,
            ProfileWrite::Change(..) => 0,
            ProfileWrite::Erase(..) => -1,
        });
        Ok(written)
    }

    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault> {
        export::export(&self.exports, Arc::clone(&self.connections)).await
    }

    fn state(&self) -> ProfilesState {
        ProfilesState { num_commits: self.connections.num_commits(), ..self.health.state() }
    }
}
