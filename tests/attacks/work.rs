//! One address asks for as much work as it can.

use support::machine::rounds;

use crate::attacks::neighbours::Site;

fn head(path: &str) -> Vec<u8> {
    format!("HEAD {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").into_bytes()
}

fn get(path: &str, header: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{header}\r\n").into_bytes()
}

fn post(path: &str, body: &str) -> Vec<u8> {
    let head = "host: a\r\nconnection: close\r\ncontent-type: application/json";
    format!("POST {path} HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[test]
fn expensive_portal_pages_do_not_delay_other_clients() {
    let site = Site::start();
    let columns = ["sample-name"; 600].join(",");
    site.withstands("columns", &head(&format!("/portal/samples?page_size=250&columns={columns}")));
    site.withstands(
        "search page",
        &head("/portal/search?q=NOT+pfam:1&limit=1000&fields=accession,sequence,biomes,pfam,clans"),
    );
    site.withstands("find", &head("/portal/find?text=a+b+c"));
    site.withstands("completion", &head("/portal/completion?text=ac"));
}

#[test]
fn expensive_protein_queries_do_not_delay_other_clients() {
    let site = Site::start();
    let v2 = "/metagenomics/proteins/api/v2/proteins";
    site.withstands("count", &head(&format!("{v2}?q=NOT+pfam:1+AND+length:[17+TO+*]&count=exact")));
    let fields = "accession,sequence,md5,ga4gh,biomes,pfam,clans,studies,assemblies";
    site.withstands("records", &head(&format!("{v2}?q=length:[17+TO+*]&limit=1000&fields={fields}")));
    site.withstands("faults", &head(&format!("{v2}?q={}", "biome:nowhere+OR+".repeat(400))));
    site.withstands("faults in a few bytes", &head(&format!("{v2}?{}", "biome=zz&".repeat(56))));
    let list = format!("accept: {}\r\naccept-encoding: {}\r\n", "a/b,".repeat(6_000), ",".repeat(30_000));
    site.withstands("long lists in headers", &get(&format!("{v2}?limit=1"), &list));
    site.withstands(
        "compressed",
        &get(&format!("{v2}?q=length:[17+TO+*]&limit=1000&fields={fields}"), "accept-encoding: br\r\n"),
    );
}

#[test]
fn expensive_conditions_on_near_proteins_do_not_delay_other_clients() {
    let site = Site::start();
    let v2 = "/metagenomics/proteins/api/v2";
    let quick = site.server().get(&format!("{v2}/proteins?limit=1&q=near(*,*,1)"));
    assert_eq!(quick.0, 200, "the site has contigs");
    let deep = (0..20).fold("length:99999999".to_owned(), |inner, _| format!("near(*,{inner},100)"));
    let broad: Vec<String> = (1..250).map(|family| format!("near(*,pfam:{family},100)")).collect();
    for (name, query) in [
        ("deep near", deep),
        ("broad near", broad.join("+OR+")),
        ("near common families", "near(has:pfam,NOT+pfam:1,100)".to_owned()),
        ("near nothing", "near(near(*,*,100),length:99999999,100)".to_owned()),
    ] {
        let path = format!("{v2}/proteins?count=exact&limit=1000&q={query}");
        let status = site.server().get(&path).0;
        assert!([200, 422].contains(&status), "{name}: {status}");
        site.withstands(name, &head(&path));
        site.withstands(name, &head(&format!("{v2}/facets?by=assembly&q={query}")));
        site.withstands(name, &head(&format!("{v2}/neighbourhood?by=pfam&genes=100&q={query}")));
    }
}

#[test]
fn expensive_facets_and_batches_do_not_delay_other_clients() {
    let site = Site::start();
    let v2 = "/metagenomics/proteins/api/v2";
    site.withstands("facets", &head(&format!("{v2}/facets?by=assembly&q=NOT+pfam:1+AND+length:[17+TO+*]")));
    let many: Vec<String> = (1..700).map(|family| format!("pfam:{family}")).collect();
    site.withstands("enrichment", &head(&format!("{v2}/enrichment?by=pfam&top=30000&q={}", many.join("+OR+"))));
    let accessions: Vec<String> = (0..100_000).map(|number| (4_580_619_181_u64 + number).to_string()).collect();
    site.withstands(
        "batch",
        &post(&format!("{v2}/proteins/batch?format=ndjson"), &format!("[{}]", accessions.join(","))),
    );
    site.withstands("malformed", &post(&format!("{v2}/proteins/batch"), &format!("[{}1]", "\"x\",".repeat(700_000))));
    let query = format!("{{\"q\": \"{}\"}}", "biome:nowhere OR ".repeat(3_000));
    site.withstands("posted faults", &post(&format!("{v2}/proteins/search"), &query));
}

#[test]
fn expensive_catalogue_searches_do_not_delay_other_clients() {
    let site = Site::start();
    let v1 = "/metagenomics/api/v1";
    let unknown: Vec<String> = (0..rounds(60_000, 290_000)).map(|number| format!("\"S{number:06}\"")).collect();
    let unknown = format!("{{\"study_accession\":[{}]}}", unknown.join(","));
    site.withstands("unknown accessions", &post(&format!("{v1}/samples/search"), &unknown));
    let numbers = format!("{{\"accession\":[{}1]}}", "1,".repeat(2_000_000));
    let deep = |number: usize| format!("run:(analysis:(run:(sample:(pH:>{number}))))");
    for (name, operator) in [("deep conditions", " AND "), ("deep alternatives", " OR ")] {
        let all: Vec<String> = (0..800).map(deep).collect();
        let conditions = format!("{{\"where\":\"{}\"}}", all.join(operator));
        site.withstands(name, &post(&format!("{v1}/samples/search"), &conditions));
    }
    site.withstands("too many numbers", &post(&format!("{v1}/samples/search"), &numbers));
    site.withstands("deep body", &post(&format!("{v1}/samples/search"), &"[".repeat(4_000_000)));
    site.withstands("words", &head(&format!("{v1}/samples?ordering=relevance&search={}", "%22of+the%22+".repeat(600))));
    site.withstands("phrase", &head(&format!("{v1}/samples?search=%22{}%22", "the+".repeat(1_900))));
    site.withstands("large pages", &get(&format!("{v1}/samples?page_size=250"), "accept-encoding: br\r\n"));
    site.withstands("fields", &head(&format!("{v1}/samples?page_size=250&fields[samples]={}", "a,".repeat(2_000))));
    site.withstands("compressed streams", &get(&format!("{v1}/samples?format=ndjson"), "accept-encoding: gzip\r\n"));
    site.withstands("parameters", &head(&format!("{v1}/samples?{}", "a&".repeat(4_000))));
}
