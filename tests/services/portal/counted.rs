//! Lists of the catalogue: their conditions, and the facets of their resources.

use api::Api;
use axum::http::StatusCode;
use serde_json::json;
use support::TestFolder;

use super::{SITE, addresses, page, page_of, text, visit, visit_at};

/// The values that are followed of each list of a facet.
const FOLLOWED: usize = 8;

/// Returns the number of results that a list shows.
pub(super) fn num_results(page: &str) -> u64 {
    let (_, heading) = page.split_once("<h2 id=\"results\">").expect("a heading");
    let (number, _) = heading.split_once(" result").expect("a number of results");
    number.replace(',', "").parse().expect(number)
}

/// Returns the text and the number of a choice, and its address.
pub(super) fn choice(item: &str) -> (String, String, String) {
    let (_, rest) = item.split_once("<a ").and_then(|(_, rest)| rest.split_once('>')).expect("a link");
    let parts = rest.split_once("</a>").expect("closed").0.split('<');
    let mut texts = parts.map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text = texts.find(|text| !text.is_empty()).expect("a text").to_owned();
    let count = ["<span class=\"count\">", "<td class=\"number\">"].into_iter().find_map(|tag| item.split_once(tag));
    let count = count.map_or("", |(_, count)| count);
    (text, count.split('<').next().unwrap_or_default().replace(',', ""), addresses(item).remove(0))
}

/// Returns the choices of the facet with a heading.
fn choices(page: &str, heading: &str) -> Vec<(String, String, String)> {
    let (_, facet) = page.split_once(&format!("<h2 class=\"label\">{heading}</h2>")).expect(heading);
    choices_of(facet.split("<h2").next().unwrap_or_default())
}

/// Returns the columns of the histogram of a facet, and the values of its list.
fn choices_of(facet: &str) -> Vec<(String, String, String)> {
    let rows = facet.split("<tr><th scope=\"row\">").skip(1).filter_map(|row| row.split("</tr>").next());
    let rows = rows.filter(|row| row.starts_with("<a "));
    let items = facet.split("<li ").skip(1).filter(|item| item.contains("class=\"count\""));
    rows.chain(items).map(choice).collect()
}

/// Returns the texts of the chips above the results, and their addresses.
pub(super) fn chips(page: &str) -> Vec<(String, String)> {
    let list =
        page.split_once("<ul class=\"chips\"").map_or("", |(_, rest)| rest.split("</ul>").next().expect("closed"));
    let chip = |item: &str| {
        let (label, text) = item.split_once("Remove </span>")?.1.split_once(": <b>")?;
        Some((format!("{label}: {}", text.split('<').next()?), addresses(item).remove(0)))
    };
    list.split("<li>").skip(1).filter_map(chip).collect()
}

/// Follows the links of the facets of a list, and returns the addresses.
pub(super) async fn follow(api: &Api, path: &str) -> Vec<String> {
    let list = page_of(&visit_at(api, path).await);
    let (_, counted) = list.split_once("<div class=\"counted\">").expect(path);
    let mut followed = Vec::new();
    for facet in counted.split("<h2").skip(1) {
        for (_, count, address) in choices_of(facet).into_iter().take(FOLLOWED) {
            assert_eq!(num_results(&page_of(&visit_at(api, &address).await)).to_string(), count, "{address}");
            followed.push(address);
        }
    }
    followed
}

#[tokio::test]
async fn numbers_link_to_that_many_results() {
    for path in ["/portal/samples", "/portal/samples?where=latitude:%3E30", "/portal/studies"] {
        assert!(follow(&SITE.api, path).await.len() > 1, "{path}");
    }
    assert!(!page("/portal/samples?where=latitude:%3E89").await.contains("class=\"counted\""), "nothing is counted");
}

