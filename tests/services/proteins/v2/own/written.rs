//! Name, source and description in each format, and in look-ups of sequences.

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::tables::read_table;
use support::{PROTEINS_V2, TestFolder, data_text, get};

use super::{KNOWN, SITE, ask, post, quoted};
use crate::services::proteins::v2::search;

const FIELDS: &str = "accession,source,name,description";

/// Returns the fields of some proteins of both sources and the release.
fn expected(limit: usize) -> Vec<Value> {
    let all = SITE.release.iter().rev().take(3).rev().chain(&SITE.own).take(limit);
    let unless_empty = |text: &String| if text.is_empty() { Value::Null } else { json!(text) };
    all.map(|own| {
        json!({
            "accession": own.accession.to_string(), "source": own.source, "name": unless_empty(&own.name),
            "description": unless_empty(&own.description),
        })
    })
    .collect()
}

#[tokio::test]
async fn fields_are_in_all_formats_and_null_if_missing() {
    let after = SITE.release[SITE.release.len() - 4].accession.to_string();
    let expected = expected(usize::MAX);
    let ask =
        async |format| get(&SITE.api, &search(&[("after", &after), ("fields", FIELDS), ("format", format)])).await;
    assert_eq!(ask("json").await.json()["results"], json!(expected));
    assert_eq!(ask("ndjson").await.lines(), expected);
    for format in ["parquet", "arrow"] {
        let table = read_table(&ask(format).await.body);
        assert_eq!(table.rows, expected, "{format}");
        assert!(table.columns.iter().all(|(_, data_type)| data_type == "Utf8"));
    }
    let tsv = ask("tsv").await;
    let text = |value: &Value| quoted(value.as_str().unwrap_or_default());
    let row = |row: &Value| ["accession", "source", "name", "description"].map(|name| text(&row[name])).join("\t");
    assert_eq!(
        tsv.text().lines().skip(1).map(str::to_owned).collect::<Vec<_>>(),
        expected.iter().map(row).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn tables_without_fields_are_unchanged() {
    let own = get(&SITE.api, &search(&[("source", "soil"), ("format", "tsv"), ("limit", "1")])).await;
    let accession = SITE.own[0].accession;
    assert_eq!(
        own.text(),
        format!("accession\tlength\tfull_length\tcluster_size\n{accession}\t{}\ttrue\t0\n", KNOWN.len())
            .replace("true", &SITE.own[0].full_length.map(|full| full.to_string()).unwrap_or_default())
            .replace("\t0\n", &format!("\t{}\n", SITE.own[0].cluster_size))
    );
}

#[tokio::test]
async fn headers_of_fasta_end_with_source_and_name() {
    let own = SITE.protein("soil", "NODE:7");
    let one = ask("/proteins/NODE:7.fasta").await.checked(200, "NODE:7");
    let full_length = own.full_length.map(|full| format!(" FL={}", u8::from(full))).unwrap_or_default();
    let expected = format!(
        ">{}{full_length} CLUSTER={} source=soil name=NODE:7\n{}\n",
        own.accession, own.cluster_size, own.sequence
    );
    assert_eq!(one.text(), expected);
    let searched = get(&SITE.api, &search(&[("name", "NODE:7"), ("format", "fasta")])).await;
    assert_eq!(searched.text(), expected);
    let of_release = ask("/proteins/MGYP004580619181.fasta").await;
    assert!(of_release.text().starts_with(">MGYP004580619181 FL=0 CLUSTER=1\n"), "{of_release:?}");
}

#[tokio::test]
async fn look_ups_name_own_proteins() {
    let own = SITE.protein("soil", "plain");
    let fasta = format!(">known\n{KNOWN}\n>own\n{}\n>none\nMWWWWW\n", own.sequence);
    let answer = post("/sequences/search?all=1", "text/x-fasta", fasta).await;
    let accession = |source, name| SITE.protein(source, name).accession.to_string();
    let all = ["MGYP004580619181", &accession("soil", "k141_1"), &accession("Sea.2", "k99_1")];
    assert_eq!(
        answer.lines(),
        [
            json!({"query": "known", "accession": all[0], "accessions": all}),
            json!({"query": "own", "accession": own.accession.to_string(), "name": "plain", "source": "soil", "accessions": [own.accession.to_string()]}),
            json!({"query": "none", "accession": null, "accessions": []}),
        ]
    );
    assert!(data_text(support::SAMPLE).contains(KNOWN));
}

#[tokio::test]
async fn formulas_are_escaped_in_safe_tables() {
    let folder = TestFolder::of_sample_with(true);
    let formula = "=HYPERLINK(\"http://evil.example\")";
    folder.add_source("soil", ">one\nMKLA\n", &format!("name\tdescription\none\t{formula}\n"));
    let api = folder.router();
    let accession = "MGYP900000000000";
    for (safe, expected) in [(None, formula.to_owned()), (Some("1"), format!("'{formula}"))] {
        let mut fields = vec![("source", "soil"), ("format", "tsv"), ("fields", "length,description")];
        fields.extend(safe.map(|safe| ("safe", safe)));
        let found = get(&api, &search(&fields)).await;
        let expected = quoted(&expected);
        assert_eq!(found.text(), format!("length\tdescription\n4\t{expected}\n"));
        let safe = safe.map_or("", |_| "&safe=1");
        let path = format!("{PROTEINS_V2}/proteins/batch?format=tsv&fields=description{safe}");
        let batch = support::post(&api, &path, "application/json", format!("[\"{accession}\"]")).await;
        assert!(batch.text().ends_with(&format!("\n{expected}\n")), "{batch:?}");
    }
    let refused = get(&api, &search(&[("format", "tsv"), ("safe", "yes")])).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}
