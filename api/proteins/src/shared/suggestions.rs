//! Suggestions: biomes, families, clans and studies with given words in their names. The best
//! matches come first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use api_catalogue::known;
use api_http::SourceError;
use serde::Serialize;
use store_proteins::{ProteinQuery, QueryField};
use utoipa::ToSchema;

use super::accessions::num_proteins;
use super::release::Release;
use super::words::{Fit, Words};

/// The most studies of own data whose names are compared.
const OWN_MAX: usize = 10_000;

/// The most suggestions.
pub(crate) const SUGGESTED_MAX: usize = 100;

/// A kind of suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Biomes, by their lineages.
    Biome,
    /// Pfam families.
    Family,
    /// Pfam clans.
    Clan,
    /// Studies, by accession and name.
    Study,
}

/// Something that a query can ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Suggestion {
    /// The value for a query: the lineage of a biome, the accession of all else.
    #[schema(example = "PF00142")]
    pub value: String,
    /// The accession, of a study that of the catalogue if it has one; null for biomes.
    #[schema(required, example = "PF00142")]
    pub(crate) accession: Option<String>,
    /// The name for people. A clan without a name has that of its best matching family. If no name
    /// is known, this is the value.
    #[schema(example = "4Fe-4S iron sulfur cluster binding proteins, NifH/frxC family")]
    pub name: String,
    /// The number of proteins.
    pub count: u64,
    /// The place of the words in its names.
    #[serde(skip)]
    pub fit: Fit,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Biome, Self::Family, Self::Clan, Self::Study];

    /// Returns the name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Biome => "biome",
            Self::Family => "family",
            Self::Clan => "clan",
            Self::Study => "study",
        }
    }

    /// Returns the kind of a name in requests.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the kind of the values of a field.
    pub fn of(field: QueryField) -> Option<Self> {
        match field {
            QueryField::Biome | QueryField::BiomeExact => Some(Self::Biome),
            QueryField::Family => Some(Self::Family),
            QueryField::Clan => Some(Self::Clan),
            QueryField::Study => Some(Self::Study),
            _ => None,
        }
    }
}

/// Returns things of a kind whose names have all words of a text. They are ordered by the worst
/// match of a word, then by descending number of proteins, then by value.
///
/// # Errors
///
/// * The release or the catalogue cannot be read.
pub fn suggest(release: &Release, kind: Kind, words: &Words, num_max: usize) -> Result<Vec<Suggestion>, SourceError> {
    let mut found = match kind {
        Kind::Biome => biomes(release, words)?,
        Kind::Family => families(release, words)?,
        Kind::Clan => clans(release, words)?,
        Kind::Study => studies(release, words)?,
    };
    found.sort_by(|a, b| (a.fit, Reverse(a.count), &a.value).cmp(&(b.fit, Reverse(b.count), &b.value)));
    found.truncate(num_max);
    Ok(found)
}

fn biomes(release: &Release, words: &Words) -> Result<Vec<Suggestion>, SourceError> {
    let mut found = Vec::new();
    for (ordinal, biome) in (0..).zip(release.data.biomes().iter()) {
        let Some(fit) = words.fit(&[&biome.lineage]) else { continue };
        let count = release.data.total(&ProteinQuery::Biome(ordinal), 0)?.value;
        found.push(Suggestion { value: biome.lineage.clone(), accession: None, name: biome.name(), count, fit });
    }
    Ok(found)
}

fn families(release: &Release, words: &Words) -> Result<Vec<Suggestion>, SourceError> {
    let mut found = Vec::new();
    for &(family, count) in &*release.families.of(&release.data)? {
        let accession = family.to_string();
        let name = release.data.families().get(family).map_or(&*accession, |known| &known.name).to_owned();
        let Some(fit) = words.fit(&[&name, &accession]) else { continue };
        found.push(suggestion(accession, name, count, fit));
    }
    Ok(found)
}

/// Finds clans by their own names and by those of their families.
fn clans(release: &Release, words: &Words) -> Result<Vec<Suggestion>, SourceError> {
    let families = release.data.families();
    let mut best: BTreeMap<&str, (Fit, &str)> = BTreeMap::new();
    for (_, family) in families.iter() {
        let Some(clan) = &family.clan else { continue };
        let name = families.clan_name(clan);
        let fit = [words.fit(&[name.unwrap_or_default(), clan]), words.fit(&[&family.name, clan])];
        let Some(fit) = fit.into_iter().flatten().min() else { continue };
        let found = (fit, name.unwrap_or(&family.name));
        let known = best.entry(clan).or_insert(found);
        if fit < known.0 {
            *known = found;
        }
    }
    let clans = best.into_iter().map(|(clan, (fit, name))| {
        let count = release.data.total(&ProteinQuery::Clan(clan.to_owned()), 0)?.value;
        Ok(suggestion(clan.to_owned(), name.to_owned(), count, fit))
    });
    clans.collect()
}

/// Finds studies of the catalogue by their texts, those of the proteins by the beginning of their
/// accessions, and those of own data by their words.
fn studies(release: &Release, words: &Words) -> Result<Vec<Suggestion>, SourceError> {
    let mut found = Vec::new();
    if let Ok(catalogue) = &release.catalogue {
        for study in known::studies(catalogue, &words.text(), SUGGESTED_MAX)? {
            let mut names: Vec<&str> = study.accessions.iter().map(String::as_str).collect();
            names.push(&study.name);
            // Some words may only be in the other texts of the study.
            let fit = words.fit(&names).unwrap_or(Fit::Within);
            let accession = study.accessions.first().cloned();
            let (value, count) = release.queried(QueryField::Study, study.accessions)?;
            let name = if study.name.is_empty() { value.clone() } else { study.name };
            found.push(Suggestion { value, accession, name, count, fit });
        }
    }
    for (accession, count) in release.data.accession_counts(QueryField::Study, &words.text(), SUGGESTED_MAX)? {
        if !words.is_empty() && found.iter().all(|known: &Suggestion| known.value != accession) {
            let fit = words.fit(&[&accession]).unwrap_or(Fit::Within);
            let accession = release.data.spelled(QueryField::Study, &accession)?;
            found.push(suggestion(accession.clone(), accession, count, fit));
        }
    }
    // Studies of own data may have any name.
    let own = release.data.own_accession_counts(QueryField::Study, OWN_MAX)?;
    let fitting = own.into_iter().filter_map(|(accession, _)| Some((words.fit(&[&accession])?, accession)));
    for (fit, accession) in fitting.take(SUGGESTED_MAX) {
        let accession = release.data.spelled(QueryField::Study, &accession)?;
        if found.iter().all(|known: &Suggestion| known.value != accession) {
            let count = num_proteins(&release.data, QueryField::Study, &accession)?;
            found.push(suggestion(accession.clone(), accession, count, fit));
        }
    }
    Ok(found)
}

fn suggestion(accession: String, name: String, count: u64, fit: Fit) -> Suggestion {
    Suggestion { value: accession.clone(), accession: Some(accession), name, count, fit }
}
