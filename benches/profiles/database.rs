//! Profiles in PostgreSQL, beside bare inserts into it.

use std::sync::Arc;
use std::time::Instant;

use store_postgres::{Imported, PostgresConfig, PostgresProfiles};
use store_profiles::{
    AttributeChange, Authority, Permission, Precondition, Profile, ProfileSource, ProfileWrite, Profiles,
    ProfilesConfig, export_lines,
};
use support::postgres::Cluster;
use tokio::runtime::Runtime;
use tokio_postgres::NoTls;

use crate::clients::{self, Rate};
use crate::corpus::Corpus;

/// The number of measurements of each rate, in turns.
const NUM_ROUNDS: usize = 3;

/// A key and a text, which is what a profile is at least.
const TABLE: &str = "CREATE TABLE bare (reference uuid PRIMARY KEY, line text NOT NULL)";

const INSERT: &str = "INSERT INTO bare (reference, line) VALUES (gen_random_uuid(), $1)";

/// The approximate size of a profile.
const LINE_BYTES: usize = 256;

/// Permits all writes, which are noted like those of requests.
struct AllowAll;

impl Authority for AllowAll {
    fn permits(&self) -> bool {
        true
    }

    fn audit_line(&self, profile: &Profile) -> Option<String> {
        Some(format!("{{\"action\":\"merge\",\"profile\":\"{}\",\"keys\":[\"cost_center\"]}}", profile.reference))
    }
}

/// A server with the profiles of a corpus.
pub(crate) struct Database {
    profiles: PostgresProfiles,
    runtime: Runtime,
    address: String,
    _cluster: Cluster,
}

impl Database {
    /// Starts a server with the settings that PostgreSQL comes with, and imports all profiles.
    pub(crate) fn start(profiles: &Profiles, connections_max: usize) -> Self {
        let cluster = Cluster::start();
        let address = cluster.new_schema();
        support::postgres::run(&address, TABLE);
        let runtime = Runtime::new().expect("a runtime");
        let config = PostgresConfig {
            address: address.parse().expect("an address"),
            authorities: None,
            connections_max,
            audit_days: None,
            profiles: ProfilesConfig { attributes_max: 200 },
        };
        let database = {
            let _in_runtime = runtime.enter();
            PostgresProfiles::new(config).expect("no certificates")
        };
        let started = Instant::now();
        let lines = profiles.snapshot().expect("a sound store").zip(1..).map(|(line, number)| {
            let mut lines = export_lines(&*line.expect("a sound store")).collect::<Vec<_>>();
            let line = lines.pop().expect("a line").expect("in memory");
            Ok(store_profiles::ExportLine { number, ..line })
        });
        let imported = runtime.block_on(database.import(lines, |_, problem| panic!("{problem}")));
        assert!(matches!(imported.expect("an empty database"), Imported::All(_)));
        println!("imported into PostgreSQL in {:.1} s", started.elapsed().as_secs_f64());
        Self { profiles: database, runtime, address, _cluster: cluster }
    }

    /// Measures reads a second.
    pub(crate) fn reads(&self, corpus: &Corpus, num_clients: usize) -> f64 {
        clients::rate(num_clients, |client| {
            let mut choose = corpus.choose(client);
            move || assert!(self.runtime.block_on(self.profiles.get(choose())).expect("it answers").is_some())
        })
    }

    /// Measures durable writes a second: bare inserts, and changes of profiles that are read
    /// before. Returns the median of each.
    pub(crate) fn writes(&self, corpus: &Corpus, num_clients: usize) -> (f64, Rate) {
        let (mut inserts, mut changes) = (Vec::new(), Vec::new());
        for _ in 0..NUM_ROUNDS {
            inserts.push(self.inserts(num_clients));
            changes.push(clients::of_writes(|| self.profiles.state(), || self.changes(corpus, num_clients)));
        }
        inserts.sort_by(f64::total_cmp);
        changes.sort_by(|one, other| one.per_second.total_cmp(&other.per_second));
        (inserts[NUM_ROUNDS / 2], changes.swap_remove(NUM_ROUNDS / 2))
    }

    /// Each client has a connection of its own and a prepared statement.
    fn inserts(&self, num_clients: usize) -> f64 {
        clients::rate(num_clients, |_| {
            let (client, connection) =
                self.runtime.block_on(tokio_postgres::connect(&self.address, NoTls)).expect("it accepts");
            self.runtime.spawn(connection);
            let statement = self.runtime.block_on(client.prepare(INSERT)).expect("a table");
            let line = "x".repeat(LINE_BYTES);
            move || {
                self.runtime.block_on(client.execute(&statement, &[&line])).expect("room");
            }
        })
    }

    fn changes(&self, corpus: &Corpus, num_clients: usize) -> f64 {
        clients::rate(num_clients, |client| {
            let mut choose = corpus.choose(client);
            let allow_all: Permission = Arc::new(AllowAll);
            let mut number = 0;
            move || {
                number += 1;
                let attributes = [("cost_center", format!("NEW{client:03}-{number}"))].into_iter().collect();
                let change = AttributeChange::Merge(attributes);
                let written = async {
                    let seen = self.profiles.get(choose()).await?.expect("it is there");
                    let write = ProfileWrite::Change(seen.reference, change, Precondition::None);
                    self.profiles.write(write, Some(seen), Arc::clone(&allow_all)).await
                };
                self.runtime.block_on(written).expect("nothing refuses it");
            }
        })
    }
}
