//! Two groups of proteins beside each other: numbers against a scan and the interface, names, empty
//! groups, faults, and links to the page.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use support::{PROTEINS_V2, get};

use super::numbers::{assert_compared, shown, table, with_share};
use super::scan::{Comparison, PROTEINS, Protein, count};
use super::{SITE, addresses, encoded, page, text, visit};

const AQUATIC: &str = "root:Environmental:Aquatic";

/// A group: the text of its side, and whether a protein is in it.
type Group = (&'static str, fn(&Protein) -> bool);

type Values = fn(&Protein) -> &BTreeSet<String>;

#[tokio::test]
async fn two_groups_have_the_numbers_of_a_scan_and_of_the_interface() {
    let kinds: [(&str, &str, Values); 3] = [
        ("pfam", "families", |protein| &protein.families),
        ("clan", "clans", |protein| &protein.clans),
        ("biome", "biomes", |protein| &protein.biomes),
    ];
    let aquatic: Group = (AQUATIC, |protein| protein.biomes.contains(AQUATIC));
    let hosts: Group = ("Host-associated", |protein| protein.biomes.contains("root:Host-associated"));
    let family: Group = ("pf00005", |protein| protein.families.contains("PF00005"));
    let clan: Group = ("CL0023", |protein| protein.clans.contains("CL0023"));
    let query: Group = ("length:[100 TO 200] AND has:pfam", |protein| {
        (100..=200).contains(&protein.length) && !protein.families.is_empty()
    });
    let all: Group = ("*", |_| true);
    for ((first, is_first), (second, is_second)) in
        [(aquatic, hosts), (family, clan), (clan, family), (query, aquatic), (hosts, all)]
    {
        let both: Vec<&Protein> = PROTEINS.iter().filter(|&protein| is_first(protein) && is_second(protein)).collect();
        let recorded = || PROTEINS.iter().filter(|protein| !protein.biomes.is_empty());
        let selection: Vec<&Protein> = recorded().filter(|&protein| is_first(protein)).collect();
        let background: Vec<&Protein> =
            recorded().filter(|&protein| is_second(protein) && !is_first(protein)).collect();
        let [num_selected, num_others] = [&selection, &background].map(|group| group.len() as u64);
        for (by, directory, values) in kinds {
            let path = format!("/portal/contrast?q={}&against={}&by={by}", encoded(first), encoded(second));
            if num_others == 0 {
                assert!(page(&path).await.contains("id=\"against-problem\">No protein is left to compare."), "{path}");
                continue;
            }
            let [of_selection, of_background] =
                [&selection, &background].map(|group| count(group.iter().copied(), values));
            let text = page(&format!("{path}&differences=all")).await;
            let compared = Comparison::of_call(&call(&text)).await;
            assert_eq!((compared.num_selected, compared.num_others), (num_selected, num_others), "{path}");
            let parts = [
                format!("The {} proteins", shown(num_selected)),
                format!("with {} of", shown(num_others)),
                format!("In both groups: {}.", shown(both.len() as u64)),
            ];
            assert!(parts.iter().all(|part| text.contains(part)), "{path}: {parts:?}");
            let rows = rows_of(text, directory, [num_selected, num_others]).await;
            let listed: BTreeSet<_> = rows.iter().map(|(value, _)| value.clone()).collect();
            assert_eq!(listed, compared.values(), "{path}");
            for (value, cells) in &rows {
                let counts =
                    [&of_selection, &of_background].map(|counts| counts.get(value).copied().unwrap_or_default());
                let expected = [with_share(counts[0], num_selected), with_share(counts[1], num_others)];
                assert_eq!(cells[1..3], expected, "{path} {value:?}");
                // A value that all proteins have cannot differ.
                if counts == [num_selected, num_others] {
                    assert_eq!(cells[3..], [""]);
                } else {
                    assert_compared(&cells[3..], compared.of(value.as_deref()).expect("compared"));
                }
            }
        }
    }
}

/// Returns the values of a page and the next ones, with the texts of their cells. Values are known
/// by the addresses of their pages.
async fn rows_of(mut text: String, directory: &str, sums: [u64; 2]) -> Vec<(Option<String>, Vec<String>)> {
    let directory = format!("/portal/{directory}/");
    let mut rows = Vec::new();
    loop {
        let mut of_page = table(&text, "=\"families");
        let last = of_page.pop().expect("the sums");
        assert_eq!(last[..3], ["All proteins".to_owned(), shown(sums[0]), shown(sums[1])]);
        let (_, body) = text.split_once("<tbody>").expect("rows");
        let values = body.split("<tr>").skip(1).map(|row| {
            let mut own =
                addresses(row).into_iter().filter_map(|address| Some(address.strip_prefix(&*directory)?.to_owned()));
            own.next().map(|value| decoded(&value))
        });
        rows.extend(values.zip(of_page));
        let Some((before, _)) = text.split_once("\" rel=\"next\"") else { return rows };
        let (_, next) = before.rsplit_once("href=\"").expect("an address");
        text = page(&next.replace("&#38;", "&")).await;
    }
}

/// Returns the call that a page names.
fn call(page: &str) -> String {
    let mut calls =
        addresses(page).into_iter().filter(|address| address.starts_with(&format!("{PROTEINS_V2}/enrichment?")));
    calls.find(|address| !address.contains("format=")).expect("a call")
}

fn decoded(text: &str) -> String {
    form_urlencoded::parse(format!("a={}", text.replace('+', "%2B")).as_bytes()).next().expect("a pair").1.into_owned()
}

#[tokio::test]
async fn numbers_link_to_that_many_proteins() {
    for (path, num_followed) in [
        (format!("/portal/contrast?q={AQUATIC}&against=root:Host-associated&differences=all"), 30),
        ("/portal/contrast?q=PF00005&against=CL0023&by=biome".to_owned(), 16),
        ("/portal/contrast?q=CL0023&against=*&by=pfam&differences=all".to_owned(), 30),
        ("/portal/biomes/root%3AEnvironmental%3AAquatic?families=frequent".to_owned(), 30),
    ] {
        let page = super::page(&path).await;
        let cells =
            page.split("<td class=\"number\"><a href=\"").skip(1).filter(|cell| cell.starts_with("/portal/search"));
        let mut num = 0;
        for cell in cells.take(num_followed) {
            let address = addresses(&format!("href=\"{cell}")).remove(0);
            let number = cell.split_once('>').and_then(|(_, rest)| rest.split_once('<')).expect("a number").0;
            let mut answer = visit(&address).await;
            while answer.status == StatusCode::SEE_OTHER {
                answer = visit(answer.header("location")).await;
            }
            let hits = text(&answer);
            let heading = format!("<h2 id=\"hits\">{number} protein");
            assert!(hits.contains(&heading), "{path}: {address}: {heading}");
            num += 1;
        }
        assert!(num > 5, "{path}: {num}");
    }
}

#[tokio::test]
async fn groups_have_names_and_downloads() {
    for (query, heading) in [
        (
            "q=aquatic&against=root:Host-associated:Human",
            "Aquatic · Environmental, compared with Human · Host-associated",
        ),
        ("q=pfam:5&against=clan:CL0023", "ABC transporter PF00005, compared with P-loop NTPase CL0023"),
        (
            "biome=root:Environmental&pfam=5&against=*",
            "Environmental, ABC transporter PF00005, compared with all proteins",
        ),
        ("any_pfam=PF00005&any_pfam=PF00664&against=*", "pfam:(PF00005 OR PF00664), compared with all proteins"),
    ] {
        let page = page(&format!("/portal/contrast?{query}")).await;
        assert!(
            page.contains(&format!("<h1>{heading}</h1>")),
            "{heading}: {}",
            &page[page.find("<h1>").expect("a heading")..][..200]
        );
    }
    let families: Vec<String> = (1..=100).map(|number| format!("pfam={number}")).collect();
    let long = page(&format!("/portal/contrast?{}&against=*", families.join("&"))).await;
    let (heading, _) = long.split_once("<h1>").expect("a heading").1.split_once("</h1>").expect("closed");
    assert!(heading.ends_with("…, compared with all proteins") && heading.len() < 250, "{heading}");
    let page = page("/portal/contrast?q=Aquatic&against=Human&by=clan").await;
    for (format, kind) in [
        ("tsv", "text/tab-separated-values"),
        ("ndjson", "application/x-ndjson"),
        ("parquet", "application/vnd.apache.parquet"),
    ] {
        let mut files = addresses(&page).into_iter().filter(|address| address.contains(&format!("&format={format}")));
        let file = files.next().expect("a download");
        let answer = get(&SITE.api, &file).await;
        assert!(answer.header("content-type").starts_with(kind), "{file}: {}", answer.header("content-type"));
    }
}

#[tokio::test]
async fn empty_groups_and_faults_are_shown_at_their_fields() {
    for (query, field, problem, status) in [
        ("q=pfam:x&against=*", "q", "After “pfam:”, at “x”: this is not the accession of a family.", 422),
        ("q=*&against=length:y", "against", "After “length:”, at “y”: ", 422),
        ("q=*&against=transporter", "against", "“transporter”: a field is missing before this.", 422),
        ("q=length:1&against=*", "q", "No protein is left to compare.", 200),
        ("q=Aquatic&against=root:Environmental:Aquatic:Marine", "against", "No protein is left to compare.", 200),
    ] {
        let answer = visit(&format!("/portal/contrast?{query}")).await;
        let page = text(&answer);
        let (_, shown) =
            page.split_once(&format!("id=\"{field}-problem\">")).unwrap_or_else(|| panic!("{query}: no problem"));
        assert!(shown.starts_with(problem), "{query}: {}", &shown[..100]);
        assert_eq!((answer.status.as_u16(), page.contains("<table")), (status, false), "{query}");
    }
    let page = text(&visit("/portal/contrast?q=*&against=marin").await);
    let names: Vec<_> = addresses(&page).into_iter().filter(|address| address.contains("against=root")).collect();
    assert!(page.contains("Did you mean:") && names[0].contains("Marine"), "{names:?}");
}

#[tokio::test]
async fn pages_of_biomes_families_clans_and_searches_lead_to_it() {
    for (path, first, by) in [
        ("biomes/root%3AEnvironmental%3AAquatic", "biome:&#34;root:Environmental:Aquatic&#34;", "pfam"),
        ("families/PF00005", "pfam:PF00005", "biome"),
        ("clans/CL0023", "clan:CL0023", "biome"),
        ("search?pfam=5&full_length=true", "pfam:5 AND full_length:true", "pfam"),
    ] {
        let address = addresses(&page(&format!("/portal/{path}")).await)
            .into_iter()
            .find(|address| address.starts_with("/portal/contrast?"));
        let page = page(&address.expect("a link")).await;
        assert!(page.contains(&format!("id=\"q\" name=\"q\" value=\"{first}\"")), "{path}");
        assert!(page.contains("id=\"against\" name=\"against\" value=\"\""), "{path}");
        let chosen = format!("value=\"{by}\" selected");
        assert!(page.contains(&chosen) && !page.contains("<table"), "{path}");
    }
}
