//! Numbers of matches by value, and comparisons of groups.

use std::iter::Peekable;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::services::proteins::v2::{ask, problems, router_of_rows};
use crate::services::proteins::{biome_id, row};
use support::tables::read_table;
use support::{PROTEINS_V2, TestFolder, send};

/// The fields of a facet: value, name and count.
fn facets(answer: &Value) -> Vec<Value> {
    let facets = answer["facets"].as_array().expect("a list").iter();
    facets
        .map(|facet| {
            assert!(facet["interval"].is_null(), "{facet}");
            json!([facet["value"], facet["name"], facet["count"]])
        })
        .collect()
}

#[tokio::test]
async fn facets_count_matches() {
    let (_folder, router) = router_of_rows();
    for (path, total, expected) in [
        (
            "/facets?by=pfam",
            5,
            json!([
                [null, "no family", 2],
                ["PF00005", "ABC transporter", 2],
                ["PF00664", "ABC transporter transmembrane region", 1],
                ["PF04659", "Archaeal flagella protein", 1]
            ]),
        ),
        (
            "/facets?by=pfam&q=pfam:5+AND+length:%5B100+TO+*%5D",
            1,
            json!([["PF00005", "ABC transporter", 1], ["PF04659", "Archaeal flagella protein", 1]]),
        ),
        ("/facets?by=pfam&pfam=5&min_length=100&top=1", 1, json!([["PF00005", "ABC transporter", 1]])),
        (
            "/facets?by=architecture",
            5,
            json!([
                [null, "no domain", 2],
                ["PF00005", "ABC transporter", 1],
                ["PF00005-PF04659", "ABC transporter – Archaeal flagella protein", 1],
                ["PF00664", "ABC transporter transmembrane region", 1]
            ]),
        ),
        (
            "/facets?by=full_length",
            5,
            json!([["false", "partial", 2], ["true", "full length", 2], [null, "not recorded", 1]]),
        ),
        (
            "/facets?by=cluster_size",
            5,
            json!([["1", "1", 2], ["[2 TO 3]", "2 to 3", 1], ["[4 TO 7]", "4 to 7", 1], ["[16 TO 31]", "16 to 31", 1]]),
        ),
        (
            "/facets?by=biome&q=biome_exact:62",
            2,
            json!([
                ["root", "root", 2],
                ["root:Engineered", "Engineered", 2],
                ["root:Engineered:Wastewater", "Engineered > Wastewater", 2]
            ]),
        ),
        ("/facets?by=biome&q=pfam:PF99999", 0, json!([])),
    ] {
        let answer = ask(&router, path).await.checked(200, path).json();
        assert_eq!(answer["total"], json!({"value": total, "interval": null}), "{path}");
        assert_eq!((&answer["exact"], &answer["num_sampled"]), (&json!(true), &Value::Null), "{path}");
        assert_eq!(json!(facets(&answer)), expected, "{path}");
    }
}

#[tokio::test]
async fn invalid_facets_are_refused() {
    let (_folder, router) = router_of_rows();
    for (path, names) in [
        ("/facets", &["by"][..]),
        ("/facets?by=sequence", &["by"]),
        ("/facets?by=pfam&top=0&seed=x", &["top", "seed"]),
        ("/facets?by=pfam&top=30001&format=fasta", &["top", "format"]),
        ("/facets?by=study&top=1001", &["top"]),
        ("/facets?by=architecture&top=1001", &["top"]),
        ("/facets?by=pfam&q=pfam:&nope=1", &["q", "nope"]),
        ("/facets?by=pfam&against=pfam:5", &["against"]),
        ("/enrichment?by=length", &["by"]),
        ("/enrichment?by=architecture", &["by"]),
        ("/enrichment?by=pfam&q=length:%5B9+TO+1%5D&against=clan:x", &["q", "against"]),
    ] {
        let problems = problems(&router, &format!("{PROTEINS_V2}{path}")).await;
        assert_eq!(problems.iter().map(|problem| &problem["loc"][1]).collect::<Vec<_>>(), names, "{problems:?}");
    }
}

