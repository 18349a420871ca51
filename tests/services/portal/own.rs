//! Own data on pages: marks, names, sources.

use std::sync::LazyLock;

use api::Api;
use axum::http::{Method, StatusCode};
use support::{Answer, TestFolder, send};

use super::{BROWSER, addresses, text};

/// Two sources that both have a protein with the same name.
static SITE: LazyLock<(TestFolder, Api)> = LazyLock::new(|| {
    let folder = TestFolder::of_sample_with(true);
    let sequence = "MKWWWWWWWWWWWWWWWWWWWWK";
    folder.add_source(
        "soil",
        &format!(">k141_1\n{sequence}\n>shared\n{sequence}\n"),
        "name\tstudy\tdescription\nk141_1\tMy study\ta <b> & b\n",
    );
    folder.add_source("Sea.2", ">shared\nMKV\n>pct%20\nMKVA\n", "name\n");
    let api = folder.router();
    (folder, api)
});

async fn visit(path: &str) -> Answer {
    send(&SITE.1, Method::GET, path, &[BROWSER]).await
}

async fn page(path: &str) -> String {
    let answer = visit(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", text(&answer));
    text(&answer)
}

/// Returns the mark of a protein.
fn mark(source: &str, name: &str) -> String {
    let own = "<span class=\"own\"><span class=\"hidden\">own data: </span>";
    format!(" {own}{source}</span> <span class=\"name\">{name}</span>")
}

#[tokio::test]
async fn the_page_of_an_own_protein_has_its_name_source_and_description() {
    let first = page("/portal/proteins/MGYP900000000000").await;
    assert!(first.contains(&format!("<h1>MGYP900000000000{}</h1>", mark("soil", "k141_1"))));
    for fact in ["<dt>Name</dt><dd>k141_1</dd>", ">soil</a></dd>", "<dd>a &#60;b&#62; &#38; b</dd>"] {
        assert!(first.contains(fact), "{fact}: {first}");
    }
    assert!(addresses(&first).contains(&"/portal/search?source=soil".to_owned()));
    assert!(addresses(&first).iter().all(|address| address != "/portal/search?assembly="), "none is recorded");
    for address in addresses(&first).iter().filter(|address| address.starts_with("/portal/search?study=")) {
        assert!(page(address).await.contains("1 protein</h2>"), "{address}");
    }
    for requested in ["k141_1", "soil:k141_1", "SOIL:shared", "pct%2520", "sea.2:pct%2520"] {
        assert!(page(&format!("/portal/proteins/{requested}")).await.contains("<h1>MGYP90000000000"), "{requested}");
    }
    let of_release = page("/portal/proteins/MGYP004580811409").await;
    assert!(of_release.contains("<h1>MGYP004580811409</h1>") && !of_release.contains("<dt>Source</dt>"));
    assert_eq!(visit("/portal/proteins/nope").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn search_box_finds_proteins_by_name() {
    for (typed, expected) in [
        ("k141_1", "MGYP900000000000"),
        ("soil:shared", "MGYP900000000001"),
        ("sea.2:shared", "MGYP900000000002"),
        ("pct%2520", "MGYP900000000003"),
    ] {
        let redirect = visit(&format!("/portal/find?text={typed}")).await;
        assert_eq!(redirect.header("location"), format!("/portal/proteins/{expected}"), "{typed}");
    }
    let redirect = visit("/portal/proteins/shared").await;
    assert_eq!(redirect.header("location"), "/portal/find?text=shared");
    let several = page("/portal/find?text=shared").await;
    assert!(several.contains("2 sources have a protein with this name:"));
    for (accession, source) in [("MGYP900000000001", "soil"), ("MGYP900000000002", "Sea.2")] {
        assert!(several.contains(&format!("{accession}</a>{}</li>", mark(source, "shared"))), "{several}");
    }
    let same = page("/portal/find?text=MKWWWWWWWWWWWWWWWWWWWWK").await;
    assert!(same.contains(&mark("soil", "k141_1")) && same.contains(&mark("soil", "shared")));
}

#[tokio::test]
async fn searches_mark_own_proteins_and_can_be_filtered_by_source() {
    let own = page("/portal/search?q=accession%3A%5BMGYP900000000000+TO+*%5D").await;
    assert_eq!(own.matches("class=\"own\"").count(), 4);
    let form = page("/portal/search").await;
    for option in ["soil", "Sea.2", "release"] {
        assert!(form.contains(&format!("<option value=\"{option}\">")), "{option}");
    }
    for (query, number) in
        [("source=soil", "2"), ("source=sea.2", "2"), ("source=release", "10,000"), ("name=shared", "2")]
    {
        let found = page(&format!("/portal/search?{query}")).await;
        assert!(found.contains(&format!("{number} proteins</h2>")), "{query}");
        assert!(found.contains(" selected>") == query.starts_with("source"), "{query}");
    }
    let columns = page("/portal/search?source=soil&fields=name%2Cdescription").await;
    assert!(
        columns.contains(">k141_1</td><td data-label=\"Description\">a &#60;b&#62; &#38; b</td>")
            && columns.contains(">shared</td><td data-label=\"Description\"></td>")
    );
    let refused = visit("/portal/search?source=siol").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text(&refused).contains("did you mean &#34;soil&#34;?"));
    let compared = page("/portal/compare?proteins=MGYP900000000000+MGYP004580811409").await;
    assert_eq!(compared.matches("class=\"own\"").count(), 1);
}

#[tokio::test]
async fn the_first_page_lists_sources_if_there_are_any() {
    let home = page("/portal/").await;
    assert!(
        home.contains("<strong>10,004</strong> proteins") && home.contains("the name of one of your own proteins,")
    );
    for (source, address) in [("soil", "/portal/search?source=soil"), ("Sea.2", "/portal/search?source=Sea.2")] {
        assert!(home.contains(&format!("<strong>2</strong> proteins from {source}</a>")), "{source}");
        assert!(addresses(&home).contains(&address.to_owned()));
    }
    for (path, texts) in [
        ("/portal/", ["Own data", "your own proteins"]),
        ("/portal/search", ["id=\"source\"", "value=\"description\""]),
    ] {
        let without = super::page(path).await;
        assert!(texts.iter().all(|own| !without.contains(own)), "{path}");
    }
}

#[tokio::test]
async fn an_order_has_the_first_ten_thousand_and_downloads_have_all() {
    let sorted = page("/portal/search?order=-length&fields=accession").await;
    assert!(sorted.contains("10,004 proteins by accession<") && !sorted.contains("This is the last page"));
    let rows = async |address: &str| text(&visit(address).await).lines().count() - 1;
    for (format, number) in
        [("fields=accession&format=tsv", 10_004), ("order=-length&fields=accession&format=tsv", 10_000)]
    {
        let path = format!("/metagenomics/proteins/api/v2/proteins?{format}");
        assert!(addresses(&sorted).contains(&path), "{path}: {:?}", addresses(&sorted));
        assert_eq!(rows(&path).await, number, "{path}");
    }
    let all = text(&visit("/metagenomics/proteins/api/v2/proteins?order=-length&format=tsv&fields=accession").await);
    let cursor = all.lines().nth(9_980).expect("a row");
    let last = page(&format!("/portal/search?order=-length&limit=20&after={cursor}&rank=9981")).await;
    assert!(last.contains("9,981–10,000 of 10,004") && !last.contains("rel=\"next\""));
    assert!(last.contains("This is the last page, because an order has only its first 10,000 proteins."));

    // Nothing is left out of an order of fewer.
    let few = page("/portal/search?order=-length&q=source%3Arelease&fields=accession").await;
    assert!(few.contains("10,000 proteins, about") && !few.contains("by accession"));
}
