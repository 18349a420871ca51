//! Searches for proteins: their form, pages and rows.

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{PROTEINS_V2, TestFolder, get};

use super::{SITE, addresses, page, text, visit};

#[tokio::test]
async fn searches_list_all_results_of_the_api() {
    for query in
        ["pfam=PF00005", "biome=root%3AHost-associated&min_length=100", "q=has%3Apfam+AND+length%3A%5B50+TO+60%5D"]
    {
        let (mut accessions, mut pages) = (Vec::new(), Vec::new());
        let mut address = Some(format!("/portal/search?{query}&limit=20"));
        while let Some(path) = address {
            let page = page(&path).await;
            let shown = listed(&page);
            let ranks = format!("{}–{} of ", accessions.len() + 1, accessions.len() + shown.len());
            assert!(page.contains(&ranks), "{path}: {ranks}");
            accessions.extend(shown);
            pages.push(path);
            address = link(&page, "next");
        }
        let tsv = get(&SITE.api, &format!("{PROTEINS_V2}/proteins?{query}&format=tsv&fields=accession")).await;
        let expected = text(&tsv);
        let expected: Vec<&str> = expected.lines().skip(1).collect();
        assert!(!expected.is_empty());
        assert_eq!(accessions, expected, "{query}");
        let heading = format!("{} proteins</h2>", expected.len());
        assert!(page(&format!("/portal/search?{query}")).await.contains(&heading), "{heading}");

        // The links back to the first page use the same addresses.
        let mut path = pages.pop().expect("a page");
        while let Some(earlier) = link(&page(&path).await, "prev") {
            let redirect = visit(&earlier).await;
            assert_eq!(redirect.status, StatusCode::SEE_OTHER, "{earlier}");
            let expected = pages.pop().expect("a page before");
            let read = |path: &str| {
                form_urlencoded::parse(path.split_once('?').expect("a query").1.as_bytes())
                    .into_owned()
                    .collect::<std::collections::BTreeSet<_>>()
            };
            assert_eq!(read(redirect.header("location")), read(&expected), "{path}");
            path = expected;
        }
        assert!(pages.is_empty(), "{pages:?}");
    }
}

#[tokio::test]
async fn ordered_pages_have_the_order_of_the_api() {
    let mut path = "/portal/search?clan=CL0023&order=-length&limit=50".to_owned();
    let mut accessions = Vec::new();
    loop {
        let page = page(&path).await;
        assert!(page.contains("aria-sort=\"descending\""));
        accessions.extend(listed(&page));
        match link(&page, "next") {
            Some(next) => path = next,
            None => break,
        }
    }
    let query = format!("{PROTEINS_V2}/proteins?clan=CL0023&order=-length&format=tsv&fields=accession");
    assert_eq!(accessions, text(&get(&SITE.api, &query).await).lines().skip(1).collect::<Vec<_>>());
    let before = link(&page(&path).await, "prev").expect("a page before");
    assert_eq!(listed(&page(&before).await), accessions[150..200]);
}

#[tokio::test]
async fn invented_ranks_and_cursors_are_harmless() {
    let behind = "/portal/search?after=MGYP004580619181&limit=20";
    for (rank, message) in [("7", "7–26 of 10,000"), ("0", "1–20 of 10,000"), ("x", "1–20 of 10,000")] {
        let page = page(&format!("{behind}&rank={rank}")).await;
        // The first rank belongs to the first page.
        assert_eq!(page.contains(message), rank == "7", "{rank}");
    }
    assert_eq!(visit(&format!("{behind}&rank={}", u64::MAX)).await.status, StatusCode::OK);
    assert!(page("/portal/search?rank=7&limit=20").await.contains("1–20 of 10,000"), "the first page has no other");
    for (path, location) in [
        (format!("before=MGYP004580619181&rank={}", u64::MAX), "/portal/search"),
        ("before=nonsense&rank=7".to_owned(), "/portal/search"),
    ] {
        assert_eq!(visit(&format!("/portal/search?{path}")).await.header("location"), location, "{path}");
    }
    let refused = visit("/portal/search?order=length&after=MGYP000000000012").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text(&refused).contains("MGYP000000000012 is not among the first 10000 matches of this order."));
}