/// Returns a value as a row of a table, with a column for each end of an interval.
fn flattened(value: &Value) -> Value {
    let members = value.as_object().expect("an object").iter().flat_map(|(name, member)| match &**name {
        "interval" | "log2_interval" => {
            vec![(format!("{name}_low"), member[0].clone()), (format!("{name}_high"), member[1].clone())]
        }
        _ => vec![(name.clone(), member.clone())],
    });
    Value::Object(members.collect())
}

/// Returns a cell of TSV.
fn cell(value: &Value) -> String {
    value.as_str().map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned)
}

#[tokio::test]
async fn values_are_rows_of_tables() {
    let folder = TestFolder::of_rows(&two_biomes());
    let router = folder.router();
    for (list, path) in [
        ("facets", "/facets?by=biome"),
        ("facets", "/facets?by=pfam&q=biome:62&top=2"),
        ("facets", "/facets?by=pfam&q=pfam:99999"),
        ("enrichment", "/enrichment?by=pfam&q=biome:62&top=30000"),
        ("enrichment", "/enrichment?by=biome&q=pfam:99999"),
    ] {
        let values = ask(&router, path).await.json()[list].as_array().expect("a list").clone();
        let rows: Vec<Value> = values.iter().map(flattened).collect();
        let of_format = async |format: &str, content_type: &str| {
            let answer = ask(&router, &format!("{path}&format={format}")).await;
            assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, content_type), "{path}");
            let name = format!("attachment; filename=\"{list}.{format}\"");
            assert_eq!(answer.header("content-disposition"), name);
            answer
        };
        assert_eq!(of_format("ndjson", "application/x-ndjson").await.lines(), values, "{path}");
        let parquet = read_table(&of_format("parquet", "application/vnd.apache.parquet").await.body);
        assert_eq!(parquet.rows, rows, "{path}");
        assert_eq!(
            parquet.metadata["mgdex.query"],
            format!("{}&format=parquet", path.split_once('?').expect("a query").1)
        );
        let tsv = of_format("tsv", "text/tab-separated-values; charset=utf-8").await;
        let names: Vec<&str> = parquet.columns.iter().map(|(name, _)| &**name).collect();
        let row = |row: &Value| names.iter().map(|name| cell(&row[name])).collect::<Vec<_>>().join("\t");
        let expected: Vec<String> = [names.join("\t")].into_iter().chain(rows.iter().map(row)).collect();
        assert_eq!(tsv.text().lines().collect::<Vec<_>>(), expected, "{path}");
        let address = format!("{PROTEINS_V2}{path}");
        let accepted = async |accept: &str| send(&router, Method::GET, &address, &[("accept", accept)]).await;
        let answer = accepted("text/x-fasta;q=0.5, application/x-ndjson").await;
        assert_eq!(answer.header("content-type"), "application/x-ndjson");
        let refused = accepted("text/x-fasta").await.checked(406, path).json();
        assert_eq!(
            refused["detail"],
            "The formats are json, ndjson, tsv and parquet. Choose one by `Accept` or `format`."
        );
    }
}

/// All places that describe the comparison state the same rule.
#[test]
fn the_rule_for_representation_is_stated_alike() {
    const RULE: &str =
        "A value is over- or under-represented if q is below 0.05 and at least ten proteins are found or expected";
    for text in [
        include_str!("../../../../api/proteins/src/v2/operations.md"),
        include_str!("../../../../api/portal/templates/parts.html"),
        include_str!("../../../../manual/src/ask-proteins.md"),
        include_str!("../../../../manual/src/glossary.md"),
    ] {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(RULE), "{}", &text[..80]);
    }
}

