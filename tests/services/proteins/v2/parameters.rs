//! Conditions and their combinations, and the errors about faulty ones.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::services::proteins::MARINE;
use crate::services::proteins::v2::{ask, numbers, page, problems, router_of_rows, search};
use support::{PROTEINS_V2, TestFolder, get};

const ALL: [u64; 5] = [12, 13, 14, 15, 16];

/// Every condition that is a parameter, with the proteins that it finds.
const CONDITIONS: [(&str, &str, &[u64]); 27] = [
    ("biome", MARINE, &[12, 13]),
    ("biome", "132", &[12, 13]),
    ("biome_exact", MARINE, &[12]),
    ("biome_exact", "62", &[15, 16]),
    ("pfam", "PF00005", &[12, 15]),
    ("pfam", "pf5", &[12, 15]),
    ("pfam", "5", &[12, 15]),
    ("pfam", "*", &[12, 13, 15]),
    ("has", "pfam", &[12, 13, 15]),
    ("clan", "CL0023", &[12, 15]),
    ("clan", "cl241", &[13]),
    ("study", "ERP108403", &[12, 15]),
    ("assembly", "erz534239", &[12]),
    ("full_length", "true", &[12, 15]),
    ("full_length", "false", &[13, 16]),
    ("min_length", "60", &[13, 15]),
    ("max_length", "60", &[12, 13, 14, 16]),
    ("length", "60", &[13]),
    ("length", "[7 TO 130]", &[13, 15]),
    ("min_cluster_size", "2", &[12, 15, 16]),
    ("max_cluster_size", "7", &[12, 13, 14, 16]),
    ("cluster_size", "{7 TO *]", &[15]),
    ("cluster_size", "<2", &[13, 14]),
    ("accession", "MGYP000000000014", &[14]),
    ("accession", "[13 TO mgyp15}", &[13, 14]),
    ("pfam", "PF99999", &[]),
    ("study", "ERP000001", &[]),
];

#[tokio::test]
async fn every_condition_must_be_met() {
    let (_folder, router) = router_of_rows();
    let found = async |parameters: &[(&str, &str)]| numbers(&page(&router, &search(parameters)).await);
    assert_eq!(found(&[]).await, ALL, "no condition is met by all");
    assert_eq!(numbers(&ask(&router, "/proteins").await.json()), ALL);
    for (name, value, expected) in CONDITIONS {
        assert_eq!(found(&[(name, value)]).await, expected, "{name}={value}");
        for (query, matching) in
            [("NOT full_length:true", &[13, 14, 16][..]), ("length:6 OR has:pfam", &ALL), ("NOT *", &[])]
        {
            let both: Vec<u64> = expected.iter().copied().filter(|number| matching.contains(number)).collect();
            assert_eq!(found(&[("q", query), (name, value)]).await, both, "{name}={value} and {query}");
        }
    }
}

#[tokio::test]
async fn results_have_the_fields_that_are_asked_for() {
    let (_folder, router) = router_of_rows();
    let first = async |fields: &[(&str, &str)]| page(&router, &search(fields)).await["results"][0].to_string();
    let several = first(&[("fields", "accession"), ("fields", "length,pfam")]).await;
    assert_eq!(several, first(&[("fields", "accession,length,pfam")]).await);
    let by_default = r#"{"accession":"MGYP000000000012","length":6,"full_length":true,"cluster_size":7}"#;
    assert_eq!(first(&[]).await, by_default);
    let some = "pfam, accession,clans,pfam,biomes,studies,assemblies,sequence";
    let expected = json!({
        "pfam": ["PF00005"], "accession": "MGYP000000000012", "clans": ["CL0023"], "biomes": [MARINE],
        "studies": ["ERP108403"], "assemblies": ["ERZ534239"], "sequence": "MKVLAA",
    });
    assert_eq!(first(&[("fields", some)]).await, expected.to_string(), "in this order, and each once");
    let unknown = page(&router, &search(&[("accession", "14"), ("fields", "full_length,pfam,biomes")])).await;
    assert_eq!(unknown["results"], json!([{"full_length": null, "pfam": [], "biomes": []}]));
}

