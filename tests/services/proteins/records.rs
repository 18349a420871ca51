//! All keys of a record are always there, and its parts are in order.

use serde_json::{Value, json};

use crate::services::proteins::{MARINE, row, rows};
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

#[tokio::test]
async fn the_parts_of_a_record_are_in_order() {
    let metadata = json!({
        "s": [[112_156, [[781_358, [[9, 1, 3, 1]]], [7, [[8, 40, 60, 1], [8, 1, 30, -1], [3, 7, 9, 1]]]]], [5, [[6, [[7, 8, 9, 1]]]]]],
        "b": [[62, 1], [132, 3], [492, 1], [361, 2]],
        "p": [
            ["PF00005", 1e-9, 40.5, 9, 20, 7, 30], ["PF00004", 0.5, -1.25, 3, 4, 7, 30],
            ["PF00005", 1e-300, 40.5, 1, 20, 7, 30], ["PF00005", 0, 0, 1, 20, 1, 5],
        ],
    });
    let folder = TestFolder::of_rows(&row(1, "true", 1, &metadata));
    let record = get_protein(&folder.router(), "/protein/1").await.json();
    let column = |list: &str, key: &str| -> Vec<Value> {
        record[list].as_array().expect("a list").iter().map(|entry| entry[key].clone()).collect()
    };
    assert_eq!(column("biomes", "id"), [132, 361, 62, 492]);
    assert_eq!(column("biomes", "name")[0], MARINE);
    assert_eq!(column("pfam_annotations", "accession"), ["PF00005", "PF00004", "PF00005", "PF00005"]);
    assert_eq!(column("pfam_annotations", "hmm_start"), [1, 3, 1, 9]);
    assert_eq!(column("pfam_annotations", "evalue"), [0.0, 0.5, 1e-300, 1e-9]);
    let contigs = "study_assembly_contigs";
    assert_eq!(column(contigs, "study_accession"), ["ERP000005", "ERP112156", "ERP112156", "ERP112156", "ERP112156"]);
    assert_eq!(
        column(contigs, "assembly_accession"),
        ["ERZ000006", "ERZ000007", "ERZ000007", "ERZ000007", "ERZ781358"]
    );
    assert_eq!(column(contigs, "start"), [8, 7, 1, 40, 1]);
    assert_eq!(column(contigs, "strand"), ["+", "+", "-", "+", "+"]);
    assert_eq!(column(contigs, "contig_accession")[1], "MGYC000000000003");
}
