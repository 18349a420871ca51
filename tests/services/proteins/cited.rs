//! Answers name their release, and downloads say how to cite it.

use api::ServiceConfig;
use axum::http::{Method, StatusCode};
use support::tables::read_table;
use support::{PROTEINS, PROTEINS_V2, TestFolder, get, post, send};

use crate::services::proteins::rows;

const REFGET: &str = "/metagenomics/proteins/refget";

const DOWNLOADS: [&str; 6] = [
    "/proteins?format=ndjson",
    "/proteins?format=tsv",
    "/proteins?format=fasta",
    "/proteins?format=parquet",
    "/proteins?format=arrow",
    "/proteins/12.fasta",
];

#[tokio::test]
async fn answers_name_the_release_and_the_generation() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let generation = folder.generations().current().expect("readable").expect("published");
    let expected = format!("rows.csv; generation={generation}");
    for (prefix, paths) in [
        (PROTEINS, &["/protein/12", "/protein/search?biome_id=132", "/protein/99"][..]),
        (PROTEINS_V2, &DOWNLOADS),
        (
            PROTEINS_V2,
            &["/proteins", "/proteins/12", "/facets?by=pfam", "/suggest?kind=biome&text=marine", "/proteins/x"],
        ),
        (REFGET, &["/sequence/12", "/sequence/12/metadata"]),
    ] {
        for path in paths {
            let answer = get(&router, &format!("{prefix}{path}")).await;
            assert_eq!(answer.header("x-release"), expected, "{path}");
            assert!(answer.header("access-control-expose-headers").contains("x-release"), "{path}");
        }
    }
    let path = format!("{PROTEINS_V2}/proteins/batch");
    let posted = post(&router, &path, "application/json", "[\"12\"]").await;
    assert_eq!((posted.status, posted.header("x-release")), (StatusCode::OK, &*expected));
    for path in ["/metagenomics/proteins/api/v2/docs/", "/metagenomics/proteins/api/v2/nothing", "/healthz"] {
        assert_eq!(get(&router, path).await.header("x-release"), "", "{path}");
    }
}

#[tokio::test]
async fn downloads_link_to_the_page_that_cites_them() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let headers = [("host", "a.org")];
    for path in DOWNLOADS {
        let answer = send(&router, Method::GET, &format!("{PROTEINS_V2}{path}"), &headers).await;
        assert_eq!(answer.header("link"), "<http://a.org/portal/status#cite>; rel=\"cite-as\"", "{path}");
    }
    let list = send(&router, Method::GET, "/portal/compare?proteins=12&format=tsv", &headers).await;
    assert!(list.header("link").ends_with("rel=\"cite-as\"") && list.header("x-release").starts_with("rows.csv; "));
    for path in ["/proteins/12", "/proteins", "/facets?by=pfam"] {
        assert_eq!(get(&router, &format!("{PROTEINS_V2}{path}")).await.header("link"), "", "{path}");
    }
    let next = get(&router, &format!("{PROTEINS_V2}/proteins?limit=1")).await;
    assert!(next.header("link").ends_with("rel=\"next\""));
    let config = ServiceConfig { has_portal: false, ..ServiceConfig::default() };
    let alone = get(&folder.router_with(&config), &format!("{PROTEINS_V2}{}", DOWNLOADS[1])).await;
    assert_eq!((alone.status, alone.header("link")), (StatusCode::OK, ""), "the page does not exist");
}

#[tokio::test]
async fn tables_and_pages_have_the_line_without_own_data() {
    let folder = TestFolder::of_rows(&rows());
    folder.add_source("mine", ">k1\nMKVL\n", "name\n");
    let router = folder.router();
    let line = "Rows of MGnify's protein portal from rows.csv, 5 proteins, Pfam version not given, loaded ";
    for format in ["parquet", "arrow"] {
        let table = read_table(&get(&router, &format!("{PROTEINS_V2}/proteins?format={format}")).await.body);
        assert!(table.metadata["mgdex.citation"].starts_with(line), "{format}: {:?}", table.metadata);
        assert_eq!(table.rows.len(), 6);
    }
    let page = async |path: &str| {
        let page = send(&router, Method::GET, path, &[("accept", "text/html")]).await;
        page.text().replace("&#39;", "'")
    };
    assert!(page("/portal/").await.contains(line));
    let status = page("/portal/status").await;
    for part in [line, "id=\"cite\"", "@misc{mgnify-proteins,", ">rows.csv</th>", "Own data beside the release"] {
        assert!(status.contains(part), "{part}: {status}");
    }
}

#[tokio::test]
async fn own_data_alone_are_not_cited() {
    let folder = TestFolder::empty();
    folder.add_source("mine", ">k1\nMKVL\n", "name\n");
    let router = folder.router();
    let generation = folder.generations().current().expect("readable").expect("published");
    let answer = get(&router, &format!("{PROTEINS_V2}/proteins?format=parquet")).await;
    assert_eq!(answer.header("x-release"), format!("generation={generation}"));
    assert!(!read_table(&answer.body).metadata.contains_key("mgdex.citation"));
    let status = send(&router, Method::GET, "/portal/status", &[("accept", "text/html")]).await;
    assert!(!status.text().contains("@misc"));
}
