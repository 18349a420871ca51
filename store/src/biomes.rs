//! The tree of biomes, with their lineages and ids.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Error, Result, near_names};

const LEVEL_SEPARATOR: char = ':';

/// The most levels of a lineage. Real lineages have up to six.
const LEVELS_MAX: usize = 100;

const SUGGESTIONS_MAX: usize = 3;

/// A full lineage of most tables, an example for messages.
const EXAMPLE_LINEAGE: &str = "root:Engineered:Wastewater";

/// The row of a biome in the table of its generation, 0-based. Other generations may have other
/// ordinals.
pub type BiomeOrdinal = u32;

/// A biome of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Biome {
    /// The numeric id, or `None` if the lineage is not in MGnify's biome table.
    pub id: Option<i64>,
    /// The full lineage, such as `root:Environmental:Aquatic:Marine`.
    pub lineage: String,
}

impl Biome {
    /// Returns the name to display: the levels below the root.
    ///
    /// ```
    /// let biome = store::Biome { id: None, lineage: "root:Environmental:Aquatic".to_owned() };
    /// assert_eq!(biome.name(), "Environmental > Aquatic");
    /// ```
    pub fn name(&self) -> String {
        self.lineage.strip_prefix("root:").unwrap_or(&self.lineage).replace(LEVEL_SEPARATOR, " > ")
    }
}

/// All biomes of a generation, including the ancestors of all lineages.
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
    /// By ordinal.
    biomes: Vec<Biome>,
    /// The ordinals of the parents, by ordinal. A root has none.
    parents: Vec<Option<BiomeOrdinal>>,
    by_lineage: HashMap<String, BiomeOrdinal>,
    by_id: HashMap<i64, BiomeOrdinal>,
}

impl BiomeTable {
    /// Adds a biome, and its missing ancestors without ids. A biome without an id gets this one.
    ///
    /// # Errors
    ///
    /// * A level of the lineage is empty, or it has more than 100.
    /// * The table has the id with another lineage, or the lineage with another id.
    pub fn insert(&mut self, id: Option<i64>, lineage: &str) -> Result<BiomeOrdinal> {
        if lineage.split(LEVEL_SEPARATOR).any(str::is_empty) {
            return Err(Error::BiomeTable(format!("{lineage:?} is not a lineage: a level is empty")));
        }
        if lineage.matches(LEVEL_SEPARATOR).count() >= LEVELS_MAX {
            return Err(Error::BiomeTable(format!("a lineage has more than {LEVELS_MAX} levels")));
        }
        let ordinal = self.insert_closed(lineage);
        let Some(id) = id else { return Ok(ordinal) };
        let known = self.biomes[ordinal as usize].id;
        if known.is_some_and(|known| known != id) || self.by_id.get(&id).is_some_and(|&other| other != ordinal) {
            return Err(Error::BiomeTable(format!(
                "id {id} or lineage {lineage:?} appears twice: an id has one lineage"
            )));
        }
        self.biomes[ordinal as usize].id = Some(id);
        self.by_id.insert(id, ordinal);
        Ok(ordinal)
    }

    /// Returns the ordinal of a lineage, after adding it and its missing ancestors.
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

    /// Returns the biome with a numeric id.
    pub fn find_id(&self, id: i64) -> Option<BiomeOrdinal> {
        self.by_id.get(&id).copied()
    }

    /// Returns the biome with a full lineage, level by level.
    pub fn find_lineage(&self, lineage: &str) -> Option<BiomeOrdinal> {
        self.by_lineage.get(lineage).copied()
    }

    /// Returns the biome at an ordinal.
    pub fn get(&self, ordinal: BiomeOrdinal) -> Option<&Biome> {
        self.biomes.get(ordinal as usize)
    }

    /// Returns a biome and its ancestors, up to the root of its lineage.
    pub fn self_and_ancestors(&self, ordinal: BiomeOrdinal) -> impl Iterator<Item = BiomeOrdinal> + '_ {
        std::iter::successors(Some(ordinal), |&ordinal| self.parents[ordinal as usize])
    }

    /// Returns all biomes in the order of their ordinals.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Biome> {
        self.biomes.iter()
    }

    /// Returns whether this table begins with all biomes of another one, in the same order and with
    /// their ids.
    pub fn extends(&self, other: &Self) -> bool {
        self.biomes.len() >= other.biomes.len()
            && self.biomes.iter().zip(&other.biomes).all(|(biome, before)| {
                biome.lineage == before.lineage && (before.id.is_none() || biome.id == before.id)
            })
    }

    /// Returns the table of the first biomes of this table.
    #[must_use]
    pub fn first(&self, num_biomes: usize) -> Self {
        let mut first = Self::default();
        for Biome { id, lineage } in self.biomes.iter().take(num_biomes) {
            // They are in the order of insertion, in which ancestors precede their descendants.
            let ordinal = first.insert_closed(lineage);
            first.biomes[ordinal as usize].id = *id;
            first.by_id.extend(id.map(|id| (id, ordinal)));
        }
        first
    }

    /// Returns the biome with a full lineage, or suggestions of lineages that may have been meant.
    pub fn resolve(&self, lineage: &str) -> std::result::Result<BiomeOrdinal, UnknownLineage> {
        self.find_lineage(lineage).ok_or_else(|| UnknownLineage {
            lineage: lineage.to_owned(),
            suggestions: self.suggest(lineage),
            example: self.get(self.find_lineage(EXAMPLE_LINEAGE).unwrap_or(0)).map(|biome| biome.lineage.clone()),
        })
    }

    /// Returns full lineages that end in the same level, the shortest first, or otherwise the most
    /// similar ones, whose last level differs in few letters.
    fn suggest(&self, lineage: &str) -> Vec<String> {
        let wanted = last_level(lineage);
        let lineages = || self.iter().map(|biome| &*biome.lineage);
        let mut found: Vec<&str> = lineages().filter(|candidate| last_level(candidate) == wanted).collect();
        if found.is_empty() {
            return near_names(lineages(), lineage).into_iter().take(1).collect();
        }
        found.sort_by_key(|candidate| (candidate.matches(LEVEL_SEPARATOR).count(), *candidate));
        found.truncate(SUGGESTIONS_MAX);
        found.into_iter().map(str::to_owned).collect()
    }
}

/// A lineage that no biome has. [`fmt::Display`] writes the answer of the service, with
/// suggestions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLineage {
    /// The requested lineage.
    pub lineage: String,
    /// Up to three full lineages that end in the same level, the shortest first, or otherwise one
    /// that differs in few letters.
    pub suggestions: Vec<String>,
    /// A lineage of the table, as an example of a full one.
    pub example: Option<String>,
}

impl fmt::Display for UnknownLineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "No biome matches lineage '{}'.", self.lineage)?;
        if let Some(first) = self.suggestions.first().or(self.example.as_ref()) {
            write!(f, " Provide a full lineage such as '{first}'.")?;
        }
        if let Some(others) = self.suggestions.get(1..).filter(|others| !others.is_empty()) {
            write!(f, " Others with that ending: '{}'.", others.join("', '"))?;
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

fn last_level(lineage: &str) -> &str {
    lineage.rsplit(LEVEL_SEPARATOR).next().unwrap_or(lineage)
}

#[cfg(test)]
mod tests;
