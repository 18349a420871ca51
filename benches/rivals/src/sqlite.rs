//! SQLite within this process, behind the bare handler.

use std::cell::RefCell;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rusqlite::{Connection, OpenFlags, params_from_iter};
use tokio::runtime::Builder;

use crate::handler::{self, Database, Row, Statement};
use crate::release::{Release, finish};
use crate::system::{System, num_at_a_time};

/// The tables. Searches read one tree each, whose order is that of its primary key.
const TABLES: [(&str, &str, usize); 3] = [
    (
        "protein_pfam",
        "family INTEGER, accession INTEGER, length INTEGER, full_length INTEGER, cluster_size INTEGER, \
         PRIMARY KEY (family, accession)) WITHOUT ROWID",
        5,
    ),
    (
        "protein_biome",
        "biome INTEGER, accession INTEGER, length INTEGER, full_length INTEGER, cluster_size INTEGER, \
         PRIMARY KEY (biome, accession)) WITHOUT ROWID",
        5,
    ),
    ("records", "accession INTEGER PRIMARY KEY, record TEXT)", 2),
];

const SAMPLES: (&str, &str, usize) = ("samples", "ordinal INTEGER PRIMARY KEY, sample TEXT)", 2);

/// Nobody needs the file of a load that was interrupted.
const LOAD: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -524288; BEGIN";

const FINISH: &str = "CREATE INDEX by_accession ON protein_pfam (accession, family); COMMIT; ANALYZE";

/// SQLite maps at most 2 GiB, and caches pages beyond that, for each connection.
const READ: &str = "PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -131072; PRAGMA query_only = ON";

struct Sqlite {
    path: PathBuf,
}

thread_local! {
    /// The connection of a thread that answers.
    static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

/// Makes the database, and starts the handler.
pub(crate) fn start(release: &Release, samples: &Path, folder: &Path) -> System {
    let started = Instant::now();
    let path = folder.join("sqlite");
    let database = Connection::open(&path).expect("writable");
    database.execute_batch(LOAD).expect("room");
    for table in TABLES {
        let mut export = release.export(table.0, &path.with_extension("export"));
        insert(&database, table, export.stdout.take().expect("piped"));
        finish(export);
    }
    database.execute_batch(FINISH).expect("room");
    let load_time = started.elapsed();
    let num_bytes = fs::metadata(&path).expect("a file").len();
    insert(&database, SAMPLES, fs::File::open(samples).expect("readable"));
    drop(database);
    let runtime = Builder::new_multi_thread().enable_all().max_blocking_threads(num_at_a_time()).build();
    let runtime = runtime.expect("a runtime");
    let address = handler::serve(&runtime, Sqlite { path });
    System { name: "SQLite", address, load_time, num_bytes, _runtime: Some(runtime), _process: None }
}

/// Inserts the rows of a CSV file into a new table.
fn insert(database: &Connection, (table, columns, num_columns): (&str, &str, usize), rows: impl Read) {
    database.execute_batch(&format!("CREATE TABLE {table} ({columns}")).expect("a new table");
    let marks = vec!["?"; num_columns].join(", ");
    let mut insert = database.prepare(&format!("INSERT INTO {table} VALUES ({marks})")).expect("known SQL");
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(rows);
    let mut row = csv::StringRecord::new();
    while rows.read_record(&mut row).expect("CSV") {
        let values = row.iter().map(|value| match value {
            "" => None,
            "false" => Some("0"),
            "true" => Some("1"),
            value => Some(value),
        });
        insert.execute(params_from_iter(values)).expect("room");
    }
}

/// Opens a database for reading on one thread at a time.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch(READ)?;
    Ok(connection)
}

/// Answers on this thread.
fn answer(path: &Path, statement: &Statement) -> rusqlite::Result<String> {
    CONNECTION.with_borrow_mut(|connection| {
        let connection = if let Some(connection) = connection { connection } else { connection.insert(open(path)?) };
        let mut prepared = connection.prepare_cached(statement.sql)?;
        let mut rows = prepared.query(params_from_iter(&statement.values))?;
        let mut answer = statement.begin();
        while let Some(row) = rows.next()? {
            statement.append(row, &mut answer);
        }
        Ok(statement.end(answer))
    })
}

impl Database for Sqlite {
    async fn answer(&self, statement: Statement) -> String {
        let path = self.path.clone();
        #[expect(clippy::disallowed_methods, reason = "the rule is for the program")]
        let answering = tokio::task::spawn_blocking(move || answer(&path, &statement));
        answering.await.expect("no panic").expect("an answer")
    }
}

impl Row for rusqlite::Row<'_> {
    fn number(&self, column: usize) -> Option<i64> {
        self.get(column).expect("a number")
    }

    fn flag(&self, column: usize) -> Option<bool> {
        self.get(column).expect("a flag")
    }

    fn text(&self, column: usize) -> &str {
        self.get_ref(column).expect("a column").as_str().expect("a text")
    }
}