/// Returns the problem of a parameter.
fn problem(kind: &str, name: &str, text: &str) -> Value {
    json!({"type": kind, "loc": ["query", name], "msg": text})
}

/// Returns the problem of a part of a text.
fn at(name: &str, [start, end]: [usize; 2], text: &str) -> Value {
    json!({"type": "query_parsing", "loc": ["query", name], "msg": text, "ctx": {"start": start, "end": end}})
}

type Case<'a> = (&'a [(&'a str, &'a str)], Value);

async fn check_faults(cases: &[Case<'_>]) {
    let (_folder, router) = router_of_rows();
    for (parameters, expected) in cases {
        let path = search(parameters);
        assert_eq!(get(&router, &path).await.checked(422, &path).json(), json!({"detail": expected}), "{path}");
    }
}

#[tokio::test]
async fn all_errors_of_queries_are_listed_with_their_positions() {
    check_faults(&[
        (
            &[("q", "bioms:1 AND full_length:tru"), ("length", "[9 TO é]"), ("min_length", "[z")],
            json!([
                at("q", [0, 5], "byte 0, \"bioms\": no field has this name; did you mean \"biome\"?"),
                at("q", [24, 27], "byte 24, \"tru\": this is neither true nor false; did you mean \"true\"?"),
                at(
                    "length",
                    [6, 8],
                    "byte 6, \"é\": this is not a value of the field; understood: a number, or a range such as [10 TO *] or >=10"
                ),
                problem("value_error", "min_length", "The bound must be a whole number."),
            ]),
        ),
    ])
    .await;
}

#[tokio::test]
async fn all_errors_of_other_parameters_are_listed() {
    let fields = "accession, length, full_length, cluster_size, sequence, md5, ga4gh, biomes, pfam, pfam_names, clans, studies, assemblies, name, source, description";
    let unknown =
        |name: &str, more: &str| problem("extra_forbidden", name, &format!("Unknown parameter \"{name}\".{more}"));
    let too_many = "A page has at most 1000 results; other formats than json have no limit.";
    check_faults(&[
        (
            &[("limit", "0"), ("after", "x"), ("count", "few"), ("format", "xml"), ("fields", "accession,a")],
            json!([
                problem("value_error", "limit", "The limit must be a whole number above 0."),
                problem(
                    "value_error",
                    "after",
                    "not a protein accession: expected MGYP and 1 to 12 significant digits"
                ),
                problem("value_error", "count", "The only value is \"exact\"."),
                problem("value_error", "format", "The formats are json, ndjson, tsv, fasta, parquet and arrow."),
                problem("value_error", "fields", &format!("Unknown field \"a\". Choose from: {fields}.")),
            ]),
        ),
        (
            &[("pfan", "PF00005"), ("cluster-size", "5"), ("mgyp_something", "12"), ("biome_lineage", "root")],
            json!([
                unknown("pfan", " Did you mean \"pfam\"?"),
                unknown("cluster-size", " Did you mean \"cluster_size\"?"),
                unknown("mgyp_something", ""),
                unknown("biome_lineage", " Did you mean \"biome\"?"),
            ]),
        ),
        (&[("limit", "1001")], json!([problem("less_than_equal", "limit", too_many)])),
        (
            &[("format", "fasta"), ("fields", "accession")],
            json!([problem("value_error", "fields", "FASTA has no fields.")]),
        ),
    ])
    .await;
}

#[tokio::test]
async fn terms_of_all_conditions_are_limited() {
    let (_folder, router) = router_of_rows();
    let families = |count| vec![("pfam", "5"); count];
    assert_eq!(
        numbers(&page(&router, &search(&families(1024))).await),
        numbers(&page(&router, &search(&families(1))).await)
    );
    let refused = get(&router, &search(&families(1025))).await;
    let text = "All conditions together have more than 1024 terms.";
    let expected = json!({"detail": [{"type": "value_error", "loc": ["query"], "msg": text}]});
    assert_eq!((refused.status, refused.json()), (StatusCode::UNPROCESSABLE_ENTITY, expected));
    let faults: BTreeSet<String> = {
        let nested = format!("{}*", "NOT ".repeat(100));
        problems(&router, &search(&[("q", &nested)])).await.iter().map(|fault| fault["msg"].to_string()).collect()
    };
    assert!(faults.iter().any(|fault| fault.contains("nested too deeply")), "{faults:?}");
}

#[tokio::test]
async fn conditions_without_effect_or_results_are_refused() {
    let (_folder, router) = router_of_rows();
    for (path, parameter, message) in [
        (
            "/proteins?min_length=60&max_length=50",
            "max_length",
            "The range is empty: min_length is 60, and max_length is 50.",
        ),
        ("/proteins?q=length:[60%20TO%2050]", "q", "the range is empty"),
        ("/proteins?max_cluster_size=1&min_cluster_size=2", "max_cluster_size", "The range is empty"),
        ("/proteins?limit=1&limit=2", "limit", "more than one limit: give it once."),
        ("/proteins?q=*&biome=root&q=*", "q", "more than one q: combine the conditions with AND."),
        ("/facets?by=pfam&by=biome", "by", "more than one by"),
        ("/enrichment?by=pfam&against=*&against=*", "against", "more than one against"),
        ("/suggest?kind=biome&text=abc&text=abc", "text", "more than one text"),
        ("/proteins?format=ndjson&count=exact", "count", "a stream has no total"),
        ("/proteins?format=tsv&count=exact", "count", "a stream has no total"),
        ("/proteins?pfam_accession=5", "pfam_accession", "Did you mean \"pfam\"?"),
        ("/proteins?min_lenght=5", "min_lenght", "Did you mean \"min_length\" or"),
        ("/proteins/12?format=fasta&fields=length", "format", "Append `.fasta`"),
        ("/proteins/12.fasta?fields=length", "fields", "A record has no parameters"),
        ("/proteins/99?fields=length", "fields", "A record has no parameters"),
    ] {
        let problem = &problems(&router, &format!("{PROTEINS_V2}{path}")).await[0];
        assert_eq!(problem["loc"], json!(["query", parameter]), "{path}");
        assert!(problem["msg"].as_str().is_some_and(|msg| msg.contains(message)), "{path}: {problem}");
    }
    assert_eq!(numbers(&page(&router, &search(&[("min_length", "60"), ("max_length", "60")])).await), [13]);
    assert_eq!(ask(&router, "/proteins/12?").await.status, StatusCode::OK);
}

/// The description of numbers agrees with the accepted ones: up to 2^64 - 1, which no signed format
/// has.
#[tokio::test]
async fn values_are_described_as_they_are_checked() {
    let description = get(&TestFolder::empty().router(), &format!("{PROTEINS_V2}/openapi.json")).await.json();
    let parameters = description["paths"][format!("{PROTEINS_V2}/proteins")]["get"]["parameters"]
        .as_array()
        .expect("a list")
        .clone();
    let schema = |name: &str| {
        let parameter = parameters.iter().find(|parameter| parameter["name"] == name).expect("described");
        parameter["schema"].clone()
    };
    for name in ["min_length", "max_length", "min_cluster_size", "max_cluster_size", "limit", "seed"] {
        assert_eq!(schema(name)["format"], "uint64", "{name}");
    }
    for name in ["pfam", "clan", "has", "order", "format", "count"] {
        assert!(schema(name)["pattern"].is_string(), "{name}");
    }
    for name in ["biome", "biome_exact"] {
        assert_eq!(schema(name)["minLength"], 1, "{name}");
    }
}
