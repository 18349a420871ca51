//! The genes around a protein, the members of its cluster, and queries with `near`.

use std::fs;
use std::sync::LazyLock;

use api::Api;
use axum::http::StatusCode;
use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;
use serde_json::Value;
use support::{PROTEINS_V2, TestFolder, encoded, get};

use super::plots::{rows, texts};
use super::{SITE, addresses, page_of, visit_at};
use crate::loading::release::contigs::write_places;
use crate::loading::release::plan::plan;
use crate::loading::release::rows::Place;
use crate::loading::release::tiny;
use crate::services::proteins::v2::contigs::GENES;

/// More genes. The representative of 1 and 2 is 5, and that of 7 is 8.
const MORE: [(u64, u64, u64, u64, char); 5] = [
    (5, 12, 60, 400, '-'),
    (5, 12, 500, 90_000, '+'),
    (5, 12, 100_001, 100_300, '+'),
    (6, 12, 2_000_000_000, 2_000_000_300, '+'),
    (5, 13, 4_000_000_000, 7, '-'),
];

/// The members of the cluster of 5, and those of the cluster of 8.
const MEMBERS: [i64; 14] = [1, 2, 5, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21];
const OTHERS: [i64; 2] = [7, 8];

fn site(all_proteins: bool) -> (TestFolder, Api) {
    let folder = TestFolder::empty();
    let layout = SynthLayout::Flat;
    let release = tiny::write(&folder, "2024_04", layout, &[(5, &MEMBERS), (6, &[6]), (8, &OTHERS)]);
    let places = GENES.into_iter().chain(MORE).map(|(protein, contig, start, end, strand)| {
        let (assembly, contig_name) = (format!("ERZ{}", contig / 12), String::new());
        let is_reverse = strand == '-';
        (protein, Place { study: String::new(), assembly, contig, start, end, is_reverse, contig_name })
    });
    write_places(&release, layout, &places.collect::<Vec<_>>());
    let write = |name: &str, text: &str| fs::write(release.join(name), text).expect("writable");
    write("mgy_ProtENN_pfam.tsv", "MGYP000000000005\tPF00005\t1\t3\nMGYP000000000008\tPF00005\t1\t3\n");
    let members = [&MEMBERS[..], &[6], &OTHERS].concat();
    write(
        "mgy_proteins_1.fa",
        &members.iter().map(|it| format!(">MGYP{it:012} FL=1\nMKV\n")).collect::<Vec<_>>().concat(),
    );
    write("mgy_biomes.tsv", "MGYP000000000001\t1\troot:Mixed\nMGYP000000000005\t3\troot:Engineered\n");
    let plan = plan(&folder, &release);
    ReleasePlan { contigs: true, members: true, all_proteins, ..plan }.run().expect("a release");
    folder.add_source(
        "mine",
        ">a\nMKV\n>b\nMKVL\n",
        "name\tcontig\tstart\tend\tstrand\na\tk 1/2\t5\t90\t+\nb\tk 1/2\t100\t400\t-\n",
    );
    let router = folder.router();
    (folder, router)
}

static REPRESENTATIVES: LazyLock<(TestFolder, Api)> = LazyLock::new(|| site(false));

fn accession(number: u64) -> String {
    format!("MGYP{number:012}")
}

async fn page(api: &Api, path: &str) -> String {
    page_of(&visit_at(api, path).await)
}

/// Returns the genes of an answer of the API as rows of the data of the plot.
fn genes(answer: &Value) -> Vec<Vec<String>> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut genes = Vec::new();
    for place in answer["results"].as_array().expect("a list") {
        for gene in place["genes"].as_array().expect("a list") {
            let contig = &place["contig"];
            let name = if contig["accession"].is_null() { "name" } else { "accession" };
            let contig = ["assembly", name].map(|name| text(&contig[name]));
            let names = ["offset", "accession", "representative", "start", "end", "strand"];
            let pfam = gene["pfam"].as_array().expect("a list").iter().map(text).collect::<Vec<_>>().join(",");
            genes.push(contig.into_iter().chain(names.map(|name| text(&gene[name]))).chain([pfam]).collect());
        }
    }
    genes
}