#[tokio::test]
async fn values_of_one_facet_are_alternatives_and_facets_must_all_match() {
    let all = page("/portal/samples?where=latitude:*").await;
    let (first, second) = (choices(&all, "Year").remove(0), choices(&all, "Year").remove(1));
    let one = page(&first.2).await;
    assert!(choices(&one, "Year").contains(&(
        second.0.clone(),
        second.1.clone(),
        format!("{}&any_collection_date={}", first.2, second.0)
    )));
    let both = page(&format!("{}&any_collection_date={}", first.2, second.0)).await;
    let sum = [&first.1, &second.1].map(|count| count.parse::<u64>().expect("a number")).iter().sum::<u64>();
    assert_eq!(num_results(&both), sum);
    assert_eq!(both.matches("aria-current=\"true\"").count(), 2);

    let texts = ["Conditions: latitude:*".to_owned(), format!("Year: {}", first.0), format!("Year: {}", second.0)];
    let found = chips(&both);
    assert_eq!(found.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>(), texts);
    assert_eq!(page(&found[2].1).await.matches("aria-current=\"true\"").count(), 1, "a chip removes its value");
    let (_, _, toggled) = choices(&both, "Year").into_iter().find(|(text, ..)| *text == second.0).expect("shown");
    assert_eq!(toggled, first.2, "a chosen value is removed");

    let biome = choices(&both, "Biome").remove(0);
    let narrow = page(&biome.2).await;
    assert_eq!((num_results(&narrow).to_string(), chips(&narrow).len()), (biome.1, 4));
    let call = addresses(&narrow)
        .into_iter()
        .find(|address| address.starts_with("/metagenomics/api/v1/samples?") && !address.contains("format="))
        .expect("a call");
    let answer = support::get(&SITE.api, &call).await.json();
    assert_eq!(answer["meta"]["pagination"]["count"], num_results(&narrow));
    assert!(!call.contains("any_") && call.matches("where=").count() == 3, "{call}");
}

#[tokio::test]
async fn samples_of_a_country_include_those_of_its_places() {
    let folder = TestFolder::empty();
    let places =
        ["South Africa", "South Africa: Cape Town", "GAZ:South Africa", "South Africa; Durban", "South", "Mali*"];
    let rows = places.iter().enumerate().map(|(number, place)| {
        let attributes = json!({"accession": format!("ERS{number}"), "geo-loc-name": place});
        json!({"type": "samples", "id": format!("ERS{number}"), "attributes": attributes})
    });
    folder.publish_resources(rows);
    let api = folder.router();
    assert_eq!(follow(&api, "/portal/samples").await.len(), 3);
    let list = page_of(&visit_at(&api, "/portal/samples").await);
    assert_eq!(choices(&list, "Country")[0].1, "4");
    let typed = page_of(&visit_at(&api, "/portal/samples?any_geo_loc_name=South*").await);
    assert_eq!((num_results(&typed), chips(&typed).len()), (5, 1));
}

#[tokio::test]
async fn conditions_stay_in_their_field_and_errors_are_shown() {
    let list = page("/portal/samples?where=biome:%22root:Environmental%22").await;
    assert!(list.contains("name=\"where\" value=\"biome:&#34;root:Environmental&#34;\""), "{list}");
    for format in ["format=geojson", "metadata=wide&format=tsv"] {
        let is_it = |address: &String| address.ends_with(format) && address.contains("where=biome");
        assert!(addresses(&list).iter().any(is_it), "{format}");
    }
    let refused = visit("/portal/samples?where=biom:x").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(text(&refused).contains("Did you mean"), "{}", text(&refused));
}

#[tokio::test]
async fn errors_keep_the_form_and_are_shown_at_their_fields() {
    for (path, status, field, problem) in [
        ("/portal/samples?geo_loc_name=(&species=human", 400, "geo_loc_name", "Enter a valid regular expression"),
        ("/portal/samples?latitude_gte=north&species=human", 400, "latitude_gte", "Enter a number"),
        ("/portal/samples?where=latitude%3Ax&species=human", 400, "where", "After “latitude:”, at “x”: "),
    ] {
        let refused = visit(path).await;
        let page = text(&refused);
        assert_eq!(refused.status.as_u16(), status, "{path}");
        let (_, message) = page.split_once(&format!("id=\"problem-{field}\">")).expect(path);
        assert!(message.starts_with(problem) || message[..200].contains(problem), "{}", &message[..200]);
        assert!(page.contains("id=\"filter-species\" name=\"species\" value=\"human\""), "what was typed stays");
    }
    let refused = visit("/portal/studies?page=99&search=soil").await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    assert!(text(&refused).contains("Page 99 does not exist.") && text(&refused).contains("value=\"soil\""));
}
