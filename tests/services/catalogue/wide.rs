//! The wide table of samples: its contents agree with the resources.

mod keys;
mod version_2;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use store_catalogue::MetadataEntry;
use support::Answer;
use support::tables::read_table;

use crate::services::catalogue::model::entries;
use crate::services::catalogue::real::get;
use crate::services::catalogue_v2::asking as v2;

/// The columns of attributes. Those of metadata follow.
const ATTRIBUTES: [&str; 18] = [
    "accession",
    "analysis_completed",
    "biome",
    "biosample",
    "collection_date",
    "environment_biome",
    "environment_feature",
    "environment_material",
    "geo_loc_name",
    "host_tax_id",
    "last_update",
    "latitude",
    "longitude",
    "sample_alias",
    "sample_desc",
    "sample_name",
    "species",
    "studies",
];

/// The columns of numbers, with their types.
const NUMBERS: [(&str, &str); 3] = [("host_tax_id", "Int64"), ("latitude", "Float64"), ("longitude", "Float64")];

/// Returns samples as rows, with a member for each column that they have.
fn expected(samples: &[Value]) -> Vec<Map<String, Value>> {
    let row = |sample: &Value| {
        let mut row = Map::new();
        let related = &sample["relationships"];
        for name in ATTRIBUTES {
            let value = match name {
                "biome" => related["biome"]["data"]["id"].clone(),
                "studies" => {
                    let studies = related["studies"]["data"].as_array().expect("a list").iter();
                    studies.map(|study| study["id"].as_str().expect("a text")).collect::<Vec<_>>().join("; ").into()
                }
                name => sample["attributes"][name.replace('_', "-")].clone(),
            };
            row.insert(name.to_owned(), value);
        }
        let mut metadata: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for MetadataEntry { key, value, unit } in entries(sample) {
            let name = if unit.is_empty() { key } else { format!("{key} ({unit})") };
            metadata.entry(name).or_default().push(value.unwrap_or_default());
        }
        row.extend(metadata.into_iter().map(|(name, values)| (name, values.join("; ").into())));
        row
    };
    samples.iter().map(row).collect()
}

/// Returns the columns that some rows need, those of metadata sorted.
fn columns(rows: &[Map<String, Value>], attributes: &[&str]) -> Vec<String> {
    let metadata: BTreeSet<&String> = rows.iter().flat_map(Map::keys).collect();
    let metadata = metadata.into_iter().filter(|name| !attributes.contains(&name.as_str())).cloned();
    attributes.iter().map(|name| (*name).to_owned()).chain(metadata).collect()
}

/// Compares a table of text with rows.
fn check_text(answer: &Answer, separator: u8, columns: &[String], rows: &[Map<String, Value>]) {
    assert_eq!(answer.status, 200);
    let mut table = csv::ReaderBuilder::new();
    table.delimiter(separator);
    let mut table = table.from_reader(&answer.body[..]);
    assert_eq!(table.headers().expect("a header").iter().collect::<Vec<_>>(), columns);
    let mut num_rows = 0;
    for (found, row) in table.records().zip(rows) {
        let text = |name: &String| match row.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) if separator == b'\t' => text.replace(['\t', '\r', '\n'], " "),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        let expected: Vec<String> = columns.iter().map(text).collect();
        assert_eq!(found.expect("a row").iter().collect::<Vec<_>>(), expected);
        num_rows += 1;
    }
    assert_eq!(num_rows, rows.len());
}

/// Compares a table in Parquet or Arrow with rows.
fn check_table(answer: &Answer, numbers: &[(&str, &str)], columns: &[String], rows: &[Map<String, Value>]) {
    assert_eq!(answer.status, 200);
    let table = read_table(&answer.body);
    for (name, of_type) in &table.columns {
        let expected = numbers.iter().find(|(number, _)| number == name).map_or("Utf8", |(_, of_type)| of_type);
        assert_eq!(of_type, expected, "{name}");
    }
    assert_eq!(table.columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), columns);
    assert_eq!(table.rows.len(), rows.len());
    for (found, row) in table.rows.iter().zip(rows) {
        let expected: Map<String, Value> =
            columns.iter().map(|name| (name.clone(), row.get(name).cloned().unwrap_or_default())).collect();
        assert_eq!(found.as_object(), Some(&expected));
    }
}

