//! Lists of proteins as people keep them: through commands, requests and the portal.

use serde_json::Value;
use support::{PROTEINS_V2, TestFolder, get, post};

use super::printed;

const FIRST: &str = "MGYP000000000012";
const SECOND: &str = "MGYP000000000013";

/// Lists of the two proteins.
const LISTS: [(&str, &str); 12] = [
    ("a line each", "MGYP000000000012\nMGYP000000000013\n"),
    ("with a mark", "\u{feff}MGYP000000000012\nMGYP000000000013"),
    ("of Windows", "MGYP000000000012\r\n\r\nMGYP000000000013\r\n"),
    ("of old Macs", "MGYP000000000012\rMGYP000000000013\r"),
    ("separated by commas", "MGYP000000000012,MGYP000000000013"),
    ("separated by commas and spaces", "mgyp12, MGYP13,\n"),
    ("separated by semicolons", "MGYP000000000012; MGYP000000000013;"),
    ("separated by tabs", "MGYP000000000012\tMGYP000000000013"),
    ("in quotes", "\"MGYP000000000012\"\n\"MGYP000000000013\"\n"),
    ("with a second column", "MGYP000000000012\t0.93\tx y\nMGYP000000000013\t\n"),
    ("headers of FASTA", ">MGYP000000000012\n>MGYP000000000013\n"),
    ("as other tools name them", "MGYP000000000012/1-58\nMGYP000000000013.pdb.gz"),
];

fn folder() -> TestFolder {
    TestFolder::of_rows("12,MKVL,true,1,\n13,MKVLA,false,1,\n14,MK,,1,\n")
}

#[tokio::test]
async fn lists_give_the_same_result_through_every_interface() {
    let folder = folder();
    let api = folder.router();
    for (what, list) in LISTS {
        let file = folder.path().join("list.txt");
        std::fs::write(&file, list).expect("writable");
        let (code, shown) = printed(&folder, &["show", "--ids-from", file.to_str().expect("text")]);
        let of = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["mgyp"].clone();
        assert_eq!(
            (code, shown.lines().map(of).collect::<Vec<_>>()),
            (Some(0), vec![FIRST.into(), SECOND.into()]),
            "{what}"
        );

        let path = format!("{PROTEINS_V2}/proteins/batch?format=tsv&fields=accession");
        let answer = post(&api, &path, "text/plain", list).await;
        assert_eq!(answer.text(), format!("accession\n{FIRST}\n{SECOND}\n"), "{what}");

        let form = form_urlencoded::Serializer::new(String::new()).append_pair("proteins", list).finish();
        let page = get(&api, &format!("/portal/compare?format=tsv&{form}")).await;
        let rows = page.text();
        let found: Vec<_> = rows.lines().skip(1).filter_map(|row| row.split('\t').next()).collect();
        assert_eq!(found, [FIRST, SECOND], "{what}: {rows}");
    }
}

#[tokio::test]
async fn invalid_accessions_in_a_list_are_named() {
    let folder = folder();
    let list = "MGYP000000000012\nno protein\nMGYP000000000014,13x";
    let path = format!("{PROTEINS_V2}/proteins/batch");
    let answer = post(&folder.router(), &path, "text/plain", list).await;
    let results = answer.json()["results"].clone();
    let requested: Vec<_> = results.as_array().expect("results").iter().map(ToString::to_string).collect();
    assert_eq!(requested.len(), 5, "{results}");
    for missing in ["no", "protein", "13x"] {
        assert!(requested.iter().any(|item| item.contains(&format!("\"{missing}\""))), "{results}");
    }
    let file = folder.path().join("list.txt");
    std::fs::write(&file, list).expect("writable");
    assert_eq!(printed(&folder, &["show", "--ids-from", file.to_str().expect("text")]).0, Some(1));
}
