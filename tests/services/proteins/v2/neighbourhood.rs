//! The families of the genes beside proteins.

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{PROTEINS_V2, TestFolder, get};

use super::contigs::with_contigs;
use super::counted::assert_agrees;
use crate::services::proteins::documentation::check_schema;
use crate::services::proteins::v2::{ask, problems, router_of_rows};
use crate::services::proteins::{detail, row};

/// The numbers computed by scipy, like those of `enrichment.tsv`. A scan of [`operons`] gave the
/// first six columns.
const SCIPY: &str = include_str!("neighbourhood.tsv");

/// Returns proteins with one gene each, on two hundred contigs of six genes. The fourth gene of a
/// contig is on the reverse strand.
pub(crate) fn operons() -> String {
    let hit = |family: &str| json!([family, 1e-9, 40.5, 1, 9, 2, 6]);
    let protein = |contig: u64, place: u64| {
        let family = match place {
            1 if !contig.is_multiple_of(10) => Some("PF00664"),
            2 if contig.is_multiple_of(4) => Some("PF00005"),
            3 if contig.is_multiple_of(3) => Some("PF00664"),
            5 => Some("PF04659"),
            _ => None,
        };
        let strand = if place == 3 { -1 } else { 1 };
        let occurrence = json!([contig, 1 + place * 100, 60 + place * 100, strand]);
        let metadata = json!({"a": [[534_239, [occurrence]]], "p": family.map(hit).as_slice()});
        row(contig * 10 + place, "true", 1, &metadata)
    };
    (1..=200).flat_map(|contig| (0..6).map(move |place| protein(contig, place))).collect()
}

#[tokio::test]
async fn neighbourhoods_agree_with_scipy() {
    let folder = TestFolder::with_contigs(&operons());
    let router = folder.router();
    let mut rows = SCIPY.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()).peekable();
    for (path, num_places) in [
        ("/neighbourhood?by=pfam&q=pfam:5&genes=1", 50),
        ("/neighbourhood?by=clan&q=pfam:5&genes=1", 50),
        ("/neighbourhood?by=pfam&q=pfam:664&genes=2&same_strand=true", 246),
        ("/neighbourhood?by=pfam&q=pfam:4659", 200),
        ("/neighbourhood?by=pfam&q=accession:%5B10+TO+99%5D+AND+pfam:5&genes=3", 2),
    ] {
        let answer = ask(&router, path).await.checked(200, path).json();
        assert_eq!(
            (&answer["num_places"], &answer["exact"], &answer["num_sampled"]),
            (&json!(num_places), &json!(true), &Value::Null),
            "{path}"
        );
        assert_agrees(&answer, "neighbourhood", path, &mut rows);
    }
    assert!(rows.next().is_none());
    let whole = ask(&router, "/neighbourhood?by=pfam&q=pfam:5&genes=1").await.json();
    let first = ask(&router, "/neighbourhood?by=pfam&q=pfam:5&genes=1&top=1").await.json();
    assert_eq!(first["neighbourhood"], json!([whole["neighbourhood"][0]]));
    assert_eq!(first["num_values"], whole["num_values"]);
    // A gene beside two matches counts once, and the ends of a contig have fewer neighbours.
    for (query, num_beside) in [("accession:(802+OR+842)&genes=100", 10), ("accession:(121+OR+123)&genes=1", 3)] {
        let answer = ask(&router, &format!("/neighbourhood?by=pfam&q={query}")).await.json();
        assert_eq!(answer["selection"], json!({"count": num_beside}), "{query}");
        assert_eq!(answer["background"], json!({"count": 1200 - num_beside}), "{query}");
    }
}

