//! All keys of a record are always present, and its parts are in order.

use serde_json::{Value, json};

use crate::services::proteins::{row, rows};
use support::{TestFolder, get_protein};

#[tokio::test]
async fn unknown_values_are_null_and_their_keys_are_there() {
    let folder = TestFolder::of_rows(&[rows(), row(16, "", 1, &json!({"b": [[132, 1]]}))].concat());
    let router = folder.router();
    let hits = get_protein(&router, "/protein/search?biome_id=132").await.json();
    assert_eq!(hits[1], json!({"mgyp": "MGYP000000000016", "full_length": null, "cluster_size": 1}));
    assert_eq!(
        get_protein(&router, "/protein/14").await.json(),
        json!({
            "mgyp": "MGYP000000000014", "sequence": "MKVLAA", "full_length": null, "cluster_size": 1,
            "biomes": [], "pfam_annotations": [], "study_assembly_contigs": [],
        })
    );
    // PF04659 has no clan, PF00005 has one.
    let clan = async |accession: &str| {
        let record = get_protein(&router, &format!("/protein/{accession}")).await.json();
        record["pfam_annotations"][0].get("clan").cloned()
    };
    assert_eq!((clan("15").await, clan("12").await), (Some(Value::Null), Some(json!("CL0023"))));
}
