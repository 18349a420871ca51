//! Features that version 2 of the real service lacks: filters and orders of version 1, fields,
//! streams, cursors and strictness.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::asking::{documents, each, get, get_json};

/// The lists with the members that identify their items.
const LISTS: [(&str, &str); 12] = [
    ("/studies/", "accession"),
    ("/samples/", "accession"),
    ("/runs/", "accession"),
    ("/assemblies/", "accession"),
    ("/analyses/", "accession"),
    ("/publications/", "pubmed_id"),
    ("/super-studies/", "slug"),
    ("/genomes/", "accession"),
    ("/genomes/catalogues/", "catalogue_id"),
    ("/studies/MGYS00002072/samples/", "accession"),
    ("/studies/MGYS00002072/analyses/", "accession"),
    ("/genomes/catalogues/marine-v2-0/genomes/", "accession"),
];

/// Returns a path with parameters.
fn with(path: &str, query: &str) -> String {
    format!("{path}?{query}")
}

async fn walk(path: &str, member: &str, size: usize) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1.. {
        let page = get_json(&with(path, &format!("page_size={size}&page={page}"))).await;
        let items = each(&page, member);
        if items.is_empty() {
            assert_eq!(page["count"], all.len(), "{path}");
            break;
        }
        all.extend(items);
    }
    all
}

#[tokio::test]
async fn pages_of_any_size_and_cursors_list_each_item_once() {
    for (path, member) in LISTS {
        let by_pages = walk(path, member, 97).await;
        let different: BTreeSet<String> = by_pages.iter().map(ToString::to_string).collect();
        assert_eq!(different.len(), by_pages.len(), "{path}");
        let (mut by_cursor, mut after) = (Vec::new(), String::new());
        loop {
            let page = get_json(&with(path, &format!("page_size=61&after={after}"))).await;
            assert_eq!(page["count"], by_pages.len());
            by_cursor.extend(each(&page, member));
            let Some(next) = page["next"].as_str() else { break };
            next.clone_into(&mut after);
        }
        assert_eq!(by_cursor, by_pages, "{path}");
    }
    // The harvest contains some biomes twice.
    let (by_pages, mut by_cursor, mut after) = (walk("/biomes/", "lineage", 50).await, Vec::new(), String::new());
    assert_eq!(by_pages.len(), 491);
    loop {
        let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("after", &after).finish();
        let page = get_json(&with("/biomes/", &query)).await;
        by_cursor.extend(each(&page, "lineage"));
        let Some(next) = page["next"].as_str() else { break };
        next.clone_into(&mut after);
    }
    assert_eq!(by_cursor, by_pages);
}

#[tokio::test]
async fn cursors_are_items_of_the_list() {
    let unknown = get("/studies/?after=MGYS99999999").await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(unknown.json()["detail"][0]["loc"], json!(["query", "after"]));
    assert_eq!(get("/studies/?after=MGYS00002072&page=2").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    // The cursor is an item of the filtered list, by any of its accessions.
    let all = get_json("/samples/?search=ers4").await;
    for accession in all["items"][3]["ena_accessions"].as_array().expect("accessions") {
        let accession = accession.as_str().expect("a text");
        let page = get_json(&format!("/samples/?search=ers4&after={accession}&page_size=2")).await;
        assert_eq!(each(&page, "accession"), each(&all, "accession")[4..6], "{accession}");
    }
    assert!(get_json("/studies/?page_size=1").await.get("next").is_none(), "only those who ask get one");
}

#[tokio::test]
async fn filters_and_orders_of_version_1_work_on_all_lists() {
    let illumina = |run: &&Value| run["instrument_platform"].as_str().is_some_and(|name| name.contains("ILLUMINA"));
    let illumina = documents("runs").iter().filter(illumina).count();
    let latitude = |sample: &Value| sample["metadata"]["lat"].as_str()?.parse::<f64>().ok();
    let northern = documents("samples").iter().filter_map(latitude).filter(|latitude| *latitude >= 60.0).count();
    assert!(illumina > 0 && northern > 0);
    for (path, expected) in [
        ("/runs/?instrument_platform=ILLUMINA", json!(illumina)),
        ("/runs/?filter[instrument-platform]=illumina", json!(illumina)),
        ("/analyses/?study_accession=MGYS00002072", get_json("/studies/MGYS00002072/analyses/").await["count"].clone()),
        (
            "/studies/?lineage=root:Engineered",
            get_json("/studies/?biome_lineage=root:Engineered").await["count"].clone(),
        ),
        ("/samples/?latitude_gte=60", json!(northern)),
    ] {
        assert_eq!(get_json(path).await["count"], expected, "{path}");
    }
    let falling = get_json("/runs/?ordering=-accession&page_size=100").await;
    let accessions = each(&falling, "accession");
    assert!(accessions.is_sorted_by(|one, other| one.as_str() > other.as_str()));
    // The order of version 2 takes precedence.
    let both = get_json("/studies/?ordering=-accession&order=accession&page_size=1").await;
    assert_eq!(both, get_json("/studies/?page_size=1").await);
    let wrong = get("/samples/?latitude_gte=north").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        wrong.json(),
        json!({"detail": [{"type": "value_error", "loc": ["query", "latitude_gte"], "msg": "Enter a number."}]})
    );
}

