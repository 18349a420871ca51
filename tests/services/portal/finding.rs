//! The search box, and suggestions in fields.

use axum::http::StatusCode;
use serde_json::Value;
use support::TestFolder;

use super::{SITE, addresses, encoded, page, text, visit};

#[tokio::test]
async fn search_box_understands_accessions_and_words() {
    for (typed, expected) in [
        ("MGYP004580811409", "proteins/MGYP004580811409"),
        ("mgyp4580811409", "proteins/MGYP004580811409"),
        ("4580811409", "proteins/MGYP004580811409"),
        ("pf00005", "families/PF00005"),
        ("7 transmembrane receptor (rhodopsin family)", "families/PF00001"),
        ("cl0023", "clans/CL0023"),
        ("root:Environmental:Aquatic", "biomes/root%3AEnvironmental%3AAquatic"),
        ("MGYS00000257", "studies/MGYS00000257"),
        ("ERS487899", "samples/ERS487899"),
        ("ers487899", "samples/ERS487899"),
        ("erz1762428", "search?assembly=ERZ1762428"),
        ("MGYP004580811409, MGYP004580619181", "compare?proteins=MGYP004580811409+MGYP004580619181"),
        ("PF00005 marine", "search?pfam=PF00005&biome=root%3AEnvironmental%3AAquatic%3AMarine"),
        ("cl0023 pf00005", "search?clan=CL0023&pfam=PF00005"),
        ("https://doi.org/10.3389/FMICB.2017.02499", "publications/29312205"),
        ("PMID: 29312205", "publications/29312205"),
        ("29312205", "publications/29312205"),
        ("", ""),
    ] {
        let redirect = visit(&format!("/portal/find?text={}", encoded(typed))).await;
        assert_eq!(
            (redirect.status, redirect.header("location")),
            (StatusCode::SEE_OTHER, &*format!("/portal/{expected}")),
            "{typed}"
        );
        assert_eq!(visit(redirect.header("location")).await.status, StatusCode::OK, "{typed}");
    }
    for (typed, expected) in [
        ("marine", "/portal/biomes/root%3AEnvironmental%3AAquatic%3AMarine\""),
        ("transporter", "/portal/families/PF00005\""),
        ("transporter", "Pfam family: ABC transporter, 48 proteins"),
        ("marine sediment", "Marine%3AIntertidal%20zone%3ASediment\""),
        ("nitrogenase", "/portal/families/PF00148\""),
        ("sediment vents", "biome, 0 proteins"),
        ("diurnal", "/portal/studies?search=diurnal\""),
        ("MKVLAAGIVGLCAKVLAAGIVVVKL*", "a sequence of 25 residues"),
        ("PF00005 aquatic sediment", "search?pfam=PF00005&#38;biome=root%3AEnvironmental%3AAquatic%3A"),
        ("IPR003439", "https://www.ebi.ac.uk/interpro/entry/InterPro/IPR003439\""),
        ("10.1000/unknown", "https://doi.org/10.1000/unknown\""),
        ("endosymbiotic consortium", "/portal/publications?search=endosymbiotic+consortium\""),
        ("xyzzyx", "Nothing matches “xyzzyx”"),
    ] {
        assert!(page(&format!("/portal/find?text={}", encoded(typed))).await.contains(expected), "{typed}");
    }
}

