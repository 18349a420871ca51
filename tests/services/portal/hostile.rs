//! Nonsense, and texts that contain scripts.

use support::SCRIPT;

use super::{page, text, visit};

#[tokio::test]
async fn texts_of_data_are_escaped() {
    for path in [
        "/portal/studies/MGYS99999999",
        "/portal/samples/ERS99999999",
        "/portal/studies?accession=MGYS99999999&columns=study-name,centre-name",
        "/portal/studies/MGYS99999999/samples?columns=sample-desc",
    ] {
        let page = page(path).await;
        assert!(page.contains("alert("), "{path} shows the text");
        assert!(!page.contains("<script>") && !page.contains("<img"), "{path}");
        assert!(!page.contains("href=\"javascript:"), "{path}");
    }
}

#[tokio::test]
async fn texts_of_addresses_are_escaped() {
    let encoded = super::encoded(SCRIPT);
    let segment = encoded.replace('+', "%20").replace('/', "%2F");
    for path in [
        format!("/portal/find?text={encoded}"),
        format!("/portal/search?q={encoded}&biome={encoded}&pfam={encoded}&fields={encoded}&{encoded}=1"),
        format!("/portal/compare?proteins={encoded}"),
        format!("/portal/contrast?q={encoded}&against={encoded}&by={encoded}&{encoded}=1"),
        format!("/portal/families?text={encoded}"),
        format!("/portal/samples?search={encoded}&columns={encoded}&ordering={encoded}"),
        format!("/portal/proteins/MGYP004580811409?replaces={encoded}"),
        format!("/portal/proteins/{segment}"),
        format!("/portal/biomes/{segment}"),
        format!("/portal/families/{segment}"),
        format!("/portal/clans/{segment}"),
        format!("/portal/studies/{segment}"),
        format!("/portal/{segment}"),
    ] {
        let page = text(&visit(&path).await);
        assert!(!page.contains("<script>") && !page.contains("<img"), "{path}");
        assert!(!page.contains("\" onerror") && !page.contains("'x')</"), "{path}");
    }
}

#[tokio::test]
async fn unknown_pages_help_instead_of_showing_the_request_id() {
    for (path, status) in [
        ("/portal/nope", 404),
        ("/portal//", 404),
        ("/portal/%FF", 404),
        ("/portal/proteins/MGYP999999999998", 404),
        ("/portal/families/PF99999", 404),
        ("/portal/families/x", 404),
        ("/portal/clans/CL9999", 404),
        ("/portal/biomes/root:Nowhere", 404),
        ("/portal/studies/MGYS77777777", 404),
        ("/portal/studies/MGYS00000257/nope", 404),
        ("/portal/assets/0/../../Cargo.toml", 404),
        ("/portal/assets/0/nope.js", 404),
        ("/portal/domains/x", 404),
        ("/portal/profile", 404),
        ("/portal/samples?latitude_gte=north", 400),
        ("/portal/search?q=pfam:x", 422),
    ] {
        let answer = visit(path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-type")),
            (status, "text/html; charset=utf-8"),
            "{path}"
        );
        if ![400, 422].contains(&status) {
            assert!(!text(&answer).contains(answer.header("x-request-id")), "{path}");
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        }
    }
}

#[tokio::test]
async fn missing_things_have_links_to_near_and_other_places() {
    for (path, expected) in [
        ("proteins/MGYP999999999998", "No protein has the accession “MGYP999999999998”."),
        ("proteins/MGYP999999999998", "only cluster representatives are indexed"),
        ("proteins/MGYP999999999998", "https://www.ebi.ac.uk/metagenomics/proteins/MGYP999999999998/"),
        ("families/PF99999", "https://www.ebi.ac.uk/interpro/entry/pfam/PF99999/"),
        ("families/transporter", "/portal/families/PF00005\""),
        ("clans/CL9999", "https://www.ebi.ac.uk/interpro/set/pfam/CL9999/"),
        ("biomes/root:Environmental:Marin", "/portal/biomes/root%3AEnvironmental%3AAquatic%3AMarine\""),
        ("studies/MGYS77777777", "https://www.ebi.ac.uk/metagenomics/studies/MGYS77777777"),
        ("samples/ERS77777777", "https://www.ebi.ac.uk/ena/browser/view/ERS77777777"),
        ("samples/ERS77777777", "/portal/samples?search=ERS77777777"),
    ] {
        let page = text(&visit(&format!("/portal/{path}")).await);
        assert!(page.contains(expected), "{path}: {expected}");
    }
}
