//! The biome tree: lineages, their ids, and who is below whom.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The separator of the levels of a lineage.
const LEVEL_SEPARATOR: char = ':';

/// How many levels a lineage may have; real ones have up to six.
const LEVELS_MAX: usize = 100;

/// How many lineages are suggested for one that resolves to nothing.
const SUGGESTIONS_MAX: usize = 3;

/// A full lineage that most tables have, to show what one looks like.
const EXAMPLE_LINEAGE: &str = "root:Engineered:Wastewater";

/// The position of a biome in the table of its generation, 0-based. It means nothing in another generation.
pub type BiomeOrdinal = u32;

/// A biome of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Biome {
    /// The numeric id of MGnify's biome table, or `None` for a lineage that the table lacks.
    pub id: Option<i64>,
    /// The full lineage, such as `root:Environmental:Aquatic:Marine`.
    pub lineage: String,
}

/// All biomes of a generation, closed upwards: the ancestors of every lineage are in it too.
///
/// # Examples
///
/// ```
/// use store::BiomeTable;
///
/// let mut table = BiomeTable::default();
/// let marine = table.insert(Some(132), "root:Environmental:Aquatic:Marine")?;
/// assert_eq!(table.find_id(132), Some(marine));
/// let levels: Vec<_> = table.self_and_ancestors(marine).map(|biome| &*table[biome].lineage).collect();
/// assert_eq!(levels[1], "root:Environmental:Aquatic");
/// assert_eq!(levels.len(), 4);
/// # Ok::<(), store::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BiomeTable {
    /// The biomes, by ordinal.
    biomes: Vec<Biome>,
    /// The ordinal of the biome one level up, by ordinal; the root has none.
    parents: Vec<Option<BiomeOrdinal>>,
    /// Ordinals by lineage.
    by_lineage: HashMap<String, BiomeOrdinal>,
    /// Ordinals by numeric id.
    by_id: HashMap<i64, BiomeOrdinal>,
}

impl BiomeTable {
    /// Adds a biome and, without ids, those of its ancestors that are missing; gives an id to one that had none.
    ///
    /// # Errors
    ///
    /// * The lineage has an empty level, or more than 100.
    /// * The id or the lineage is in the table already, with a different partner.
    pub fn insert(&mut self, id: Option<i64>, lineage: &str) -> Result<BiomeOrdinal> {
        if lineage.split(LEVEL_SEPARATOR).any(str::is_empty) {
            return Err(Error::BiomeTable { problem: format!("{lineage:?} is no lineage: a level is empty") });
        }
        if lineage.matches(LEVEL_SEPARATOR).count() >= LEVELS_MAX {
            return Err(Error::BiomeTable { problem: format!("a lineage has more than {LEVELS_MAX} levels") });
        }
        let ordinal = self.insert_closed(lineage);
        let Some(id) = id else { return Ok(ordinal) };
        let known = self.biomes[ordinal as usize].id;
        if known.is_some_and(|known| known != id) || self.by_id.get(&id).is_some_and(|&other| other != ordinal) {
            return Err(Error::BiomeTable {
                problem: format!("id {id} or lineage {lineage:?} appears twice, with different partners"),
            });
        }
        self.biomes[ordinal as usize].id = Some(id);
        self.by_id.insert(id, ordinal);
        Ok(ordinal)
    }

    /// Returns the ordinal of a lineage, after adding it and its ancestors where they are missing.
    fn insert_closed(&mut self, lineage: &str) -> BiomeOrdinal {
        if let Some(&ordinal) = self.by_lineage.get(lineage) {
            return ordinal;
        }
        let parent = lineage.rsplit_once(LEVEL_SEPARATOR).map(|(parent, _)| self.insert_closed(parent));
        let ordinal = BiomeOrdinal::try_from(self.biomes.len()).expect("fewer biomes than 2^32 fit into memory");
        self.biomes.push(Biome { id: None, lineage: lineage.to_owned() });
        self.parents.push(parent);
        self.by_lineage.insert(lineage.to_owned(), ordinal);
        ordinal
    }

