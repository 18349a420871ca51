//! Records and sequences of single proteins.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::services::proteins::v2::{ask, router_of_rows};
use crate::services::proteins::{detail, folder_with_replacements};
use support::{PROTEINS_V2, get, get_protein, post};

/// Fields of lists that are also in records.
const NAMES: [&str; 9] =
    ["accession", "length", "full_length", "cluster_size", "biomes", "pfam", "clans", "studies", "assemblies"];

#[tokio::test]
async fn records_extend_those_of_the_first_version() {
    let (_folder, router) = router_of_rows();
    for requested in ["12", "MGYP000000000012", "mgyp12", "MGYP000000000012/", "0012", "%4dgyp12"] {
        let answer = ask(&router, &format!("/proteins/{requested}")).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"), "{requested}");
        assert!(!answer.text().contains("mgyp"));
        let mut record = answer.json();
        let own = format!("http://mgdex.test{PROTEINS_V2}/proteins/MGYP000000000012");
        let details = record["biome_details"].take();
        for name in ["biomes", "pfam", "clans", "studies", "assemblies"] {
            record[name].take();
        }
        let more = ["accession", "length", "md5", "ga4gh", "links"].map(|name| record[name].take());
        // Computed by Python's hashlib from `MKVLAA`.
        let expected = [
            json!("MGYP000000000012"),
            json!(6),
            json!("91e251c0d62c621ad69fed6840eb8f86"),
            json!("SQ.qVws9oPeKN0fKQFRegtjJHlR7KsYV0KV"),
            json!({"self": own, "fasta": format!("{own}.fasta")}),
        ];
        assert_eq!(more, expected, "{requested}");
        let first = get_protein(&router, "/protein/12").await.json();
        assert_eq!(details, first["biomes"], "{requested}");
        let first = first.as_object().expect("an object").iter();
        let first = first.filter(|(name, _)| !["mgyp", "biomes"].contains(&name.as_str()));
        let rest = record.as_object().expect("an object").iter().filter(|(_, value)| **value != Value::Null);
        assert!(rest.eq(first), "{record}");
    }
}

#[tokio::test]
async fn a_name_has_the_same_shape_in_lists_batches_and_records() {
    let (_folder, router) = router_of_rows();
    let fields = NAMES.join(",");
    let listed = ask(&router, &format!("/proteins?fields={fields}")).await.json();
    let mut num_texts = 0;
    for listed in listed["results"].as_array().expect("a list") {
        let accession = listed["accession"].as_str().expect("a text");
        let record = ask(&router, &format!("/proteins/{accession}")).await.json();
        let path = format!("{PROTEINS_V2}/proteins/batch");
        let batch = post(&router, &path, "application/json", json!([accession]).to_string()).await.json();
        for name in NAMES {
            assert_eq!(record[name], listed[name], "{accession}: {name}");
            num_texts += record[name].as_array().map_or(0, Vec::len);
        }
        assert_eq!(batch["results"], json!([record]));
    }
    assert_eq!(num_texts, 15);
}

#[tokio::test]
async fn links_find_the_record_and_its_sequence() {
    let (_folder, router) = router_of_rows();
    let record = ask(&router, "/proteins/15").await.json();
    let path = |name: &str| {
        record["links"][name].as_str().and_then(|url| url.strip_prefix("http://mgdex.test")).expect("absolute")
    };
    assert_eq!(get(&router, path("self")).await.json(), record);
    let fasta = get(&router, path("fasta")).await;
    assert_eq!((fasta.status, fasta.header("content-type")), (StatusCode::OK, "text/x-fasta; charset=utf-8"));
    let text = fasta.text();
    let (head, sequence) = text.split_once('\n').expect("two lines");
    assert_eq!(head, ">MGYP000000000015 FL=1 CLUSTER=20");
    assert_eq!(sequence.lines().map(str::len).collect::<Vec<_>>(), [60, 60, 10]);
    assert_eq!(sequence.replace('\n', ""), record["sequence"].as_str().expect("a text"));
    let searched = get(&router, &format!("{PROTEINS_V2}/proteins?accession=15&format=fasta")).await;
    assert_eq!(searched.body, text.as_bytes());
}

#[tokio::test]
async fn replaced_accessions_redirect_to_their_replacements() {
    let folder = folder_with_replacements("21\t22\n22\t12\n23\t98\n");
    let router = folder.router();
    for (requested, ending) in [("21", ""), ("mgyp22", ""), ("MGYP000000000021", ".fasta")] {
        let answer = ask(&router, &format!("/proteins/{requested}{ending}")).await;
        assert!(detail(&answer, StatusCode::FOUND).contains("MGYP000000000012"));
        let location = answer.header("location");
        assert_eq!(location, format!("http://mgdex.test{PROTEINS_V2}/proteins/MGYP000000000012{ending}"));
        assert_eq!(get(&router, location.trim_start_matches("http://mgdex.test")).await.status, StatusCode::OK);
    }
    let missing = ask(&router, "/proteins/23").await;
    assert!(detail(&missing, StatusCode::NOT_FOUND).contains("MGYP000000000098"));
    assert_eq!(missing.header("location"), "");
    for requested in ["99", "0", "MGYP", "x", "1000000000000", "12.txt", "99.fasta", ".fasta", "%ff"] {
        detail(&ask(&router, &format!("/proteins/{requested}")).await, StatusCode::NOT_FOUND);
    }
}