#[tokio::test]
async fn the_genes_around_all_places_are_those_of_the_api() {
    let api = &REPRESENTATIVES.1;
    for (requested, num_places) in [(5, 8), (6, 3), (8, 3), (900_000_000_000, 1)] {
        let requested = accession(requested);
        let call = format!("{PROTEINS_V2}/proteins/{requested}/neighbours?genes=5&bases=10000&members=true&limit=100");
        let answer = get(api, &call).await.json();
        assert_eq!(answer["results"].as_array().map(Vec::len), Some(num_places), "{requested}");
        let (mut found, mut next, mut num_pages) = (Vec::new(), Some(format!("/portal/proteins/{requested}")), 0);
        while let Some(path) = next {
            let page = page(api, &path).await;
            let addresses = addresses(&page);
            let file =
                |format: &str| format!("{path}{}plot=neighbours.{format}", if num_pages == 0 { "?" } else { "&" });
            found.extend(rows(api, &file("tsv")).await.into_iter().skip(1));
            let texts = texts(api, &file("svg")).await;
            assert!(texts.contains(&format!("Genes around {requested}")), "{texts:?}");
            let of_contigs: Vec<_> = addresses.iter().filter(|address| address.contains("/contigs/")).collect();
            assert!(!of_contigs.is_empty());
            for address in of_contigs {
                assert_eq!(get(api, address).await.status, StatusCode::OK, "{address}");
            }
            assert_eq!(page.contains(">First places</a>"), num_pages > 0, "{path}");
            let next_link = page.split_once("\" rel=\"next\">More places").map(|(before, _)| before.rsplit('"').next());
            let address = next_link.flatten().and_then(|link| link.split('#').next());
            next = address.map(|address| address.replace("&#38;", "&"));
            num_pages += 1;
        }
        assert_eq!(found, genes(&answer), "{requested}");
        assert_eq!(num_pages, num_places.div_ceil(5), "{requested}");
    }
}

#[tokio::test]
async fn arrows_link_to_their_proteins() {
    let api = &REPRESENTATIVES.1;
    let page = page(api, &format!("/portal/proteins/{}", accession(5))).await;
    let [seven, eight] = [7, 8].map(accession);
    let title = format!("<title>{seven}, PF00005 ABC transporter, 80–300 -</title>");
    let arrow = format!("<a href=\"/portal/proteins/{seven}\" tabindex=\"-1\" aria-hidden=\"true\">{title}");
    assert!(page.contains(&arrow), "{page}");
    assert!(page.contains(&format!("<title>{}, no Pfam family, 700–730 -</title>", accession(6))));
    let member = visit_at(api, &format!("/portal/proteins/{seven}")).await;
    assert_eq!(member.header("location"), format!("/portal/proteins/{eight}?represents={seven}"));
    assert_eq!(page.matches(" itself\"").count(), 5);
    assert!(!page.contains("or of another member of its cluster"));
    assert!(page.contains("</span>CL0023</span>") && page.contains("</span>no Pfam family</span>"), "{page}");
    // Gene 8 crosses the origin.
    assert!(page.contains(&format!("<title>{eight}, PF00005 ABC transporter, 990–9 +</title>")));
    for cursor in ["x", "-1", "99999999999999999999", "18446744073709551615"] {
        let odd = visit_at(api, &format!("/portal/proteins/{eight}?places={cursor}")).await;
        assert_eq!(odd.status, StatusCode::OK, "{cursor}");
    }
    let without = super::page("/portal/proteins/MGYP004580811409").await;
    assert!(!without.contains("id=\"neighbours\"") && !without.contains("id=\"members\""));
    assert!(!super::page("/portal/").await.contains("text=near"));
}

