//! The wide table of the second version.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{check_table, check_text, columns};
use crate::services::catalogue_v2::asking as v2;

#[tokio::test]
async fn samples_of_version_2_have_the_metadata_of_their_documents() {
    let first = ["accession", "ena_accessions", "sample_title", "biome", "updated_at"];
    let mut documents: BTreeMap<String, Value> = BTreeMap::new();
    for document in v2::documents("samples") {
        documents.insert(document["accession"].as_str().expect("a text").to_owned(), document);
    }
    let items = v2::get("/samples/?format=ndjson&order=-updated_at").await.lines();
    let row = |item: &Value| {
        let mut row = Map::new();
        let accession = item["accession"].as_str().expect("a text");
        for name in first {
            let value = match &item[name] {
                Value::Object(biome) => biome["lineage"].clone(),
                Value::Array(accessions) => {
                    accessions.iter().map(|one| one.as_str().expect("a text")).collect::<Vec<_>>().join(";").into()
                }
                value => value.clone(),
            };
            row.insert(name.to_owned(), value);
        }
        for (name, value) in documents[accession]["metadata"].as_object().into_iter().flatten() {
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let text = match value {
                Value::Null => continue,
                Value::Array(values) if values.is_empty() => continue,
                Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join("; "),
                value => text(value),
            };
            let is_taken = first.contains(&name.as_str());
            row.insert(if is_taken { format!("{name} (metadata)") } else { name.clone() }, text.into());
        }
        row
    };
    let rows: Vec<_> = items.iter().map(row).collect();
    let columns = columns(&rows, &first);
    assert!(columns.len() > 20);
    let path = |format: &str| format!("/samples/?metadata=wide&order=-updated_at&format={format}&strict=1");
    check_text(&v2::get(&path("csv")).await, b',', &columns, &rows);
    check_text(&v2::get(&path("tsv")).await, b'\t', &columns, &rows);
    for format in ["parquet", "arrow"] {
        check_table(&v2::get(&path(format)).await, &[], &columns, &rows);
    }
}
