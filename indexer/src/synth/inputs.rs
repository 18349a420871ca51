//! What a release is made of: real families and lineages.

use std::io::Read;

use crate::input::{BytesRead, Input};
use crate::{Error, Result};

/// How many families are used.
const NUM_FAMILIES: usize = 20_000;

/// The columns that are needed of the table of biomes.
const COLUMNS: [&str; 2] = ["lineage_prefix", "own_count"];

/// Returns the first families of Pfam's table of clans. Those that were defined first are also the most frequent ones.
///
/// # Errors
///
/// * The table cannot be read, or there are none.
pub(crate) fn families(input: &Input) -> Result<Vec<u64>> {
    let text = read(input)?;
    let accessions = text.lines().filter_map(|line| line.strip_prefix("PF")?.split('\t').next()?.parse().ok());
    let families: Vec<_> = accessions.take(NUM_FAMILIES).collect();
    if families.is_empty() { Err(unusable(input, 1, "no Pfam families")) } else { Ok(families) }
}

/// Returns the lineages of a table of biome counts, with the number of proteins of each without those below.
///
/// # Errors
///
/// * The table cannot be read, or lacks a column.
pub(crate) fn lineages(input: &Input) -> Result<Vec<(String, u64)>> {
    let text = read(input)?;
    let header: Vec<_> = text.lines().next().unwrap_or_default().split('\t').collect();
    let positions = COLUMNS.map(|name| header.iter().position(|column| *column == name));
    let [Some(lineage), Some(count)] = positions else {
        return Err(unusable(input, 1, &format!("the columns {} are needed", COLUMNS.join(" and "))));
    };
    let rows = text.lines().zip(1..).skip(1);
    rows.map(|(line, number)| {
        let values: Vec<_> = line.split('\t').collect();
        let share = values.get(count).and_then(|count| count.parse().ok());
        match (values.get(lineage), share) {
            (Some(&lineage), Some(share)) if !lineage.is_empty() => Ok((lineage.to_owned(), share)),
            _ => Err(unusable(input, number, "a lineage and a number are needed")),
        }
    })
    .collect()
}

/// Returns the text of a small table.
fn read(input: &Input) -> Result<String> {
    let mut text = String::new();
    input
        .open(&BytesRead::default())
        .and_then(|mut reader| reader.read_to_string(&mut text))
        .map_err(|source| Error::Input { name: input.name(), line: 0, source })?;
    Ok(text)
}

/// Returns the error for a table that cannot be used.
fn unusable(input: &Input, line: u64, problem: &str) -> Error {
    Error::Table { name: input.name(), line, problem: problem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &'static str) -> Input {
        Input::Bundled { name: "table", bytes: text.as_bytes() }
    }

    #[test]
    fn tables_are_read_by_their_columns() {
        let families_read = families(&table("PF00001\tCL0192\tGPCR_A\nPF00233\t\t\n")).expect("families");
        assert_eq!(families_read, [1, 233]);
        let lineages_read = lineages(&table("own_count\tlineage_prefix\n7\troot\n0\troot:Mixed\n")).expect("lineages");
        assert_eq!(lineages_read, [("root".to_owned(), 7), ("root:Mixed".to_owned(), 0)]);
    }

    #[test]
    fn other_tables_are_refused() {
        assert!(families(&table("CL0192\n")).is_err());
        assert!(lineages(&table("lineage\tcount\nroot\t1\n")).is_err());
        let error = lineages(&table("lineage_prefix\town_count\nroot\t-1\n")).expect_err("negative").to_string();
        assert_eq!(error, "table, line 2: a lineage and a number are needed");
    }
}
