//! Lines of real and of bad tables.

use std::fs;

use flate2::Compression;
use flate2::write::GzEncoder;
use indexer::run::Reason;

use super::super::tests::{ReadTable, decode, input, lineages, read};
use crate::read::layout::Format;
use crate::read::rows::{BiomeRow, OccurrenceRow, PfamRow};
use crate::table::Table;

/// Reads a text as a table.
fn table(table: Table, text: &str) -> ReadTable {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::write(file.path(), text).expect("writable");
    read(&input(table, Format::Tsv, &[file.path()]), &lineages()).expect("readable")
}

/// Returns line and reason of the bad rows.
fn faults(table: &ReadTable) -> Vec<(u64, Reason)> {
    table.rejected.iter().map(|(line, reason, ..)| (*line, *reason)).collect()
}

#[test]
fn members_are_separate_rows() {
    let text = "MGYP000000000021\tMGYP000000000021;MGYP24867089\n\n22\t22,23 24\n25\t25\n25\tx;26\n27\t\n28\nx\t1\n";
    let table = table(Table::ClusterMembers, text);
    let rows: Vec<_> =
        table.rows.iter().map(|(key, file, line, payload)| (*key, *file, *line, decode::<u64>(payload))).collect();
    assert_eq!(
        rows,
        [
            (21, 7, 1, 21),
            (21, 7, 1, 24_867_089),
            (22, 7, 3, 22),
            (22, 7, 3, 23),
            (22, 7, 3, 24),
            (25, 7, 4, 25),
            (25, 7, 5, 26)
        ]
    );
    let expected = [(5, Reason::BadAccession), (6, Reason::BadRow), (7, Reason::BadRow), (8, Reason::BadAccession)];
    assert_eq!(faults(&table), expected);
}

#[test]
fn long_clusters_are_read_and_other_long_lines_are_not() {
    let mut text = "1\t1".to_owned();
    text.extend((2..400_000).map(|member| format!(";MGYP{member:012}")));
    assert_eq!(table(Table::ClusterMembers, &text).rows.len(), 399_999);
    assert_eq!(faults(&table(Table::Biomes, &text)), [(1, Reason::TooLong)]);
}

#[test]
fn sizes_counts_and_names_are_read() {
    let clusters =
        table(Table::Clusters, "cluster_rep\tcluster_size\n5\t3\t9\troot\n6\t-1\n7\t9223372036854775807\n8\n9\t0\n");
    assert_eq!(clusters.rows.len(), 1);
    assert_eq!(decode::<u64>(&clusters.rows[0].3), 3);
    let expected =
        [(3, Reason::BadClusterSize), (4, Reason::BadClusterSize), (5, Reason::BadRow), (6, Reason::BadClusterSize)];
    assert_eq!(faults(&clusters), expected);
    assert_eq!(faults(&table(Table::Biomes, "1\t0\troot\n1\t1\troot\n")), [(1, Reason::BadNumber)]);

    let sizes = table(Table::Clusters, "\u{feff}MGYP000000000001\t282\r\ncluster_rep\tcluster_size\n2\t1\n");
    assert_eq!((sizes.rows[0].0, decode::<u64>(&sizes.rows[0].3)), (1, 282));
    assert_eq!(faults(&sizes), [(2, Reason::BadAccession)], "a header stands in the first line");

    let names = table(Table::ContigNames, "MGYC000564781877\tERZ1.995-Hain\n0\tx\n");
    assert_eq!(names.rows[0].0, 564_781_877);
    assert_eq!(decode::<&str>(&names.rows[0].3), "ERZ1.995-Hain");
    assert_eq!(faults(&names), [(2, Reason::BadPlace)]);
}

#[test]
fn lineages_get_ordinals() {
    let text = "MGYP000002868012\t13\troot:Environmental\n3\t1\troot\n3\t-1\troot\n3\t1\troot::x\n3\t1\t\n4\t2\troot\n";
    let biomes = table(Table::Biomes, text);
    let rows: Vec<_> = biomes.rows.iter().map(|row| decode::<BiomeRow>(&row.3)).collect();
    let expected = [BiomeRow { biome: 1, count: 13 }, BiomeRow { biome: 0, count: 1 }, BiomeRow { biome: 0, count: 2 }];
    assert_eq!(rows, expected);
    assert_eq!(faults(&biomes), [(3, Reason::BadNumber), (4, Reason::BadLineage), (5, Reason::BadLineage)]);
}

