use std::fmt::Write as _;

use proptest::prelude::*;
use store::{QUERY_BYTES_MAX, QUERY_DEPTH_MAX, QUERY_TERMS_MAX};

use super::ProteinQuery::*;
use super::*;
use crate::DigestAlgorithm;

fn biomes() -> BiomeTable {
    let mut table = BiomeTable::default();
    for (id, lineage) in
        [(1, "root"), (132, "root:Environmental:Aquatic:Marine"), (356, "root:Host-associated:Human:Digestive system")]
    {
        table.insert(Some(id), lineage).expect(lineage);
    }
    table
}

fn parsed(text: &str) -> ProteinQuery {
    ProteinQuery::parse(text, &biomes()).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn faults(text: &str) -> Vec<String> {
    let faults = ProteinQuery::parse(text, &biomes()).expect_err(text);
    faults.iter().map(QueryFault::to_string).collect()
}

fn family(number: u64) -> ProteinQuery {
    Family(PfamAccession(number))
}

fn not(query: ProteinQuery) -> ProteinQuery {
    Not(Box::new(query))
}

fn accessions(low: u64, high: u64) -> ProteinQuery {
    let [low, high] = [low, high].map(|number| ProteinAccession::new(number).expect("in range"));
    Accession(low..=high)
}

#[test]
fn every_field_is_parsed() {
    let marine = biomes().find_id(132).expect("in the table");
    let gut = biomes().find_id(356).expect("in the table");
    let last = ProteinAccession::MAX.number();
    for (text, expected) in [
        ("*", Everything),
        ("*:*", Everything),
        ("biome:root:Environmental:Aquatic:Marine", Biome(marine)),
        ("biome:\"root:Environmental:Aquatic:Marine\"", Biome(marine)),
        ("biome:132", Biome(marine)),
        ("biome_exact:\"root:Host-associated:Human:Digestive system\"", BiomeExact(gut)),
        ("biome_exact:root:Host-associated:Human:Digestive\\ system", BiomeExact(gut)),
        ("pfam:pf00005", family(5)),
        ("PFAM: PF00005", family(5)),
        ("pfam:5", family(5)),
        ("pfam:(00005)", family(5)),
        ("pfam:*", AnyFamily),
        ("has:pfam", AnyFamily),
        ("clan:cl0023", Clan("CL0023".into())),
        ("clan:CL23", Clan("CL0023".into())),
        ("clan:CL000023", Clan("CL0023".into())),
        ("clan:CL12345", Clan("CL12345".into())),
        ("name:*", Accession(ProteinAccession::of_own())),
        ("study:erp108403", Study("ERP108403".into())),
        ("assembly:ERZ1762428", Assembly("ERZ1762428".into())),
        ("full_length:true", FullLength(true)),
        ("full_length:FALSE", FullLength(false)),
        ("cluster_size:[10 TO *]", ClusterSize(10..=u64::MAX)),
        ("cluster_size:{10 to 20]", ClusterSize(11..=20)),
        ("cluster_size:[ 10 TO 20 }", ClusterSize(10..=19)),
        ("length:>=50", Length(50..=u64::MAX)),
        ("length:> 50", Length(51..=u64::MAX)),
        ("length:<50", Length(0..=49)),
        ("length:<=50", Length(0..=50)),
        ("length:50", Length(50..=50)),
        ("length:*", Length(0..=u64::MAX)),
        ("md5:F1f8f4bf413b16ad135722aa4591043e", Digest(DigestAlgorithm::Md5.digest("ACGT"))),
        ("sha512t24u:aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2", Digest(DigestAlgorithm::Sha512t24u.digest("ACGT"))),
        ("SHA512T24U:\"SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2\"", Digest(DigestAlgorithm::Sha512t24u.digest("ACGT"))),
        ("accession:MGYP000000000012", accessions(12, 12)),
        ("accession:[MGYP000000000012 TO 99}", accessions(12, 98)),
        ("accession:>mgyp12", accessions(13, last)),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn operators_bind_as_in_lucene() {
    for (text, expected) in [
        ("pfam:PF1 OR pfam:PF2 AND pfam:PF3", Or(vec![family(1), And(vec![family(2), family(3)])])),
        ("(pfam:PF1 OR pfam:PF2) and pfam:PF3", And(vec![Or(vec![family(1), family(2)]), family(3)])),
        ("NOT pfam:PF1 && ! pfam:PF2", And(vec![not(family(1)), not(family(2))])),
        ("pfam:PF1 || !(pfam:PF2)", Or(vec![family(1), not(family(2))])),
        ("pfam:(PF1 OR NOT (PF2 AND PF3))", Or(vec![family(1), not(And(vec![family(2), family(3)]))])),
        ("length:([1 TO 2] OR >9)", Or(vec![Length(1..=2), Length(10..=u64::MAX)])),
        ("((pfam:PF1))", family(1)),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn every_fault_has_its_place_and_the_accepted_values() {
    let condition = "a condition such as pfam:PF00005, NOT, *, or a parenthesis";
    let lineage = "a full lineage such as \"root:Environmental:Aquatic\", or the id of a biome";
    let number = "a number, or a range such as [10 TO *] or >=10";
    for (text, expected) in [
        ("", vec![format!("byte 0, at the end: a condition is missing; understood: {condition}")]),
        ("PF00005", vec![format!("byte 0, \"PF00005\": a field is missing before this; understood: {condition}")]),
        ("pfam:", vec!["byte 5, at the end: a value is missing; understood: the accession of a family such as PF00005, its number, or *".into()]),
        ("biome:root:Aquatic:Marin", vec![
            "byte 6, \"root:Aquatic:Marin\": no biome has this lineage; did you mean \"root:Environmental:Aquatic:Marine\"?".into(),
        ]),
        ("biome:4711", vec![format!("byte 6, \"4711\": no biome has this id; understood: {lineage}")]),
        ("bioms:1 AND full_length:tru", vec![
            "byte 0, \"bioms\": no field has this name; did you mean \"biome\"?".into(),
            "byte 24, \"tru\": this is neither true nor false; did you mean \"true\"?".into(),
        ]),
        ("x:(1 OR 2)", vec![
            "byte 0, \"x\": no field has this name; understood: accession, assembly, biome, biome_exact, clan, cluster, \
             cluster_size, full_length, has, length, md5, name, pfam, sample, sha512t24u, source, study".into(),
        ]),
        ("length:[9 TO 1] pfam:x", vec![
            format!("byte 7, \"[9 TO 1]\": the range is empty; understood: {number}"),
            "byte 16, \"pfam:\": an operator is missing before this; understood: AND, OR, a closing parenthesis, or the end".into(),
            "byte 21, \"x\": this is not the accession of a family; understood: the accession of a family such as PF00005, its number, or *".into(),
        ]),
        ("length:[a TO 9]", vec![format!("byte 8, \"a\": this is not a value of the field; understood: {number}")]),
        ("length:[1 9] OR length:>", vec![
            format!("byte 7, \"[1 9]\": this is not a range; understood: {number}"),
            format!("byte 23, \">\": this is not a range; understood: {number}"),
        ]),
        ("pfam:[PF1 TO PF2]", vec![
            "byte 5, \"[PF1 TO PF2]\": this field does not accept ranges; understood: the accession of a family such as PF00005, its number, or *".into(),
        ]),
        ("mf5:x OR md5:f1f8", vec![
            "byte 0, \"mf5\": no field has this name; did you mean \"md5\"?".into(),
            "byte 13, \"f1f8\": this is not a digest of this kind; understood: the MD5 digest of a sequence: 32 hexadecimal digits".into(),
        ]),
        ("(has:pfam", vec!["byte 9, at the end: the parenthesis at byte 0 is not closed; understood: a closing parenthesis".into()]),
        ("has:pfam) OR has:pfan", vec![
            "byte 8, \")\": no parenthesis is open; understood: AND, OR, or the end".into(),
            "byte 17, \"pfan\": proteins have no such property; did you mean \"pfam\"?".into(),
        ]),
        ("study:\"ERP1", vec![
            "byte 6, \"\"ERP1\": the quotation mark is not closed; understood: the accession of a study such as ERP108403, or conditions on studies such as (biome:\"root:Engineered\")".into(),
        ]),
        ("has:pfam AND OR", vec![
            format!("byte 13, \"OR\": a condition is missing; understood: {condition}"),
            format!("byte 15, at the end: a condition is missing; understood: {condition}"),
        ]),
    ] {
        assert_eq!(faults(text), expected, "{text}");
    }
}

fn near(of: ProteinQuery, beside: ProteinQuery, genes: u64, same_strand: bool) -> ProteinQuery {
    Near { of: Box::new(of), beside: Box::new(beside), genes, same_strand }
}

#[test]
fn near_has_two_conditions_and_a_number_of_genes() {
    let [one, two] = [1, 2].map(family);
    for (text, expected) in [
        ("near(pfam:1, pfam:2, 5)", near(one.clone(), two.clone(), 5, false)),
        ("NEAR ( pfam:1,pfam:2 ,100,Same )", near(one.clone(), two.clone(), 100, true)),
        ("near(*, length:>5, 1)", near(Everything, Length(6..=u64::MAX), 1, false)),
        ("NOT near(pfam:(1 OR 2), *, 1)", not(near(Or(vec![one.clone(), two.clone()]), Everything, 1, false))),
        (
            "near(pfam:1 AND NOT pfam:2, near(pfam:1, *, 1, same), 2) OR pfam:2",
            Or(vec![
                near(And(vec![one.clone(), not(two.clone())]), near(one.clone(), Everything, 1, true), 2, false),
                two.clone(),
            ]),
        ),
        // Commas belong to values elsewhere, and in quotation marks.
        ("name:a,b", Name("a,b".into())),
        ("near(name:\"a,b\", (name:a\\,b), 1)", near(Name("a,b".into()), Name("a,b".into()), 1, false)),
        ("near(pfam:1, pfam:2, 5) AND name:a,b", And(vec![near(one, two, 5, false), Name("a,b".into())])),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn every_fault_of_near_has_its_place() {
    let condition = "a condition such as pfam:PF00005, NOT, *, or a parenthesis";
    let form = "near(A, B, n) or near(A, B, n, same)";
    let number = "a whole number from 1 to 100";
    for (text, expected) in [
        ("near", vec![format!("byte 0, \"near\": a field is missing before this; understood: {condition}")]),
        ("near()", vec![
            format!("byte 5, \")\": a condition is missing; understood: {condition}"),
            format!("byte 5, \")\": a comma is missing before this; understood: {form}"),
        ]),
        ("near(*) AND near(*, *)", vec![
            format!("byte 6, \")\": a comma is missing before this; understood: {form}"),
            format!("byte 21, \")\": a comma is missing before this; understood: {form}"),
        ]),
        ("near(*, , 1)", vec![format!("byte 8, \",\": a condition is missing; understood: {condition}")]),
        ("near(*, *, 0) OR near(*, *, 101)", vec![
            format!("byte 11, \"0\": this is not a number of genes; understood: {number}"),
            format!("byte 28, \"101\": this is not a number of genes; understood: {number}"),
        ]),
        ("near(*, *, pfam:(1, 2)) OR near(*, *,)", vec![
            format!("byte 11, \"pfam:\": this is not a number of genes; understood: {number}"),
            format!("byte 37, \")\": this is not a number of genes; understood: {number}"),
        ]),
        ("near(*, *, 1, other)", vec!["byte 14, \"other\": this is not a condition on the strand; understood: same".into()]),
        ("near(*, *, 1, same, 2) OR pfan:1", vec![
            format!("byte 18, \",\": this is not a part of near; understood: {form}"),
            "byte 26, \"pfan\": no field has this name; did you mean \"pfam\"?".into(),
        ]),
        ("near(pfam:x, *, 1", vec![
            "byte 10, \"x\": this is not the accession of a family; understood: the accession of a family such as PF00005, its number, or *".into(),
            "byte 17, at the end: the parenthesis at byte 4 is not closed; understood: a closing parenthesis".into(),
        ]),
        ("pfam:1, pfam:2", vec![
            "byte 5, \"1,\": this is not the accession of a family; understood: the accession of a family such as PF00005, its number, or *".into(),
            "byte 8, \"pfam:\": an operator is missing before this; understood: AND, OR, a closing parenthesis, or the end".into(),
        ]),
    ] {
        assert_eq!(faults(text), expected, "{text}");
    }
    let nested = |depth| format!("{}*{}", "near(".repeat(depth), ", *, 1)".repeat(depth));
    assert!(ProteinQuery::parse(&nested(QUERY_DEPTH_MAX), &biomes()).is_ok());
    assert!(faults(&nested(QUERY_DEPTH_MAX + 1))[0].contains("nested too deeply"));
    let many = |count| format!("near({}, *, 1)", vec!["pfam:1"; count].join(" OR "));
    assert!(ProteinQuery::parse(&many(QUERY_TERMS_MAX), &biomes()).is_ok());
    assert!(faults(&many(QUERY_TERMS_MAX + 1))[0].contains("too many terms"));
}

#[test]
fn size_and_depth_are_bounded() {
    let any_of = |count: usize, value: &str| vec![value; count].join(" OR ");
    assert!(matches!(parsed(&any_of(QUERY_TERMS_MAX, "pfam:PF1")), Or(parts) if parts.len() == QUERY_TERMS_MAX));
    for text in [any_of(QUERY_TERMS_MAX + 1, "pfam:PF1"), any_of(QUERY_TERMS_MAX, "length:[1 TO 9]")] {
        let found = faults(&text);
        assert!(found.len() == 1 && found[0].contains("too many terms"), "{found:?}");
    }
    let nested = |depth| format!("{}*{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(parsed(&nested(QUERY_DEPTH_MAX)), Everything);
    for text in [nested(QUERY_DEPTH_MAX + 1), format!("{}*", "NOT ".repeat(10_000)), "(".repeat(QUERY_BYTES_MAX)] {
        assert!(faults(&text).iter().any(|fault| fault.contains("nested too deeply")), "{text}");
    }
    assert!(faults(&" ".repeat(QUERY_BYTES_MAX + 1))[0].contains("65537 bytes"));
    assert_eq!(faults(&"x:1 OR ".repeat(1000)).len(), 100);
    let mut cut = faults(&format!("pfam:{}", "é".repeat(100))).remove(0);
    cut.truncate(80);
    assert!(cut.contains("é…"), "{cut}");
}

#[test]
fn values_of_single_fields_need_no_quotes() {
    let of = |field, value: &str| {
        let Ok(read) = ProteinQuery::read_value(field, value, &biomes());
        read.map_err(|faults| faults[0].to_string())
    };
    let gut = biomes().find_id(356).expect("in the table");
    assert_eq!(of(QueryField::Biome, "root:Host-associated:Human:Digestive system"), Ok(Biome(gut)));
    assert_eq!(of(QueryField::Biome, "\"root:Host-associated:Human:Digestive system\""), Ok(Biome(gut)));
    assert_eq!(of(QueryField::Length, "[1 TO 9]"), Ok(Length(1..=9)));
    assert_eq!(of(QueryField::Length, ">=7"), Ok(Length(7..=u64::MAX)));
    for (field, value) in [
        (QueryField::Length, "[1 TO 9] x"),
        (QueryField::Length, ""),
        (QueryField::Family, "PF1 OR PF2"),
        (QueryField::Family, "0"),
        (QueryField::Family, "CL5"),
    ] {
        assert!(of(field, value).is_err(), "{value}");
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_has_faults_within_it(text in "([a-z_]{1,6}:?|near\\(|, |[()\\[\\]{}\"\\\\*!<>=:]|AND|OR|NOT|TO| |é|pfam:PF1|length:|[0-9]{1,20}){0,24}") {
        if let Err(faults) = ProteinQuery::parse(&text, &biomes()) {
            let mut lines = String::new();
            for fault in faults {
                prop_assert!(text.get(fault.place.clone()).is_some(), "{:?}", fault.place);
                writeln!(lines, "{fault}").expect("a text");
            }
            prop_assert!(!lines.is_empty());
        }
        let _ = ProteinQuery::read_value(QueryField::Length, &text, &biomes());
    }
}