    /// Returns the biome with that numeric id.
    pub fn find_id(&self, id: i64) -> Option<BiomeOrdinal> {
        self.by_id.get(&id).copied()
    }

    /// Returns the biome with that full lineage; levels are compared whole.
    pub fn find_lineage(&self, lineage: &str) -> Option<BiomeOrdinal> {
        self.by_lineage.get(lineage).copied()
    }

    /// Returns the biome at an ordinal.
    pub fn get(&self, ordinal: BiomeOrdinal) -> Option<&Biome> {
        self.biomes.get(ordinal as usize)
    }

    /// Walks from a biome up to the root of its lineage, the biome first.
    pub fn self_and_ancestors(&self, ordinal: BiomeOrdinal) -> impl Iterator<Item = BiomeOrdinal> + '_ {
        std::iter::successors(Some(ordinal), |&ordinal| self.parents[ordinal as usize])
    }

    /// Returns all biomes by ordinal.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Biome> {
        self.biomes.iter()
    }

    /// Tells whether this table begins with all biomes of another one, in the same order. Some may have got an id since.
    pub fn extends(&self, other: &Self) -> bool {
        self.biomes.len() >= other.biomes.len()
            && self.biomes.iter().zip(&other.biomes).all(|(biome, before)| {
                biome.lineage == before.lineage && (before.id.is_none() || biome.id == before.id)
            })
    }

    /// Returns the biome with that full lineage, or what may have been meant instead.
    ///
    /// # Errors
    ///
    /// * No biome has that lineage.
    pub fn resolve(&self, lineage: &str) -> std::result::Result<BiomeOrdinal, UnknownLineage> {
        self.find_lineage(lineage).ok_or_else(|| UnknownLineage {
            lineage: lineage.to_owned(),
            suggestions: self.suggest(lineage).into_iter().map(str::to_owned).collect(),
            example: self.get(self.find_lineage(EXAMPLE_LINEAGE).unwrap_or(0)).map(|biome| biome.lineage.clone()),
        })
    }

    /// Returns up to three full lineages whose last level is that of `lineage`, the shortest first.
    fn suggest(&self, lineage: &str) -> Vec<&str> {
        let wanted = last_level(lineage);
        let mut found: Vec<&str> =
            self.iter().map(|biome| &*biome.lineage).filter(|candidate| last_level(candidate) == wanted).collect();
        found.sort_by_key(|candidate| (candidate.matches(LEVEL_SEPARATOR).count(), *candidate));
        found.truncate(SUGGESTIONS_MAX);
        found
    }
}

/// A lineage that is that of no biome. [`fmt::Display`] writes what the service answers, with what may have been meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLineage {
    /// What was asked for.
    pub lineage: String,
    /// Up to three full lineages that end in the same level, the shortest first.
    pub suggestions: Vec<String>,
    /// Some lineage of the table, to show what a full one looks like.
    pub example: Option<String>,
}

impl fmt::Display for UnknownLineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "No biome matches lineage '{}'.", self.lineage)?;
        if let Some(first) = self.suggestions.first().or(self.example.as_ref()) {
            write!(f, " Provide a full lineage such as '{first}'.")?;
        }
        if let Some(others) = self.suggestions.get(1..).filter(|others| !others.is_empty()) {
            write!(f, " Others that end so: '{}'.", others.join("', '"))?;
        }
        Ok(())
    }
}

impl std::ops::Index<BiomeOrdinal> for BiomeTable {
    type Output = Biome;

    fn index(&self, ordinal: BiomeOrdinal) -> &Biome {
        &self.biomes[ordinal as usize]
    }
}

/// Returns the name of the biome itself, without its ancestors.
fn last_level(lineage: &str) -> &str {
    lineage.rsplit(LEVEL_SEPARATOR).next().unwrap_or(lineage)
}

#[cfg(test)]
mod tests;
