//! Data of version 2 alone: files, lists of their URLs, annotations, genomes of assemblies.

use std::fs;
use std::sync::LazyLock;

use api::Api;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::{Answer, SCRIPT, TestFolder, send};

use super::counted::{chips, follow};
use super::{BROWSER, addresses, text};
use crate::services::catalogue_v2::asking::documents;

/// The documents of version 2, and rows of an analysis without a document.
struct Site {
    _folder: TestFolder,
    api: Api,
}

static SITE: LazyLock<Site> = LazyLock::new(|| {
    let folder = TestFolder::empty();
    let row = json!({
        "type": "analysis-jobs", "id": "MGYA77777777", "attributes": {"accession": "MGYA77777777"},
        "relationships": {"study": {"data": {"type": "studies", "id": "MGYS00002072"}}},
    });
    folder.publish_documents(vec![folder.input("rows.jsonl", row.to_string())]);
    Site { api: folder.router(), _folder: folder }
});

async fn visit(path: &str) -> Answer {
    super::visit_at(&SITE.api, path).await
}

async fn page(path: &str) -> String {
    super::page_of(&visit(path).await)
}

fn document(name: &str, key: &str, id: &str) -> Value {
    documents(name).into_iter().find(|document| document[key] == id).expect("a document")
}

/// Returns the URLs of a document: those of files, each followed by those of its indexes.
fn urls(document: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let all = list(&document["downloads"]).into_iter().flat_map(|file| {
        let indexes = list(&file["index_files"]);
        [file].into_iter().chain(indexes)
    });
    all.filter_map(|file| file["url"].as_str().map(str::to_owned)).collect()
}

/// Returns the section of a page with a heading.
fn section<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let mut sections = page.split("<section");
    sections.find(|section| section.contains(&format!(">{heading}</h2>")))
}

#[tokio::test]
async fn files_have_a_type_a_size_and_a_link() {
    for (path, name, key, id) in [
        ("studies", "studies", "accession", "MGYS00000260"),
        ("analyses", "analyses", "accession", "MGYA09000001"),
        ("genomes", "genomes", "accession", "MGYG000000001"),
        ("genome-catalogues", "genome-catalogues", "catalogue_id", "human-gut-v2-0-2"),
    ] {
        let page = page(&format!("/portal/{path}/{id}")).await;
        let files = section(&page, "Files").expect("files");
        let document = document(name, key, id);
        for url in urls(&document) {
            assert!(files.contains(&format!("<a href=\"{url}\">")), "{id}: {url}");
        }
        for file in document["downloads"].as_array().expect("files") {
            for member in ["alias", "short_description", "download_type", "file_type"] {
                assert!(files.contains(file[member].as_str().expect("a text")), "{id}: {member}");
            }
        }
        let version_2 =
            format!("/metagenomics/api/v2/{}/{id}", path.replace("genome-catalogues", "genomes/catalogues"));
        assert!(page.contains(&format!("curl &#39;http://mgdex.test{version_2}&#39;")), "{id}");
    }
    assert!(section(&page("/portal/studies/MGYS00000260").await, "Files").expect("files").contains(">21 kB<"));
    for path in ["/portal/studies/MGYS00000288", "/portal/analyses/MGYA77777777", "/portal/runs/ERR9990001"] {
        let page = page(path).await;
        assert!(section(&page, "Files").is_none() && section(&page, "Lists of URLs").is_none(), "{path}");
    }
}

