//! Plots as files: the picture with its axes and source, and the data.

use axum::http::StatusCode;

use super::scan::{Comparison, PROTEINS, Protein};
use support::{PROTEINS_V2, get};

use super::{SITE, text, visit};

/// Returns the rows of the data of a plot, without the names of the columns, and checks its
/// picture: its title, these names of its axes, and its source.
async fn data(page: &str, plot: &str, title: &str, axes: &[&str]) -> Vec<Vec<String>> {
    let address = |format: &str| format!("{page}{}plot={plot}.{format}", if page.contains('?') { '&' } else { '?' });
    let picture = visit(&address("svg")).await;
    assert_eq!((picture.status, &*picture.header("content-type")), (StatusCode::OK, "image/svg+xml; charset=utf-8"));
    let name = format!("attachment; filename=\"{plot}.svg\"");
    assert_eq!(picture.header("content-disposition"), name);
    let svg = text(&picture);
    assert!(svg.contains(&format!("<title>{title}</title>")), "{title}: {}", &svg[..200]);
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag) {
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if !tag.ends_with('/') => open.push(tag.split(' ').next().unwrap_or_default()),
            None => {}
        }
    }
    assert!(open.is_empty() && !svg.contains("var("), "{open:?}");
    for text in axes.iter().copied().chain(["Source: ", ", loaded ", &page.replace('&', "&amp;")]) {
        assert!(svg.contains(text), "{plot} of {page}: {text}");
    }
    let table = visit(&address("tsv")).await;
    assert_eq!(table.header("content-type"), "text/tab-separated-values; charset=utf-8");
    text(&table).lines().skip(1).map(|row| row.split('\t').map(str::to_owned).collect()).collect()
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
        let rows = data(page, "lengths", title, &["Residues", "Proteins", ">1,000+<"]).await;
        assert_eq!(rows.len(), 11);
        for (row, from) in rows.iter().zip((0..).step_by(100)) {
            let to = if from == 1000 { usize::MAX } else { from + 99 };
            let count = proteins.iter().filter(|protein| (from..=to).contains(&protein.length)).count();
            assert_eq!(row[1..], [count.to_string(), "exact".to_owned()], "{page}: {}", row[0]);
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
        let rows = data(page, "volcano", title, &["Log2 ratio", "−log10 q"]).await;
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
        data("/portal/architectures?clan=CL0023", "architectures", "Domain architectures: clan:CL0023", &["Proteins"])
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
    let none = super::page("/portal/architectures?q=NOT+has%3Apfam").await;
    assert!(none.contains("No protein has a Pfam domain."));
}
