//! Requests that are neither recorded nor made by the model: long ones, streams, formulas, hostile
//! ones.

use std::collections::BTreeSet;

use axum::http::Method;
use support::encoded;

use crate::services::catalogue::real::{ask, get};

/// With `safe=1`, texts of a table cannot be read as formulas. Without it, and in other formats,
/// texts are unchanged.
#[tokio::test]
async fn formulas_are_escaped_on_request() {
    let cells = async |path: &str| -> Vec<String> {
        let answer = get(path).await;
        let mut table = csv::Reader::from_reader(&answer.body[..]);
        table.records().flat_map(|row| row.expect("a row").iter().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let (plain, safe) = (cells("/samples.csv").await, cells("/samples.csv?safe=1").await);
    assert_eq!(plain.len(), safe.len());
    let mut num_disarmed = 0;
    for (plain, safe) in plain.iter().zip(&safe) {
        let is_number = plain.parse::<f64>().is_ok();
        assert!(is_number || !safe.starts_with(['=', '+', '-', '@']), "{safe}");
        assert!(plain == safe || format!("'{plain}") == *safe, "{plain}: {safe}");
        num_disarmed += usize::from(plain != safe);
    }
    assert!(num_disarmed > 0);
    assert_eq!(get("/biomes.csv?safe=1").await.status, 200);
}

#[tokio::test]
async fn unchanged_answers_are_304() {
    for path in ["/studies?page=2", "/samples/ERS074453", "/studies/MGYS00000257/samples", "/", "/samples.csv"] {
        let first = get(path).await;
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{path}: {tag:?}");
        let again = ask(Method::GET, path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
        assert_eq!(again.header("vary"), first.header("vary"), "{path}");
        // Another format or other links make another answer.
        for header in [("accept", "application/vnd.api+json"), ("host", "elsewhere.test")] {
            if path == "/samples.csv" && header.0 == "accept" {
                continue;
            }
            let other = ask(Method::GET, path, &[("if-none-match", &tag), header]).await;
            assert_eq!(other.status, 200, "{path} {header:?}");
        }
    }
}

#[tokio::test]
async fn bad_input_gets_a_json_error_with_a_title() {
    let long = "a".repeat(5000);
    let values = [
        "",
        "[",
        "(?=x)",
        "(a+)+$",
        "((((a{100}){100}){100}){100})",
        "%",
        "\u{0}",
        "\u{fffd}",
        "'; DROP TABLE samples",
        "-1",
        "NaN",
        "1e999",
        "99999999999999999999",
        "root",
        "root:",
        ":",
        "ERS",
        ",",
        ",,,",
        "a,b",
        "*",
        "\\",
        "null",
        "last",
        "0x10",
        "é",
        "..%2f..",
        &long,
    ];
    let names = "accession page page_size format ordering lineage biome_name centre_name geo_loc_name species \
        experiment_type instrument_model latitude_gte longitude_lte metadata_key metadata_value \
        metadata_value_gte study_accession sample_accession run_accession environment_material search \
        include fields fields[samples] filter[depth] sort biome"
        .split(' ');
    let mut statuses = BTreeSet::new();
    for collection in ["samples", "studies", "assemblies", "biomes", "cogs", "pipeline-tools"] {
        for name in names.clone() {
            for value in values {
                let path = format!("/{collection}?{}={}", encoded(name), encoded(value));
                let answer = get(&path).await;
                statuses.insert(answer.status.as_u16());
                assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS", "{path}");
                assert!(answer.header("vary").split(", ").any(|name| name == "Accept"), "{path}");
                match answer.status.as_u16() {
                    200 => {}
                    400 | 404 | 406 | 414 => {
                        let error = &answer.json()["errors"][0];
                        assert!(!error["title"].as_str().expect("a title").is_empty(), "{path}");
                        assert_eq!(error["status"], answer.status.as_u16().to_string(), "{path}");
                    }
                    status => panic!("{path}: {status}"),
                }
            }
        }
    }
    assert_eq!(statuses, BTreeSet::from([200, 400, 404]));
    for path in [
        "/%ff",
        "/studies/%00",
        "/studies/..",
        "/samples/%2e%2e/x",
        "//",
        "/studies//samples",
        "/biomes/root%3A",
        "/a/b/c/d/e",
    ] {
        let answer = get(path).await;
        assert!(matches!(answer.status.as_u16(), 200 | 404), "{path}: {}", answer.status);
        if answer.status == 404 {
            assert_eq!(answer.json()["errors"][0]["title"], "Not Found", "{path}");
        }
    }
}

#[tokio::test]
async fn other_formats_of_json_only_answers_are_refused() {
    for path in ["/", "/biomes/top10"] {
        let accepting = ask(Method::GET, path, &[("accept", "text/csv")]).await;
        assert_eq!(accepting.status, 406, "{path}");
        assert_eq!(get(&format!("{path}?format=csv")).await.status, 404, "{path}");
        let both = ask(Method::GET, &format!("{path}?format=json"), &[("accept", "text/csv")]).await;
        assert_eq!(both.status, 200, "{path}");
    }
    for path in ["/biomes/top10", "/samples/ERS074453/metadata", "/studies/MGYS00000257/geocoordinates"] {
        assert_eq!(get(&format!("{path}.ndjson")).await.status, 404, "{path}");
        assert_eq!(ask(Method::GET, path, &[("accept", "application/x-ndjson")]).await.status, 406, "{path}");
    }
}
