use super::*;

#[test]
fn ids_have_numbers() {
    let studies = ResourceType::rules_of(STUDIES);
    for (id, number, in_any_notation) in [
        ("MGYS00000257", Some("257"), Some("257")),
        ("MGYS0", Some("0"), Some("0")),
        ("MGYS", None, None),
        ("MGYSx", None, None),
        ("0257", None, Some("257")),
        ("MGYA1", None, None),
    ] {
        assert_eq!((studies.number_of(id), studies.number_in_any_notation(id)), (number, in_any_notation), "{id}");
    }
    assert_eq!(ResourceType::rules_of(PUBLICATIONS).number_of("12345"), Some("12345"));
    assert_eq!(ResourceType::rules_of(RUNS).number_in_any_notation("12345"), None);
}

#[test]
fn names_and_paths_are_unique() {
    for known in RESOURCE_TYPES {
        assert_eq!(ResourceType::named(known.name).map(|found| found.path), Some(known.path));
        assert_eq!(ResourceType::at_path(known.path).map(|found| found.name), Some(known.name));
    }
    assert!(ResourceType::named("downloads").is_none() && ResourceType::named("").is_none());
}

#[test]
fn identifiers_are_distinct() {
    let attributes = |name: &str| match name {
        "accession" | "secondary-accession" => Some("S".to_owned()),
        "version" => Some("5.0".to_owned()),
        _ => Some(String::new()),
    };
    for (resource_type, id, expected) in [
        (STUDIES, "MGYS007", &["MGYS007", "7", "S"][..]),
        (PIPELINE_TOOLS, "MAPseq", &["MAPseq/5.0", "mapseq/5.0"]),
        (COG_CATS, "S", &["S"]),
        (RUNS, "R", &["R", "S"]),
        (ANALYSIS_JOBS, "MGYA00000007", &["MGYA00000007", "7", "S"]),
        (PUBLICATIONS, "7", &["7"]),
    ] {
        assert_eq!(ResourceType::rules_of(resource_type).identifiers_of(id, attributes), expected);
    }
}
