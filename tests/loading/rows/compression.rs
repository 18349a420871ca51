//! Inputs may be compressed, whatever their names say.

use axum::http::StatusCode;

use crate::loading::rows::{TWO_ROWS, gzip, plan_of, records_of, zstd};
use support::{TestFolder, data_text, get_protein};

#[tokio::test]
async fn compression_is_detected_by_content_and_not_by_name() {
    let expected = records_of(TWO_ROWS.as_bytes(), "rows.csv").await;
    let (first, second) = TWO_ROWS.as_bytes().split_at(20);
    for (file_name, content) in [
        ("gzip.csv", gzip(TWO_ROWS.as_bytes())),
        ("members.csv.gz", [gzip(first), gzip(b""), gzip(second)].concat()),
        ("frames.csv.zst", [zstd(first), zstd(second)].concat()),
        ("zstd.csv.gz", zstd(TWO_ROWS.as_bytes())),
        ("plain.csv.gz", TWO_ROWS.into()),
        ("plain.zst", TWO_ROWS.into()),
    ] {
        assert_eq!(records_of(&content, file_name).await, expected, "{file_name}");
    }
}

#[tokio::test]
async fn compressed_tables_are_read() {
    let folder = TestFolder::empty();
    let mut plan = plan_of(&folder, vec![folder.input("rows.csv", TWO_ROWS)]);
    plan.biomes = folder.input("biomes.tsv", zstd(data_text("proteins/biomes_id_lineage.tsv").as_bytes()));
    plan.pfam = folder.input("clans.tsv", data_text("proteins/Pfam-A.clans.tsv.gz"));
    plan.superseded = Some(folder.input("superseded.tsv", gzip(b"5\t11\n")));
    plan.run().expect("well formed");
    let router = folder.router();
    assert_eq!(get_protein(&router, "/protein/11").await.json()["biomes"][0]["id"], 132);
    assert_eq!(get_protein(&router, "/protein/5").await.status, StatusCode::FOUND);
}
