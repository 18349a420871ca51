//! Queries, facets and look-ups against a plain scan of all proteins.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::ops::RangeInclusive;

use store::{BiomeTable, ProteinAccession};
use store_proteins::{
    DigestAlgorithm, FacetKind, PfamAnnotation, Protein, ProteinGeneration, ProteinQuery, QueryNames,
};
use support::TestFolder;

/// One in this many proteins of a release is looked up by its sequence, and one in this many values
/// is combined with others.
const STEP: usize = 13;

/// Resolves the names in a query.
struct Names<'a>(&'a ProteinGeneration);

impl QueryNames for Names<'_> {
    type Failure = Infallible;

    fn biomes(&self) -> &BiomeTable {
        self.0.biomes()
    }

    fn source(&self, name: &str) -> Option<RangeInclusive<ProteinAccession>> {
        self.0.find_source(name)
    }
}

/// Proteins by the conditions that find them.
type Found = BTreeMap<String, BTreeSet<ProteinAccession>>;

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "\\\""))
}

/// Returns the lineages of a protein with all above them.
fn levels(protein: &Protein) -> BTreeSet<String> {
    let lineages = protein.biomes.iter().map(|biome| &*biome.lineage);
    let above = |lineage: &str| {
        let ends: Vec<usize> = lineage.match_indices(':').map(|(end, _)| end).chain([lineage.len()]).collect();
        ends.into_iter().map(|end| lineage[..end].to_owned()).collect::<Vec<_>>()
    };
    lineages.flat_map(above).collect()
}

/// Returns the values of a protein by which facets count it, except ranges of numbers.
fn values(protein: &Protein, by: FacetKind) -> BTreeSet<String> {
    let hits = protein.pfam_annotations.iter();
    let occurrences = protein.occurrences.iter();
    let upper = |text: &String| Some(text.to_uppercase()).filter(|text| !text.is_empty());
    match by {
        FacetKind::Biome => levels(protein),
        FacetKind::Pfam => hits.map(|found| found.hit.family.to_string()).collect(),
        FacetKind::Clan => hits.filter_map(|found| found.clan.as_deref().map(str::to_owned)).collect(),
        FacetKind::Architecture => architecture(&protein.pfam_annotations).into_iter().collect(),
        FacetKind::Study => occurrences.filter_map(|found| upper(&found.study)).collect(),
        FacetKind::Assembly => occurrences.filter_map(|found| upper(&found.assembly)).collect(),
        FacetKind::FullLength => protein.full_length.map(|value| value.to_string()).into_iter().collect(),
        FacetKind::ClusterSize => [protein.cluster_size.to_string()].into(),
        FacetKind::Length => [protein.sequence.len().to_string()].into(),
    }
}

/// Returns the families of the domains along the sequence, if there are any.
fn architecture(annotations: &[PfamAnnotation]) -> Option<String> {
    let mut domains: Vec<_> = annotations
        .iter()
        .map(|found| (found.hit.env_start, found.hit.env_end, found.hit.family.to_string()))
        .collect();
    domains.sort();
    let families: Vec<_> = domains.into_iter().map(|(_, _, family)| family).collect();
    Some(families.join("-")).filter(|text| !text.is_empty())
}

/// Returns the conditions that a protein meets.
fn conditions(protein: &Protein) -> Vec<String> {
    let mut conditions = vec![format!("accession:{}", protein.accession)];
    for &by in FacetKind::ALL.iter().filter(|by| **by != FacetKind::Architecture) {
        let name = by.name();
        conditions.extend(values(protein, by).iter().map(|value| format!("{name}:{}", quoted(value))));
    }
    let exact = protein.biomes.iter().map(|biome| &biome.lineage).collect::<BTreeSet<_>>();
    conditions.extend(exact.into_iter().map(|lineage| format!("biome_exact:{}", quoted(lineage))));
    conditions.extend((!protein.pfam_annotations.is_empty()).then(|| "has:pfam".to_owned()));
    conditions.push(format!("source:{}", protein.source.as_deref().unwrap_or("release")));
    conditions.extend(protein.source.as_ref().map(|_| format!("name:{}", quoted(&protein.name))));
    conditions
}

/// Compares everything that the current generation says with its proteins, ascending.
pub(crate) fn assert_answers(folder: &TestFolder, proteins: &[Protein], context: &str) {
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    generation.verify().expect("sound");
    assert!(proteins.is_sorted_by_key(|protein| protein.accession), "{context}");
    assert_eq!(generation.statistics().num_proteins, proteins.len() as u64, "{context}");
    for protein in proteins {
        let found = generation.fetch(protein.accession).expect("sound");
        assert_eq!(found.as_ref(), Some(protein), "{context}");
        let source = generation.source_of(protein.accession).map(|source| &source.name);
        assert_eq!(source, protein.source.as_ref(), "{context}");
    }
    assert_queries(&generation, proteins, context);
    assert_facets(&generation, proteins, context);
    assert_sequences(&generation, proteins, context);
    assert_names(&generation, proteins, context);
}

fn search(generation: &ProteinGeneration, text: &str, context: &str) -> BTreeSet<ProteinAccession> {
    let query = ProteinQuery::parse(text, &Names(generation)).unwrap_or_else(|faults| panic!("{context}: {faults:?}"));
    let hits = generation.search(&query, usize::MAX).expect("sound");
    assert!(hits.is_sorted_by_key(|hit| hit.accession), "{context}: {text}");
    hits.into_iter().map(|hit| hit.accession).collect()
}

