//! The biome and family tables as files of a generation.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::biomes::BiomeTable;
use crate::families::{FamilyTable, PfamAccession};
use crate::{Error, Result};

/// The file with the biomes, by ordinal.
const BIOMES: &str = "biomes.json";

/// The file with the families.
const FAMILIES: &str = "families.json";

/// A biome as it is written.
#[derive(Serialize, Deserialize)]
struct BiomeRow {
    /// The numeric id.
    id: Option<i64>,
    /// The full lineage.
    lineage: String,
}

/// A family as it is written.
#[derive(Serialize, Deserialize)]
struct FamilyRow {
    /// The number of the accession.
    number: u64,
    /// The description.
    name: String,
    /// The clan's accession.
    clan: Option<String>,
}

/// Writes the tables into a generation.
pub(super) fn write(generation: &Path, biomes: &BiomeTable, families: &FamilyTable) -> Result<()> {
    let biome_rows: Vec<_> =
        biomes.iter().map(|biome| BiomeRow { id: biome.id, lineage: biome.lineage.clone() }).collect();
    let family_rows: Vec<_> = families
        .iter()
        .map(|(PfamAccession(number), family)| FamilyRow {
            number,
            name: family.name.to_string(),
            clan: family.clan.as_deref().map(str::to_owned),
        })
        .collect();
    write_rows(&generation.join(BIOMES), &biome_rows)?;
    write_rows(&generation.join(FAMILIES), &family_rows)
}

/// Reads the tables of a generation.
pub(super) fn read(generation: &Path) -> Result<(BiomeTable, FamilyTable)> {
    let mut biomes = BiomeTable::default();
    let path = generation.join(BIOMES);
    for (ordinal, row) in read_rows::<BiomeRow>(&path)?.into_iter().enumerate() {
        // Ancestors were written before their descendants, or with them in the order of insertion: ordinals come out the same.
        if biomes.insert(row.id, &row.lineage)? as usize != ordinal {
            return Err(Error::Altered { path, problem: format!("biome {ordinal} is out of place") });
        }
    }
    let mut families = FamilyTable::default();
    for row in read_rows::<FamilyRow>(&generation.join(FAMILIES))? {
        families.insert(PfamAccession(row.number), &row.name, row.clan.as_deref());
    }
    Ok((biomes, families))
}

/// Writes rows as a JSON array.
fn write_rows<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    let bytes = serde_json::to_vec(rows).map_err(|error| Error::io("cannot write", path)(error.into()))?;
    fs::write(path, bytes).map_err(Error::io("cannot write", path))
}

/// Reads a JSON array of rows.
fn read_rows<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::Altered { path: path.to_owned(), problem: error.to_string() })
}
