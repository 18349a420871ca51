//! The answers in the real service's documentation are reproduced.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::services::proteins::{biome_id, detail, lineage_search, row, rows};
use support::{TestFolder, data_text, get_protein};

/// Returns the documented answers by request.
fn examples() -> Value {
    serde_json::from_str(&data_text("proteins/api_doc_examples.json")).expect("JSON")
}

/// Returns portal rows whose index gives the documented answers.
fn rows_of_the_documentation(examples: &Value) -> String {
    let detail = &examples["GET /protein/MGYP000261684433"];
    let number = |text: &Value| -> u64 {
        let text = text.as_str().expect("an accession");
        text.trim_start_matches(|letter: char| letter.is_ascii_uppercase()).parse().expect("a number")
    };
    let hit = &detail["pfam_annotations"][0];
    let contig = &detail["study_assembly_contigs"][0];
    let metadata = json!({
        "s": [[number(&contig["study_accession"]), [[number(&contig["assembly_accession"]), [[
            number(&contig["contig_accession"]), contig["start"], contig["end"],
            if contig["strand"] == "-" { -1 } else { 1 },
        ]]]]]],
        "b": [[detail["biomes"][0]["id"], detail["biomes"][0]["count"]]],
        "p": [[
            hit["accession"], hit["evalue"], hit["bit_score"],
            hit["hmm_start"], hit["hmm_end"], hit["env_start"], hit["env_end"],
        ]],
    });
    let mut rows = row(number(&detail["mgyp"]), "false", 1, &metadata)
        .replace("MKVLAA", detail["sequence"].as_str().expect("a sequence"));

    let listed = |key: &str| -> BTreeSet<u64> {
        let hits = examples[key].as_array().expect(key);
        hits.iter().map(|hit| number(if hit.is_string() { hit } else { &hit["mgyp"] })).collect()
    };
    let marine = listed("GET /protein/search?biome_id=132&limit=10 (mgyp only)");
    let wastewater = listed("GET /protein/search?biome_lineage=root:Engineered:Wastewater&limit=3");
    let family = listed("GET /protein/search?pfam_accession=PF00005&limit=5 (mgyp only)");
    for &number in marine.iter().chain(&wastewater).chain(&family).collect::<BTreeSet<_>>() {
        let mut metadata = json!({"b": [], "p": []});
        let mut add = |key: &str, entry: Value| metadata[key].as_array_mut().expect("a list").push(entry);
        if marine.contains(&number) {
            add("b", json!([132, 1]));
        }
        if wastewater.contains(&number) {
            // In a biome below the requested one, if the accession is odd.
            add(
                "b",
                json!([if number % 2 == 1 { biome_id("root:Engineered:Wastewater:Activated Sludge") } else { 62 }, 1]),
            );
        }
        if family.contains(&number) {
            add("p", json!(["PF00005", 1e-9, 40.5, 1, 9, 2, 6]));
        }
        rows += &row(number, "true", 1, &metadata);
    }
    // One more for each search, so that its limit applies.
    rows + &row(899_999_999_999, "true", 1, &json!({"b": [[132, 1], [62, 1]], "p": [["PF00005", 1, 1, 1, 1, 1, 1]]}))
}

#[tokio::test]
async fn documented_answers_are_reproduced() {
    let examples = examples();
    let folder = TestFolder::of_rows(&rows_of_the_documentation(&examples));
    let router = folder.router();
    let mut num_compared = 0;
    for (request, expected) in examples.as_object().expect("an object") {
        let Some(request) = request.strip_prefix("GET ") else { continue };
        let answer = get_protein(&router, request.split(' ').next().expect("a path")).await;
        assert_eq!(answer.status, StatusCode::OK, "{request}");
        num_compared += 1;
        let (mut found, mut expected) = (answer.json(), expected.clone());
        if request.ends_with("(mgyp only)") {
            assert_eq!(json!(answer.mgyps()), expected, "{request}");
            continue;
        }
        if let Some(name) = found.pointer_mut("/study_assembly_contigs/0/contig_name") {
            // Rows of the portal have no names of contigs, so the accession is used as the name.
            assert_eq!(name.take(), "MGYC000564781877");
            *expected.pointer_mut("/study_assembly_contigs/0/contig_name").expect("documented") = Value::Null;
        }
        assert_eq!(found, expected, "{request}");
    }
    assert_eq!(num_compared, 4);
}

#[tokio::test]
async fn documented_errors_are_reproduced() {
    let examples = examples();
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for query in ["", "?", "?biome_id=132&pfam_accession=5", "?limit=3&biome_id=1&biome_lineage=root"] {
        let answer = get_protein(&router, &format!("/protein/search{query}")).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (422, examples["422 list"].clone()), "{query:?}");
    }
    let text = detail(&get_protein(&router, &lineage_search("Wastewater")).await, StatusCode::UNPROCESSABLE_ENTITY);
    let documented = examples["422 plain"]["detail"].as_str().expect("a text");
    assert!(text.starts_with(documented), "{text}");
}
