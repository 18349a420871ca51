//! Members of clusters: lists, queries, and redirects to their representatives.

use api::Api;
use axum::http::{Method, StatusCode};
use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;
use serde_json::{Value, json};
use support::{PROTEINS_V2, TestFolder, get, get_protein, post, send};

use crate::loading::release::plan::plan;
use crate::loading::release::tiny::{self, Clusters};
use crate::services::proteins::detail;
use crate::services::proteins::v2::{ask, numbers, page, router_of_rows, search};

const CLUSTERS: Clusters<'static> = &[(5, &[1, 2, 3, 5, 9, 12, 14]), (6, &[6]), (8, &[7, 8])];

const FIRST: [u64; 7] = [1, 2, 3, 5, 9, 12, 14];

fn with_members(all_proteins: bool) -> (TestFolder, Api) {
    let folder = TestFolder::empty();
    let release = tiny::write(&folder, "2026_07", SynthLayout::Parquet, CLUSTERS);
    let plan = ReleasePlan { members: true, all_proteins, ..plan(&folder, &release) };
    plan.run().expect("a release");
    folder.add_source("mine", ">a\nMKV\n", "");
    let router = folder.router();
    (folder, router)
}

fn accession(number: u64) -> String {
    format!("MGYP{number:012}")
}

fn member(number: u64, representative: u64) -> Value {
    json!({"accession": accession(number), "representative": accession(representative)})
}

#[tokio::test]
async fn the_cluster_of_any_member_is_listed() {
    let (_folder, router) = with_members(false);
    let expected: Vec<Value> = FIRST.map(|number| member(number, 5)).into();
    for requested in ["5", "mgyp1", "MGYP000000000014", "0012", "%4dgyp9"] {
        let answer = ask(&router, &format!("/proteins/{requested}/members")).await;
        assert_eq!((answer.status, answer.header("link")), (StatusCode::OK, ""), "{requested}");
        assert_eq!(answer.json(), json!({"count": 7, "results": expected, "next": null}), "{requested}");
    }
    let single = ask(&router, "/proteins/6/members").await.json();
    assert_eq!(single, json!({"count": 1, "results": [member(6, 6)], "next": null}));
}

#[tokio::test]
async fn pages_follow_one_another_and_streams_have_all_members() {
    let (_folder, router) = with_members(false);
    for limit in 1..=8 {
        let (mut found, mut path) = (Vec::new(), format!("{PROTEINS_V2}/proteins/9/members?limit={limit}"));
        loop {
            let answer = get(&router, &path).await;
            let page = answer.json();
            assert_eq!(page["count"], 7);
            found.extend(page["results"].as_array().expect("a list").clone());
            let Some(next) = page["next"].as_str() else { break };
            assert_eq!(answer.header("link"), format!("<{next}>; rel=\"next\""));
            path = next.strip_prefix("http://mgdex.test").expect("absolute").to_owned();
        }
        assert_eq!(found, FIRST.map(|number| member(number, 5)), "{limit}");
    }
    let past_the_end = ask(&router, "/proteins/9/members?after=14").await.json();
    assert_eq!(past_the_end, json!({"count": 7, "results": [], "next": null}));

    let tsv = ask(&router, "/proteins/9/members?format=tsv&after=5&limit=2").await;
    assert_eq!(tsv.header("content-disposition"), "attachment; filename=\"members.tsv\"");
    let [nine, twelve, five] = [9, 12, 5].map(accession);
    assert_eq!(tsv.text(), format!("accession\trepresentative\n{nine}\t{five}\n{twelve}\t{five}\n"));
    let path = format!("{PROTEINS_V2}/proteins/9/members");
    let ndjson = send(&router, Method::GET, &path, &[("accept", "application/x-ndjson")]).await;
    assert_eq!(ndjson.lines(), FIRST.map(|number| member(number, 5)));
}

#[tokio::test]
async fn members_without_a_record_lead_to_their_representative() {
    let (_folder, router) = with_members(false);
    let first = get_protein(&router, "/protein/12").await;
    assert_eq!(first.header("location"), "http://mgdex.test/metagenomics/proteins/api/v1/protein/MGYP000000000005");
    for (path, ending) in [("/proteins/12", ""), ("/proteins/MGYP12.fasta", ".fasta")] {
        let second = ask(&router, path).await;
        let text = detail(&second, StatusCode::FOUND);
        assert!(text.ends_with("is a member of the cluster of MGYP000000000005."), "{text}");
        assert_eq!(
            second.header("location"),
            format!("http://mgdex.test{PROTEINS_V2}/proteins/MGYP000000000005{ending}")
        );
    }
    let batch =
        post(&router, &format!("{PROTEINS_V2}/proteins/batch?fields=accession"), "text/plain", "12\n5\n99").await;
    let expected = [
        json!({"accession": accession(12), "found": false, "representative": accession(5)}),
        json!({"accession": accession(5)}),
        json!({"accession": accession(99), "found": false}),
    ];
    assert_eq!(batch.json()["results"], json!(expected));
    let record = ask(&router, "/proteins/5").await.json();
    assert_eq!(record["representative"], json!(accession(5)));
    let members = record["links"]["members"].as_str().expect("a link");
    assert_eq!(members, format!("http://mgdex.test{PROTEINS_V2}/proteins/{}/members", accession(5)));
}

