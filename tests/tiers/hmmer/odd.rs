//! Odd sequences and long ones among targets, and each form of results where alignments have gaps.

use std::fs;

use support::{TestFolder, needed_program, program};
use tempfile::TempDir;

use support::similarity::command::{json_lines, printed, similar};
use support::similarity::proteins::{QUERY, residues, row};

#[test]
fn odd_targets_are_searched_and_too_long_ones_counted() {
    let Some(_) = needed_program("phmmer", "hmmer") else { return };
    let around = |length: usize| residues(length as u64, length - QUERY.len()) + QUERY;
    let rows = [
        row(1, QUERY),
        row(2, &QUERY.replace('G', "-")),
        row(3, &format!("{QUERY}*")),
        row(4, &format!("XXUO*BZJ{QUERY}")),
        row(5, "M"),
        row(6, &around(99_999)),
        row(7, &around(100_000)),
        row(8, &around(100_001)),
    ];
    let data = TestFolder::of_rows(&rows.concat());
    let folder = TempDir::new().expect("a temporary folder");
    let fasta = folder.path().join("query");
    fs::write(&fasta, QUERY.to_lowercase()).expect("written");
    let found = |more: &[&str]| {
        let output = similar(data.path(), &fasta, &[&["--format", "ndjson"], more].concat())
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        let lines = json_lines(&String::from_utf8_lossy(&output.stdout));
        let mut accessions: Vec<_> =
            lines.iter().map(|hit| hit["accession"].as_str().expect("text")[15..].to_owned()).collect();
        accessions.sort_unstable();
        (accessions.concat(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (accessions, warnings) = found(&[]);
    assert_eq!(accessions, "123467");
    assert!(warnings.contains("1 protein of the selection cannot be compared"), "{warnings}");
    // Aligning takes 24 bytes a pair of residues.
    let (accessions, warnings) = found(&["--engine-memory", "256M"]);
    assert_eq!(accessions, "1234");
    assert!(warnings.contains("3 proteins of the selection cannot be compared"), "{warnings}");
}

#[test]
fn results_are_returned_in_each_form() {
    let Some(_) = needed_program("phmmer", "hmmer") else { return };
    let changed = QUERY.replacen("KAVQ", "KAWWVQ", 1).replacen("DFSAGE", "DGE", 1);
    let data = TestFolder::of_rows(&(row(1, &format!("MM{changed}")) + &row(2, &residues(5, 200))));
    let folder = TempDir::new().expect("a temporary folder");
    let fasta = folder.path().join("query");
    fs::write(&fasta, format!(">mine and more\n{QUERY}\n")).expect("written");
    let print = |format: &str| printed(&mut similar(data.path(), &fasta, &["--format", format]));
    let row: Vec<_> = print("tsv").lines().last().expect("a row").split('\t').map(str::to_owned).collect();
    assert_eq!(row[..10], ["mine", "MGYP000000000001", "95.902", "122", "0", "2", "1", "120", "3", "121"]);
    let hit = &json_lines(&print("ndjson"))[0];
    assert_eq!((hit["length"].as_u64(), hit["query"].as_str()), (Some(121), Some("mine")));
    let a3m = print("a3m");
    let rows: Vec<_> = a3m.lines().collect();
    assert_eq!((rows[0], rows[1]), (">mine", QUERY));
    assert!(rows[2].starts_with(">MGYP000000000001/3-121 E="), "{a3m}");
    let aligned: String = rows[3].chars().filter(|letter| !letter.is_ascii_lowercase()).collect();
    assert_eq!((aligned.len(), rows[3].len()), (QUERY.len(), QUERY.len() + 2));
    let found = print("fasta");
    assert!(found.starts_with(">MGYP000000000001 FL=1 E=") && found.contains(" query=mine\nMMMKTAY"), "{found}");
    let table = print("table");
    assert!(table.contains("95.9 %") && table.contains("1 hit among 2 proteins"), "{table}");
    // The proteins found are those that the same query finds in other commands.
    let all = printed(
        program().args(["search", "--query", "length:[1 TO *]", "--format", "tsv"]).arg("--data").arg(data.path()),
    );
    assert!(all.contains("MGYP000000000001"));
}