/// Returns proteins of two biomes that differ in their families, and others without a biome.
fn two_biomes() -> String {
    let hit = |family: &str| json!([family, 1e-9, 40.5, 1, 9, 2, 6]);
    let protein = |number: u64| {
        let family = |share: u64, family: &str| (number % 100 < share).then(|| hit(family));
        let (biome, hits) = match number {
            ..700 => (json!([[62, 1]]), [family(40, "PF00005"), family(5, "PF00664")]),
            700..2500 => (json!([[biome_id("root:Environmental"), 1]]), [family(20, "PF00005"), family(4, "PF04659")]),
            _ => (json!([]), [family(90, "PF00005"), None]),
        };
        let hits: Vec<Value> = hits.into_iter().flatten().collect();
        row(number, "true", 1, &json!({"b": biome, "p": hits}))
    };
    (1..3000).map(protein).collect()
}

/// The numbers computed by scipy for each value. The script `enrichment.py` next to it adds them to
/// the first six columns.
const SCIPY: &str = include_str!("enrichment.tsv");

/// Checks that a number agrees with scipy, or that both have none.
fn assert_close(number: &Value, expected: &str, tolerance: f64, context: &str) {
    let Some(number) = number.as_f64() else {
        assert!(number.is_null() && expected.is_empty(), "{number} and {expected}: {context}");
        return;
    };
    let expected: f64 = expected.parse().expect("a number");
    assert!((number - expected).abs() <= tolerance * expected.abs(), "{number} and {expected}: {context}");
}

/// Checks that the values of an answer are those of the next rows of a table of [`SCIPY`].
pub(super) fn assert_agrees<'a>(
    answer: &Value,
    list: &str,
    path: &str,
    rows: &mut Peekable<impl Iterator<Item = Vec<&'a str>>>,
) {
    for value in answer[list].as_array().expect("a list") {
        let row = rows.next_if(|row| row[0] == path).unwrap_or_else(|| panic!("{path}: {value}"));
        let name = value["value"].as_str().unwrap_or_default();
        let counts = [
            &value["count"],
            &answer["selection"]["count"],
            &value["background_count"],
            &answer["background"]["count"],
        ];
        let found: Vec<String> = [name.to_owned()].into_iter().chain(counts.map(ToString::to_string)).collect();
        assert_eq!(found, row[1..6], "{path}");
        let context = format!("{path}: {value}");
        assert_close(&value["expected"], row[6], 1e-9, &context);
        assert_close(&value["p"], row[7], 1e-6, &context);
        assert_close(&value["q"], row[8], 1e-6, &context);
        assert_close(&value["log2_ratio"], row[9], 1e-5, &context);
        assert_close(&value["log2_interval"][0], row[10], 1e-5, &context);
        assert_close(&value["log2_interval"][1], row[11], 1e-5, &context);
        let has_end = !row[10].is_empty() || !row[11].is_empty();
        assert_eq!(value["log2_interval"].is_array(), has_end, "{context}");
        assert_eq!(value["representation"].as_str().unwrap_or_default(), row[12], "{context}");
    }
    assert!(rows.peek().is_none_or(|row| row[0] != path), "{path}: scipy has {:?}, too", rows.peek());
}

#[tokio::test]
async fn enrichments_agree_with_scipy() {
    let folder = TestFolder::of_rows(&two_biomes());
    let router = folder.router();
    let mut rows = SCIPY.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()).peekable();
    for (path, groups) in [
        ("/enrichment?by=pfam&q=biome:62", json!([[699, 0], [1800, 500]])),
        ("/enrichment?by=clan&q=biome:62", json!([[699, 0], [1800, 500]])),
        ("/enrichment?by=biome&q=pfam:5", json!([[639, 450], [1860, 50]])),
        ("/enrichment?by=pfam&q=length:9999&against=biome:root:Environmental", json!([[0, 0], [1800, 0]])),
        ("/enrichment?by=pfam&q=biome:62+AND+accession:%5B1+TO+90%5D&against=pfam:5", json!([[90, 0], [600, 450]])),
    ] {
        let answer = ask(&router, path).await.checked(200, path).json();
        let group = |name: &str| json!([answer[name]["count"], answer[name]["without_biome"]]);
        assert_eq!(json!([group("selection"), group("background")]), groups, "{path}");
        assert_agrees(&answer, "enrichment", path, &mut rows);
    }
    assert!(rows.next().is_none());
}
