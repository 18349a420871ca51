//! The small tables for all rows: biomes, Pfam families, replaced accessions.

pub(crate) mod replacements;

use std::io::Read;

use indexer::input::Input;
use indexer::{Error, Result};
use store::{BiomeTable, FamilyTable};

/// The clan of a family without one in older Pfam tables.
const NULL: &str = "\\N";

/// Reads the biome table, whose header has at least `biome_id` and `lineage`.
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

/// Reads the Pfam table, `Pfam-A.clans.tsv`, without header: accession, clan accession, clan id,
/// family id, description.
pub(crate) fn read_families(input: &Input) -> Result<FamilyTable> {
    let mut families = FamilyTable::default();
    for row in open_tsv(input, false)?.records() {
        let row = row.map_err(|error| unreadable(input, error))?;
        let table_error = |problem: String| Error::table(&input.name(), line_of(&row), problem);
        let fields: Vec<&str> = row.iter().collect();
        let &[accession, clan, clan_name, _, name] = fields.as_slice() else {
            return Err(table_error(format!("expected 5 columns, found {}", fields.len())));
        };
        let accession = accession.parse().map_err(|_| table_error(format!("{accession:?} is not a Pfam accession")))?;
        let clan = Some(clan).filter(|clan| !clan.is_empty() && *clan != NULL);
        if !families.insert(accession, name, clan) {
            return Err(table_error(format!("{accession} appears twice")));
        }
        if let Some(clan) = clan.filter(|_| !clan_name.is_empty()) {
            families.name_clan(clan, clan_name);
        }
    }
    if families.iter().next().is_none() {
        return Err(Error::table(&input.name(), 0, "the table is empty"));
    }
    Ok(families)
}

/// Opens a tab-separated table without quoting.
fn open_tsv(input: &Input, has_headers: bool) -> Result<csv::Reader<Box<dyn Read + Send>>> {
    let reader = input.read().map_err(|source| input.error(0, source))?;
    Ok(csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .quoting(false)
        .flexible(true)
        .has_headers(has_headers)
        .from_reader(reader))
}

/// Returns the error for a row that the CSV library cannot read.
fn unreadable(input: &Input, error: csv::Error) -> Error {
    let line = error.position().map_or(0, csv::Position::line);
    let problem = match error.into_kind() {
        csv::ErrorKind::Io(source) => return input.error(line, source),
        csv::ErrorKind::Utf8 { err, .. } => format!("column {} is not UTF-8 text", err.field() + 1),
        _ => "it is not readable as tab-separated text".to_owned(),
    };
    Error::table(&input.name(), line, problem)
}

fn line_of(row: &csv::StringRecord) -> u64 {
    row.position().map_or(0, csv::Position::line)
}

#[cfg(test)]
mod tests {
    mod biomes {
        use super::super::*;

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
        fn bad_rows_are_named_by_their_lines() {
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

    mod families {
        use store::PfamAccession;

        use super::super::*;

        fn read(text: &'static str) -> Result<FamilyTable> {
            read_families(&Input::Bundled { name: "clans.tsv", bytes: text.as_bytes() })
        }

        #[test]
        fn families_may_have_no_clan() {
            let families = read(
                "PF00005\tCL0023\tP-loop_NTPase\tABC_tran\tABC transporter\n\
             PF04659\t\t\tArch_fla_DE\tArchaeal flagella protein \n\
             PF04660\t\\N\t\\N\tDUF\tA \"quoted\" family\n",
            )
            .expect("well formed");
            let clan = |number| families.get(PfamAccession(number)).expect("read").clan.as_deref();
            assert_eq!([clan(5), clan(4659), clan(4660)], [Some("CL0023"), None, None]);
            assert_eq!([families.clan_name("CL0023"), families.clan_name("CL0001")], [Some("P-loop NTPase"), None]);
            assert_eq!(&*families.get(PfamAccession(4660)).expect("read").name, "A \"quoted\" family");
        }

        #[test]
        fn bad_rows_are_named_by_their_lines() {
            for (text, expected) in [
                ("PF00005\tCL0023\n", "clans.tsv, line 1: expected 5 columns, found 2"),
                ("PF00005\t\t\ta\tb\nCL0023\t\t\ta\tb\n", "clans.tsv, line 2: \"CL0023\" is not a Pfam accession"),
                ("PF00005\t\t\ta\tb\nPF00005\t\t\ta\tb\n", "clans.tsv, line 2: PF00005 appears twice"),
            ] {
                assert_eq!(read(text).expect_err(text).to_string(), expected);
            }
            let input = Input::Bundled { name: "clans.tsv", bytes: b"PF00001\t\t\ta\tb\nPF00005\t\xff\t\ta\tb\n" };
            let error = read_families(&input).expect_err("not UTF-8").to_string();
            assert_eq!(error, "clans.tsv, line 2: column 2 is not UTF-8 text");
        }
    }
}
