//! Numbered states of all data: each answer shows the number of its state, and any mixture of
//! states.

use std::fmt::Write;

use serde_json::{Value, json};
use support::profile_writers::Answer;
use support::states::{NUM_COMMON, accessions, sequence};

/// The size of a page of studies.
const PAGE_SIZE: usize = 25;

/// The fewest studies of a state.
const NUM_STUDIES_MIN: u64 = 30;

/// A request of a reader.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    Search,
    Count,
    Record(u64),
    Page(usize),
}

impl Question {
    /// Returns one of all questions, by a random number.
    pub(crate) fn of(random: u64) -> Self {
        match random % 8 {
            0 | 1 => Self::Search,
            2 => Self::Count,
            3 | 4 => Self::Record(random / 8 % NUM_COMMON + 1),
            _ => Self::Page(usize::from(random / 8 % 2 == 1) + 1),
        }
    }

    pub(crate) fn path(self) -> String {
        match self {
            Self::Search => "/metagenomics/proteins/api/v1/protein/search?biome_id=2&limit=1000".to_owned(),
            Self::Count => "/metagenomics/proteins/api/v2/proteins?q=pfam:5&limit=1".to_owned(),
            Self::Record(accession) => format!("/metagenomics/proteins/api/v1/protein/{accession}"),
            Self::Page(page) => {
                format!("/metagenomics/api/v1/studies?ordering=accession&page_size={PAGE_SIZE}&page={page}")
            }
        }
    }

    /// Returns the number of the state that an answer is of.
    ///
    /// # Errors
    ///
    /// * It is not a success, or mixes several states.
    pub(crate) fn state_of(self, answer: &Answer) -> Result<u64, String> {
        let unusable = || format!("{} was answered {}: {}", self.path(), answer.status, answer.body);
        let json =
            (answer.status == 200).then(|| serde_json::from_str(&answer.body).ok()).flatten().ok_or_else(unusable)?;
        self.state_in(&json).ok_or_else(unusable)
    }

    fn state_in(self, answer: &Value) -> Option<u64> {
        match self {
            Self::Search => {
                let number = answer[0]["cluster_size"].as_u64()?;
                let hit = |accession| json!({"mgyp": format!("MGYP{accession:012}"), "full_length": true, "cluster_size": number});
                (answer == &accessions(number).map(hit).collect::<Value>()).then_some(number)
            }
            Self::Count => {
                let number = answer["results"][0]["cluster_size"].as_u64()?;
                (answer["total"]["value"].as_u64()? == accessions(number).count() as u64).then_some(number)
            }
            Self::Record(accession) => {
                let number = answer["cluster_size"].as_u64()?;
                let is_whole =
                    answer["sequence"] == sequence(number) && answer["mgyp"] == format!("MGYP{accession:012}");
                is_whole.then_some(number)
            }
            Self::Page(page) => {
                let number = answer["data"][0]["attributes"]["samples-count"].as_u64()?;
                let expected = (1..=num_studies(number)).map(|study| study_id(number, study));
                let expected: Vec<_> = expected.skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE).collect();
                let resources = answer["data"].as_array()?;
                let is_of_state = resources.iter().all(|study| study["attributes"]["samples-count"] == number);
                let found: Vec<_> = resources.iter().filter_map(|study| study["id"].as_str()).collect();
                let is_whole = found == expected && answer["meta"]["pagination"]["count"] == num_studies(number);
                (is_of_state && is_whole).then_some(number)
            }
        }
    }
}

/// Returns the catalogue of a state. The number of samples of all its studies is its number.
pub(crate) fn studies(number: u64) -> String {
    let mut rows = String::new();
    for study in 1..=num_studies(number) {
        let id = study_id(number, study);
        let attributes = json!({"accession": id, "samples-count": number, "study-name": "x".repeat(500)});
        writeln!(rows, "{}", json!({"type": "studies", "id": id, "attributes": attributes})).expect("memory");
    }
    rows
}

fn num_studies(number: u64) -> u64 {
    NUM_STUDIES_MIN + number % 7
}

/// Studies of odd states are not those of even ones.
fn study_id(number: u64, study: u64) -> String {
    format!("MGYS{:08}", 2 * study + number % 2)
}
