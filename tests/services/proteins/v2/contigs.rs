//! Contigs: their genes, the neighbours of proteins, and the contigs of assemblies.

use api::Api;
use axum::http::{Method, StatusCode};
use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;
use serde_json::{Value, json};
use support::{PROTEINS_V2, TestFolder, get, send};

use crate::loading::release::contigs::write_places;
use crate::loading::release::plan::plan;
use crate::loading::release::rows::Place;
use crate::loading::release::tiny;
use crate::services::proteins::detail;
use crate::services::proteins::v2::{ask, router_of_rows};

/// A gene: protein, contig, start, end, strand. Its contig has the length of a hundred times its
/// number.
pub(crate) const GENES: [(u64, u64, u64, u64, char); 9] = [
    (5, 10, 1, 90, '+'),
    (7, 10, 80, 300, '-'),
    (5, 10, 310, 609, '-'),
    (2, 10, 310, 500, '+'),
    (6, 10, 700, 730, '-'),
    (8, 10, 990, 9, '+'),
    (6, 11, 5, 50, '+'),
    (1, 11, 60, 70, '-'),
    (8, 12, 5, 50, '+'),
];

fn places() -> Vec<(u64, Place)> {
    let place = |(protein, contig, start, end, strand): (u64, u64, u64, u64, char)| {
        let assembly = if contig == 12 { "ERZ2" } else { "ERZ1" }.to_owned();
        let (study, contig_name) = (String::new(), format!("{assembly}.{contig}-NODE;{contig}"));
        (protein, Place { study, assembly, contig, start, end, is_reverse: strand == '-', contig_name })
    };
    GENES.map(place).into()
}

/// Serves a release with contigs, and own data: two contigs of the same name, and one whose name is
/// that of a contig of the release.
pub(super) fn with_contigs(all_proteins: bool) -> (TestFolder, Api) {
    let folder = TestFolder::empty();
    let clusters: tiny::Clusters<'_> = &[(5, &[1, 2, 5]), (6, &[6]), (8, &[7, 8])];
    let release = tiny::write(&folder, "2026_07", SynthLayout::Parquet, clusters);
    write_places(&release, SynthLayout::Parquet, &places());
    ReleasePlan { contigs: true, all_proteins, ..plan(&folder, &release) }.run().expect("a release");
    let annotations = "name\tassembly\tcontig\tstart\tend\tstrand\na\tX\tk 1\t5\t90\t+\nb\tERZ1\tk 1\t1\t40\t-\nc\tERZ1\tERZ1.10-NODE;10\t1\t3\t+\n";
    folder.add_source("mine", ">a\nMKV\n>b\nMKVL\n>c\nMKA\n", annotations);
    let router = folder.router();
    (folder, router)
}

pub(super) fn accession(number: u64) -> String {
    format!("MGYP{number:012}")
}

fn contig(number: u64) -> Value {
    let assembly = if number == 12 { "ERZ2" } else { "ERZ1" };
    let (accession, name) = (format!("MGYC{number:012}"), format!("{assembly}.{number}-NODE;{number}"));
    json!({"accession": accession, "name": name, "assembly": assembly, "source": null, "length": 100 * number})
}

/// Returns a gene of [`GENES`] as it is answered.
fn gene(index: usize) -> Value {
    let (protein, _, start, end, strand) = GENES[index];
    let representative = [0, 5, 5, 3, 4, 5, 6, 8, 8][usize::try_from(protein).expect("small")];
    json!({
        "accession": accession(protein), "name": null, "representative": accession(representative),
        "start": start, "end": end, "strand": strand.to_string(), "pfam": [],
    })
}

/// The genes of contig 10 in order: of two with the same start, the one with the lower end is
/// first.
const ORDER: [usize; 6] = [0, 1, 3, 2, 4, 5];

#[tokio::test]
async fn contigs_have_their_genes_in_order() {
    let (_folder, router) = with_contigs(false);
    let expected: Vec<Value> = ORDER.map(gene).into();
    for requested in ["MGYC000000000010", "mgyc10", "10", "%31%30"] {
        let page = ask(&router, &format!("/contigs/{requested}")).await.json();
        assert_eq!(page, json!({"contig": contig(10), "num_genes": 6, "genes": expected, "next": null}), "{requested}");
    }
    let named = ask(&router, "/contigs/ERZ2.12-NODE%3B12").await.json();
    assert_eq!((&named["contig"], &named["genes"]), (&contig(12), &json!([gene(8)])));
    let (mut found, mut path) = (Vec::new(), format!("{PROTEINS_V2}/contigs/10?limit=4"));
    loop {
        let answer = get(&router, &path).await;
        let page = answer.json();
        found.extend(page["genes"].as_array().expect("a list").clone());
        let Some(next) = page["next"].as_str() else { break };
        assert_eq!(answer.header("link"), format!("<{next}>; rel=\"next\""));
        path = next.strip_prefix("http://mgdex.test").expect("absolute").to_owned();
    }
    assert_eq!(found, expected);
}

