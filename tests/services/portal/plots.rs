//! Plots as files: the picture with its axes and source, and the data.

mod catalogue;
mod shapes;

use api::Api;
use axum::http::StatusCode;

use super::scan::{Comparison, PROTEINS, Protein};
use support::{PROTEINS_V2, get};

use super::{SITE, text, visit, visit_at};

/// Returns a file of a plot.
async fn file(api: &Api, path: &str, media_type: &str) -> String {
    let answer = visit_at(api, path).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, media_type), "{path}");
    assert!(answer.header("content-disposition").starts_with("attachment; filename="), "{path}");
    text(&answer)
}

/// Returns the texts of a picture, whose elements are checked for their ends.
pub(super) async fn texts(api: &Api, path: &str) -> Vec<String> {
    let svg = file(api, path, "image/svg+xml; charset=utf-8").await;
    let (mut open, mut texts) = (Vec::new(), Vec::new());
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("the end of a tag");
        let name = tag.split([' ', '/']).next().expect("a name");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{path}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!text.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").contains('&'), "{text}");
        texts.push(text.to_owned());
    }
    assert!(open.is_empty(), "{path}: {open:?}");
    assert!(!svg.contains("var(") && texts.iter().any(|text| text.starts_with("Source: ")), "{path}");
    texts
}

/// Returns the rows of the data of a plot, the first with the names of the columns.
pub(super) async fn rows(api: &Api, path: &str) -> Vec<Vec<String>> {
    let table = file(api, path, "text/tab-separated-values; charset=utf-8").await;
    table.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn assert_has(texts: &[String], expected: &[&str]) {
    for wanted in expected {
        assert!(texts.iter().any(|text| text.starts_with(wanted)), "{wanted}: {texts:?}");
    }
}

/// Returns the rows of the data of a plot of a page, without the names of the columns, and checks
/// the texts of its picture.
async fn data(page: &str, plot: &str, expected: &[&str]) -> Vec<Vec<String>> {
    let path = format!("{page}{}plot={plot}", if page.contains('?') { '&' } else { '?' });
    let texts = texts(&SITE.api, &format!("{path}.svg")).await;
    assert_has(&texts, expected);
    let address = page.replace('&', "&amp;");
    assert!(texts.iter().any(|text| text.contains(", loaded ")) && texts.iter().any(|text| text.ends_with(&address)));
    rows(&SITE.api, &format!("{path}.tsv")).await.split_off(1)
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

#[tokio::test]
async fn histograms_have_the_numbers_of_a_scan() {
    let clan = |protein: &&Protein| protein.clans.contains("CL0023");
    for (page, title, proteins) in [
        ("/portal/search", "Lengths: *", PROTEINS.iter().collect::<Vec<_>>()),
        ("/portal/clans/CL0023", "Proteins of CL0023 by length", PROTEINS.iter().filter(clan).collect()),
    ] {
        let rows = data(page, "lengths", &[title, "Residues", "Proteins", "1,000+"]).await;
        assert_eq!(rows.len(), 11);
        for (row, from) in rows.iter().zip((0..).step_by(100)) {
            let to = if from == 1000 { usize::MAX } else { from + 99 };
            let count = proteins.iter().filter(|protein| (from..=to).contains(&protein.length)).count();
            assert_eq!([&row[1], &row[5]], [&count.to_string(), "exact"], "{page}: {}", row[0]);
        }
    }
}

#[tokio::test]
async fn columns_within_the_selected_range_are_marked() {
    let page = super::page("/portal/search?min_length=100&max_length=299").await;
    assert_eq!(page.matches("class=\"column chosen\"").count(), 2);
    assert!(page.contains("data-range=\"/portal/search?min_length=%7Bfrom%7D&amp;max_length=%7Bto%7D\""));
}

#[tokio::test]
async fn plots_of_differences_have_all_compared_values() {
    for (page, title, call) in [
        ("/portal/clans/CL0023", "Biomes of CL0023, compared with other proteins", "q=clan:CL0023&by=biome"),
        (
            "/portal/contrast?q=length%3A%3C100&against=*&by=clan",
            "length:&lt;100 and all proteins: clans",
            "q=length:%3C100&against=*&by=clan",
        ),
    ] {
        let rows = data(page, "volcano", &[title, "Log2 ratio", "−log10 q"]).await;
        let compared = Comparison::of_call(&format!("{PROTEINS_V2}/enrichment?{call}&top=30000")).await;
        let named = compared.values().into_iter().flatten().filter(|value| value != "root").count();
        assert_eq!(rows.len(), named, "{page}");
        for row in rows {
            let expected = compared.of(Some(&row[0])).expect("compared");
            assert_eq!(row[2], expected.count.to_string(), "{row:?}");
            assert!((number(&row[4]) - expected.log2_ratio).abs() < 1e-9, "{row:?}");
            assert!((number(&row[7]) - expected.rate).abs() < 1e-9, "{row:?}");
        }
    }
}

#[tokio::test]
async fn plots_that_a_page_lacks_are_not_found() {
    for path in ["/portal/search?plot=x.svg", "/portal/search?plot=lengths.gif", "/portal/search?plot=lengths"] {
        assert_eq!(visit(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    // Empty fields are removed.
    assert_eq!(visit("/portal/search?plot=").await.header("location"), "/portal/search");
}

#[tokio::test]
async fn architectures_are_those_of_the_sample_or_of_all_proteins() {
    let call = format!("{PROTEINS_V2}/facets?q=clan:CL0023&by=architecture&top=1000");
    let facets = get(&SITE.api, &call).await.json();
    let facets = facets["facets"].as_array().expect("a list").iter().filter(|facet| !facet["value"].is_null());
    let expected: Vec<_> = facets.map(|facet| ["value", "name", "count"].map(|name| facet[name].clone())).collect();
    let rows =
        data("/portal/architectures?clan=CL0023", "architectures", &["Domain architectures: clan:CL0023", "Proteins"])
            .await;
    assert_eq!(rows.len(), expected.len());
    for (row, [value, name, count]) in rows.iter().zip(expected) {
        assert_eq!(
            (&*row[0], &*row[1], row[2].parse().ok()),
            (value.as_str().expect("text"), name.as_str().expect("text"), count.as_u64())
        );
    }
    let all = super::page("/portal/architectures").await;
    assert!(all.contains("a random sample of 5,000 of the 10,000 proteins"));
    assert!(all.contains("<th scope=\"col\">Architecture</th><th scope=\"col\" class=\"number\">Proteins</th>"));
    let none = super::page("/portal/architectures?q=NOT+has%3Apfam").await;
    assert!(none.contains("No protein has a Pfam domain."));
}
