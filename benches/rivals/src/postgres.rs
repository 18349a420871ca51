//! PostgreSQL with a cluster of its own, behind the bare handler.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use deadpool_postgres::{Manager, Pool};
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, NoTls};

use crate::handler::{self, Database, Row, Statement};
use crate::release::{Release, finish, run};
use crate::system::{Process, System, num_at_a_time, wait_for};

/// The tables, with what is done after their rows have been copied. Searches read one index each,
/// and no table.
const TABLES: [(&str, &str, &str); 4] = [
    (
        "protein_pfam",
        "family BIGINT, accession BIGINT, length BIGINT, full_length BOOLEAN, cluster_size BIGINT",
        "ALTER TABLE protein_pfam ADD PRIMARY KEY (family, accession) INCLUDE (length, full_length, cluster_size); \
         CREATE INDEX ON protein_pfam (accession, family)",
    ),
    (
        "protein_biome",
        "biome BIGINT, accession BIGINT, length BIGINT, full_length BOOLEAN, cluster_size BIGINT",
        "ALTER TABLE protein_biome ADD PRIMARY KEY (biome, accession) INCLUDE (length, full_length, cluster_size)",
    ),
    ("records", "accession BIGINT, record TEXT", "ALTER TABLE records ADD PRIMARY KEY (accession)"),
    ("samples", "ordinal BIGINT, sample TEXT", "ALTER TABLE samples ADD PRIMARY KEY (ordinal)"),
];

/// Settings other than those that depend on the memory of the machine.
const SETTINGS: [&str; 9] = [
    "listen_addresses=",
    "work_mem=64MB",
    "maintenance_work_mem=512MB",
    "max_wal_size=8GB",
    "wal_level=minimal",
    "max_wal_senders=0",
    "random_page_cost=1.1",
    "jit=off",
    "max_connections=100",
];

/// The user without rights, and the group.
const NOBODY: u32 = 65534;

struct Postgres {
    pool: Pool,
}

/// Makes a cluster, copies the tables into it, and starts the handler.
pub(crate) fn start(release: &Release, samples: &Path, folder: &Path) -> System {
    let started = Instant::now();
    let folder = folder.join("postgres");
    fs::create_dir(&folder).expect("writable");
    if is_root() {
        chown(&folder, Some(NOBODY), Some(NOBODY)).expect("root may");
    }
    let process = start_server(&folder);
    for (table, columns, finish_table) in TABLES {
        let create = format!("CREATE TABLE {table} ({columns})");
        let copy = format!("\\copy {table} FROM STDIN csv");
        // The log need not have the rows of a table that is new.
        let mut load = psql(&folder);
        load.args(["--single-transaction", "-c", &create, "-c", &copy, "-c", finish_table]);
        if table == "samples" {
            run(load.stdin(fs::File::open(samples).expect("readable")));
        } else {
            let mut export = release.export(table, &folder.with_extension("export"));
            run(load.stdin(export.stdout.take().expect("piped")));
            finish(export);
        }
    }
    run(psql(&folder).args(["-c", "VACUUM ANALYZE"]));
    let load_time = started.elapsed();
    let sizes = TABLES[..3].iter().map(|(table, ..)| format!("pg_total_relation_size('{table}')"));
    let size = format!("SELECT {}", sizes.collect::<Vec<_>>().join(" + "));
    let num_bytes = run(psql(&folder).args(["-c", &size])).trim_end().parse().expect("a number");
    let runtime = Runtime::new().expect("a runtime");
    let mut config = Config::new();
    config.host_path(&folder).user("mgdex").dbname("postgres");
    let pool = Pool::builder(Manager::new(config, NoTls)).max_size(num_at_a_time()).build().expect("a pool");
    let address = handler::serve(&runtime, Postgres { pool });
    System { name: "PostgreSQL", address, load_time, num_bytes, _runtime: Some(runtime), _process: Some(process) }
}

/// Initializes a cluster, starts its server, and waits until it answers.
fn start_server(folder: &Path) -> Process {
    let programs = programs();
    let data = folder.join("data");
    let mut init = as_user(&programs.join("initdb"));
    init.args(["--username=mgdex", "--auth=trust", "--encoding=UTF8", "--locale=C", "--pgdata"]);
    run(init.arg(&data).current_dir("/"));
    let memory = memory_megabytes();
    let mut serve = as_user(&programs.join("postgres"));
    serve.arg("-D").arg(&data).arg("-k").arg(folder);
    let of_memory = [format!("shared_buffers={}MB", memory / 4), format!("effective_cache_size={}MB", memory / 4 * 3)];
    for setting in SETTINGS.into_iter().chain(of_memory.iter().map(String::as_str)) {
        serve.arg("-c").arg(setting);
    }
    let (process, _) = Process::start(&serve, &folder.with_extension("log"));
    wait_for("PostgreSQL", || psql(folder).args(["-c", "SELECT 1"]).output().ok()?.status.success().then_some(()));
    process
}

fn psql(folder: &Path) -> Command {
    let mut psql = Command::new("psql");
    psql.args(["--no-psqlrc", "-qtA", "-v", "ON_ERROR_STOP=1", "-U", "mgdex", "-d", "postgres", "-h"]).arg(folder);
    psql
}

/// Returns a command that runs without the rights of root, which PostgreSQL refuses.
fn as_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    let [user, group] = ["reuid", "regid"].map(|name| format!("--{name}={NOBODY}"));
    command.args([&user, &group, "--clear-groups"]).arg(program);
    command
}

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("a process").uid() == 0
}

/// Returns the folder of the programs of PostgreSQL.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = versions.map(|version| version.path().join("bin")).chain(std::env::split_paths(&paths));
    folders.find(|folder| folder.join("initdb").is_file()).expect("PostgreSQL: `apt-get install postgresql`")
}

fn memory_megabytes() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").expect("Linux");
    let total = text.split_whitespace().nth(1).expect("the first line is the total");
    total.parse::<u64>().expect("kilobytes") >> 10
}

impl Database for Postgres {
    async fn answer(&self, statement: Statement) -> String {
        let client = self.pool.get().await.expect("a connection");
        let prepared = client.prepare_cached(statement.sql).await.expect("known SQL");
        let values: Vec<_> = statement.values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        let mut answer = statement.begin();
        for row in client.query(&prepared, &values).await.expect("an answer") {
            statement.append(&row, &mut answer);
        }
        statement.end(answer)
    }
}

impl Row for tokio_postgres::Row {
    fn number(&self, column: usize) -> Option<i64> {
        self.get(column)
    }

    fn flag(&self, column: usize) -> Option<bool> {
        self.get(column)
    }

    fn text(&self, column: usize) -> &str {
        self.get(column)
    }
}
