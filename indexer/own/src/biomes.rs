//! Biomes by lineage or id. Lineages that the table lacks are added to it if that is allowed.

use indexer::run::{Reason, Rejection};
use indexer::values::{self, quoted};
use store::{BiomeOrdinal, BiomeTable};

use super::TEXT_BYTES_MAX;

/// The most lineages that are added. A wrong column would add millions.
const NEW_MAX: usize = 10_000;

/// The first level of every added lineage.
const ROOT: &str = "root";

pub(super) struct Biomes<'a> {
    table: &'a mut BiomeTable,
    new: Vec<BiomeOrdinal>,
    /// Set if rows may have new lineages.
    allows_new: bool,
}

impl<'a> Biomes<'a> {
    /// Wraps a table. A table without MGnify's biomes has nothing that a new lineage could be
    /// compared with.
    pub(super) fn new(table: &'a mut BiomeTable, allows_new: bool) -> Self {
        let allows_new = allows_new || table.iter().all(|biome| biome.id.is_none());
        Self { table, new: Vec::new(), allows_new }
    }

    pub(super) fn new_lineages(&self) -> Vec<String> {
        self.new.iter().map(|&new| self.table[new].lineage.clone()).collect()
    }

    /// Returns the biome of a cell, whose lineage may be misspelt.
    pub(super) fn biome_of_cell(&mut self, text: &str) -> Result<BiomeOrdinal, Rejection> {
        self.find_or_add(text, self.allows_new)
    }

    /// Returns the biome with an id or a lineage, which is added if it is new.
    pub(super) fn ordinal_of(&mut self, text: &str) -> Result<BiomeOrdinal, Rejection> {
        self.find_or_add(text, true)
    }

    fn find_or_add(&mut self, text: &str, allows_new: bool) -> Result<BiomeOrdinal, Rejection> {
        if let Some(known) = self.table.find_lineage(text) {
            return Ok(known);
        }
        if let Ok(id) = text.parse() {
            let unknown = || Rejection::new(Reason::UnknownBiome, format!("id {id} is not in the biome table"));
            return self.table.find_id(id).ok_or_else(unknown);
        }
        if allows_new { self.add(text) } else { Err(self.unknown(text)) }
    }

    #[cold]
    fn unknown(&self, lineage: &str) -> Rejection {
        let hint = self.table.resolve(lineage).err().map(|unknown| unknown.suggestions.join(" or "));
        let hint = hint.filter(|hint| !hint.is_empty()).map(|hint| format!("; did you mean {hint}?"));
        let (lineage, hint) = (quoted(lineage), hint.unwrap_or_default());
        let problem = format!("{lineage} is not in the biome table{hint} (--allow-new-biomes accepts it)");
        Rejection::new(Reason::UnknownBiome, problem)
    }

    #[cold]
    fn add(&mut self, lineage: &str) -> Result<BiomeOrdinal, Rejection> {
        values::text("biome", lineage, TEXT_BYTES_MAX)?;
        let bad = |problem: String| Err(Rejection::new(Reason::BadLineage, problem));
        if lineage.split(':').next() != Some(ROOT) {
            return bad(format!("biome {} does not begin with {ROOT}, and is not an id", quoted(lineage)));
        }
        if self.new.len() >= NEW_MAX {
            return bad(format!("{} is new, as are {NEW_MAX} others: is this the column of biomes?", quoted(lineage)));
        }
        self.table.insert(None, lineage).or_else(|error| bad(error.to_string())).inspect(|&new| self.new.push(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_new_lineages_are_rejected() {
        let mut table = BiomeTable::default();
        let mut biomes = Biomes::new(&mut table, false);
        for number in 0..NEW_MAX {
            biomes.ordinal_of(&format!("root:{number}")).expect("few");
        }
        assert!(biomes.ordinal_of("root:7").is_ok(), "it is known by now");
        let fault = biomes.ordinal_of("root:Mine").expect_err("one too many");
        assert_eq!(fault.reason, Reason::BadLineage);
        assert_eq!(biomes.new_lineages().len(), NEW_MAX);
    }
}
