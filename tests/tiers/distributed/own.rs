//! Own data at replicas: it is transferred alone, is found by name, and disappears when it is
//! removed or rolled back.

use std::collections::BTreeSet;

use serde_json::Value;
use store::GenerationName;
use support::TestFolder;
use support::machine::{Server, acknowledged, mgdex};

use support::replicas::{Site, fetches, served_state, succeeded, wait_until_served};

/// A source of two proteins.
const FASTA: &str = ">k141_1_1 # 1 # 21 # 1 # ID=1_1;partial=00\nMKVLAAR*\n>k141_1_2 a second one\nMKVLWWW\n";

const NAMED: &str = "/metagenomics/proteins/api/v2/proteins/k141_1_2";

/// Changes own data at the publisher, and publishes it.
fn change(site: &Site, arguments: &[&str]) -> GenerationName {
    let mut command = support::program();
    command.arg("own").args(arguments).args(["--quiet", "--data"]).arg(site.publisher.path());
    let name = acknowledged(&command.output().expect("the binary"));
    site.publish(&[]);
    name
}

/// Returns the chunks of a generation, with the files that they are of.
fn chunks(site: &Site, generation: GenerationName) -> BTreeSet<String> {
    let manifest = site.document(&format!("generations/proteins/{generation}.json")).expect("published");
    let files = manifest["files"].as_array().expect("files").iter();
    let chunks_of = |file: &Value| {
        let chunks = file["chunks"].as_array().expect("chunks").iter();
        chunks.map(|chunk| format!("{} {}", file["path"], chunk["sha256"])).collect::<Vec<_>>()
    };
    files.flat_map(chunks_of).collect()
}

/// Checks the second protein by its name, and that the whole release is present.
fn check(replica: &Server, sequence: Option<&str>) {
    let (status, body) = replica.get(NAMED);
    let record: Value = serde_json::from_str(&body).expect("JSON");
    match sequence {
        Some(sequence) => {
            assert_eq!((status, &record["sequence"]), (200, &Value::from(sequence)), "{body}");
            assert_eq!((&record["source"], &record["description"]), (&"soil".into(), &"a second one".into()), "{body}");
        }
        None => assert_eq!(status, 404, "{body}"),
    }
    assert_eq!(served_state(replica), 1);
}

#[test]
fn own_data_is_transferred_alone_and_found_by_name() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    check(&replica, None);

    let write = |fasta: &str| site.publisher.input("own.faa", fasta);
    write(FASTA);
    let proteins = site.publisher.path().join("own.faa").display().to_string();
    let added = change(&site, &["add", "soil", "--proteins", &proteins]);
    wait_until_served(&replica, added);
    check(&replica, Some("MKVLWWW"));
    let (of_first, of_added) = (chunks(&site, first), chunks(&site, added));
    let num_new = of_added.difference(&of_first).count();
    assert_eq!(fetches(&replica), [of_first.len(), num_new]);
    let num_replaced = of_first.difference(&of_added).count();
    assert!(num_replaced < of_first.len() / 4, "{num_replaced} of {}", of_first.len());

    write(&FASTA.replace("WWW", "AAA"));
    let replaced = change(&site, &["add", "soil", "--replace", "--proteins", &proteins]);
    wait_until_served(&replica, replaced);
    check(&replica, Some("MKVLAAA"));
    let removed = change(&site, &["remove", "soil"]);
    wait_until_served(&replica, removed);
    check(&replica, None);
    let num_fetched = fetches(&replica).len();

    succeeded(&mgdex("rollback", site.publisher.path()).arg("proteins").output().expect("the binary"));
    site.publish(&[]);
    wait_until_served(&replica, replaced);
    check(&replica, Some("MKVLAAA"));
    assert_eq!(fetches(&replica).len(), num_fetched, "it has all of that generation");
    succeeded(&mgdex("verify", folder.path()).output().expect("the binary"));
}
