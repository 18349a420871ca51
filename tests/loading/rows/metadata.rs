//! All forms of the metadata become the same kind of record.

use indexer::Input;
use serde_json::{Value, json};

use crate::loading::rows::{checked_report, plan_of};
use support::{TestFolder, data, get_protein};

#[tokio::test]
async fn newer_and_older_metadata_give_the_same_records() {
    let folder = TestFolder::empty();
    let newer = Input::Path(data("proteins/sequence_explorer_newer_form_2_rows.csv"));
    let older = folder.input(
        "older.csv",
        "7,MKVL,,1,\"{\"\"a\"\":[[1762428,[[3091658797,2,178,-1]]]],\"\"p\"\":[[\"\"PF00462\"\",1e-9,40.1,3,44],[\"\"PF99999\"\",1e-9,40.1,1,44]],\"\"m\"\":[[\"\"MGYF1\"\",1,2,3,4]],\"\"z\"\":0,\"\"b\"\":null}\"\n",
    );
    let published = plan_of(&folder, vec![newer, older]).run().expect("well formed");
    let notes = checked_report(&folder, &published)["notes"].clone();
    assert_eq!(
        notes,
        json!({
            "pfam_hits": 4, "protein_biomes": 2, "pfam_hits_without_hmm_positions": 2, "mgnifam_hits_left_out": 1, "unknown_metadata_keys": 1,
            "unknown_family_hits": {"PF99999": 1},
        })
    );
    let router = folder.router();
    let record = get_protein(&router, "/protein/1127097383").await.json();
    assert_eq!(
        record["study_assembly_contigs"],
        json!([{
            "study_accession": "ERP112156", "assembly_accession": "ERZ781358", "contig_accession": "MGYC001218588979",
            "contig_name": "MGYC001218588979", "start": 1, "end": 396, "strand": "+",
        }])
    );
    let hit = &record["pfam_annotations"][0];
    assert_eq!(
        (&hit["accession"], &hit["evalue"], &hit["bit_score"]),
        (&json!("PF00462"), &json!(7.5e-8), &json!(39.0))
    );
    assert_eq!(["hmm_start", "hmm_end", "env_start", "env_end"].map(|key| hit[key].clone()), [2, 58, 53, 113]);
    assert_eq!(
        record["biomes"],
        json!([{"count": 1, "id": 120, "name": "root:Environmental:Aquatic:Freshwater:Pond:Sediment"}])
    );
    let other = get_protein(&router, "/protein/3682963857").await.json();
    assert_eq!(other["pfam_annotations"][0]["evalue"], json!(0.000_011));
    assert_eq!(other["study_assembly_contigs"][0]["study_accession"], "ERP133749");

    let record = get_protein(&router, "/protein/7").await.json();
    assert_eq!(record["study_assembly_contigs"][0]["study_accession"], "");
    assert_eq!(record["study_assembly_contigs"][0]["assembly_accession"], "ERZ1762428");
    let unknown = &record["pfam_annotations"][0];
    assert_eq!((&unknown["name"], &unknown["clan"]), (&json!("PF99999"), &Value::Null), "no name but its accession");
    assert_eq!(["hmm_start", "hmm_end", "env_start", "env_end"].map(|key| unknown[key].clone()), [0, 0, 1, 44]);
    assert_eq!(record["biomes"], json!([]));
}