#[tokio::test]
async fn members_with_a_record_name_their_representative() {
    let (_folder, router) = with_members(true);
    let record = ask(&router, "/proteins/12").await.json();
    assert_eq!([&record["accession"], &record["representative"]], [&json!(accession(12)), &json!(accession(5))]);
    let listed = ask(&router, "/proteins/12/members").await.json();
    assert_eq!(listed["count"], 7);
    assert_eq!(get_protein(&router, "/protein/12").await.status, StatusCode::OK);
}

#[tokio::test]
async fn clusters_are_conditions_of_queries() {
    for all_proteins in [false, true] {
        let (_folder, router) = with_members(all_proteins);
        let first: Vec<u64> = if all_proteins { FIRST.into() } else { vec![5] };
        let third: &[u64] = if all_proteins { &[7, 8] } else { &[8] };
        for (parameters, expected) in [
            ([("q", "cluster:MGYP000000000005"), ("limit", "9")], first.clone()),
            ([("q", "cluster:12"), ("limit", "9")], first.clone()),
            ([("cluster", "mgyp9"), ("limit", "9")], first.clone()),
            ([("q", "cluster:(1 OR 7)"), ("limit", "9")], [&*first, third].concat()),
            ([("q", "cluster:1 AND accession:5"), ("limit", "9")], vec![5]),
            ([("q", "cluster:6"), ("source", "release")], vec![6]),
            ([("q", "cluster:99"), ("limit", "9")], vec![]),
            ([("q", "cluster:900000000000"), ("limit", "9")], vec![900_000_000_000]),
        ] {
            let mut found = numbers(&page(&router, &search(&parameters)).await);
            found.sort_unstable();
            let mut expected = expected;
            expected.sort_unstable();
            assert_eq!(found, expected, "{parameters:?}, all proteins: {all_proteins}");
        }
    }
}

#[tokio::test]
async fn unknown_proteins_own_data_and_wrong_parameters_are_refused() {
    let (_folder, router) = with_members(false);
    for (requested, text) in [("99", "No protein"), ("mine:a", "has no clusters"), ("900000000000", "has no clusters")]
    {
        let answer = ask(&router, &format!("/proteins/{requested}/members")).await;
        let found = detail(&answer, StatusCode::NOT_FOUND);
        assert!(found.contains(text), "{found}");
    }
    for (parameter, text) in [
        ("limit=0", "above 0"),
        ("limit=1001", "at most 1000"),
        ("after=x", "accession"),
        ("format=fasta", "json, ndjson and tsv"),
        ("limt=3", "Did you mean \"limit\""),
    ] {
        let answer = ask(&router, &format!("/proteins/5/members?{parameter}")).await;
        let problem = answer.json()["detail"][0]["msg"].clone();
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{parameter}");
        assert!(problem.as_str().is_some_and(|problem| problem.contains(text)), "{parameter}: {problem}");
    }
    let path = format!("{PROTEINS_V2}/proteins/5/members");
    let fasta = send(&router, Method::GET, &path, &[("accept", "text/x-fasta")]).await;
    assert_eq!(fasta.status, StatusCode::NOT_ACCEPTABLE);
}

#[tokio::test]
async fn an_index_without_members_names_the_option() {
    let (_folder, router) = router_of_rows();
    let listed = ask(&router, "/proteins/12/members").await;
    assert!(detail(&listed, StatusCode::NOT_FOUND).contains("`mgdex index --members`"));
    for parameters in [("q", "NOT cluster:12"), ("cluster", "12")] {
        let answer = get(&router, &search(&[parameters])).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        let problem = answer.json()["detail"][0]["msg"].clone();
        assert!(problem.as_str().is_some_and(|text| text.contains("`mgdex index --members`")), "{problem}");
    }
    let record = ask(&router, "/proteins/12").await.json();
    assert!(record.get("representative").is_none() && record["links"].get("members").is_none(), "{record}");
}

#[tokio::test]
async fn pages_of_members_lead_to_their_representative() {
    let (_folder, router) = with_members(false);
    let redirect = get(&router, "/portal/proteins/12").await;
    let location = redirect.header("location").to_owned();
    assert_eq!(location, "/portal/proteins/MGYP000000000005?represents=12");
    let page = get(&router, &location).await;
    assert!(page.text().contains("This protein represents the cluster of 12."), "{}", page.text());
    let compared = get(&router, "/portal/compare?proteins=12+6").await;
    assert!(compared.text().contains("1 represented: MGYP000000000012 → MGYP000000000005"), "{}", compared.text());
}
