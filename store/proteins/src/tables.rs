//! The biome and family tables as files of a generation.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::{Biome, BiomeTable, Error, FamilyTable, PfamAccession, Result};

pub(super) const BIOMES: &str = "biomes.json";
const FAMILIES: &str = "families.json";

#[derive(Serialize, Deserialize)]
struct FamilyRow {
    /// The number of the accession.
    number: u64,
    name: String,
    clan: Option<String>,
    /// Older generations have no names of clans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clan_name: Option<String>,
}

pub(super) fn write_biomes(generation: &Path, biomes: &BiomeTable) -> Result<()> {
    let biomes: Vec<&Biome> = biomes.iter().collect();
    write_rows(&generation.join(BIOMES), &biomes)
}

pub(super) fn write_families(generation: &Path, families: &FamilyTable) -> Result<()> {
    let families: Vec<FamilyRow> = families
        .iter()
        .map(|(PfamAccession(number), family)| FamilyRow {
            number,
            name: family.name.to_string(),
            clan: family.clan.as_deref().map(str::to_owned),
            clan_name: family.clan.as_deref().and_then(|clan| families.clan_name(clan)).map(str::to_owned),
        })
        .collect();
    write_rows(&generation.join(FAMILIES), &families)
}

pub(super) fn read(generation: &Path) -> Result<(BiomeTable, FamilyTable)> {
    let mut biomes = BiomeTable::default();
    let path = generation.join(BIOMES);
    for (ordinal, row) in read_rows::<Biome>(&path)?.into_iter().enumerate() {
        // Rows are in the order of insertion, in which ancestors precede their descendants, so that
        // each biome gets its ordinal back.
        if biomes.insert(row.id, &row.lineage)? as usize != ordinal {
            return Err(Error::altered(path, format!("biome {ordinal} is out of order")));
        }
    }
    let mut families = FamilyTable::default();
    for row in read_rows::<FamilyRow>(&generation.join(FAMILIES))? {
        families.insert(PfamAccession(row.number), &row.name, row.clan.as_deref());
        if let (Some(clan), Some(name)) = (&row.clan, &row.clan_name) {
            families.name_clan(clan, name);
        }
    }
    Ok((biomes, families))
}

fn write_rows<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    let bytes = serde_json::to_vec(rows).map_err(|error| Error::io("cannot write", path)(error.into()))?;
    fs::write(path, bytes).map_err(Error::io("cannot write", path))
}

fn read_rows<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::altered(path, error.to_string()))
}