#[tokio::test]
async fn contigs_are_tables_and_gff3() {
    let (_folder, router) = with_contigs(false);
    let tsv = ask(&router, "/contigs/11?format=tsv").await;
    assert_eq!(tsv.header("content-disposition"), "attachment; filename=\"contig.tsv\"");
    let [one, five, six] = [1, 5, 6].map(accession);
    let lines = [
        "accession\tname\trepresentative\tstart\tend\tstrand\tpfam".to_owned(),
        format!("{six}\t\t{six}\t5\t50\t+\t"),
        format!("{one}\t\t{five}\t60\t70\t-\t"),
    ];
    assert_eq!(tsv.text(), lines.join("\n") + "\n");
    let path = format!("{PROTEINS_V2}/contigs/10?after=4&limit=9");
    let gff = send(&router, Method::GET, &path, &[("accept", "text/x-gff3")]).await;
    let eight = accession(8);
    let name = "ERZ1.10-NODE%3B10";
    let lines = [
        "##gff-version 3".to_owned(),
        format!("##sequence-region {name} 1 1000"),
        format!("{name}\tmgdex\tCDS\t700\t730\t.\t-\t0\tprotein_id={six};representative={six}"),
        format!("{name}\tmgdex\tCDS\t990\t1009\t.\t+\t0\tprotein_id={eight};representative={eight}"),
    ];
    assert_eq!(gff.text(), lines.join("\n") + "\n");
    let own = ask(&router, "/contigs/k%201?format=gff3&assembly=X").await;
    let own = own.text();
    assert!(own.contains("k%201\tmgdex\tCDS\t5\t90\t.\t+\t0\tprotein_id=MGYP900000000000;Name=a;"), "{own}");
}

#[tokio::test]
async fn names_of_several_contigs_need_an_assembly_or_a_source() {
    let (_folder, router) = with_contigs(false);
    let several = ask(&router, "/contigs/k%201").await;
    let expected =
        "'k 1' does not identify a single contig: add one of assembly=ERZ1&source=mine, assembly=X&source=mine.";
    assert_eq!(detail(&several, StatusCode::CONFLICT), expected);
    let one = ask(&router, "/contigs/k%201?assembly=ERZ1").await.json();
    assert_eq!(
        one["contig"],
        json!({"accession": null, "name": "k 1", "assembly": "ERZ1", "source": "mine", "length": null})
    );
    assert_eq!((&one["genes"][0]["name"], &one["num_genes"]), (&json!("b"), &json!(1)));
    assert_eq!(ask(&router, "/contigs/ERZ1.10-NODE%3B10").await.status, StatusCode::CONFLICT);
    for (source, expected) in [("release", 6), ("MINE", 1)] {
        let page = ask(&router, &format!("/contigs/ERZ1.10-NODE%3B10?source={source}")).await.json();
        assert_eq!(page["num_genes"], expected, "{source}");
    }
    for (path, expected) in [
        ("/contigs/13", "No contig with genes has the accession or the name '13'."),
        ("/contigs/MGYC", "No contig with genes has the accession or the name 'MGYC'."),
        ("/contigs/10?assembly=ERZ2", "No contig with genes has the accession or the name '10'."),
        ("/assemblies/ERZ3/contigs", "No assembly 'ERZ3' has contigs with genes."),
        ("/proteins/99/neighbours", "No protein has the accession '99'."),
    ] {
        let answer = ask(&router, path).await;
        assert_eq!(detail(&answer, StatusCode::NOT_FOUND), expected, "{path}");
    }
}

/// Returns the places of an answer: contig, and the offsets and starts of genes.
fn summary(page: &Value) -> Vec<(Value, Vec<(i64, i64)>)> {
    let places = page["results"].as_array().expect("a list").iter();
    let genes = |place: &Value| {
        let genes = place["genes"].as_array().expect("a list").iter();
        genes.map(|gene| (gene["offset"].as_i64().expect("whole"), gene["start"].as_i64().expect("whole"))).collect()
    };
    places.map(|place| (place["contig"]["accession"].clone(), genes(place))).collect()
}