#[tokio::test]
async fn urls_of_files_are_listed_as_plain_text() {
    let study = document("studies", "accession", "MGYS00000260");
    let list = visit("/portal/studies/MGYS00000260/downloads.txt").await;
    assert_eq!(list.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(list.header("content-disposition"), "attachment; filename=\"MGYS00000260-downloads.txt\"");
    assert_eq!(text(&list).lines().collect::<Vec<_>>(), urls(&study));

    let mut analyses = documents("analyses");
    analyses.retain(|analysis| analysis["study_accession"] == "MGYS00002072");
    analyses.sort_by_key(|analysis| analysis["accession"].to_string());
    let all_urls: Vec<String> = analyses.iter().flat_map(urls).collect();
    let list = page("/portal/studies/MGYS00002072/analyses/downloads.txt").await;
    assert!(all_urls.len() > 100);
    assert_eq!(list.lines().collect::<Vec<_>>(), all_urls);
    let filtered = page("/portal/studies/MGYS00002072/analyses/downloads.txt?pipeline_version=6.0").await;
    analyses.retain(|analysis| analysis["pipeline_version"] == "V6");
    assert_eq!(filtered.lines().collect::<Vec<_>>(), analyses.iter().flat_map(urls).collect::<Vec<_>>());

    for (path, lists) in [
        ("/portal/studies/MGYS00000260", &["/downloads.txt"][..]),
        ("/portal/studies/MGYS00002072", &["/analyses/downloads.txt"]),
        ("/portal/genome-catalogues/human-gut-v2-0-2", &["/downloads.txt", "/genomes/downloads.txt"]),
    ] {
        let page = page(path).await;
        let section = section(&page, "Lists of URLs").expect("lists");
        let expected: Vec<String> = lists.iter().map(|list| format!("{path}{list}")).collect();
        assert_eq!(addresses(section), expected);
        for list in expected {
            assert!(section.contains(&format!("curl &#39;http://mgdex.test{list}&#39; | wget ")), "{list}");
            assert!(!self::page(&list).await.is_empty(), "{list}");
        }
    }
    for (path, status) in [
        ("/portal/studies/NOPE/downloads.txt", 404),
        ("/portal/samples/F1/downloads.txt", 404),
        ("/portal/studies/MGYS00002072/nope/downloads.txt", 404),
        ("/portal/studies/MGYS00002072/analyses/downloads.txt?safe=1&search[x]=", 200),
        ("/portal/studies/MGYS00002072/analyses/downloads.txt?biome_name=%00", 200),
    ] {
        assert_eq!(visit(path).await.status.as_u16(), status, "{path}");
    }
}

#[tokio::test]
async fn annotations_have_bars_the_largest_first() {
    let page = page("/portal/analyses/MGYA09000001").await;
    let taxa = section(&page, "Taxonomy by SSU rRNA").expect("taxa");
    assert_eq!((taxa.matches("<tr>").count(), taxa.matches("<svg class=\"bar\"").count()), (21, 20));
    assert!(taxa.contains("The 20 largest counts of 250."));
    assert_eq!(addresses(taxa), ["/metagenomics/api/v2/analyses/MGYA09000001/annotations/taxonomies__ssu"]);
    let positions =
        ["Bacteria › Phylum250<", "Bacteria › Phylum249<", "Bacteria › Phylum231<"].map(|name| taxa.find(name));
    assert!(positions.is_sorted() && positions[0].is_some(), "{positions:?}");
    assert!(section(&page, "Pfam families").is_some_and(|families| families.contains(">PF00004 family<")));
    assert!(section(&page, "Taxonomy by LSU rRNA").is_none(), "an empty list is nothing");
    let quality = section(&page, "Quality control").expect("a summary");
    assert!(quality.contains(">Before filtering: total bases<") && quality.contains(">19,837,200<"));
    let genome = self::page("/portal/genomes/MGYG000000001").await;
    assert!(section(&genome, "COG categories").is_some_and(|section| section.contains("Energy production")));
}

#[tokio::test]
async fn genomes_are_counted_by_ranges_of_their_completeness() {
    let followed = follow(&SITE.api, "/portal/genomes").await;
    let ranges: Vec<_> = followed.iter().filter(|address| address.contains("any_completeness=%5B")).collect();
    assert!(ranges.len() > 1, "{followed:?}");
    // A range replaces another.
    let one = page(ranges[0]).await;
    assert!(chips(&one)[0].0.starts_with("Completeness: ") && addresses(&one).contains(ranges[1]), "{ranges:?}");
}

#[tokio::test]
async fn analyses_and_assemblies_link_to_their_sources() {
    let page = page("/portal/analyses/MGYA09000003").await;
    let runs = addresses(section(&page, "Runs").expect("runs"));
    assert_eq!(runs.iter().filter(|address| address.starts_with("/portal/runs/")).count(), 2);
    for address in ["/portal/studies/MGYS00002072", "/portal/assemblies/ERZ9990001"] {
        assert!(page.contains(&format!("<a href=\"{address}\">")), "{address}");
    }
    let assembly = self::page("/portal/assemblies/ERZ9990001").await;
    let contained = section(&assembly, "Genomes contained in this assembly").expect("genomes");
    let expected =
        documents("assembly-additional-contained-genomes").remove(0)["items"].as_array().expect("items").len();
    assert_eq!(contained.matches("<tr>").count(), expected + 1);
    assert!(
        contained.contains("MGYG000000031") && !contained.contains("/portal/genomes/MGYG000000031"),
        "not published"
    );
    for heading in ["Genomes of this assembly", "Genomes contained in this assembly"] {
        for address in addresses(section(&assembly, heading).expect("genomes")) {
            assert_eq!(visit(&address).await.status, StatusCode::OK, "{address}");
        }
        assert!(section(&assembly, "This page as API calls").is_some_and(|calls| calls.contains(heading)));
    }
}

#[tokio::test]
async fn texts_of_documents_are_escaped() {
    let folder = TestFolder::empty();
    let harvest = folder.path().join("harvest");
    fs::create_dir(&harvest).expect("writable");
    let urls = json!([
        "javascript:alert(1)",
        format!("https://x.test/{SCRIPT}"),
        "https://x.test/a\n out=.bashrc",
        "https://x.test/a\thttps://y.test/b",
        "https://x.test/<a>\"'",
        "ftp://x.test/good",
        SCRIPT,
    ]);
    let file = |url: &Value| {
        json!({
            "file_type": SCRIPT, "download_type": SCRIPT, "short_description": SCRIPT, "long_description": "javascript:",
            "alias": SCRIPT, "file_size_bytes": "many", "index_files": [{"index_type": SCRIPT, "url": url}], "url": url,
        })
    };
    let mut files: Vec<Value> = urls.as_array().expect("a list").iter().map(file).collect();
    files.extend([json!(1), json!(null), json!({}), json!([])]);
    let mut study = document("studies", "accession", "MGYS00000260");
    let mut analysis = document("analyses", "accession", "MGYA09000001");
    analysis["study_accession"] = study["accession"].clone();
    analysis["quality_control_summary"] = json!({SCRIPT: {SCRIPT: SCRIPT}, "none": null});
    analysis["results_dir"] = json!("javascript:alert(1)");
    for document in [&mut study, &mut analysis] {
        document["downloads"] = json!(files);
    }
    let odd = json!([{"count": SCRIPT, "organism": SCRIPT, "description": SCRIPT}, 1, {"count": -1}]);
    let annotations = json!({
        "accession": "MGYA09000001",
        "annotations": {"pfams": odd, SCRIPT: odd, "interpros": SCRIPT, "taxonomies": {"ssu": odd, SCRIPT: [null]}},
    });
    for (name, document) in [("studies", study), ("analyses", analysis), ("analysis-annotations", annotations)] {
        fs::write(harvest.join(format!("{name}.jsonl")), document.to_string()).expect("writable");
    }
    folder.publish_harvest(Vec::new(), Some(harvest));
    let api = folder.router();
    for path in ["/portal/studies/MGYS00000260", "/portal/analyses/MGYA09000001"] {
        let page = super::page_of(&send(&api, Method::GET, path, &[BROWSER]).await);
        assert!(page.contains("alert(") && section(&page, "Files").is_some(), "{path}");
        assert!(!page.contains("<script>") && !page.contains("<img") && !page.contains("href=\"javascript:"), "{path}");
        assert!(page.contains("<a href=\"ftp://x.test/good\">") && !page.contains("href=\"https://x.test/a"), "{path}");
        for list in [format!("{path}/downloads.txt"), "/portal/studies/MGYS00000260/analyses/downloads.txt".to_owned()]
        {
            let list = send(&api, Method::GET, &list, &[BROWSER]).await;
            let expected = ["https://x.test/<a>\"'", "https://x.test/<a>\"'", "ftp://x.test/good", "ftp://x.test/good"];
            assert_eq!(text(&list).lines().collect::<Vec<_>>(), expected);
        }
    }
}
