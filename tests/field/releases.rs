//! Copies of releases of which no more is left than the sequences.

use std::fs;

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{PROTEINS, PROTEINS_V2, TestFolder, data, get, program};

use super::printed;

/// Unordered sequences, with a repeated accession and a bad one.
const SEQUENCES: &str = ">MGYP000000000014 FL=1\nMKVLAARSTW\n>MGYP000000000002\nMSEIEK*\n>MGYP000000000014\nMK\n>nothing\nMK\n\
    >MGYP000000000003 FL=0\nMSEIE\nKW\n";

/// Indexes a release that is one file.
fn index(name: &str) -> TestFolder {
    let folder = TestFolder::empty();
    let release = folder.path().join("release");
    fs::create_dir(&release).expect("writable");
    fs::write(release.join(name), SEQUENCES).expect("writable");
    let mut index = program();
    index.args(["index", "--quiet", "--max-rejects", "2", "--data"]).arg(folder.path()).arg("--release").arg(release);
    index.arg("--biomes").arg(data("proteins/biomes_id_lineage.tsv"));
    index.arg("--pfam").arg(data("proteins/Pfam-A.clans.tsv.gz"));
    let output = index.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

#[tokio::test]
async fn sequences_of_alphafold_databases_are_accepted_as_a_release() {
    for name in ["mgy_clusters_2022_05.fa", "mgy_clusters.faa", "mgy_proteins.fasta"] {
        let folder = index(name);
        let current = fs::read_to_string(folder.path().join("proteins/CURRENT")).expect("published");
        let report = fs::read_to_string(folder.path().join("proteins").join(current.trim()).join("report.json"));
        let report: Value = serde_json::from_str(&report.expect("a report")).expect("JSON");
        let counts = ["num_read", "num_accepted", "num_rejected"].map(|count| report[count].as_u64());
        assert_eq!(counts, [Some(5), Some(3), Some(2)], "{name}: {report:#}");
        assert!(report["warnings"].to_string().contains("sizes of the clusters are not known"), "{report:#}");

        let api = folder.router();
        let path = "MGYP000000000014";
        let version_1 = get(&api, &format!("{PROTEINS}/protein/{path}")).await;
        assert_eq!((version_1.status, &version_1.json()["cluster_size"]), (StatusCode::OK, &json!(1)), "{name}");
        let hits = get(&api, &format!("{PROTEINS_V2}/proteins?fields=accession,cluster_size")).await;
        let sizes = [0, 1, 2, 3].map(|hit| hits.json()["results"][hit].get("cluster_size").cloned());
        assert_eq!(sizes, [Some(json!(null)), Some(json!(null)), Some(json!(null)), None]);
        assert_eq!(get(&api, &format!("{PROTEINS_V2}/proteins/{path}")).await.json()["cluster_size"], json!(null));
        let fasta = get(&api, &format!("{PROTEINS_V2}/proteins/{path}.fasta")).await;
        assert_eq!(str::from_utf8(&fasta.body), Ok(">MGYP000000000014 FL=1\nMKVLAARSTW\n"));
        let page = get(&api, &format!("/portal/proteins/{path}")).await;
        assert!(str::from_utf8(&page.body).expect("text").contains("not known"));
        for (query, expected) in [("cluster_size:[* TO *]", 0), ("cluster_size:<=9", 0), ("cluster_size:0", 3)] {
            assert_eq!(
                printed(&folder, &["search", "--query", query, "--count"]).1,
                format!("{expected}\n"),
                "{query}"
            );
        }
        let facets = get(&api, &format!("{PROTEINS_V2}/facets?by=cluster_size")).await.json();
        assert_eq!(
            (&facets["facets"][0]["value"], &facets["facets"][0]["count"]),
            (&json!(null), &json!(3)),
            "{facets}"
        );
        let counted = get(&api, &format!("{PROTEINS_V2}/proteins?max_cluster_size=9")).await;
        assert_eq!(counted.json()["results"], json!([]));
        let table =
            printed(&folder, &["search", "--query", "*", "--format", "tsv", "--fields", "accession,cluster_size"]).1;
        assert_eq!(table.lines().nth(1), Some("MGYP000000000002\t"), "{table}");
    }
}
