//! Tables: Parquet files and Arrow streams have the rows of NDJSON.

use api::{Api, ServiceConfig};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use support::tables::{Table, read_table};
use support::{Answer, PROTEINS_V2, TestFolder, get, send};

use crate::services::proteins::v2::{router_of_rows, search, when_free};
use crate::services::proteins::{OCEANIC, biome_id, folder_with_replacements, row};

const FORMATS: [(&str, &str, &str); 2] = [
    ("parquet", "application/vnd.apache.parquet", "proteins.parquet"),
    ("arrow", "application/vnd.apache.arrow.stream", "proteins.arrows"),
];

const FIELDS: [(&str, &str); 16] = [
    ("accession", "Utf8"),
    ("length", "Int64"),
    ("full_length", "Boolean"),
    ("cluster_size", "Int64"),
    ("sequence", "Utf8"),
    ("md5", "Utf8"),
    ("ga4gh", "Utf8"),
    ("biomes", LABELS),
    ("pfam", TEXTS),
    ("pfam_names", TEXTS),
    ("clans", TEXTS),
    ("studies", TEXTS),
    ("assemblies", TEXTS),
    ("name", "Utf8"),
    ("source", "Utf8"),
    ("description", "Utf8"),
];
const TEXTS: &str = "List(non-null Utf8)";
const LABELS: &str = "List(non-null Dictionary(Int32, Utf8))";

/// Enough for a stream of several parts, and an Arrow stream of several batches.
const NUM_PROTEINS: u64 = 9000;

/// Makes proteins that differ in all columns of a table.
fn folder() -> TestFolder {
    let biomes = [132, 62, biome_id(OCEANIC), 492];
    let protein = |number: u64| {
        let few = |divisor: u64| usize::try_from(number / divisor % 4).expect("small");
        let biomes: Vec<_> = biomes[..few(2)].iter().map(|id| json!([id, 1 + number % 3])).collect();
        let hit = |family: &&str| json!([family, 1e-9, 40.5, 1, 9, 2, 6]);
        let hits: Vec<_> = ["PF00005", "PF04659", "PF00664"][..few(3).min(3)].iter().map(hit).collect();
        let contigs = |assembly: u64| json!([assembly, [[1 + number, 2, 178, -1]]]);
        let assemblies: Vec<_> = (0..number / 5 % 4).map(|assembly| contigs(534_239 + assembly)).collect();
        let studies = if assemblies.is_empty() { json!([]) } else { json!([[108_403 + number % 2, assemblies]]) };
        let full_length = ["", "true", "false"][few(1).min(2)];
        row(number, full_length, 1 + number % 400, &json!({"b": biomes, "p": hits, "s": studies}))
            .replace("AA", &"AR".repeat(few(7) + 1))
    };
    TestFolder::of_rows(&(1..=NUM_PROTEINS).map(protein).collect::<String>())
}

fn table_of(answer: &Answer, (_, content_type, name): (&str, &str, &str)) -> Table {
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, content_type));
    assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"{name}\""));
    read_table(&answer.body)
}

async fn post(router: &Api, path: &str, body: impl Into<Body>) -> Answer {
    support::post(router, &format!("{PROTEINS_V2}/proteins{path}"), "application/json", body).await
}

#[test]
fn tables_have_the_rows_and_columns_of_ndjson() {
    let queries =
        ["*", "NOT *", "has:pfam", "biome:root:Environmental", "full_length:true", "length:[7 TO *]", "pfam:5"];
    let others = [("limit", "1024"), ("limit", "9000"), ("after", "4711"), ("order", "-length"), ("random", "500")];
    let fields = prop::sample::subsequence(FIELDS.to_vec(), 1..=FIELDS.len()).prop_shuffle();
    let cases = (prop::sample::select(queries.to_vec()), fields, prop::sample::select(others.to_vec()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let folder = folder();
    let router = folder.router();
    let check = async |query: &str, fields: Vec<(&str, &str)>, other: (&str, &str)| {
        let names = fields.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",");
        let with_format = |format| search(&[("q", query), ("fields", &names), other, ("format", format)]);
        let expected = get(&router, &with_format("ndjson")).await.lines();
        for format in FORMATS {
            let table = table_of(&get(&router, &with_format(format.0)).await, format);
            let columns = fields.iter().map(|(name, of_type)| ((*name).to_owned(), (*of_type).to_owned()));
            assert_eq!(table.columns, columns.collect::<Vec<_>>());
            assert!(table.rows == expected, "{} rows, not {}", table.rows.len(), expected.len());
        }
    };
    let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) });
    let checked = runner.run(&cases, |(query, fields, other)| {
        runtime.block_on(check(query, fields, other));
        Ok(())
    });
    checked.expect("the same rows");
}