#[test]
fn hits_have_four_or_eight_columns() {
    let text = "MGYP003964368011\tPF19821\t46\t261\nMGYP003960601751\tCL0193\t455\t494\n\
                1\t2566\t5.8e-19\t76.21484375\t2\t100\t29\t128\n1\tPF1\t1\t2\t3\n1\tx\t1\t2\n1\tPF00001\t-1\t2\n\
                1\tPF00001\tnan\t1\t1\t2\t3\t4\n1\tPF00001\t1\t2\t3\t4\t5\t4294967296\n";
    let hits = table(Table::Pfam, text);
    let rows: Vec<_> = hits.rows.iter().map(|row| decode::<PfamRow>(&row.3)).collect();
    let protenn = PfamRow { family: 19821, scores: None, hmm: None, envelope: (46, 261) };
    let hmmer =
        PfamRow { family: 2566, scores: Some((5.8e-19, 76.214_843_75)), hmm: Some((2, 100)), envelope: (29, 128) };
    assert_eq!(rows, [protenn, hmmer]);
    assert_eq!(hits.clans, [2]);
    let expected = [
        (4, Reason::BadRow),
        (5, Reason::BadFamily),
        (6, Reason::BadNumber),
        (7, Reason::BadNumber),
        (8, Reason::BadNumber),
    ];
    assert_eq!(faults(&hits), expected);
}

#[test]
fn only_bad_loci_are_left_out() {
    let text = "MGYP000261684433\tERZ534239.MGYC000564781877:931-2196:-1:partial;ERZ1.MGYC9:x-2:1:full;ERZ1.9:1-2:1:full\n\
                2\tERZ1.MGYC9:1-2:0:full\n2\t.MGYC9:1-2:1:full\n2\tERZ1\n2\t\n";
    let places = table(Table::Occurrences, text);
    assert_eq!(
        decode::<OccurrenceRow<'_>>(&places.rows[0].3),
        OccurrenceRow {
            study: "",
            assembly: "ERZ534239",
            contig: 564_781_877,
            contig_name: "",
            contig_length: 0,
            start: 931,
            end: 2196,
            is_reverse: true,
        }
    );
    assert_eq!(places.rows.len(), 2);
    let expected = [
        (1, Reason::BadNumber),
        (2, Reason::BadPlace),
        (3, Reason::BadPlace),
        (4, Reason::BadPlace),
        (5, Reason::BadRow),
    ];
    assert_eq!(faults(&places), expected);
    assert_eq!(places.rejected[0].3, "MGYP000261684433\tERZ1.MGYC9:x-2:1:full");
}

#[test]
fn files_are_read_in_order_and_damage_has_its_line() {
    let gzip = |text: String| {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let mut encoder = GzEncoder::new(fs::File::create(file.path()).expect("writable"), Compression::default());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).expect("writable");
        encoder.finish().expect("writable");
        file
    };
    let first = gzip((1..20_000).fold(String::new(), |text, key| text + &format!("{key}\t{}\n", key % 7 + 1)));
    let second = gzip("30000\t1\n".to_owned());
    let both = input(Table::Clusters, Format::Tsv, &[first.path(), second.path()]);
    let counts = read(&both, &lineages()).expect("readable");
    assert_eq!((counts.rows.len(), counts.rejected.len()), (20_000, 0));
    assert_eq!((counts.rows[19_999].1, counts.rows[19_999].2), (8, 1));

    let length = first.path().metadata().expect("there").len();
    fs::OpenOptions::new().write(true).open(first.path()).expect("there").set_len(length / 2).expect("writable");
    let error = read(&both, &lineages()).expect_err("cut").to_string();
    assert!(error.contains("it is cut off after line "), "{error}");
}

#[test]
fn invalid_utf8_is_a_bad_row() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::write(file.path(), b"1\t2\n\xff\t3\n4\t5").expect("writable");
    let counts = read(&input(Table::Clusters, Format::Tsv, &[file.path()]), &lineages()).expect("readable");
    assert_eq!((counts.rows.len(), faults(&counts)), (2, vec![(2, Reason::BadRow)]));
}
