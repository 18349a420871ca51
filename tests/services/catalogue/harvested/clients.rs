//! The request sequences of the known clients, over documents.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::Value;
use support::{Answer, send};

use super::{MODEL, ROUTER, get_json, list, sample_id, text};
use crate::services::catalogue::real::{BASE_URL, CATALOGUE};

async fn get(path: &str) -> Answer {
    send(&ROUTER, Method::GET, &format!("{CATALOGUE}{path}"), &[]).await
}

/// Returns the path of an absolute link below the prefix of the service.
fn path_of(link: &Value) -> &str {
    let path = text(link).strip_prefix(BASE_URL).and_then(|path| path.strip_prefix(CATALOGUE));
    path.unwrap_or_else(|| panic!("{link} is no link of this server"))
}

/// Asks as `MGnifyR` does: the first page tells how many there are, and the others are asked for by number, never by link.
async fn mgnifyr(path: &str, filters: &str) -> Vec<Value> {
    let first = get_json(&format!("{path}?format=json{filters}")).await;
    let pages = first["meta"]["pagination"]["pages"].as_u64().expect("a number");
    let mut all = vec![first];
    for page in 2..=pages {
        all.push(get_json(&format!("{path}?format=json{filters}&page={page}")).await);
    }
    all.iter().flat_map(|page| list(&page["data"])).cloned().collect()
}

#[tokio::test]
async fn mgnifyr_queries_and_follows_what_is_related() {
    let above = "root:Environmental:Aquatic:Marine";
    let marine = mgnifyr("/samples", &format!("&lineage={}", above.replace(':', "%3A"))).await;
    let found: BTreeSet<String> = marine.iter().map(|sample| text(&sample["id"]).to_owned()).collect();
    let is_marine = |sample: &&Value| MODEL.lineage(sample).starts_with(above);
    let expected: Vec<String> = MODEL.samples.iter().filter(is_marine).map(sample_id).collect();
    assert_eq!((marine.len(), &found), (expected.len(), &expected.into_iter().collect()));
    let (one, other) = (text(&marine[0]["id"]), text(&marine[marine.len() - 1]["id"]));
    let both = mgnifyr("/samples", &format!("&accession={other},{one}")).await;
    assert_eq!(both.iter().map(|sample| text(&sample["id"])).collect::<Vec<_>>(), [one, other]);
    for sample in &both {
        let related = &sample["relationships"];
        let studies =
            mgnifyr(path_of(&related["studies"]["links"]["related"]).split('?').next().expect("a path"), "").await;
        assert_eq!(studies[0]["id"], related["studies"]["data"][0]["id"]);
        let biome = get_json(path_of(&related["biome"]["links"]["related"])).await;
        assert_eq!(biome["data"]["id"], related["biome"]["data"]["id"]);
        for run in mgnifyr(path_of(&related["runs"]["links"]["related"]).split('?').next().expect("a path"), "").await {
            assert_eq!(run["relationships"]["sample"]["data"]["id"], sample["id"]);
        }
    }
    assert_eq!(get("/samples?format=json&accession=ERS0").await.status, 400);
}

/// `mg-toolkit bulk_download`: the analyses of a study, then the downloads of each, then each file.
#[tokio::test]
async fn mg_toolkit_finds_what_a_study_has_to_download() {
    let study = "MGYS00002072";
    let (mut path, mut found, mut files) = (format!("/analyses?study_accession={study}"), BTreeSet::new(), Vec::new());
    loop {
        let page = get_json(&path).await;
        for analysis in list(&page["data"]) {
            assert!(
                analysis["attributes"]["experiment-type"].is_string()
                    && analysis["attributes"]["pipeline-version"].is_string()
            );
            let accession = text(&analysis["id"]);
            found.insert(accession.to_owned());
            for download in list(&get_json(&format!("/analyses/{accession}/downloads")).await["data"]) {
                let attributes = &download["attributes"];
                assert!(
                    attributes["alias"].is_string()
                        && attributes["group-type"].is_string()
                        && attributes["description"]["label"].is_string()
                );
                let pipeline = &download["relationships"]["pipeline"]["data"]["id"];
                assert_eq!(*pipeline, analysis["attributes"]["pipeline-version"]);
                files.push((accession.to_owned(), download["links"]["self"].clone()));
            }
        }
        if page["links"]["next"].is_null() {
            assert_eq!(page["meta"]["pagination"]["count"], found.len());
            break;
        }
        path = path_of(&page["links"]["next"]).to_owned();
    }
    let of_study = MODEL.analyses.iter().filter(|analysis| analysis["study_accession"] == study);
    let expected = of_study.flat_map(|analysis| {
        let accession = text(&analysis["accession"]).to_owned();
        list(&analysis["downloads"]).iter().map(move |download| (accession.clone(), download["url"].clone()))
    });
    let mut expected: Vec<(String, Value)> = expected.collect();
    expected.sort_by_key(|(accession, url)| (accession.clone(), url.to_string()));
    files.sort_by_key(|(accession, url)| (accession.clone(), url.to_string()));
    assert!(!files.is_empty());
    assert_eq!(files, expected);
    // Its search for sequences looks for a sample, and then for a run with its sample.
    assert_eq!(get("/samples/ERR9990002").await.status, 404);
    let run = get_json("/runs/ERR9990002?include=sample").await;
    let sample = &run["included"][0];
    assert!(
        sample["attributes"]["sample-metadata"].is_array()
            && sample["relationships"]["biome"]["data"]["id"].is_string()
    );
}

#[tokio::test]
async fn scripts_and_the_older_web_client_page_order_and_download() {
    let (mut link, mut seen) = ("/samples?page_size=250".to_owned(), BTreeSet::new());
    loop {
        let page = get_json(&link).await;
        seen.extend(list(&page["data"]).iter().map(|sample| text(&sample["id"]).to_owned()));
        if page["links"]["next"].is_null() {
            break;
        }
        link = path_of(&page["links"]["next"]).to_owned();
    }
    assert_eq!(seen, MODEL.samples.iter().map(sample_id).collect());
    let page = get_json("/studies?page=1&ordering=&lineage=&page_size=25&search=").await;
    assert_eq!(page["meta"]["pagination"]["count"], 125);
    assert!(list(&page["data"]).iter().all(|study| study["relationships"]["biomes"]["data"].is_array()));
    let download =
        get("/assemblies?sample_accession=SAMN02144230&page=1&ordering=-accession&page_size=25&search=&format=csv")
            .await;
    let mut table = csv::Reader::from_reader(&download.body[..]);
    let column = table.headers().expect("columns").iter().position(|name| name == "accession").expect("a column");
    let accessions: Vec<String> = table.records().map(|row| row.expect("a row")[column].to_owned()).collect();
    assert_eq!(accessions, ["ERZ477906", "ERZ477902"]);
    let analyses = get_json("/studies/MGYS00000257/analyses?format=json").await;
    let run = get_json(path_of(&analyses["data"][0]["relationships"]["run"]["links"]["related"])).await;
    assert_eq!(run["data"]["id"], analyses["data"][0]["relationships"]["run"]["data"]["id"]);
}