#[tokio::test]
async fn tables_describe_their_contents() {
    let (_folder, router) = router_of_rows();
    let generation = |table: &Table| table.metadata["mgdex.generation"].clone();
    for format in FORMATS {
        let path = search(&[("format", format.0), ("q", "has:pfam"), ("fields", "accession"), ("limit", "2")]);
        let table = table_of(&get(&router, &path).await, format);
        assert_eq!(table.metadata["mgdex.query"], "q=has%3Apfam&limit=2");
        let release = &table.metadata["mgdex.release"];
        assert!(release.contains("biomes_id_lineage.tsv") && !release.contains('/'), "{release}");
        assert!(generation(&table).starts_with("gen-"));

        let accepted = send(&router, Method::GET, &search(&[]), &[("accept", format.1)]).await;
        let columns: Vec<_> = table_of(&accepted, format).columns.into_iter().map(|(name, _)| name).collect();
        assert_eq!(columns, ["accession", "length", "full_length", "cluster_size"], "as NDJSON has them");
        let posted = post(&router, "/search", json!({"q": "has:pfam", "format": format.0}).to_string()).await;
        let posted = table_of(&posted, format);
        assert_eq!((posted.rows.len(), &*posted.metadata["mgdex.query"]), (3, "q=has%3Apfam"));
        assert_eq!(generation(&posted), generation(&table));
    }
}

#[tokio::test]
async fn batches_leave_out_accessions_without_a_record() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    let requested = json!(["MGYP000000000014", 12, "x", "mgyp99", 21, "12"]).to_string();
    for format in FORMATS {
        let of_fields =
            post(&router, &format!("/batch?format={}&fields=length,biomes", format.0), requested.clone()).await;
        assert_eq!(of_fields.header("x-missing"), "3");
        let marine = json!({"length": 6, "biomes": ["root:Environmental:Aquatic:Marine"]});
        let table = table_of(&of_fields, format);
        assert_eq!(table.rows, [json!({"length": 6, "biomes": []}), marine.clone(), marine]);
        assert_eq!(table.metadata["mgdex.query"], "a batch of 6 accessions");
        let whole = table_of(&post(&router, &format!("/batch?format={}", format.0), requested.clone()).await, format);
        let columns: Vec<_> = whole.columns.iter().map(|(name, of_type)| (&**name, &**of_type)).collect();
        assert_eq!((columns, whole.rows.len()), (FIELDS.to_vec(), 3), "all columns");
        let nothing = post(&router, &format!("/batch?format={}", format.0), "[]").await;
        assert_eq!(table_of(&nothing, format).rows, [] as [Value; 0]);
    }
}

#[tokio::test]
async fn parquet_is_not_compressed_again() {
    let folder = folder();
    let router = folder.router();
    for (format, expected) in [("parquet", ""), ("arrow", "gzip")] {
        let path = search(&[("format", format)]);
        let answer = send(&router, Method::GET, &path, &[("accept-encoding", "gzip")]).await;
        assert_eq!((answer.status, answer.header("content-encoding")), (StatusCode::OK, expected), "{format}");
    }
}

#[tokio::test]
async fn memory_of_a_table_is_released_when_its_client_leaves() {
    // There is memory for one table.
    let config = ServiceConfig {
        answer_bytes_max: 16 << 20,
        requests_max: 64,
        requests_of_client_max: 64,
        ..ServiceConfig::default()
    };
    let folder = folder();
    let router = folder.router_with(&config);
    let fields = FIELDS.map(|(name, _)| name).join(",");
    let path = search(&[("format", "parquet"), ("fields", &fields)]);
    let accessions: Vec<_> = (1..=NUM_PROTEINS).map(|number| number.to_string()).collect();
    let whole = get(&router, &path).await;
    for is_batch in [false, true] {
        let request = if is_batch {
            let path = format!("{PROTEINS_V2}/proteins/batch?format=parquet");
            Request::post(path).header("content-type", "text/plain").body(Body::from(accessions.join("\n")))
        } else {
            Request::get(&path).body(Body::empty())
        };
        let mut request = request.expect("a request");
        request.headers_mut().insert("host", "mgdex.test".parse().expect("printable"));
        let mut response = router.answer(request).await;
        assert_eq!(response.status(), StatusCode::OK);
        let refused = get(&router, &path).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "the memory is taken");
        assert!(!refused.header("retry-after").is_empty());
        assert_eq!(get(&router, &search(&[("format", "ndjson")])).await.status, StatusCode::OK);
        assert!(response.body_mut().frame().await.is_some());
        assert_eq!(get(&router, &path).await.status, StatusCode::SERVICE_UNAVAILABLE, "it is held until the end");
        drop(response);
        assert_eq!(when_free(&router, &path).await.body, whole.body);
    }
}
