//! Conditions of every kind find the same on pages as in the interfaces.

use axum::http::StatusCode;
use support::{PROTEINS_V2, get};

use super::chain::SITE;
use super::counted::num_results;
use super::{encoded, text, visit_at};

const V1: &str = "/metagenomics/api/v1";

/// Conditions of all kinds on resources of the catalogue, in the language of queries.
const CONDITIONS: [&str; 32] = [
    "geo_loc_name:Germany",
    "geo-loc-name:*a*",
    "NOT species:*",
    "latitude:>30",
    "latitude:[-90 TO 30}",
    "collection_date:>=2012-06",
    "collection_date:[2010 TO 2014]",
    "last_update:<2020",
    "temperature:>5[°C]",
    "temperature:*",
    "\"geographic location (depth)\":[0 TO 500][m]",
    "depth:5[m] OR NOT depth:*",
    "sample_name:\"no such name\"",
    "experiment_type:*",
    "instrument_platform:ILLUMINA",
    "search:marine",
    "lineage:root\\:Environmental",
    "biome:\"root:Environmental\"",
    "biome_exact:\"root:Environmental:Aquatic:Marine\"",
    "study:MGYS00000562",
    "study:(centre_name:* AND last_update:>2015)",
    "sample:(biome:\"root:Host-associated\")",
    "run:*",
    "assembly:ERZ477902",
    "assembly:(run:(experiment_type:*))",
    "has:proteins",
    "has:(proteins: pfam:PF00005)",
    "has:(proteins: length:>100 AND NOT has:pfam)",
    "NOT has:(proteins: source:synthetic)",
    "has:proteins AND (latitude:>0 OR biome:\"root:Host-associated\") AND NOT sample:(species:*)",
    "has:(proteins: pfam:x)",
    "nothing:like this",
];

/// Conditions of all kinds on proteins.
const OF_PROTEINS: [&str; 20] = [
    "*",
    "biome:\"root:Environmental:Aquatic\"",
    "biome_exact:132",
    "pfam:(PF00005 OR PF00072)",
    "clan:CL0023",
    "has:pfam",
    "length:[50 TO 100]",
    "length:>100",
    "cluster_size:[2 TO *]",
    "full_length:true",
    "NOT full_length:true",
    "accession:[MGYP004580000000 TO *]",
    "study:MGYS00000562",
    "assembly:ERZ477902",
    "study:(centre_name:*)",
    "sample:(biome:\"root:Host-associated\" AND latitude:*)",
    "source:synthetic",
    "name:synthetic-ERZ477902-1",
    "sample:(nothing:x)",
    "pfam:(",
];

#[tokio::test]
async fn conditions_on_resources_find_the_same_in_portal_and_interface() {
    let api = &SITE.1;
    let (mut num_found, mut num_of_proteins) = (0, 0);
    for (condition, collection) in
        CONDITIONS.iter().flat_map(|text| ["studies", "samples", "runs", "assemblies"].map(|name| (text, name)))
    {
        let list = format!("{collection}?where={}", encoded(condition));
        let answer = get(api, &format!("{V1}/{list}&page_size=1")).await;
        let shown = visit_at(api, &format!("/portal/{list}")).await;
        assert_eq!(shown.status, answer.status, "{list}: {}", text(&answer));
        if answer.status != StatusCode::OK {
            continue;
        }
        let count = answer.json()["meta"]["pagination"]["count"].as_u64().expect("a number");
        assert_eq!(num_results(&text(&shown)), count, "{list}");
        num_found += usize::from(count > 0);
        num_of_proteins += usize::from(count > 0 && condition.starts_with("has:"));
        if collection == "samples" {
            let places = visit_at(api, &format!("/portal/places?where={}", encoded(condition))).await.json();
            let numbers = places["places"].as_array().expect("a list").iter().filter_map(|place| place[2].as_u64());
            assert_eq!(numbers.sum::<u64>() + places["unplaced"].as_u64().expect("a number"), count, "{list}");
        }
    }
    assert!(num_found > 50 && num_of_proteins > 7, "{num_found} {num_of_proteins}");
}

#[tokio::test]
async fn conditions_on_proteins_find_the_same_in_portal_and_interface() {
    let api = &SITE.1;
    let mut num_found = 0;
    for condition in OF_PROTEINS {
        let query = format!("q={}", encoded(condition));
        let answer = get(api, &format!("{PROTEINS_V2}/proteins?{query}&count=exact&limit=1")).await;
        let shown = visit_at(api, &format!("/portal/search?{query}")).await;
        assert_eq!(shown.status, answer.status, "{condition}: {}", text(&answer));
        if answer.status == StatusCode::OK {
            let total = answer.json()["total"]["value"].as_u64().expect("a number");
            let page = text(&shown);
            let (_, heading) = page.split_once("<h2 id=\"hits\">").expect("a heading");
            let number = heading.split_once(" protein").expect("a number").0.replace(',', "");
            assert_eq!(number, total.to_string(), "{condition}");
            num_found += usize::from(total > 0);
        }
    }
    assert!(num_found > 12, "{num_found}");
}
