//! TSV as readers with quotes read it, by their defaults: a row for each row, and each text as it
//! was.

use serde_json::{Value, json};
use support::{PROTEINS_V2, TEXTS, TestFolder, get, post};

use super::printed;

/// Reads a TSV by the rules of Python's `csv`, pandas and R.
fn read(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(text.as_bytes());
    reader.records().map(|row| row.expect("as many cells").iter().map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn quoted_texts_are_read_by_readers_that_handle_quotes() {
    let folder = TestFolder::of_quoted_texts();
    let api = folder.router();
    let fields = "name,description,length";
    let expected: Vec<_> = TEXTS
        .iter()
        .enumerate()
        .map(|(number, text)| vec![format!("p{number}"), (*text).to_owned(), (4 + number).to_string()])
        .collect();
    let by_json = get(&api, &format!("{PROTEINS_V2}/proteins?q=source:mine&fields={fields}")).await.json();
    let rows = by_json["results"].as_array().expect("rows").iter();
    let rows: Vec<_> = rows.map(|row| row["description"].as_str().expect("a text").to_owned()).collect();
    assert_eq!(rows, TEXTS);

    let path = format!("{PROTEINS_V2}/proteins?q=source:mine&format=tsv&fields={fields}");
    let searched = get(&api, &path).await;
    let (_, by_command) =
        printed(&folder, &["search", "--query", "source:mine", "--format", "tsv", "--fields", fields]);
    let names: Vec<Value> = (0..TEXTS.len()).map(|number| json!(format!("mine:p{number}"))).collect();
    let path = format!("{PROTEINS_V2}/proteins/batch?format=tsv&fields={fields}");
    let body = Value::from(names).to_string();
    let batch = post(&api, &path, "application/json", body).await;
    for text in [searched.text(), &by_command, batch.text()] {
        assert_eq!(read(text), expected, "{text}");
        // Programs without quotes see as many rows.
        assert_eq!(text.lines().count(), 1 + TEXTS.len());
    }
}

#[tokio::test]
async fn empty_rows_are_kept() {
    let folder = TestFolder::of_rows("12,MKVL,true,1,\n13,MKVLA,,1,\n14,MK,,1,\n");
    let path = format!("{PROTEINS_V2}/proteins?format=tsv&fields=pfam");
    let answer = get(&folder.router(), &path).await;
    assert_eq!(read(answer.text()), [[""]; 3], "{}", answer.text());
}

#[test]
fn facet_tables_are_read_by_readers_that_handle_quotes() {
    let folder = TestFolder::of_rows("12,MKVL,true,1,\n");
    let annotations = "name\tstudy\none\t\"the \"\"best\"\" soil\"\ntwo\tother\n";
    folder.add_source("mine", ">one\nMKVL\n>two\nMKV\n", annotations);
    let (_, text) = printed(&folder, &["facets", "--by", "study", "--format", "tsv"]);
    let mut values: Vec<_> = read(&text).into_iter().map(|row| row[0].clone()).collect();
    values.sort_unstable();
    assert!(values.iter().any(|value| value.eq_ignore_ascii_case("the \"best\" soil")), "{text}");
}
