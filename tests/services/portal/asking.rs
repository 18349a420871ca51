//! Searches and forms.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::{Answer, PROTEINS_V2, TestFolder, get, send_body};

use super::counted::{chips, choice};
use super::{SITE, addresses, page, text, visit};

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
        let encoded: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        let redirect = visit(&format!("/portal/find?text={encoded}")).await;
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
        let typed: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        assert!(page(&format!("/portal/find?text={typed}")).await.contains(expected), "{typed}");
    }
}

#[tokio::test]
async fn pasted_sequences_find_their_proteins() {
    let row = |number: u64, sequence: &str| format!("{number},{sequence},true,1,{{}}\n");
    let long = "MKVLAAGIVGLCAKVLAAGIVVVKL";
    let mut rows = row(12, long) + &row(13, "ACGTACGTACGTACGTACGTAC") + &row(14, "MKAA");
    rows.extend((20..170).map(|number| row(number, "MKVV")));
    let router = TestFolder::with_checksums(&rows).router();
    let ask = async |typed: &str| {
        let encoded: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        support::get(&router, &format!("/portal/find?text={encoded}")).await
    };
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
async fn completions_suggest_pages() {
    let found: Value = visit("/portal/completion?text=mari").await.json();
    let found = found.as_array().expect("a list");
    assert_eq!(found[0]["text"], "root:Environmental:Aquatic:Marine");
    for suggestion in found {
        assert_eq!(visit(suggestion["href"].as_str().expect("an address")).await.status, StatusCode::OK);
    }
    assert_eq!(visit("/portal/completion?text=m").await.json(), serde_json::json!([]));
}

#[tokio::test]
async fn searches_list_all_results_of_the_api() {
    for query in
        ["pfam=PF00005", "biome=root%3AHost-associated&min_length=100", "q=has%3Apfam+AND+length%3A%5B50+TO+60%5D"]
    {
        let (mut accessions, mut pages) = (Vec::new(), Vec::new());
        let mut address = Some(format!("/portal/search?{query}&limit=20"));
        while let Some(path) = address {
            let page = page(&path).await;
            let shown = listed(&page);
            let ranks = format!("{}–{} of ", accessions.len() + 1, accessions.len() + shown.len());
            assert!(page.contains(&ranks), "{path}: {ranks}");
            accessions.extend(shown);
            pages.push(path);
            address = link(&page, "next");
        }
        let tsv = get(&SITE.api, &format!("{PROTEINS_V2}/proteins?{query}&format=tsv&fields=accession")).await;
        let expected = text(&tsv);
        let expected: Vec<&str> = expected.lines().skip(1).collect();
        assert!(!expected.is_empty());
        assert_eq!(accessions, expected, "{query}");
        let heading = format!("{} proteins</h2>", expected.len());
        assert!(page(&format!("/portal/search?{query}")).await.contains(&heading), "{heading}");

        // The links back to the first page use the same addresses.
        let mut path = pages.pop().expect("a page");
        while let Some(earlier) = link(&page(&path).await, "prev") {
            let redirect = visit(&earlier).await;
            assert_eq!(redirect.status, StatusCode::SEE_OTHER, "{earlier}");
            let expected = pages.pop().expect("a page before");
            let read = |path: &str| {
                form_urlencoded::parse(path.split_once('?').expect("a query").1.as_bytes())
                    .into_owned()
                    .collect::<std::collections::BTreeSet<_>>()
            };
            assert_eq!(read(redirect.header("location")), read(&expected), "{path}");
            path = expected;
        }
        assert!(pages.is_empty(), "{pages:?}");
    }
}

/// Returns the accessions of a page of results.
fn listed(page: &str) -> Vec<String> {
    page.split("name=\"proteins\" value=\"").skip(1).map(|row| row[..16].to_owned()).collect()
}

/// Returns the address of the next or the previous page.
fn link(page: &str, rel: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!("\" rel=\"{rel}\""))?;
    before.rsplit_once("href=\"").map(|(_, address)| address.replace("&#38;", "&").replace("&amp;", "&"))
}

#[tokio::test]
async fn ordered_pages_have_the_order_of_the_api() {
    let mut path = "/portal/search?clan=CL0023&order=-length&limit=50".to_owned();
    let mut accessions = Vec::new();
    loop {
        let page = page(&path).await;
        assert!(page.contains("aria-sort=\"descending\""));
        accessions.extend(listed(&page));
        match link(&page, "next") {
            Some(next) => path = next,
            None => break,
        }
    }
    let query = format!("{PROTEINS_V2}/proteins?clan=CL0023&order=-length&format=tsv&fields=accession");
    assert_eq!(accessions, text(&get(&SITE.api, &query).await).lines().skip(1).collect::<Vec<_>>());
    let before = link(&page(&path).await, "prev").expect("a page before");
    assert_eq!(listed(&page(&before).await), accessions[150..200]);
}