/// Searches for every condition that a protein meets, alone, and for some of them combined with
/// each source.
fn assert_queries(generation: &ProteinGeneration, proteins: &[Protein], context: &str) {
    let mut found = Found::new();
    for protein in proteins {
        for condition in conditions(protein) {
            found.entry(condition).or_default().insert(protein.accession);
        }
    }
    let sources: Vec<&String> = found.keys().filter(|condition| condition.starts_with("source:")).collect();
    for (number, (condition, expected)) in found.iter().enumerate() {
        // There are as many accessions as proteins.
        let is_chosen = number.is_multiple_of(STEP);
        if is_chosen || expected.len() > 1 {
            assert_eq!(search(generation, condition, context), *expected, "{context}: {condition}");
        }
        for source in sources.iter().filter(|_| is_chosen) {
            let (own, text) = (&found[*source], format!("({condition} OR length:<20) AND NOT {source}"));
            let is_short = |protein: &&Protein| protein.sequence.len() < 20 || expected.contains(&protein.accession);
            let matches = proteins.iter().filter(is_short).map(|protein| protein.accession);
            let expected: BTreeSet<_> = matches.filter(|accession| !own.contains(accession)).collect();
            assert_eq!(search(generation, &text, context), expected, "{context}: {text}");
        }
    }
}

fn assert_facets(generation: &ProteinGeneration, proteins: &[Protein], context: &str) {
    let queries = generation
        .source_names()
        .map(|source| format!("source:{source}"))
        .chain(["*".to_owned(), "has:pfam".to_owned()]);
    for text in queries {
        let matches = search(generation, &text, context);
        let matching: Vec<&Protein> = proteins.iter().filter(|protein| matches.contains(&protein.accession)).collect();
        let query = ProteinQuery::parse(&text, &Names(generation)).expect("no fault");
        for &by in FacetKind::ALL {
            let name = by.name();
            let facets = generation.facets(&query, by, usize::MAX, 0, u64::MAX).expect("sound").expect("any budget");
            assert_eq!(facets.total.value, matching.len() as u64, "{context}: {text} by {name}");
            // They are shown as they are written first.
            let is_accession = matches!(by, FacetKind::Study | FacetKind::Assembly);
            let folded = |text: String| if is_accession { text.to_uppercase() } else { text };
            let counted: HashMap<Option<String>, u64> =
                facets.facets.into_iter().map(|facet| (facet.value.map(folded), facet.count.value)).collect();
            let mut expected: HashMap<Option<String>, u64> = HashMap::new();
            for protein in &matching {
                let values = values(protein, by);
                if values.is_empty() {
                    *expected.entry(None).or_default() += 1;
                }
                for value in values {
                    *expected.entry(Some(in_range(value, by, &counted))).or_default() += 1;
                }
            }
            assert_eq!(counted, expected, "{context}: {text} by {name}");
        }
    }
}

/// Returns the range that contains a number, or any other value unchanged.
fn in_range(value: String, by: FacetKind, counted: &HashMap<Option<String>, u64>) -> String {
    if !matches!(by, FacetKind::ClusterSize | FacetKind::Length) {
        return value;
    }
    let number: u64 = value.parse().expect("a number");
    let has_it = |range: &&String| match range.trim_matches(['[', ']']).split_once(" TO ") {
        Some((low, high)) => {
            low.parse::<u64>().expect("a number") <= number
                && high.parse().map_or(high == "*", |high: u64| number <= high)
        }
        None => **range == value,
    };
    counted.keys().flatten().find(has_it).expect("one of the ranges").clone()
}

fn assert_sequences(generation: &ProteinGeneration, proteins: &[Protein], context: &str) {
    let checksums = generation.checksums().expect("wanted");
    let mut expected: HashMap<&str, Vec<ProteinAccession>> = HashMap::new();
    for protein in proteins {
        expected.entry(&protein.sequence).or_default().push(protein.accession);
    }
    for protein in proteins
        .iter()
        .enumerate()
        .filter(|(number, protein)| protein.source.is_some() || number % STEP == 0)
        .map(|(_, protein)| protein)
    {
        let accessions = &expected[&*protein.sequence];
        let found = checksums.find_sequence(&protein.sequence, None, usize::MAX).expect("sound");
        assert_eq!(found, *accessions, "{context}: {}", protein.name);
        let digest = DigestAlgorithm::Sha512t24u.digest(&protein.sequence);
        assert_eq!(
            checksums.find(&digest, None, usize::MAX).expect("sound"),
            *accessions,
            "{context}: {}",
            protein.name
        );
    }
}

fn assert_names(generation: &ProteinGeneration, proteins: &[Protein], context: &str) {
    let mut expected: HashMap<&str, Vec<ProteinAccession>> = HashMap::from([("nobody", Vec::new())]);
    for protein in proteins.iter().filter(|protein| protein.source.is_some()) {
        expected.entry(&protein.name).or_default().push(protein.accession);
    }
    for (name, accessions) in expected {
        assert_eq!(generation.named(name).expect("sound"), accessions, "{context}: {name}");
    }
}
