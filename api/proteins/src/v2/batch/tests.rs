use super::*;

#[test]
fn words_are_accessions_or_names() {
    let accession = |number| Ok(ProteinAccession::new(number).expect("in range"));
    let words = |list: &'static str| Batch::of_words(list.split(' ')).expect("few").requested;
    assert_eq!(words("MGYP000000000012 13 mgyp12 14"), [accession(12), accession(13), accession(12), accession(14)]);
    assert!(words("x true {} 0").iter().all(Result::is_err));
    assert!(Batch::of_words(std::iter::repeat_n("1", ACCESSIONS_MAX)).is_ok());
    let refused = Batch::of_words(std::iter::repeat_n("1", ACCESSIONS_MAX + 1));
    assert!(matches!(refused, Err(ProteinProblem::Refused { status: StatusCode::PAYLOAD_TOO_LARGE, .. })));
}