#[tokio::test]
async fn pasted_sequences_find_their_proteins() {
    let row = |number: u64, sequence: &str| format!("{number},{sequence},true,1,{{}}\n");
    let long = "MKVLAAGIVGLCAKVLAAGIVVVKL";
    let mut rows = row(12, long) + &row(13, "ACGTACGTACGTACGTACGTAC") + &row(14, "MKAA");
    rows.extend((20..170).map(|number| row(number, "MKVV")));
    let router = TestFolder::with_checksums(&rows).router();
    let ask = async |typed: &str| support::get(&router, &format!("/portal/find?text={}", encoded(typed))).await;
    for (typed, expected) in [(long, 12), ("ACGTACGTACGTACGTACGTAC", 13), (">x\nmkaa", 14)] {
        let redirect = ask(typed).await;
        let page = format!("/portal/proteins/MGYP{expected:012}");
        assert_eq!((redirect.status, redirect.header("location")), (StatusCode::SEE_OTHER, &*page), "{typed}");
    }
    for (typed, expected) in [
        ("MKVLAAGIVGLCAKVLAAGIVVVK", "No protein has exactly this sequence of 24 residues"),
        (">x\nACGTACGTACGTACGTACGTACGT", "This looks like DNA or RNA: 24 nucleotides"),
        (">a\nMK\n>b\nMV", "/metagenomics/proteins/api/v2/sequences/search"),
        (">a\nMKVV", "More than 100 proteins have exactly this sequence"),
        (">a\nMKVV", "/portal/proteins/MGYP000000000020\""),
        (">a\nMKVV", "/metagenomics/proteins/api/v2/proteins?md5="),
    ] {
        let found = ask(typed).await;
        assert_eq!(found.status, StatusCode::OK);
        assert!(text(&found).contains(expected), "{typed}: {expected}");
    }
    let home = async |router| text(&support::get(router, "/portal/").await).contains("a sequence,");
    assert!(home(&router).await && !home(&SITE.api).await, "only what can be found is named");
    assert!(page(&format!("/portal/find?text={long}")).await.contains("--checksums"));
    let query = format!("/portal/search?q=md5%3A{}", "0".repeat(32));
    let refused = visit(&query).await;
    assert_eq!(refused.status, StatusCode::NOT_IMPLEMENTED);
    assert!(text(&refused).contains("--checksums") && text(&refused).contains("name=\"q\""), "with the form");
    assert_eq!(support::get(&router, &query).await.status, StatusCode::OK);
}

#[tokio::test]
async fn words_in_a_field_suggest_values() {
    let refused = visit("/portal/search?biome=marine+sediment&pfam=abc+transporter&study=tara&min_length=5").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = text(&refused);
    let meant: Vec<String> = addresses(&page).into_iter().filter(|address| address.contains("min_length=5")).collect();
    for value in ["biome=root%3AEnvironmental%3AAquatic%3AMarine", "pfam=PF00005", "study=ERP104174"] {
        assert!(meant.iter().any(|address| address.contains(value)), "{value}: {meant:?}");
    }
    for (kind, typed, expected) in [
        ("biome", "marine sediment", "root:Environmental:Aquatic:Marine:Coastal:Sediment"),
        ("family", "nitrogenase", "PF00148"),
        ("clan", "abc transporter", "CL0023"),
        ("study", "tara oceans", "ERP104174"),
    ] {
        let found = visit(&format!("/portal/completion/{kind}?text={}", encoded(typed))).await.json();
        assert_eq!(found[0]["text"], expected);
        for shown in found.as_array().expect("a list") {
            let (value, what) = (shown["text"].as_str(), shown["what"].as_str());
            let has_typed = |shown: Option<&str>| shown.is_some_and(|shown| shown.to_lowercase().contains(typed));
            assert!(has_typed(value) || has_typed(what), "browsers leave it out: {shown}");
        }
    }
    assert_eq!(visit("/portal/completion/nothing?text=abc").await.status, StatusCode::NOT_FOUND);
    assert_eq!(visit(&format!("/portal/completion?text={}", "a".repeat(301))).await.json(), serde_json::json!([]));
}

#[tokio::test]
async fn completions_suggest_pages() {
    let found: Value = visit("/portal/completion?text=mari").await.json();
    let found = found.as_array().expect("a list");
    assert_eq!(found[0]["text"], "root:Environmental:Aquatic:Marine");
    for suggestion in found {
        assert_eq!(visit(suggestion["href"].as_str().expect("an address")).await.status, StatusCode::OK);
    }
    assert_eq!(visit("/portal/completion?text=m").await.json(), serde_json::json!([]));
}
