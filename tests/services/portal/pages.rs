//! Contents of pages, and the time for which browsers keep them.

use axum::http::{Method, StatusCode};
use serde_json::Value;
use support::{PROTEINS_V2, get, send};

use super::{BROWSER, SITE, addresses, page, visit};
use crate::services::profiles::harness::World;

/// A protein with families, and one with biomes.
const PROTEINS: [&str; 2] = ["MGYP004580811409", "MGYP004580619181"];

#[tokio::test]
async fn proteins_show_the_facts_of_their_records() {
    for accession in PROTEINS {
        let text = page(&format!("/portal/proteins/{accession}")).await;
        let record = get(&SITE.api, &format!("{PROTEINS_V2}/proteins/{accession}")).await.json();
        let mut facts = vec![record["md5"].clone(), record["ga4gh"].clone()];
        facts.extend(record["pfam_annotations"].as_array().expect("a list").iter().map(|hit| hit["name"].clone()));
        facts.extend(record["biomes"].as_array().expect("a list").iter().cloned());
        for fact in facts {
            assert!(text.contains(fact.as_str().expect("a text")), "{accession}: {fact}");
        }
        let fasta = get(&SITE.api, &format!("{PROTEINS_V2}/proteins/{accession}.fasta")).await.body.len();
        assert!(text.contains(&format!("{fasta} bytes")), "{accession}: {fasta}");
        for hit in record["pfam_annotations"].as_array().expect("a list") {
            let place = format!(", {}–{}</title>", hit["env_start"], hit["env_end"]);
            assert!(text.contains(&place), "{place}");
        }
        let sequence = text.split("class=\"wide sequence\"").nth(1).expect("a sequence");
        let sequence = sequence.split("</section>").next().expect("an end");
        let mut residues = String::new();
        for line in sequence.split("<div><span class=\"position\">").skip(1) {
            let (line, _brackets) = line.split_once("</div>").expect("an end");
            let line = line.split_once("</span>").expect("a position").1;
            let mut is_tag = false;
            residues.extend(line.chars().filter(|letter| {
                let is_text = !is_tag && *letter != '<';
                is_tag = (is_tag || *letter == '<') && *letter != '>';
                is_text && letter.is_ascii_uppercase()
            }));
        }
        assert_eq!(Value::from(residues), record["sequence"]);
    }
}

#[tokio::test]
async fn resources_show_their_attributes_and_related_resources() {
    let text = page("/portal/studies/MGYS00000257").await;
    let study = get(&SITE.api, "/metagenomics/api/v1/studies/MGYS00000257").await.json();
    for attribute in ["study-name", "centre-name", "bioproject", "secondary-accession"] {
        let value = study["data"]["attributes"][attribute].as_str().expect("a text");
        assert!(text.contains(value), "{attribute}: {value}");
    }
    assert!(text.contains("/portal/biomes/root%3AEnvironmental"));
    // The title has the name and the accession, and the facts have the biome.
    for repeated in ["<th scope=\"row\">Name</th>", "<th scope=\"row\">Accession</th>", ">Biomes</h2>"] {
        assert!(!text.contains(repeated), "{repeated}");
    }
    let metadata = page("/portal/samples/ERS99999999").await;
    assert!(metadata.contains("Sample metadata") && metadata.contains("<th scope=\"col\">Unit</th>"));
}

#[tokio::test]
async fn parents_of_a_resource_are_shown_below_its_title() {
    for path in ["samples/ERS487899", "assemblies/ERZ477576"] {
        let resource = get(&SITE.api, &format!("/metagenomics/api/v1/{path}")).await.json();
        let text = page(&format!("/portal/{path}")).await;
        let (_, facts) = text.split_once("<dl class=\"facts\">").expect(path);
        let (facts, _) = facts.split_once("</dl>").expect("closed");
        let relationships = resource["data"]["relationships"].as_object().expect("an object");
        let parents = relationships.values().map(|linked| match linked["data"].as_array().map(Vec::as_slice) {
            Some([one]) => one,
            _ => &linked["data"],
        });
        let parents: Vec<&str> = parents.filter_map(|parents| parents["id"].as_str()).collect();
        assert!(!parents.is_empty(), "{path}: {resource}");
        for id in parents {
            assert!(facts.contains(&format!(">{id}</a>")), "{path}: {id}: {facts}");
        }
        for address in addresses(facts) {
            assert_eq!(visit(&address).await.status, StatusCode::OK, "{address}");
        }
    }
}