#[tokio::test]
async fn neighbourhoods_are_tables_and_samples() {
    let folder = TestFolder::with_contigs(&operons());
    folder.add_source(
        "mine",
        ">a\nMKV\n>b\nMKVL\n",
        "name\tassembly\tcontig\tstart\tend\na\tX\tk\t5\t90\nb\tX\tk\t99\t120\n",
    );
    let router = folder.router();
    let path = "/neighbourhood?by=pfam&q=source:mine";
    let answer = ask(&router, path).await.checked(200, path).json();
    assert_eq!((&answer["num_places"], &answer["selection"]["count"]), (&json!(2), &json!(2)));
    assert_eq!(answer["background"]["count"], 1200);
    let document = ask(&router, "/openapi.json").await.json();
    let schema = json!({"$ref": "#/components/schemas/NeighbourhoodAnswer"});
    check_schema(&document, &schema, &answer, path).expect(path);
    let tsv = ask(&router, &format!("{path}&format=tsv")).await;
    assert_eq!(tsv.header("content-disposition"), "attachment; filename=\"neighbourhood.tsv\"");
    assert_eq!(tsv.text().lines().count(), 5);
    let lines = ask(&router, &format!("{path}&format=ndjson")).await.lines();
    assert_eq!(json!(lines), answer["neighbourhood"]);
    let of_seed =
        async |seed| ask(&router, &format!("/neighbourhood?by=pfam&genes=1&q=source:release&seed={seed}")).await.json();
    let sample = of_seed(1).await;
    assert_eq!(
        (&sample["exact"], &sample["num_sampled"], &sample["num_places"]),
        (&json!(false), &json!(1000), &json!(1000))
    );
    assert_eq!(of_seed(1).await, sample);
    assert_ne!(of_seed(2).await["neighbourhood"], sample["neighbourhood"]);
}

#[tokio::test]
async fn members_of_clusters_count_for_their_representatives() {
    for (all_proteins, query, num_places, num_beside) in
        [(false, "6", 2, 3), (true, "6", 2, 3), (false, "5", 4, 5), (true, "5", 2, 3), (false, "%5B5+TO+8%5D", 9, 8)]
    {
        let (_folder, router) = with_contigs(all_proteins);
        let answer = ask(&router, &format!("/neighbourhood?by=pfam&genes=1&q=accession:{query}")).await.json();
        let found = [&answer["num_places"], &answer["selection"]["count"], &answer["background"]["count"]];
        assert_eq!(found, [&json!(num_places), &json!(num_beside), &json!(12 - num_beside)], "{query} {all_proteins}");
    }
}

#[tokio::test]
async fn an_index_without_contigs_has_no_neighbourhoods() {
    let (_folder, router) = router_of_rows();
    let answer = ask(&router, "/neighbourhood?by=pfam&q=pfam:5").await;
    let expected = "This index has no contigs: it was made without `mgdex index --contigs`.";
    assert_eq!(detail(&answer, StatusCode::NOT_FOUND), expected);
}

#[tokio::test]
async fn parameters_of_other_questions_are_refused() {
    let folder = TestFolder::with_contigs(&operons());
    let router = folder.router();
    for (path, names) in [
        ("/neighbourhood", &["by"][..]),
        ("/neighbourhood?by=biome&genes=0", &["genes", "by"]),
        ("/neighbourhood?by=pfam&genes=101&same_strand=1&top=0", &["genes", "same_strand", "top"]),
        ("/neighbourhood?by=pfam&against=pfam:5&gene=5", &["against", "gene"]),
        ("/enrichment?by=pfam&genes=5", &["genes"]),
        ("/facets?by=pfam&same_strand=true", &["same_strand"]),
    ] {
        let problems = problems(&router, &format!("{PROTEINS_V2}{path}")).await;
        assert_eq!(problems.iter().map(|problem| &problem["loc"][1]).collect::<Vec<_>>(), names, "{problems:?}");
    }
    let refused = get(&router, &format!("{PROTEINS_V2}/neighbourhood?by=length")).await.json();
    assert_eq!(refused["detail"][0]["msg"], "Genes can be compared by pfam or clan.");
}
