//! The biome table: a header that has at least `biome_id` and `lineage`.

use store::BiomeTable;

use super::{line_of, open_tsv, unreadable};
use crate::input::Input;
use crate::{Error, Result};

pub(crate) fn read_biomes(input: &Input) -> Result<BiomeTable> {
    let name = input.name();
    let table_error = |line, problem: String| Error::table(&name, line, problem);
    let mut reader = open_tsv(input, true)?;
    let headers = reader.headers().map_err(|error| unreadable(input, error))?.clone();
    let column = |wanted: &str| {
        headers
            .iter()
            .position(|header| header.trim_start_matches('\u{feff}') == wanted)
            .ok_or_else(|| table_error(1, format!("the header has no column {wanted}")))
    };
    let (id_column, lineage_column) = (column("biome_id")?, column("lineage")?);
    let mut biomes = BiomeTable::default();
    for row in reader.records() {
        let row = row.map_err(|error| unreadable(input, error))?;
        let line = line_of(&row);
        let (Some(id), Some(lineage)) = (row.get(id_column), row.get(lineage_column)) else {
            return Err(table_error(line, format!("expected {} columns, found {}", headers.len(), row.len())));
        };
        let id = id.parse().map_err(|_| table_error(line, format!("biome_id {id:?} is not a number")))?;
        biomes.insert(Some(id), lineage).map_err(|error| table_error(line, error.to_string()))?;
    }
    Ok(biomes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Result<BiomeTable> {
        read_biomes(&Input::Bundled { name: "biomes.tsv", bytes: text.as_bytes() })
    }

    #[test]
    fn columns_are_found_by_name() {
        let biomes =
            read("lineage\tname\tbiome_id\r\nroot\troot\t0\r\nroot:Mixed\tMixed\t492\r\n").expect("well formed");
        assert_eq!(biomes.find_id(492), biomes.find_lineage("root:Mixed"));
        assert!(biomes.find_id(492).is_some());
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        for (text, expected) in [
            ("id\tlineage\n1\troot\n", "biomes.tsv, line 1: the header has no column biome_id"),
            ("biome_id\tlineage\n0\troot\nx\troot:Mixed\n", "biomes.tsv, line 3: biome_id \"x\" is not a number"),
            ("biome_id\tlineage\n0\n", "biomes.tsv, line 2: expected 2 columns, found 1"),
            ("biome_id\tlineage\n0\troot\n0\troot:Mixed\n", "biomes.tsv, line 3: biome table: id 0"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
