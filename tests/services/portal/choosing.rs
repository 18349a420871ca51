//! Choices beside the results of a search, and its conditions as chips.

use axum::http::StatusCode;
use support::{PROTEINS_V2, get};

use super::counted::{chips, choice};
use super::numbers::shown;
use super::scan::{PROTEINS, Protein};
use super::{SITE, addresses, page, text, visit};

/// Returns whether a protein satisfies all conditions of an address.
fn satisfies(protein: &Protein, pairs: &[(String, String)]) -> bool {
    let of_query = |condition: &str| match condition {
        "NOT has:pfam" => protein.families.is_empty(),
        "NOT biome:\"root\"" => protein.biomes.is_empty(),
        _ => protein.clans.contains(condition.trim_matches(['(', ')']).trim_start_matches("clan:")),
    };
    let bound = |value: &str| value.parse::<u64>().expect("a number");
    let each = pairs.iter().all(|(name, value)| match &**name {
        "q" => value.split(" AND ").all(of_query),
        "min_length" => protein.length as u64 >= bound(value),
        "max_length" => protein.length as u64 <= bound(value),
        "min_cluster_size" => protein.cluster_size >= bound(value),
        "max_cluster_size" => protein.cluster_size <= bound(value),
        "full_length" => protein.is_full_length == Some(value == "true"),
        _ => true,
    });
    let values = [("biome", &protein.biomes), ("pfam", &protein.families), ("clan", &protein.clans)];
    each && values.into_iter().all(|(name, values)| {
        let mut chosen = pairs.iter().filter(|(of, _)| of.trim_start_matches("any_") == name).peekable();
        chosen.peek().is_none() || chosen.any(|(_, value)| values.contains(value))
    })
}

/// Counts the proteins that satisfy the conditions of an address, and formats the number as pages
/// do.
fn scanned(address: &str) -> String {
    let query = address.split_once('?').unwrap_or_default().1;
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    shown(PROTEINS.iter().filter(|protein| satisfies(protein, &pairs)).count() as u64)
}

#[tokio::test]
async fn choices_show_the_number_of_their_proteins() {
    for path in [
        "/portal/search",
        "/portal/search?biome=root%3AEnvironmental",
        "/portal/search?q=clan%3ACL0023&full_length=true",
    ] {
        let whole = page(path).await;
        let mut num_followed = 0;
        for list in whole.split("<ul class=\"choices\">").skip(1) {
            let (list, _) = list.split_once("</ul>").expect("closed");
            // Values next to a chosen one are alternatives. They add at most the number that they
            // show.
            if list.contains("aria-current") {
                continue;
            }
            for choice in list.split("<li ").skip(1).take(12) {
                let (_, count) = choice.split_once("class=\"count\">").expect("a number");
                let count = count.split_once('<').expect("closed").0;
                let address = addresses(choice).remove(0);
                let redirect = visit(&address).await;
                assert_eq!(redirect.status, StatusCode::OK, "{address}");
                let heading = format!("<h2 id=\"hits\">{count} protein");
                assert!(text(&redirect).contains(&heading), "{address}: {count}");
                assert_eq!(count, scanned(&address), "{address}");
                num_followed += 1;
            }
        }
        assert!(num_followed > 20, "{path}: {num_followed}");
        // The columns of both histograms.
        let rows = whole.split("<table class=\"numbers-of\">").skip(1).flat_map(|table| table.split("<tr><th").skip(2));
        let rows: Vec<&str> = rows.map(|row| row.split_once("</tr>").expect("closed").0).collect();
        assert_eq!(rows.len(), 11 + 5, "{path}");
        for row in rows {
            let count = row.split_once("class=\"number\">").expect("a number").1.split_once('<').expect("closed").0;
            let address = addresses(row).remove(0);
            let found = page(&address).await;
            assert!(count == "0" || found.contains(&format!("<h2 id=\"hits\">{count} protein")), "{row}");
            assert_eq!(count, scanned(&address), "{address}");
        }
    }
}