#[tokio::test]
async fn fields_select_members() {
    let studies = get_json("/studies/?fields=title,accession&page_size=2").await;
    let names: Vec<&String> = studies["items"][0].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["accession", "title"]);
    let analyses = get_json("/analyses/?fields=run,accession&page_size=1").await;
    assert_eq!(analyses["items"][0]["run"]["accession"], "SRR035095");
    let study = get_json("/studies/MGYS00002072?fields=downloads").await;
    assert_eq!(study.as_object().map(serde_json::Map::len), Some(1));
}

#[tokio::test]
async fn whole_lists_are_streamed() {
    for (path, member) in LISTS {
        let lines = get(&with(path, "format=ndjson&page=2")).await.lines();
        let accessions: Vec<Value> = lines.iter().map(|line| line[member].clone()).collect();
        assert_eq!(accessions, walk(path, member, 100).await, "{path}");
        for (format, between) in [("csv", ','), ("tsv", '\t')] {
            let answer = get(&with(path, &format!("format={format}&fields={member}"))).await;
            assert!(answer.header("content-disposition").contains(&format!(".{format}")));
            let cells: Vec<&str> = answer.text().lines().map(|line| line.trim_matches('"')).collect();
            assert_eq!((cells[0], cells.len()), (member, lines.len() + 1), "{path}");
            assert!(!cells[1].contains(between));
        }
    }
    let first = get("/studies/?format=ndjson&after=MGYS00002072").await.lines().remove(0);
    assert_eq!(first["accession"], each(&get_json("/studies/?after=MGYS00002072&page_size=1").await, "accession")[0]);
    let table = get("/samples/?format=tsv&search=ers4&biome_lineage=root").await;
    let lines: Vec<Vec<&str>> = table.text().lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["accession", "ena_accessions", "sample_title", "biome", "updated_at"]);
    assert!(lines[1][1].contains(';') && lines[1][3].starts_with("root:"), "{lines:?}");
}

#[tokio::test]
async fn unknown_parameters_are_ignored_unless_the_request_is_strict() {
    for query in ["nope=1", "format=xml", "fields=nope", "ordering=nope", "biome=root", "page[size]=3"] {
        let lenient = get(&with("/studies/", query)).await;
        assert_eq!(lenient.status, StatusCode::OK, "{query}");
        let strict = get(&with("/studies/", &format!("{query}&strict=1"))).await;
        assert_eq!(strict.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
    }
    let known =
        "biome_lineage=root&order=accession&page=1&page_size=2&fields=title&lineage=root&format=json&strict=1&safe=1";
    assert_eq!(get(&with("/studies/", known)).await.status, StatusCode::OK);
    for path in ["/studies/MGYS00002072", "/analyses/MGYA09000001/annotations/pfams", "/studies/insdc/ERP019566"] {
        assert_eq!(get(&with(path, "nope=1")).await.status, StatusCode::OK, "{path}");
        assert_eq!(get(&with(path, "nope=1&strict=1")).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
    }
    assert_eq!(get("/genomes/MGYG000000001?catalogue_id=&fields=length&strict=1").await.status, StatusCode::OK);
    let misspelt = get("/studies/?biome_linage=root&strict=1").await.json();
    assert_eq!(
        misspelt["detail"][0]["msg"],
        "Unknown parameter \"biome_linage\". Did you mean biome_lineage or biome_name?"
    );
}

/// Facets count the items of the list with the same filters, under the names of version 1.
#[tokio::test]
async fn facets_agree_with_the_lists() {
    for (path, by) in [
        ("/studies/", "biome"),
        ("/samples/", "biome:2"),
        ("/runs/", "experiment_type"),
        ("/analyses/", "pipeline_version"),
        ("/genomes/", "type"),
        ("/genomes/catalogues/", "name"),
    ] {
        for filter in ["biome_lineage=root:Host-associated", "search=a", ""] {
            if filter.starts_with("biome") && ["/runs/", "/analyses/", "/genomes/catalogues/"].contains(&path) {
                continue;
            }
            let listed = get_json(&with(path, filter)).await["count"].clone();
            let facets = get_json(&with(&format!("{path}facets"), &format!("{filter}&by={by}"))).await;
            assert_eq!((&facets["count"], &facets["items"][0]["by"]), (&json!(1), &json!(by)), "{path}");
            assert_eq!(facets["items"][0]["total"], listed, "{path} {filter}");
        }
    }
    let keys = get_json("/samples/metadata-keys?limit=2").await;
    assert_eq!((&keys["count"], keys["items"][0]["key"].is_string()), (&json!(2), true));
    for (path, expected) in [
        ("/samples/facets?by=bioms", "Did you mean biome?"),
        ("/samples/facets?by=biome&page=1", "Unknown parameter"),
        ("/samples/facets?by=biome&linaege=root", "Did you mean lineage?"),
        ("/samples/metadata-keys?limit=10001", "Enter a number from 1 to 10000."),
        ("/samples/metadata-keys?x=1", "Unknown parameter"),
    ] {
        let answer = get(path).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
        assert!(answer.json()["detail"][0]["msg"].as_str().expect("a text").contains(expected), "{path}");
    }
    assert_eq!(get("/biomes/facets?by=depth").await.status, StatusCode::NOT_FOUND);
}
