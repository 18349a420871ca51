//! Lists of the catalogue: their conditions, and the facets of their resources.

use api::Api;
use axum::http::StatusCode;

use super::{SITE, addresses, page, page_of, text, visit, visit_at};

/// Returns the number of results that a list shows.
pub(super) fn num_results(page: &str) -> u64 {
    let (before, _) = page.split_once(" result").expect("a number of results");
    let (_, number) = before.rsplit_once("<h2 id=\"results\">").expect("a heading");
    number.replace(',', "").parse().expect(number)
}

/// Follows the links of the facets of a list, and returns the addresses.
pub(super) async fn follow(api: &Api, path: &str) -> Vec<String> {
    let list = page_of(&visit_at(api, path).await);
    let (_, counted) = list.split_once("<div class=\"counted\">").expect(path);
    let (counted, _) = counted.split_once("</div>").expect("closed");
    let mut followed = Vec::new();
    for value in counted.split("<li>").skip(1) {
        let (_, count) = value.split_once("<span class=\"count\">").expect("a number");
        let count = count.split_once('<').expect("closed").0.replace(',', "");
        let address = addresses(value).remove(0);
        assert_eq!(num_results(&page_of(&visit_at(api, &address).await)).to_string(), count, "{address}");
        followed.push(address);
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
