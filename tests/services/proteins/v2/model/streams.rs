//! The streams of a query have the matching records in each format.

use api::Api;
use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use store_proteins::Protein;
use support::{Answer, get};

use super::fields::{FIELDS, field};
use crate::services::proteins::v2::search;

async fn stream(router: &Api, parameters: &[(&str, &str)], format: &str) -> Answer {
    let path = search(&[parameters, &[("format", format)]].concat());
    get(router, &path).await.checked(200, &path)
}

/// Compares the streams of a query with the proteins that match it.
pub(super) async fn check_streams(
    router: &Api,
    conditions: &[(&str, &str)],
    expected: &[&Protein],
    random: &mut StdRng,
) {
    let mut fields: Vec<&str> = FIELDS.into_iter().filter(|_| random.random()).collect();
    fields.push("sequence");
    let names = fields.join(",");
    let with_fields = [conditions, &[("fields", &*names)]].concat();
    let value =
        |protein: &Protein, name: &str| if name == "sequence" { json!(protein.sequence) } else { field(protein, name) };

    let objects: Vec<Value> = expected
        .iter()
        .map(|protein| {
            fields.iter().map(|name| ((*name).to_owned(), value(protein, name))).collect::<serde_json::Map<_, _>>()
        })
        .map(Value::Object)
        .collect();
    assert_eq!(stream(router, &with_fields, "ndjson").await.lines(), objects, "{conditions:?}");

    let cell = |value: Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    };
    let tsv = stream(router, &with_fields, "tsv").await;
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(&tsv.body[..]);
    assert!(reader.headers().expect("a line").iter().eq(fields.iter().copied()));
    let rows: Vec<Vec<String>> =
        reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect();
    let cells: Vec<Vec<String>> =
        expected.iter().map(|protein| fields.iter().map(|name| cell(value(protein, name))).collect()).collect();
    assert_eq!(rows, cells, "{conditions:?}");

    let fasta = stream(router, conditions, "fasta").await;
    let entries: Vec<(&str, String)> = fasta
        .text()
        .split('>')
        .skip(1)
        .map(|entry| entry.split_once('\n').expect("a line"))
        .map(|(head, sequence)| (&head[..head.find(' ').expect("more words")], sequence.replace('\n', "")))
        .collect();
    assert_eq!(entries.len(), expected.len(), "{conditions:?}");
    for ((accession, sequence), protein) in entries.iter().zip(expected) {
        assert_eq!((*accession, sequence), (&*protein.accession.to_string(), &protein.sequence));
    }
}