#[tokio::test]
async fn rows_show_some_values_and_the_number_of_the_others() {
    let biomes = [[361, 9], [132, 1], [422, 2], [62, 3]];
    let hits: Vec<Value> = (1..=5).map(|family| json!([format!("PF0000{family}"), 1e-9, 40.5, 1, 9, 2, 6])).collect();
    let metadata = json!({"b": biomes, "p": hits}).to_string().replace('"', "\"\"");
    let router = TestFolder::of_rows(&format!("12,MKVLAAGIV,true,1,\"{metadata}\"\n")).router();
    let found = text(&get(&router, "/portal/search?fields=accession,pfam,biomes,sequence").await);
    for (shown, number) in [("/portal/families/", 3), ("/portal/biomes/", 2)] {
        assert_eq!(addresses(&found).iter().filter(|address| address.starts_with(shown)).count(), number, "{shown}");
    }
    let others = "<a class=\"others\" href=\"/portal/proteins/MGYP000000000012\">and 2 more</a>";
    assert_eq!(found.matches(others).count(), 2);
    let lineage = "Environmental › Aquatic › Marine";
    assert!(found.contains(&format!(" title=\"{lineage}\">Marine · Aquatic</a>")), "{found}");
    assert!(found.contains("<span class=\"line\"><span title=\"MKVLAAGIV\">"), "the sequence has one line");
}

#[tokio::test]
async fn empty_searches_name_the_condition_that_excludes_all() {
    let none = page("/portal/search?biome=root%3AEnvironmental&pfam=PF00005&min_length=100000").await;
    assert!(
        none.contains("No protein matches all conditions. Removing one of these conditions gives results:"),
        "{none}"
    );
    let (_, rest) = none.split_once("Removing one of these conditions").expect("a list");
    let (list, _) = rest.split_once("</ul>").expect("a list");
    assert_eq!(list.matches("<li>").count(), 1);
    assert!(list.contains("Without <code>length:[100000 TO *]</code>"), "{list}");
    let found = page(&addresses(list)[0]).await;
    let count = list.split_once("</a>: ").expect("a number").1.split_once(" protein").expect("closed").0;
    assert!(found.contains(&format!("<h2 id=\"hits\">{count} protein")));
}

#[tokio::test]
async fn forms_redirect_to_short_addresses_and_show_errors_at_their_fields() {
    let redirect = visit("/portal/search?q=&pfam=5&biome=&fields=accession&fields=pfam").await;
    assert_eq!(redirect.header("location"), "/portal/search?pfam=5&fields=accession%2Cpfam");
    // Parameters without a field in the form become part of the text.
    let redirect = visit("/portal/search?pfam=5&pfam=6&has=pfam&limit=7").await;
    assert_eq!(redirect.header("location"), "/portal/search?q=pfam%3A5+AND+pfam%3A6+AND+has%3Apfam&limit=7");
    let redirect = visit("/portal/samples?search=&lineage=&columns=a&columns=b&ordering=").await;
    assert_eq!(redirect.header("location"), "/portal/samples?columns=a%2Cb");
    let answer = visit("/portal/search?pfam=x&min_length=a&q=length:y").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = text(&answer);
    for id in ["pfam-problem", "min_length-problem"] {
        assert!(page.contains(&format!("id=\"{id}\"")) && page.contains(&format!("aria-describedby=\"{id}\"")), "{id}");
    }
    assert!(page.contains("id=\"q-problem\">After “length:”, at “y”: "), "{page}");
    assert!(page.contains("name=\"pfam\" value=\"x\""), "what was typed stays");
}

#[tokio::test]
async fn the_menu_has_parquet_and_fasta_with_families_and_biomes() {
    let page = page("/portal/search?pfam=PF00005&fields=accession,pfam_names").await;
    let file = async |part: &str| {
        let address = addresses(&page).into_iter().find(|address| address.contains(part)).expect(part);
        get(&SITE.api, &address).await
    };
    assert!(file("format=parquet").await.body.starts_with(b"PAR1"));
    let fasta = text(&file("header=full").await);
    let heads: Vec<&str> = fasta.lines().filter(|line| line.starts_with('>')).collect();
    assert!(heads.len() > 40 && heads.iter().all(|head| head.contains(" PFAM=") && head.contains("PF00005")));
    assert!(heads.iter().any(|head| head.contains(" BIOMES=root:")));
    let tsv = text(&file("format=tsv").await);
    assert!(tsv.starts_with("accession\tpfam_names\n") && tsv.contains("ABC transporter"));
    assert!(page.contains("<th scope=\"col\">Names of families</th>") && page.contains("value=\"pfam_names\""));
}

/// Returns the accessions of a page of results.
fn listed(page: &str) -> Vec<String> {
    page.split("name=\"proteins\" value=\"").skip(1).map(|row| row[..16].to_owned()).collect()
}

/// Returns the address of the next or the previous page.
fn link(page: &str, rel: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!("\" rel=\"{rel}\""))?;
    before.rsplit_once("href=\"").map(|(_, address)| address.replace("&#38;", "&").replace("&amp;", "&"))
}