#[tokio::test]
async fn invented_ranks_and_cursors_are_harmless() {
    let behind = "/portal/search?after=MGYP004580619181&limit=20";
    for (rank, message) in [("7", "7–26 of 10,000"), ("0", "1–20 of 10,000"), ("x", "1–20 of 10,000")] {
        let page = page(&format!("{behind}&rank={rank}")).await;
        // The first rank belongs to the first page.
        assert_eq!(page.contains(message), rank == "7", "{rank}");
    }
    assert_eq!(visit(&format!("{behind}&rank={}", u64::MAX)).await.status, StatusCode::OK);
    assert!(page("/portal/search?rank=7&limit=20").await.contains("1–20 of 10,000"), "the first page has no other");
    for (path, location) in [
        (format!("before=MGYP004580619181&rank={}", u64::MAX), "/portal/search"),
        ("before=nonsense&rank=7".to_owned(), "/portal/search"),
    ] {
        assert_eq!(visit(&format!("/portal/search?{path}")).await.header("location"), location, "{path}");
    }
    let refused = visit("/portal/search?order=length&after=MGYP000000000012").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text(&refused).contains("MGYP000000000012 is not among the first 10000 matches of this order."));
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
                num_followed += 1;
            }
        }
        assert!(num_followed > 20, "{path}: {num_followed}");
        let bars = whole.split_once("<ul class=\"lengths\"").expect("lengths").1.split_once("</ul>").expect("closed").0;
        for bar in bars.split("<li>").skip(1) {
            let count = bar.split_once("residues: ").expect("a number").1.split_once('"').expect("closed").0;
            let found = page(&addresses(bar)[0]).await;
            assert!(found.contains(&format!("<h2 id=\"hits\">{count} protein")), "{bar}");
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
async fn rows_show_some_values_and_the_number_of_the_others() {
    let biomes = [[361, 9], [132, 1], [422, 2], [62, 3]];
    let hits: Vec<Value> = (1..=5).map(|family| json!([format!("PF0000{family}"), 1e-9, 40.5, 1, 9, 2, 6])).collect();
    let metadata = json!({"b": biomes, "p": hits}).to_string().replace('"', "\"\"");
    let router = TestFolder::of_rows(&format!("12,MKVLAAGIV,true,1,\"{metadata}\"\n")).router();
    let found = text(&get(&router, "/portal/search?fields=accession,pfam,biomes,sequence").await);
    for (shown, number) in [("/portal/families/", 3), ("/portal/biomes/", 2)] {
        assert_eq!(addresses(&found).iter().filter(|address| address.starts_with(shown)).count(), number, "{shown}");
    }
    let others = "<a class=\"others\" href=\"/portal/proteins/MGYP000000000012\">and 2 more</a>";
    assert_eq!(found.matches(others).count(), 2);
    let lineage = "Environmental › Aquatic › Marine";
    assert!(found.contains(&format!(" title=\"{lineage}\">Marine · Aquatic</a>")), "{found}");
    assert!(found.contains("<span class=\"line\"><span title=\"MKVLAAGIV\">"), "the sequence has one line");
}

#[tokio::test]
async fn empty_searches_name_the_condition_that_excludes_all() {
    let none = page("/portal/search?biome=root%3AEnvironmental&pfam=PF00005&min_length=100000").await;
    assert!(
        none.contains("No protein matches all conditions. Removing one of these conditions gives results:"),
        "{none}"
    );
    let (_, rest) = none.split_once("Removing one of these conditions").expect("a list");
    let (list, _) = rest.split_once("</ul>").expect("a list");
    assert_eq!(list.matches("<li>").count(), 1);
    assert!(list.contains("Without <code>length:[100000 TO *]</code>"), "{list}");
    let found = page(&addresses(list)[0]).await;
    let count = list.split_once("</a>: ").expect("a number").1.split_once(" protein").expect("closed").0;
    assert!(found.contains(&format!("<h2 id=\"hits\">{count} protein")));
}

#[tokio::test]
async fn forms_redirect_to_short_addresses_and_show_errors_at_their_fields() {
    let redirect = visit("/portal/search?q=&pfam=5&biome=&fields=accession&fields=pfam").await;
    assert_eq!(redirect.header("location"), "/portal/search?pfam=5&fields=accession%2Cpfam");
    // Parameters without a field in the form become part of the text.
    let redirect = visit("/portal/search?pfam=5&pfam=6&has=pfam&limit=7").await;
    assert_eq!(redirect.header("location"), "/portal/search?q=pfam%3A5+AND+pfam%3A6+AND+has%3Apfam&limit=7");
    let redirect = visit("/portal/samples?search=&lineage=&columns=a&columns=b&ordering=").await;
    assert_eq!(redirect.header("location"), "/portal/samples?columns=a%2Cb");
    let answer = visit("/portal/search?pfam=x&min_length=a&q=length:y").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = text(&answer);
    for id in ["pfam-problem", "min_length-problem"] {
        assert!(page.contains(&format!("id=\"{id}\"")) && page.contains(&format!("aria-describedby=\"{id}\"")), "{id}");
    }
    assert!(page.contains("id=\"q-problem\">After “length:”, at “y”: "), "{page}");
    assert!(page.contains("name=\"pfam\" value=\"x\""), "what was typed stays");
}

#[tokio::test]
async fn proteins_are_compared_and_unknown_words_are_listed() {
    let page = page("/portal/compare?proteins=MGYP004580811409+MGYP004580619181+nope+MGYP004580811409").await;
    assert!(page.contains("2 proteins</h2>") && page.contains("1 malformed: nope"));
    assert!(page.contains("2 proteins; 1 given more than once"));
    assert!(page.contains("<td class=\"number heat-1\">1</td>") && page.contains("<td class=\"number heat-0\"></td>"));
}

/// Posts a form to a page.
async fn post(path: &str, fields: &[(&str, &str)]) -> Answer {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    post_body(path, "application/x-www-form-urlencoded", body).await
}

async fn post_body(path: &str, content_type: &str, body: String) -> Answer {
    send_body(&SITE.api, Method::POST, path, &[("content-type", content_type)], body).await
}

#[tokio::test]
async fn long_lists_are_counted_compared_and_downloaded() {
    let all = text(&get(&SITE.api, &format!("{PROTEINS_V2}/proteins?format=tsv&fields=accession")).await);
    let known: Vec<&str> = all.lines().skip(1).take(1500).collect();
    let list = format!("{} nonsense,MGYP999999999998;{}", known.join("\n"), known[0]);
    let page = post("/portal/compare", &[("proteins", &list)]).await;
    assert_eq!(page.status, StatusCode::OK);
    let page = text(&page);
    for message in [
        "1,500 proteins, of which the first 100 are shown; 1 given more than once",
        "1 unknown: MGYP999999999998",
        "1 malformed: nonsense",
        "This list is too long for a link",
    ] {
        assert!(page.contains(message), "{message}");
    }
    // The search box accepts the same, also as a part of a form with a file.
    assert!(text(&post("/portal/find", &[("text", &list)]).await).contains("1,500 proteins, of which"));
    let parts = format!(
        "--x\r\nContent-Disposition: form-data; name=\"proteins\"\r\n\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n{list}\r\n--x--\r\n"
    );
    let of_file = post_body("/portal/compare", "multipart/form-data; boundary=x", parts.clone()).await;
    assert!(text(&of_file).contains("1,500 proteins, of which"));
    let cut =
        post_body("/portal/compare", "multipart/form-data; boundary=x", parts[..parts.len() - 8].to_owned()).await;
    assert_eq!(cut.status, StatusCode::BAD_REQUEST);
    for (format, expected) in [("fasta", 1500), ("ndjson", 1500), ("tsv", 1501), ("list", 1503), ("missing", 3)] {
        let file = post("/portal/compare", &[("proteins", &list), ("format", format)]).await;
        let text = text(&file);
        let found = if format == "fasta" { text.matches('>').count() } else { text.lines().count() };
        assert_eq!(found, expected, "{format}");
        assert!(file.header("content-disposition").starts_with("attachment"), "{format}");
    }
    // Input that is short enough for an address gets one.
    let redirect = post("/portal/compare", &[("proteins", known[0]), ("proteins", known[1])]).await;
    assert_eq!(redirect.header("location"), format!("/portal/compare?proteins={}+{}", known[0], known[1]));
    let redirect = post("/portal/find", &[("text", "pf00005")]).await;
    assert_eq!(redirect.header("location"), "/portal/find?text=pf00005");
    let most = (1..=100_001).map(|number: u32| number.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(post("/portal/compare", &[("proteins", &most)]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let longer = "A".repeat(5 << 20);
    assert_eq!(post("/portal/find", &[("text", &longer)]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        post_body("/portal/find", "application/json", "{}".to_owned()).await.status,
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
    assert_eq!(post("/portal/search", &[]).await.status, StatusCode::METHOD_NOT_ALLOWED);
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
