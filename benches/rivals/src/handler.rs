//! The bare handler before PostgreSQL and SQLite, and the SQL that both answer.

use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

const SEARCH_FAMILY: &str = "SELECT accession, length, full_length, cluster_size FROM protein_pfam \
    WHERE family = $1 ORDER BY accession LIMIT $2";

const SEARCH_BIOME: &str = "SELECT accession, length, full_length, cluster_size FROM protein_biome \
    WHERE biome = $1 ORDER BY accession LIMIT $2";

const SEARCH_BOTH: &str = "SELECT found.accession, found.length, found.full_length, found.cluster_size \
    FROM protein_pfam found JOIN protein_biome USING (accession) \
    WHERE family = $1 AND biome = $2 ORDER BY found.accession LIMIT $3";

const COUNT_BOTH: &str = "SELECT count(*) FROM protein_pfam JOIN protein_biome USING (accession) \
    WHERE family = $1 AND biome = $2";

const FACET_BIOME: &str = "SELECT family, count(*) AS number FROM protein_biome JOIN protein_pfam USING (accession) \
    WHERE biome = $1 GROUP BY family ORDER BY number DESC, family LIMIT 50";

const FACET_BOTH: &str = "SELECT other.family, count(*) AS number \
    FROM protein_pfam found JOIN protein_biome USING (accession) JOIN protein_pfam other USING (accession) \
    WHERE found.family = $1 AND biome = $2 GROUP BY other.family ORDER BY number DESC, other.family LIMIT 50";

const RECORD: &str = "SELECT record FROM records WHERE accession = $1";

const SAMPLES: &str = "SELECT sample FROM samples WHERE ordinal >= $1 AND ordinal < $1 + 25 ORDER BY ordinal";

/// The parameters of a question.
#[derive(Deserialize)]
struct Asked {
    family: Option<i64>,
    biome: Option<i64>,
    accession: Option<i64>,
    from: Option<i64>,
    limit: Option<i64>,
}

/// A question in SQL.
pub(crate) struct Statement {
    pub(crate) sql: &'static str,
    /// The values of its parameters.
    pub(crate) values: Vec<i64>,
    write: Writer,
}

/// The form of a row in JSON.
#[derive(Clone, Copy)]
enum Writer {
    Hits,
    Count,
    Values,
    Record,
    Samples,
}

/// A row of an answer.
pub(crate) trait Row {
    fn number(&self, column: usize) -> Option<i64>;
    fn flag(&self, column: usize) -> Option<bool>;
    fn text(&self, column: usize) -> &str;
}

/// A database that answers.
pub(crate) trait Database: Send + Sync + 'static {
    /// Returns the answer as JSON.
    fn answer(&self, statement: Statement) -> impl Future<Output = String> + Send;
}

impl Statement {
    fn new(kind: &str, asked: &Asked) -> Self {
        let (sql, write) = match (kind, asked.family, asked.biome) {
            ("search", Some(_), Some(_)) => (SEARCH_BOTH, Writer::Hits),
            ("search", Some(_), None) => (SEARCH_FAMILY, Writer::Hits),
            ("search", ..) => (SEARCH_BIOME, Writer::Hits),
            ("count", ..) => (COUNT_BOTH, Writer::Count),
            ("facet", Some(_), _) => (FACET_BOTH, Writer::Values),
            ("facet", ..) => (FACET_BIOME, Writer::Values),
            ("record", ..) => (RECORD, Writer::Record),
            _ => (SAMPLES, Writer::Samples),
        };
        let values = [asked.family, asked.biome, asked.accession, asked.from, asked.limit];
        Self { sql, values: values.into_iter().flatten().collect(), write }
    }

    /// Starts an answer.
    pub(crate) fn begin(&self) -> String {
        String::from(if self.is_list() { "[" } else { "" })
    }

    /// Adds a row to an answer.
    pub(crate) fn append(&self, row: &impl Row, answer: &mut String) {
        if answer.len() > 1 {
            answer.push(',');
        }
        let number = |column| row.number(column).unwrap_or_default();
        let written = match self.write {
            Writer::Hits => {
                let (accession, length) = (number(0), number(1));
                let [full_length, cluster_size] =
                    [row.flag(2).map(|flag| flag.to_string()), row.number(3).map(|number| number.to_string())]
                        .map(|value| value.unwrap_or_else(|| "null".to_owned()));
                write!(
                    answer,
                    "{{\"accession\":\"MGYP{accession:012}\",\"length\":{length},\"full_length\":{full_length},\
                     \"cluster_size\":{cluster_size}}}"
                )
            }
            Writer::Count => write!(answer, "{}", number(0)),
            Writer::Values => write!(answer, "{{\"value\":\"PF{:05}\",\"count\":{}}}", number(0), number(1)),
            Writer::Record | Writer::Samples => answer.write_str(row.text(0)),
        };
        written.expect("memory");
    }

    /// Ends an answer.
    pub(crate) fn end(&self, mut answer: String) -> String {
        if self.is_list() {
            answer.push(']');
        }
        answer
    }

    fn is_list(&self) -> bool {
        !matches!(self.write, Writer::Count | Writer::Record)
    }
}

async fn answer<D: Database>(
    State(database): State<Arc<D>>,
    Path(kind): Path<String>,
    Query(asked): Query<Asked>,
) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], database.answer(Statement::new(&kind, &asked)).await)
}

/// Serves a database on a free port.
pub(crate) fn serve<D: Database>(runtime: &Runtime, database: D) -> SocketAddr {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a free port");
    let address = listener.local_addr().expect("bound");
    let router = Router::new().route("/{kind}", get(answer::<D>)).with_state(Arc::new(database));
    runtime.spawn(async move { axum::serve(listener, router).await });
    address
}