#[tokio::test]
async fn pages_list_the_first_members_of_clusters() {
    let api = &REPRESENTATIVES.1;
    let of_representative = page(api, "/portal/proteins/5").await;
    for expected in
        ["The first 10 of 14 members, by accession: MGYP", "Only representatives have records", ">root:Engineered</a>"]
    {
        assert!(of_representative.contains(expected), "{expected}");
    }
    let members = of_representative.split_once("id=\"members\"").expect("a section").1;
    let members = members.split_once("</section>").expect("its end").0;
    assert_eq!(members.matches("MGYP0").count(), 10 + 2 + 1, "also in addresses, and beside the biomes");
    assert!(!members.contains("/portal/proteins/") && !members.contains("<table"));
    for address in addresses(members) {
        let answer = get(api, &address).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}");
    }
    assert!(!page(api, "/portal/proteins/6").await.contains("id=\"members\""));

    let (_folder, api) = site(true);
    let of_member = page(&api, "/portal/proteins/2").await;
    let members = of_member.split_once("id=\"members\"").expect("a section").1;
    for expected in [
        format!("<a href=\"/portal/proteins/{0}\">{0}</a></th>", accession(1)),
        format!("<a href=\"/portal/proteins/{0}\">{0}</a> <span class=\"note\">representative</span>", accession(5)),
        format!("<th scope=\"row\">{}</th>", accession(2)),
        ">root:Mixed</a>".to_owned(),
    ] {
        assert!(members.contains(&expected), "{expected}: {members}");
    }
    assert!(!members.contains("Only representatives"));
}

#[tokio::test]
async fn the_box_understands_near() {
    let api = &REPRESENTATIVES.1;
    for (typed, expected, found) in [
        ("near(PF00005, CL0023, 1)", "near(pfam:PF00005, clan:CL0023, 1)", "2 proteins</h2>"),
        ("near (PF00005, *, 100)", "near (pfam:PF00005, *, 100)", "2 proteins</h2>"),
        ("NOT Near(pf00005,*,100)", "NOT Near(pfam:pf00005,*,100)", "3 proteins</h2>"),
    ] {
        let redirect = visit_at(api, &format!("/portal/find?text={}", encoded(typed))).await;
        assert_eq!(redirect.header("location"), format!("/portal/search?q={}", encoded(expected)), "{typed}");
        assert!(page(api, redirect.header("location")).await.contains(found), "{typed}");
        let redirect = visit_at(api, &format!("/portal/search?q={}", encoded(typed))).await;
        assert_eq!(redirect.header("location"), format!("/portal/search?q={}", encoded(expected)), "{typed}");
    }
    let other = visit_at(api, "/portal/find?text=linear(2)").await;
    assert!(!other.header("location").contains("/search?q="), "{}", other.header("location"));
    let faulty = visit_at(api, "/portal/search?q=near(pfam:PF00005)").await;
    assert_eq!(faulty.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(faulty.text().contains("a comma is missing"));
    let refused = visit_at(&SITE.api, "/portal/search?q=near(*,*,1)").await;
    assert!(refused.text().contains("mgdex index --contigs"), "{}", refused.text());
    assert!(page(api, "/portal/").await.contains("/portal/find?text=near%28PF00528%2C%20PF00465%2C%202%29"));
    for (typed, expected) in [
        ("near(PF0000", "near(PF00005"),
        ("near(PF00528, abc", "near(PF00528, PF00005"),
        ("near(clan:cl00", "near(clan:CL0023"),
    ] {
        let found = visit_at(api, &format!("/portal/completion?text={}", encoded(typed))).await.json();
        assert!(found.as_array().expect("a list").iter().any(|it| it["text"] == expected), "{typed}: {found}");
    }
    for typed in ["near(", "near(PF00005, ", "near(PF00005, PF00005, 2)", "near(é"] {
        let found = visit_at(api, &format!("/portal/completion?text={}", encoded(typed))).await;
        assert_eq!(found.json(), serde_json::json!([]), "{typed}");
    }
}
