//! Searches and forms.

use axum::http::StatusCode;
use serde_json::Value;
use support::{PROTEINS_V2, TestFolder, get};

use super::{SITE, addresses, page, text, visit};

#[tokio::test]
async fn the_box_understands_what_is_typed() {
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
        ("", ""),
    ] {
        let encoded: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        let led = visit(&format!("/portal/find?text={encoded}")).await;
        assert_eq!(
            (led.status, led.header("location")),
            (StatusCode::SEE_OTHER, &*format!("/portal/{expected}")),
            "{typed}"
        );
        assert_eq!(visit(led.header("location")).await.status, StatusCode::OK, "{typed}");
    }
    for (typed, expected) in [
        ("marine", "/portal/biomes/root%3AEnvironmental%3AAquatic%3AMarine\""),
        ("transporter", "/portal/families/PF00005\""),
        ("transporter", "Pfam family: ABC transporter, 48 proteins"),
        ("marine sediment", "Marine%3AIntertidal%20zone%3ASediment\""),
        ("nitrogenase", "/portal/families/PF00148\""),
        ("sediment vents", "biome, 0 proteins"),
        ("diurnal", "/portal/studies?search=diurnal\""),
        ("MKVLAAGIVGLCAKVLAAGIVVVKL", "a sequence of 25 residues"),
        ("xyzzyx", "Nothing is called “xyzzyx”"),
    ] {
        let typed: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        assert!(page(&format!("/portal/find?text={typed}")).await.contains(expected), "{typed}");
    }
}

#[tokio::test]
async fn pasted_sequences_lead_to_their_proteins() {
    let row = |number: u64, sequence: &str| format!("{number},{sequence},true,1,{{}}\n");
    let long = "MKVLAAGIVGLCAKVLAAGIVVVKL";
    let mut rows = row(12, long) + &row(13, "ACGTACGTACGTACGTACGTAC") + &row(14, "MKAA");
    rows.extend((20..170).map(|number| row(number, "MKVV")));
    let router = TestFolder::with_checksums(&rows).router();
    let ask = async |typed: &str| {
        let encoded: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        support::get(&router, &format!("/portal/find?text={encoded}")).await
    };
    for (typed, expected) in [
        (long, 12),
        (&*long.to_lowercase(), 12),
        (&format!("{long}*"), 12),
        (&format!(">some protein\r\n{}\r\n{}\r\n", &long[..10], &long[10..]), 12),
        (&format!(">some protein {long}"), 12),
        ("ACGTACGTACGTACGTACGTAC", 13),
        (">x\nmkaa", 14),
    ] {
        let led = ask(typed).await;
        let page = format!("/portal/proteins/MGYP{expected:012}");
        assert_eq!((led.status, led.header("location")), (StatusCode::SEE_OTHER, &*page), "{typed}");
    }
    for (typed, expected) in [
        ("MKVLAAGIVGLCAKVLAAGIVVVK", "No protein has exactly this sequence of 24 residues"),
        (">x\nACGTACGTACGTACGTACGTACGT", "This looks like DNA or RNA: 24 nucleotides"),
        (">a\nMK\n>b\nMV", "/metagenomics/proteins/api/v2/sequences/search"),
        (">a\nMKVV", "These proteins, and more, have exactly this sequence"),
        (">a\nMKVV", "/portal/proteins/MGYP000000000020\""),
        (">a\nMKVV", "/metagenomics/proteins/api/v2/proteins?md5="),
    ] {
        let found = ask(typed).await;
        assert_eq!(found.status, StatusCode::OK);
        assert!(text(&found).contains(expected), "{typed}: {expected}");
    }
    let home = async |router| text(&support::get(router, "/portal/").await).contains("a sequence;");
    assert!(home(&router).await && !home(&SITE.api).await, "only what can be found is named");
    assert!(page(&format!("/portal/find?text={long}")).await.contains("--checksums"));
    let query = format!("/portal/search?q=md5%3A{}", "0".repeat(32));
    let refused = visit(&query).await;
    assert_eq!(refused.status, StatusCode::NOT_IMPLEMENTED);
    assert!(text(&refused).contains("--checksums") && text(&refused).contains("name=\"q\""), "with the form");
    assert_eq!(support::get(&router, &query).await.status, StatusCode::OK);
}