#[tokio::test]
async fn neighbours_are_around_each_place() {
    let (_folder, router) = with_contigs(false);
    let neighbours = async |query: &str| summary(&ask(&router, &format!("/proteins/5/neighbours{query}")).await.json());
    let [ten, eleven] = ["MGYC000000000010", "MGYC000000000011"].map(Value::from);
    let first = |genes: &[(i64, i64)]| (ten.clone(), genes.to_vec());
    let all = [
        first(&[(0, 1), (1, 80), (2, 310), (3, 310), (4, 700), (5, 990)]),
        first(&[(-3, 1), (-2, 80), (-1, 310), (0, 310), (1, 700), (2, 990)]),
    ];
    assert_eq!(neighbours("").await, all);
    let near = [first(&[(0, 1), (1, 80)]), first(&[(-1, 310), (0, 310), (1, 700)])];
    assert_eq!(neighbours("?genes=1").await, near);
    assert_eq!(neighbours("?bases=0").await, [first(&[(0, 1), (1, 80)]), first(&[(-1, 310), (0, 310)])]);
    let within = [first(&[(0, 1), (1, 80)]), first(&[(-2, 80), (-1, 310), (0, 310), (1, 700)])];
    assert_eq!(neighbours("?bases=100").await, within);
    let same = [first(&[(0, 1), (2, 310), (5, 990)]), first(&[(-2, 80), (0, 310), (1, 700)])];
    assert_eq!(neighbours("?same_strand=true").await, same);
    let members = neighbours("?genes=0&members=true").await;
    assert_eq!(members, [first(&[(0, 1)]), first(&[(0, 310)]), first(&[(0, 310)]), (eleven, vec![(0, 60)])]);
    let page = ask(&router, "/proteins/5/neighbours?limit=1&genes=0&members=true").await.json();
    let mut item = gene(0);
    item["offset"] = 0.into();
    assert_eq!(page["results"], json!([{"contig": contig(10), "genes": [item]}]));
    let (mut found, mut path) =
        (Vec::new(), format!("{PROTEINS_V2}/proteins/5/neighbours?genes=0&members=true&limit=3"));
    loop {
        let page = get(&router, &path).await.json();
        found.extend(summary(&page));
        let Some(next) = page["next"].as_str() else { break };
        path = next.strip_prefix("http://mgdex.test").expect("absolute").to_owned();
    }
    assert_eq!(found, members);
}

#[tokio::test]
async fn every_protein_has_its_own_places_if_all_are_indexed() {
    let (_folder, router) = with_contigs(true);
    let page = ask(&router, "/proteins/2/neighbours?genes=0").await.json();
    let mut item = gene(3);
    item["offset"] = 0.into();
    assert_eq!(page["results"], json!([{"contig": contig(10), "genes": [item]}]));
    let page = ask(&router, "/proteins/5/neighbours?genes=0&members=true").await.json();
    assert_eq!(summary(&page).len(), 4);
}

#[tokio::test]
async fn own_data_have_neighbours_and_assemblies_list_all_contigs() {
    let (_folder, router) = with_contigs(false);
    let page = ask(&router, "/proteins/b/neighbours").await.json();
    assert_eq!(page["results"][0]["genes"][0]["name"], "b");
    let record = ask(&router, "/proteins/b").await.json();
    let link = "/metagenomics/proteins/api/v2/proteins/MGYP900000000001/neighbours";
    assert!(record["links"]["neighbours"].as_str().is_some_and(|address| address.ends_with(link)));
    let (mut found, mut path) = (Vec::new(), format!("{PROTEINS_V2}/assemblies/erz1/contigs?limit=1"));
    loop {
        let page = get(&router, &path).await.json();
        found.extend(page["results"].as_array().expect("a list").clone());
        let Some(next) = page["next"].as_str() else { break };
        path = next.strip_prefix("http://mgdex.test").expect("absolute").to_owned();
    }
    let own =
        |name: &str| json!({"accession": null, "name": name, "assembly": "ERZ1", "source": "mine", "length": null});
    let expected = [(contig(10), 6), (contig(11), 2), (own("ERZ1.10-NODE;10"), 1), (own("k 1"), 1)];
    assert_eq!(found, expected.map(|(contig, num_genes)| json!({"contig": contig, "num_genes": num_genes})));
}

#[tokio::test]
async fn an_index_without_contigs_says_so_and_bad_parameters_are_named() {
    let (_folder, router) = router_of_rows();
    let expected = "This index has no contigs: it was made without `mgdex index --contigs`.";
    for path in ["/contigs/1", "/assemblies/ERZ534239/contigs", "/proteins/12/neighbours"] {
        let answer = ask(&router, path).await;
        assert_eq!(detail(&answer, StatusCode::NOT_FOUND), expected, "{path}");
    }
    assert!(ask(&router, "/proteins/12").await.json()["links"].get("neighbours").is_none());
    let (_folder, router) = with_contigs(false);
    for (path, name) in [
        ("/proteins/5/neighbours?genes=101", "genes"),
        ("/proteins/5/neighbours?bases=-1", "bases"),
        ("/proteins/5/neighbours?members=yes", "members"),
        ("/proteins/5/neighbours?same_strand=1", "same_strand"),
        ("/proteins/5/neighbours?limit=101", "limit"),
        ("/proteins/5/neighbours?after=x", "after"),
        ("/proteins/5/neighbours?gene=1", "gene"),
        ("/contigs/10?format=fasta", "format"),
        ("/contigs/10?limit=0", "limit"),
        ("/contigs/10?limit=1001", "limit"),
        ("/contigs/10?after=-1", "after"),
        ("/contigs/10?assemblies=1", "assemblies"),
        ("/assemblies/ERZ1/contigs?after=7", "after"),
        ("/assemblies/ERZ1/contigs?limit=1001", "limit"),
    ] {
        let answer = ask(&router, path).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
        assert_eq!(answer.json()["detail"][0]["loc"], json!(["query", name]), "{path}");
    }
    for after in ["0", "7", "18446744073709551615"] {
        assert_eq!(ask(&router, &format!("/proteins/5/neighbours?after={after}")).await.status, StatusCode::OK);
    }
}