#[tokio::test]
async fn all_samples_are_read_back_from_each_format() {
    let rows = expected(&get("/samples?format=ndjson").await.lines());
    assert_eq!(rows.len(), 9_159);
    let columns = columns(&rows, &ATTRIBUTES);
    assert_eq!(columns.len(), ATTRIBUTES.len() + 173, "each key and unit once");
    let has_breaks = |row: &Map<String, Value>| row["sample_desc"].as_str().is_some_and(|text| text.contains('\n'));
    assert!(rows.iter().any(has_breaks));
    let path = |format: &str| format!("/samples?metadata=wide&format={format}&strict=1");
    check_text(&get(&path("csv")).await, b',', &columns, &rows);
    check_text(&get(&path("tsv")).await, b'\t', &columns, &rows);
    for (format, content_type) in
        [("parquet", "application/vnd.apache.parquet"), ("arrow", "application/vnd.apache.arrow.stream")]
    {
        let answer = get(&path(format)).await;
        assert_eq!(answer.header("content-type"), content_type);
        assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"Sample.{format}\""));
        check_table(&answer, &NUMBERS, &columns, &rows);
    }
}

#[tokio::test]
async fn continued_tables_have_the_columns_of_their_rows() {
    let list = "/samples?lineage=root:Engineered&ordering=-sample_name";
    let samples = get(&format!("{list}&format=ndjson")).await.lines();
    let rows = expected(&samples);
    let columns = columns(&rows, &ATTRIBUTES);
    assert!(columns.len() < 100);
    let half = rows.len() / 2;
    let after = format!("after={}", samples[half]["id"].as_str().expect("a text"));
    for (query, from) in [("", 0), (&*after, half + 1)] {
        let path = |format: &str| format!("{list}&metadata=wide&format={format}&{query}");
        check_text(&get(&path("csv")).await, b',', &columns, &rows[from..]);
        check_table(&get(&path("parquet")).await, &NUMBERS, &columns, &rows[from..]);
        let table = read_table(&get(&path("arrow")).await.body);
        assert!(table.metadata["mgdex.query"].starts_with("lineage=root%3AEngineered&ordering=-sample_name"));
    }
    let few = get(&format!("{list}&metadata=wide&format=csv&fields=species,biome")).await;
    assert!(few.body.starts_with(b"\"biome\",\"species\"\r\n"));
    let with_metadata = get(&format!("{list}&metadata=wide&format=csv&fields=biome,sample_metadata")).await;
    let header = with_metadata.text().lines().next().expect("a header");
    assert_eq!(header.matches("\",\"").count(), columns.len() - ATTRIBUTES.len());
    let nothing = get("/samples?search=nosuchword&metadata=wide&format=tsv").await;
    assert_eq!(nothing.text(), format!("{}\n", ATTRIBUTES.join("\t")));
    let nothing = read_table(&get("/samples?search=nosuchword&metadata=wide&format=parquet").await.body);
    assert_eq!((nothing.columns.len(), nothing.rows.len()), (ATTRIBUTES.len(), 0));
}

#[tokio::test]
async fn wide_tables_of_other_collections_are_refused() {
    for (path, pointer) in [
        ("/studies?metadata=wide&format=csv", "metadata"),
        ("/samples?metadata=wide", "metadata"),
        ("/samples?metadata=wide&format=ndjson", "metadata"),
        ("/samples?metadata=wide&format=geojson", "metadata"),
        ("/samples?metadata=long&format=csv", "metadata"),
        ("/samples?format=parquet", "format"),
        ("/samples/ERS074453?format=tsv", "format"),
    ] {
        let refused = get(path).await;
        assert_eq!(refused.status, 400, "{path}");
        let error = &refused.json()["errors"][0];
        assert_eq!(error["source"]["pointer"], format!("/data/attributes/{pointer}"), "{path}");
        assert!(error["detail"].as_str().is_some_and(|text| text.ends_with('.')), "{error}");
    }
    assert_eq!(get("/runs?format=parquet").await.status, 404);
    for (path, name) in [
        ("/studies/?metadata=wide&format=csv", "metadata"),
        ("/samples/?metadata=wide", "metadata"),
        ("/samples/?metadata=wide&format=ndjson", "metadata"),
        ("/samples/?format=arrow", "format"),
        ("/runs/?format=parquet", "format"),
    ] {
        let refused = v2::get(path).await;
        assert_eq!(refused.status, 422, "{path}");
        assert_eq!(refused.json()["detail"][0]["loc"], json!(["query", name]), "{path}");
    }
}