#[tokio::test]
async fn words_in_a_field_lead_to_values_that_fill_it() {
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
        let encoded: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        let found = visit(&format!("/portal/completion/{kind}?text={encoded}")).await.json();
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
async fn completions_are_pages_that_may_be_meant() {
    let found: Value = visit("/portal/completion?text=mari").await.json();
    let found = found.as_array().expect("a list");
    assert_eq!(found[0]["text"], "root:Environmental:Aquatic:Marine");
    for suggestion in found {
        assert_eq!(visit(suggestion["href"].as_str().expect("an address")).await.status, StatusCode::OK);
    }
    assert_eq!(visit("/portal/completion?text=m").await.json(), serde_json::json!([]));
}

#[tokio::test]
async fn a_search_finds_what_the_interface_finds_and_pages_reach_all_of_it() {
    for query in
        ["pfam=PF00005", "biome=root%3AHost-associated&min_length=100", "q=has%3Apfam+AND+length%3A%5B50+TO+60%5D"]
    {
        let mut accessions = Vec::new();
        let mut address = Some(format!("/portal/search?{query}&limit=20"));
        while let Some(path) = address {
            let page = page(&path).await;
            let rows = page.split("<td><a href=\"/portal/proteins/").skip(1);
            accessions.extend(rows.map(|row| row[..16].to_owned()));
            let next = super::addresses(&page).into_iter().find(|address| address.contains("after="));
            address = next.filter(|_| page.contains("rel=\"next\""));
        }
        let tsv = get(&SITE.api, &format!("{PROTEINS_V2}/proteins?{query}&format=tsv&fields=accession")).await;
        let expected = text(&tsv);
        let expected: Vec<&str> = expected.lines().skip(1).collect();
        assert!(!expected.is_empty());
        assert_eq!(accessions, expected, "{query}");
        let heading = format!("{} proteins</h2>", expected.len());
        assert!(page(&format!("/portal/search?{query}")).await.contains(&heading), "{heading}");
    }
}

#[tokio::test]
async fn forms_lead_to_short_addresses_and_faults_stand_at_their_fields() {
    let led = visit("/portal/search?q=&pfam=5&biome=&fields=accession&fields=pfam").await;
    assert_eq!(led.header("location"), "/portal/search?pfam=5&fields=accession%2Cpfam");
    // What the form has no field for becomes part of the text.
    let led = visit("/portal/search?pfam=5&pfam=6&has=pfam&limit=7").await;
    assert_eq!(led.header("location"), "/portal/search?q=pfam%3A5+AND+pfam%3A6+AND+has%3Apfam&limit=7");
    let led = visit("/portal/samples?search=&lineage=&columns=a&columns=b&ordering=").await;
    assert_eq!(led.header("location"), "/portal/samples?columns=a%2Cb");
    let answer = visit("/portal/search?pfam=x&min_length=a&q=length:y").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = text(&answer);
    for id in ["pfam-problem", "min_length-problem"] {
        assert!(page.contains(&format!("id=\"{id}\"")) && page.contains(&format!("aria-describedby=\"{id}\"")), "{id}");
    }
    assert!(page.contains("<div class=\"problem\" role=\"alert\">"));
    assert!(page.contains("name=\"pfam\" value=\"x\""), "what was typed stays");
}

#[tokio::test]
async fn proteins_are_compared_and_words_that_are_none_are_told() {
    let page = page("/portal/compare?proteins=MGYP004580811409+MGYP004580619181+nope+MGYP004580811409").await;
    assert!(page.contains("2 proteins</h2>") && page.contains("No proteins: nope"));
    assert!(page.contains("<td class=\"number heat-5\">1</td>") && page.contains("<td class=\"number heat-0\"></td>"));
}

#[tokio::test]
async fn places_are_those_of_the_samples_of_the_filters() {
    let all = visit("/portal/places").await.json();
    let number = |places: &Value| -> u64 {
        places.as_array().expect("a list").iter().map(|place| place[2].as_u64().expect("a number")).sum()
    };
    let north = visit("/portal/places?latitude_gte=34").await.json();
    assert!(number(&north) > 0 && number(&north) < number(&all));
    assert!(north.as_array().expect("a list").iter().all(|place| place[1].as_f64().expect("a number") >= 34.0));
    assert_eq!(visit("/portal/places?latitude_gte=x").await.status, StatusCode::BAD_REQUEST);
}
