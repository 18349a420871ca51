//! Header, order of columns, line ends, quotes and marks make no difference.

use crate::loading::rows::{HEADER, TWO_ROWS, failure, plan_of, records_of};
use support::TestFolder;

#[tokio::test]
async fn text_layout_changes_no_answers() {
    let expected = records_of(TWO_ROWS.as_bytes(), "rows.csv").await;
    assert_eq!(expected[0]["biomes"][0]["id"], 132);
    let with_header = format!("{HEADER}{TWO_ROWS}");
    let crlf = with_header.replace('\n', "\r\n");
    let with_empty_lines = format!("\n\r\n{}\n\n", with_header.replace('\n', "\n\n"));
    let reordered = "metadata,extra,cluster_size,FULL_LENGTH,mgyp,sequence\n\
        \"{\"\"b\"\":[[132,1]]}\",x,1,true,11,MKVL\n{},\"a,b\",2,,12,MKAA\n";
    let (first, second) = TWO_ROWS.split_at(TWO_ROWS.find('\n').expect("two lines") + 1);
    let unsorted = format!("{second}{first}");
    let quoted = "\"mgyp\",\"sequence\",\"full_length\",\"cluster_size\",\"metadata\"\n\
        \"MGYP000000000011\",\"MKVL\",\"t\",\"1\",\"{\"\"b\"\":[[132,1]]}\"\n\"mgyp12\",\"MKAA\",\"\",\"2\",\"\"\n";
    for (form, text) in [
        ("header", with_header.clone()),
        ("crlf", crlf.clone()),
        ("crlf-without-header", TWO_ROWS.replace('\n', "\r\n")),
        ("mark", format!("\u{feff}{with_header}")),
        ("mark-crlf", format!("\u{feff}{crlf}")),
        ("empty-lines", with_empty_lines),
        ("no-last-newline", with_header.trim_end().to_owned()),
        ("no-last-newline-crlf", crlf.trim_end().to_owned()),
        ("reordered", reordered.to_owned()),
        ("quoted", quoted.to_owned()),
        ("unsorted", unsorted),
    ] {
        assert_eq!(records_of(text.as_bytes(), form).await, expected, "{form}");
    }
}

#[test]
fn headers_without_a_column_end_the_run() {
    let folder = TestFolder::empty();
    let input = folder.input("rows.csv", "mgyp,sequence,full_length,metadata\n11,MKVL,true,{}\n");
    let message = failure(&plan_of(&folder, vec![input.clone()]));
    assert!(message.contains(&format!("{}, line 1", input.name())) && message.contains("cluster_size"), "{message}");
    assert_eq!(folder.generations().current().expect("readable"), None);
}
