//! Keys of metadata as columns: repeated ones, those named like attributes, and too many.

use serde_json::{Value, json};
use support::TestFolder;
use support::tables::read_table;

/// Loads samples with entries of metadata.
fn server(samples: &[Vec<(String, Option<&str>, &str)>]) -> (TestFolder, api::Api) {
    let samples = samples.iter().enumerate().map(|(number, entries)| {
        let entry =
            |(key, unit, value): &(String, Option<&str>, &str)| json!({"key": key, "unit": unit, "value": value});
        let metadata: Vec<Value> = entries.iter().map(entry).collect();
        let attributes = json!({"accession": format!("ERS{number:06}"), "latitude": null, "sample-metadata": metadata});
        json!({"type": "samples", "id": format!("ERS{number:06}"), "attributes": attributes})
    });
    let folder = TestFolder::empty();
    folder.publish_resources(samples);
    let router = folder.router();
    (folder, router)
}

#[tokio::test]
async fn repeated_keys_share_a_cell_and_keys_named_like_attributes_are_renamed() {
    let entry = |key: &str, unit, value| (key.to_owned(), unit, value);
    let samples = [
        vec![entry("depth", Some("m"), "5"), entry("depth", None, "x"), entry("depth", Some("m"), "7\nor 8")],
        vec![entry("latitude", None, "north"), entry("depth", Some(""), "")],
    ];
    let (_folder, router) = server(&samples);
    let table = support::get(&router, "/metagenomics/api/v1/samples?metadata=wide&format=csv&ordering=accession").await;
    let expected = concat!(
        "\"accession\",\"latitude\",\"depth\",\"depth (m)\",\"latitude (metadata)\"\r\n",
        "\"ERS000000\",\"\",\"x\",\"5; 7\nor 8\",\"\"\r\n",
        "\"ERS000001\",\"\",\"\",\"\",\"north\"\r\n",
    );
    assert_eq!(table.text(), expected);
}

#[tokio::test]
async fn numbers_of_columns_are_limited() {
    let few = |number: usize| -> Vec<_> {
        (0..10).map(|key| (format!("key {:04}", 10 * number + key), None, "a value")).collect()
    };
    let mut samples: Vec<_> = (0..100).map(few).collect();
    samples.push(vec![("key 0999".to_owned(), Some("m"), "one too many")]);
    let (_folder, router) = server(&samples);
    let get = async |query: &str| support::get(&router, &format!("/metagenomics/api/{query}")).await;
    for format in ["csv", "parquet"] {
        let refused = get(&format!("v1/samples?metadata=wide&format={format}")).await;
        assert_eq!(refused.status, 400);
        let detail = refused.json()["errors"][0]["detail"].clone();
        assert!(detail.as_str().is_some_and(|text| text.contains("1000 different keys")), "{detail}");
    }
    let table = get("v1/samples?metadata=wide&format=parquet&search=value").await;
    assert_eq!(read_table(&table.body).columns.len(), 1_002);
}
