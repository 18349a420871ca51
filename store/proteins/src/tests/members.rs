//! Members of clusters in a generation.

use super::*;
use crate::{CitedRelease, QUERY_MEMBERS_MAX, ReleaseContent, Successor};

/// The representative of a cluster whose members all follow it.
const FIRST: u64 = 10;

/// Publishes a cluster, of which the release has all proteins, or only the representative.
fn publish(generations: &Generations, num_members: u64, content: ReleaseContent) -> ProteinGeneration {
    let draft = generations.begin().expect("free");
    let mut builder = ProteinsBuilder::new(draft, biomes(), FamilyTable::default(), 64 << 20);
    builder.cite(CitedRelease { name: "2026_07".to_owned(), content, pfam_version: None });
    builder.add_replacement(accession(5), accession(FIRST)).expect("the first");
    let members = FIRST + 1..FIRST + num_members;
    let mut writer = builder.begin_members().expect("a new folder");
    for member in members.clone() {
        writer.add_representative(accession(member), accession(FIRST)).expect("ascending");
        writer.add_member(accession(FIRST), accession(member)).expect("ascending");
    }
    builder.set_members(writer.finish().expect("sound"));
    let has_all = content == ReleaseContent::AllProteins;
    for number in [FIRST].into_iter().chain(members.filter(|_| has_all)) {
        let mut stored = Vec::new();
        record(&biomes(), number).encode(accession(number), &mut stored);
        builder.add(accession(number), &stored).expect("ascending");
    }
    builder.finish().expect("sound").publish(origin()).expect("published");
    ProteinGeneration::open_current(generations).expect("whole").expect("published")
}

fn resolved(generation: &ProteinGeneration, text: &str) -> store::Result<ProteinQuery> {
    let query = ProteinQuery::parse(text, generation.biomes()).expect(text);
    assert!(query.has_cluster(), "{text}");
    generation.resolve_lookups(query)
}

#[test]
fn a_cluster_finds_its_proteins_up_to_the_limit_of_a_query() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    for (num_members, fits) in [(3, true), (QUERY_MEMBERS_MAX as u64, true), (QUERY_MEMBERS_MAX as u64 + 1, false)] {
        let generation = publish(&generations, num_members, ReleaseContent::AllProteins);
        for text in ["cluster:10", "cluster:12", "NOT (NOT cluster:MGYP000000000011)"] {
            match resolved(&generation, text) {
                Ok(query) => {
                    let found = generation.search(&query, usize::MAX).expect("sound").len();
                    assert_eq!(found as u64, num_members, "{text}");
                    assert!(fits);
                }
                Err(error) => assert!(!fits && matches!(error, Error::TooMuchWork), "{error}"),
            }
        }
        assert_eq!(resolved(&generation, "cluster:10 OR cluster:10").is_ok(), num_members == 3);
    }
    let generation = publish(&generations, 3, ReleaseContent::Representatives);
    generation.verify().expect("sound");
    let expected = ProteinQuery::Among([accession(FIRST)].into());
    assert_eq!(resolved(&generation, "cluster:12").expect("sound"), expected);
}

#[test]
fn accessions_without_a_record_have_a_successor() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let generation = publish(&generations, 3, ReleaseContent::Representatives);
    let successor = |number| generation.successor(accession(number)).expect("sound");
    let first = accession(FIRST);
    assert_eq!(successor(5), Some(Successor::Replacement(first)));
    assert_eq!(successor(12), Some(Successor::Representative(first)));
    assert_eq!([successor(FIRST), successor(13)], [None, None]);
}

#[test]
fn damaged_members_are_found() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let generation = publish(&generations, 3, ReleaseContent::Representatives);
    let name = generation.name();
    let path = generations.path(name).join("members/members.pages");
    let mut bytes = fs::read(&path).expect("written");
    bytes[40] ^= 1;
    fs::write(&path, bytes).expect("room");
    let error = generation.members().expect("wanted").find(accession(FIRST), None, 9).expect_err("damaged");
    assert!(error.is_damage() && error.to_string().contains("members.pages"), "{error}");
    let error = ProteinGeneration::verify_published(&generations, name).expect_err("damaged").to_string();
    assert!(error.contains("members.pages"), "{error}");
}

#[test]
fn generations_without_members_find_no_cluster() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let builder = ProteinsBuilder::new(generations.begin().expect("free"), biomes(), FamilyTable::default(), 64 << 20);
    builder.finish().expect("sound").publish(origin()).expect("published");
    let generation = ProteinGeneration::open_current(&generations).expect("whole").expect("published");
    assert!(generation.members().is_none());
    let query = resolved(&generation, "cluster:12").expect("sound");
    assert_eq!(generation.search(&query, 9).expect("sound"), []);
}
