//! Creating the tables, and migrating those of an older version.

use std::time::Duration;

use deadpool_postgres::ClientWrapper;
use tokio::time::timeout;
use tokio_postgres::{Error, GenericClient};

use crate::fault::{Fault, unavailable};

/// Migrations, each from one version of the tables to the next.
const MIGRATIONS: [&str; 1] = [include_str!("migrations/0001_profiles.sql")];

/// The longest time of a migration, including earlier ones of other servers.
const PATIENCE: Duration = Duration::from_mins(10);

/// The lock of the server that migrates: the letters of `mgdex`.
const LOCK: &str = "SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(x'6d67646578'::bigint)";

const VERSIONS: &str = "CREATE TABLE IF NOT EXISTS profiles_versions (\
                        version integer PRIMARY KEY, migrated_at timestamptz NOT NULL DEFAULT now())";

/// Migrates the tables to the version of this program. If they have it already, nothing is locked,
/// and no permission to change tables is needed.
pub(crate) async fn run(client: &mut ClientWrapper) -> Result<(), Fault> {
    let migrated = timeout(PATIENCE, migrate(client)).await;
    let taken = || Fault::Unavailable("the tables are being migrated by another server".to_owned());
    let found = migrated.map_err(|_| taken())?.map_err(|error| unavailable(&error))?;
    found.map_err(Fault::Unavailable)
}

/// Returns the problem of a database that cannot be used.
async fn migrate(client: &mut ClientWrapper) -> Result<Result<(), String>, Error> {
    let encoding: String = client.query_one("SHOW server_encoding", &[]).await?.try_get(0)?;
    if encoding != "UTF8" {
        return Ok(Err(format!("its encoding is {encoding}, but must be UTF8")));
    }
    let exists = client.query_one("SELECT to_regclass('profiles_versions') IS NOT NULL", &[]).await?;
    if exists.try_get(0)? && version(&**client).await? == MIGRATIONS.len() {
        return Ok(Ok(()));
    }
    let transaction = client.transaction().await?;
    transaction.batch_execute(LOCK).await?;
    transaction.batch_execute(VERSIONS).await?;
    let version = version(&*transaction).await?;
    let known = MIGRATIONS.len();
    if version > known {
        let problem =
            format!("its tables have version {version}, and this mgdex knows version {known}: run a newer mgdex");
        return Ok(Err(problem));
    }
    for (number, migration) in (1_i32..).zip(MIGRATIONS).skip(version) {
        transaction.batch_execute(migration).await?;
        transaction.execute("INSERT INTO profiles_versions (version) VALUES ($1)", &[&number]).await?;
    }
    transaction.commit().await?;
    tracing::info!("the tables of profiles were migrated from version {version} to {known}");
    Ok(Ok(()))
}

async fn version(client: &impl GenericClient) -> Result<usize, Error> {
    let row = client.query_one("SELECT coalesce(max(version), 0) FROM profiles_versions", &[]).await?;
    row.try_get::<_, i32>(0).map(|version| usize::try_from(version).unwrap_or(0))
}
