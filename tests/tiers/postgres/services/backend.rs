//! The stores of profiles of these tests: PostgreSQL, and the embedded store after every second
//! move.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use store_postgres::{Imported, PostgresConfig, PostgresProfiles};
use store_profiles::{ProfileSource, ProfilesConfig, export_lines};
use support::{embedded, postgres};

/// The settings that differ between servers of a test.
#[derive(Clone)]
pub(crate) struct BackendSetup {
    /// The address of the database: a new one, unless it is named.
    pub(crate) database: Option<String>,
    pub(crate) connections_max: usize,
}

impl Default for BackendSetup {
    fn default() -> Self {
        Self { database: None, connections_max: 8 }
    }
}

/// A store of profiles that can be opened again, and moved.
pub(crate) struct Backend {
    folder: PathBuf,
    address: String,
    connections_max: usize,
    num_moves: usize,
    /// The database, while it is open.
    database: Option<Arc<PostgresProfiles>>,
}

impl Backend {
    /// Names a database, and a folder for the profiles that are moved out of it.
    pub(crate) fn new(folder: &Path, setup: &BackendSetup) -> Self {
        let address = setup.database.clone().unwrap_or_else(postgres::new_schema);
        let connections_max = setup.connections_max;
        Self { folder: folder.to_owned(), address, connections_max, num_moves: 0, database: None }
    }

    fn is_in_database(&self) -> bool {
        self.num_moves.is_multiple_of(2)
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("profiles-{}", self.num_moves))
    }

    fn connect(&self, profiles: ProfilesConfig) -> Arc<PostgresProfiles> {
        let config = PostgresConfig {
            address: self.address.parse().expect("an address"),
            authorities: None,
            connections_max: self.connections_max,
            audit_days: Some(1),
            profiles,
        };
        Arc::new(PostgresProfiles::new(config).expect("no certificates"))
    }

    pub(crate) fn open(&mut self, config: ProfilesConfig) -> Arc<dyn ProfileSource> {
        if !self.is_in_database() {
            return embedded::open(&self.path(), config);
        }
        let database = self.connect(config);
        self.database = Some(Arc::clone(&database));
        database
    }

    pub(crate) fn close(&mut self) {
        self.database = None;
    }

    /// Checks now whether the database answers, as happens automatically once a second.
    pub(crate) async fn check(&self) {
        if let Some(database) = &self.database {
            database.check().await;
        }
    }

    /// Moves the profiles of an export to a new store of the other kind, which is opened next, and
    /// returns their number.
    pub(crate) async fn move_to_next(&mut self, export: &str) -> u64 {
        self.num_moves += 1;
        if !self.is_in_database() {
            return embedded::import(&self.path(), export);
        }
        self.address = postgres::new_schema();
        let database = self.connect(ProfilesConfig { attributes_max: usize::MAX });
        let lines = export_lines(export.as_bytes()).map(|line| Ok(line.expect("in memory")));
        match database.import(lines, |line, problem| panic!("{line}: {problem}")).await {
            Ok(Imported::All(num_profiles)) => num_profiles,
            imported => panic!("{imported:?}"),
        }
    }
}
