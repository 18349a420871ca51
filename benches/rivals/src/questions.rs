//! The questions, as mgdex and its rivals are asked.

use std::net::SocketAddr;

use serde_json::Value;

use crate::client;
use crate::release::biomes;
use crate::table::grouped;

pub(crate) const PROTEINS: &str = "/metagenomics/proteins/api/v2";

/// The numbers of proteins of families that are neither common nor unique.
const MIDDLE: u64 = 1000;
pub(crate) const RARE: u64 = 50;

/// The number of records that are asked for in turn.
const NUM_RECORDS: usize = 1000;

/// The number of pages of 25 samples that are asked for in turn.
const NUM_PAGES: usize = 300;

/// The number of values of a facet.
const NUM_VALUES: usize = 50;

/// A question, and others like it that are asked in turn.
pub(crate) struct Question {
    pub(crate) name: String,
    /// The paths for mgdex.
    pub(crate) ours: Vec<String>,
    /// The paths for the rivals.
    pub(crate) theirs: Vec<String>,
    /// Returns the part of an answer of mgdex that rivals return.
    part: fn(Value) -> Value,
}

/// A condition, as parameters of mgdex and of its rivals, with the number of its matches.
struct Term {
    name: &'static str,
    ours: String,
    theirs: String,
    num_proteins: u64,
}

impl Term {
    fn title(&self) -> String {
        format!("{} ({} proteins)", self.name, grouped(self.num_proteins))
    }
}

/// Returns the questions, with the values that a loaded mgdex counts.
pub(crate) fn all(mgdex: SocketAddr) -> Vec<Question> {
    let families = families(mgdex);
    let biomes = biome_terms(mgdex);
    let mut questions: Vec<_> =
        families.iter().chain(&biomes).flat_map(|term| [50, 1000].map(|limit| search(term, limit))).collect();
    let ours = format!("{}&{}", families[0].ours, biomes[0].ours);
    let theirs = format!("{}&{}", families[0].theirs, biomes[0].theirs);
    let count = format!("{PROTEINS}/proteins?{ours}&limit=1&count=exact");
    let num_proteins = ask(mgdex, &count)["total"]["value"].as_u64().expect("a number");
    let both = Term { name: "common family in broad biome", ours, theirs, num_proteins };
    questions.push(search(&both, 50));
    questions.push(Question {
        name: format!("count of {}", both.name),
        ours: vec![count],
        theirs: vec![format!("/count?{}", both.theirs)],
        part: |mut answer| answer["total"]["value"].take(),
    });
    questions.extend([&biomes[1], &both].map(facet));
    questions.extend([records(mgdex), samples()]);
    questions
}

/// Asks a path, and returns the answer.
pub(crate) fn ask(address: SocketAddr, path: &str) -> Value {
    let (body, _) = client::stream(address, path);
    serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{path}: {error}"))
}

impl Question {
    /// Compares the answers of a rival with those of mgdex.
    pub(crate) fn compare(&self, mgdex: SocketAddr, name: &str, rival: SocketAddr) {
        for (ours, theirs) in self.ours.iter().zip(&self.theirs) {
            let expected = (self.part)(ask(mgdex, ours));
            let found = ask(rival, theirs);
            if let Some(difference) = difference(&expected, &found) {
                panic!("{}: {name} answers {theirs} otherwise than mgdex {ours}: {difference}", self.name);
            }
        }
    }
}

/// Returns where an answer of a rival differs. Objects of mgdex may have more members.
fn difference(ours: &Value, theirs: &Value) -> Option<String> {
    match (ours, theirs) {
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            ours.iter().zip(theirs).find_map(|(ours, theirs)| difference(ours, theirs))
        }
        (Value::Array(ours), Value::Array(theirs)) => Some(format!("{} values, not {}", theirs.len(), ours.len())),
        (Value::Object(ours), Value::Object(theirs)) => {
            let name = ours.get("accession").or(ours.get("value")).unwrap_or(&Value::Null);
            let differs = |(member, theirs): (&String, &Value)| {
                let found = difference(ours.get(member).unwrap_or(&Value::Null), theirs)?;
                Some(format!("{member} of {name}: {found}"))
            };
            theirs.iter().find_map(differs)
        }
        _ if ours == theirs => None,
        _ => Some(format!("{theirs}, not {ours}")),
    }
}