#[tokio::test]
async fn resources_missing_from_the_catalogue_link_to_proteins_and_other_sites() {
    let protein = page(&format!("/portal/proteins/{}", PROTEINS[1])).await;
    let contigs = protein.split("id=\"contigs\"").nth(1).expect("contigs");
    let contigs = contigs.split("</section>").next().expect("an end");
    let addresses = addresses(contigs);
    let of_proteins = addresses.iter().find(|address| address.contains("assembly=")).expect("an assembly");
    let assembly = of_proteins.rsplit('=').next().expect("an accession");
    assert!(contigs.contains(&format!("href=\"https://www.ebi.ac.uk/ena/browser/view/{assembly}\"")), "{contigs}");
    assert!(page(of_proteins).await.contains(assembly));
    let redirect = visit(&format!("/portal/assemblies/{assembly}")).await;
    assert_eq!((redirect.status, redirect.header("location")), (StatusCode::SEE_OTHER, &**of_proteins));
    assert_eq!(visit("/portal/assemblies/ERZ0").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn numbers_have_separators_and_lists_have_pages() {
    assert!(page("/portal/").await.contains("<strong>10,000</strong> proteins"));
    let first = page("/portal/samples?page_size=50").await;
    assert!(first.contains("121 results") && first.contains("Page 1 of 3") && first.contains("rel=\"next\""));
    let last = page("/portal/samples?page_size=50&page=3").await;
    assert!(last.contains("rel=\"prev\"") && !last.contains("rel=\"next\""));
    assert_eq!(visit("/portal/samples?page=99").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn unchanged_pages_are_304_except_the_status_page() {
    for (path, is_kept) in [("/portal/", true), ("/portal/samples", true), ("/portal/status", false)] {
        let first = visit(path).await;
        let again = send(&SITE.api, Method::GET, path, &[BROWSER, ("if-none-match", first.header("etag"))]).await;
        let expected = if is_kept { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        assert_eq!(again.status, expected, "{path}");
        assert!(is_kept || first.header("cache-control") == "no-store");
    }
}

#[tokio::test]
async fn files_of_pages_are_cached_under_versioned_names() {
    let text = page("/portal/").await;
    let style = text.split("stylesheet\" href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a style");
    let answer = visit(style).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "text/css; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    let icon = visit("/favicon.ico").await;
    assert_eq!((icon.status, icon.header("content-type")), (StatusCode::OK, "image/svg+xml"));
}

#[tokio::test]
async fn pages_link_to_profiles_only_if_they_are_served() {
    assert!(!page("/portal/").await.contains("/portal/profile"));
    let world = World::new();
    let with_profiles = world.send("GET", "/portal/", &[BROWSER], "").await.is(200);
    assert!(with_profiles.text.contains("<a href=\"/portal/profile\">My profile</a>"), "{}", with_profiles.text);
}

#[tokio::test]
async fn maps_show_the_places_of_filtered_samples() {
    let all = visit("/portal/places").await.json();
    let list = |places: &Value| places["places"].as_array().expect("a list").clone();
    let number =
        |places: &Value| -> u64 { list(places).iter().map(|place| place[2].as_u64().expect("a number")).sum() };
    let num_samples = visit("/metagenomics/api/v1/samples").await.json()["meta"]["pagination"]["count"].clone();
    assert_eq!(number(&all) + all["unplaced"].as_u64().expect("a number"), num_samples.as_u64().expect("a number"));
    let north = visit("/portal/places?latitude_gte=34").await.json();
    assert!(number(&north) > 0 && number(&north) < number(&all) && north["unplaced"] == 0);
    assert!(list(&north).iter().all(|place| place[1].as_f64().expect("a number") >= 34.0));
    for (biome, name) in all["biomes"].as_array().expect("a list").iter().enumerate() {
        let name = name.as_str().expect("a name");
        let of_biome = visit(&format!("/portal/places?lineage=root:{name}")).await;
        let within = if of_biome.status == StatusCode::OK { list(&of_biome.json()) } else { Vec::new() };
        assert!(within.iter().all(|place| place[3] == biome), "{name}: {within:?}");
    }
    assert_eq!(visit("/portal/places?latitude_gte=x").await.status, StatusCode::BAD_REQUEST);
}