#[tokio::test]
async fn several_biomes_or_families_are_removable_alternatives() {
    let one = page("/portal/search?pfam=PF00005").await;
    let both =
        addresses(&one).into_iter().find(|address| address.contains("any_pfam=PF00005")).expect("a second family");
    let page_of_both = page(&both).await;
    let (_, text) = page_of_both.split_once("Query: <code>").expect("a query");
    let query = text.split_once("</code>").expect("closed").0;
    assert!(query.starts_with("pfam:(PF00005 OR PF"), "{query}");
    let api = format!("{PROTEINS_V2}/proteins?q={}&count=exact", query.replace(' ', "+"));
    let total = get(&SITE.api, &api).await.json()["total"]["value"].clone();
    assert!(page_of_both.contains(&format!("<h2 id=\"hits\">{total} proteins")), "{total}");
    assert_eq!(page_of_both.matches("aria-current=\"true\"").count(), 2);
    assert!(addresses(&page_of_both).contains(&"/portal/search?pfam=PF00005".to_owned()), "the second is taken back");
    // A typed value is added to the chosen ones.
    let redirect = visit("/portal/search?any_pfam=PF00005&any_pfam=PF00072&pfam=PF00664&limit=").await;
    assert_eq!(redirect.header("location"), "/portal/search?any_pfam=PF00005&any_pfam=PF00072&any_pfam=PF00664");
    let redirect = visit("/portal/search?any_biome=root:Mixed").await;
    assert_eq!(redirect.header("location"), "/portal/search?biome=root%3AMixed");
}

#[tokio::test]
async fn biomes_below_a_chosen_one_replace_it_and_siblings_are_alternatives() {
    let follow = async |path: &str, name: &str| {
        let page = page(path).await;
        let biomes = page.split("<ul class=\"choices\">").nth(1).expect("biomes");
        let mut choices = biomes.split("<li ").skip(1).map(choice);
        let (_, count, address) = choices.find(|(text, ..)| text == name).expect(name);
        (count, address)
    };
    let mut path = "/portal/search?q=length%3A%3E30".to_owned();
    for name in ["Environmental", "Aquatic", "Marine"] {
        let (count, address) = follow(&path, name).await;
        let found = page(&address).await;
        assert!(found.replace(',', "").contains(&format!("<h2 id=\"hits\">{count} protein")), "{address}: {count}");
        assert_eq!(chips(&found).len(), 2, "{address}");
        path = address;
    }
    assert!(path.ends_with("&biome=root%3AEnvironmental%3AAquatic%3AMarine"), "{path}");
    let sibling = follow(&path, "Host-associated").await.1;
    assert!(sibling.ends_with("Marine&any_biome=root%3AHost-associated"), "{sibling}");
    let above = follow(&sibling, "Environmental").await.1;
    assert!(
        above.ends_with("?q=length%3A%3E30&any_biome=root%3AHost-associated&any_biome=root%3AEnvironmental"),
        "{above}"
    );
    assert_eq!(follow(&above, "Environmental").await.1, "/portal/search?q=length%3A%3E30&biome=root%3AHost-associated");
}

#[tokio::test]
async fn all_conditions_of_a_search_are_chips_that_remove_them() {
    let path = "/portal/search?q=length%3A%3E1&biome=root&pfam=5&min_length=20&max_length=900&min_cluster_size=1&full_length=true&order=-length";
    let found = page(path).await;
    let chips = chips(&found);
    let texts: Vec<&str> = chips.iter().map(|(text, _)| &**text).collect();
    assert_eq!(
        texts,
        [
            "Query: length:&#62;1",
            "Biome: root",
            "Pfam family: ABC transporter 5",
            "Full length: yes",
            "Length: 20 to 900",
            "Cluster size: at least 1"
        ]
    );
    for (text, address) in &chips {
        let without = page(address).await;
        assert!(address.ends_with("&order=-length") || address.contains("order=-length&"), "{address}");
        assert_eq!(super::counted::chips(&without).len(), chips.len() - 1, "{text}");
    }
    assert!(!page("/portal/search").await.contains("class=\"chips\""));
}

#[tokio::test]
async fn an_address_full_of_conditions_has_the_first_hundred_as_chips() {
    let families: Vec<String> = (1..=550).map(|number| format!("any_pfam={number}")).collect();
    let found = page(&format!("/portal/search?{}", families.join("&"))).await;
    let chips = chips(&found);
    let last = &chips.last().expect("a chip").0;
    assert!(chips.len() == 100 && last.ends_with("100"), "{}: {last}", chips.len());
    assert!(found.contains(">Remove all</a>"));
    let chosen = found.matches("aria-current=\"true\"").count();
    assert!((100..150).contains(&chosen), "{chosen} selected families");
}