/// Returns all values of a facet of all proteins, with their numbers, descending.
pub(crate) fn counts(mgdex: SocketAddr, by: &str) -> Vec<(String, u64)> {
    let answer = ask(mgdex, &format!("{PROTEINS}/facets?by={by}&top=30000"));
    let values = answer["facets"].as_array().expect("a list").iter();
    let known = values.filter_map(|facet| Some((facet["value"].as_str()?.to_owned(), facet["count"].as_u64()?)));
    known.collect()
}

/// Returns the most frequent family, a middle one, and a rare one.
fn families(mgdex: SocketAddr) -> Vec<Term> {
    let counts = counts(mgdex, "pfam");
    let near = |name, number: u64| {
        let (family, num_proteins) = counts.iter().min_by_key(|(_, count)| count.abs_diff(number)).expect("families");
        let number: u64 = family.trim_start_matches("PF").parse().expect("an accession");
        let [ours, theirs] = ["pfam", "family"].map(|parameter| format!("{parameter}={number}"));
        Term { name, ours, theirs, num_proteins: *num_proteins }
    };
    vec![near("common family", u64::MAX), near("middle family", MIDDLE), near("rare family", RARE)]
}

/// Returns the most frequent biome below the root, and the most frequent of at least five levels.
fn biome_terms(mgdex: SocketAddr) -> Vec<Term> {
    let mut table = csv::ReaderBuilder::new().delimiter(b'\t').from_path(biomes()).expect("bundled");
    let rows: Vec<_> = table.records().map(|row| row.expect("a table")).collect();
    let counts = counts(mgdex, "biome");
    let term = |name, has_levels: fn(usize) -> bool| {
        let (lineage, num_proteins) =
            counts.iter().find(|(lineage, _)| has_levels(lineage.split(':').count())).expect("biomes");
        let row = rows.iter().find(|row| row[5] == **lineage).expect("a known biome");
        let number = format!("biome={}", &row[0]);
        Term { name, ours: number.clone(), theirs: number, num_proteins: *num_proteins }
    };
    vec![term("broad biome", |levels| levels == 2), term("deep biome", |levels| levels >= 5)]
}

fn search(term: &Term, limit: usize) -> Question {
    Question {
        name: format!("{}, limit {limit}", term.title()),
        ours: vec![format!("{PROTEINS}/proteins?{}&limit={limit}", term.ours)],
        theirs: vec![format!("/search?{}&limit={limit}", term.theirs)],
        part: |mut answer| answer["results"].take(),
    }
}

fn facet(term: &Term) -> Question {
    Question {
        name: format!("{NUM_VALUES} families of {}", term.title()),
        // One value is that of proteins without a family, which rivals do not count.
        ours: vec![format!("{PROTEINS}/facets?by=pfam&top={}&{}", NUM_VALUES + 1, term.ours)],
        theirs: vec![format!("/facet?{}", term.theirs)],
        part: |mut answer| {
            let Value::Array(mut values) = answer["facets"].take() else { return Value::Null };
            values.retain(|value| !value["value"].is_null());
            values.truncate(NUM_VALUES);
            Value::Array(values)
        },
    }
}

/// Returns a question for the records of random proteins.
fn records(mgdex: SocketAddr) -> Question {
    let random = ask(mgdex, &format!("{PROTEINS}/proteins?random={NUM_RECORDS}&seed=1"));
    let hits = random["results"].as_array().expect("a list").iter();
    let accessions: Vec<_> = hits.map(|hit| hit["accession"].as_str().expect("an accession")).collect();
    let number = |accession: &&str| accession.trim_start_matches("MGYP").trim_start_matches('0').to_owned();
    Question {
        name: "record".to_owned(),
        ours: accessions.iter().map(|accession| format!("{PROTEINS}/proteins/{accession}")).collect(),
        theirs: accessions.iter().map(|accession| format!("/record?accession={}", number(accession))).collect(),
        part: |answer| answer,
    }
}

/// Returns a question for pages of samples.
fn samples() -> Question {
    Question {
        name: "25 samples".to_owned(),
        ours: (1..=NUM_PAGES).map(|page| format!("/metagenomics/api/v1/samples?page={page}")).collect(),
        theirs: (0..NUM_PAGES).map(|page| format!("/samples?from={}", page * 25)).collect(),
        part: |mut answer| answer["data"].take(),
    }
}
