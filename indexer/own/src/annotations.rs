//! Tables of annotations: tab-separated columns, found by their names.

use std::collections::BTreeSet;

use indexer::lines::Line;
use indexer::run::{Noted, Reason, Rejection};
use indexer::values::{self, quoted};
use store::is_missing_value;
use strum::VariantNames;

use super::TEXT_BYTES_MAX;
use super::biomes::Biomes;
use super::entry::Facts;
use super::headers::{check_name, fixed_description};
use super::locus::{is_reverse, range, whole};

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
enum Column {
    Name,
    Biome,
    Study,
    Assembly,
    Contig,
    Start,
    End,
    Strand,
    ClusterSize,
    FullLength,
    Description,
}

/// The columns of a table in their order. A column without a name is not read.
#[derive(Debug)]
pub(super) struct Columns(Vec<Option<Column>>);

/// The name of a protein, and the facts about it in a row.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) facts: Facts,
    /// Unusual properties of the row.
    pub(super) noted: BTreeSet<Noted>,
}

impl Columns {
    /// Reads the header, or returns its error.
    pub(super) fn from_header(line: Line<'_>) -> Result<Self, String> {
        let header = values::line(line).map_err(|bad| bad.detail)?;
        let mut columns = Vec::new();
        for cell in header.split('\t') {
            let name = values::unquoted(cell.trim()).to_ascii_lowercase();
            if name.is_empty() {
                columns.push(None);
                continue;
            }
            let column: Column = name.parse().map_err(|_| unknown_column(&name))?;
            if columns.contains(&Some(column)) {
                return Err(format!("the header has the column {name} twice"));
            }
            columns.push(Some(column));
        }
        if columns.contains(&Some(Column::Name)) {
            Ok(Self(columns))
        } else {
            Err("the header has no column name".to_owned())
        }
    }

    /// Reads a row: the name of the protein, and its facts. Only a good row adds a new biome.
    pub(super) fn read(&self, line: Line<'_>, biomes: &mut Biomes<'_>) -> Result<Row, Rejection> {
        let text = values::line(line)?;
        let num_cells = text.split('\t').count();
        if num_cells != self.0.len() {
            let detail = format!("expected {} columns, found {num_cells}", self.0.len());
            return Err(Rejection::new(Reason::BadRow, detail));
        }
        let (mut name, mut biome, mut facts) = (String::new(), String::new(), Facts::default());
        let (mut start, mut end, mut noted) = (None, None, BTreeSet::new());
        for (&column, cell) in self.0.iter().zip(text.split('\t')) {
            let (Some(column), cell) = (column, values::unquoted(cell.trim())) else { continue };
            let cell = cell.trim();
            if cell.is_empty() {
                continue;
            }
            if !matches!(column, Column::Name | Column::Strand) && is_missing_value(cell) {
                noted.insert(Noted::Nothing);
                continue;
            }
            let short_text = || values::text(column.into(), cell, TEXT_BYTES_MAX).map(str::to_owned);
            match column {
                Column::Name => cell.clone_into(&mut name),
                Column::Biome => cell.clone_into(&mut biome),
                Column::Study => facts.study = short_text()?,
                Column::Assembly => facts.assembly = short_text()?,
                Column::Contig => facts.contig = short_text()?,
                Column::Start => start = Some(whole("start", cell)?),
                Column::End => end = Some(whole("end", cell)?),
                Column::Strand if cell == "." => {}
                Column::Strand => {
                    let bad =
                        || Rejection::new(Reason::BadPlace, format!("strand {} is neither + nor -", quoted(cell)));
                    facts.is_reverse = Some(is_reverse(cell).ok_or_else(bad)?);
                }
                Column::ClusterSize => {
                    let bad = |bad| Rejection { reason: Reason::BadClusterSize, ..bad };
                    facts.cluster_size = Some(values::cluster_size(whole("cluster_size", cell).map_err(bad)?)?);
                }
                Column::FullLength => facts.full_length = values::full_length(cell)?,
                Column::Description => {
                    let (description, is_fixed) = fixed_description(cell);
                    facts.description = description;
                    noted.extend(is_fixed.then_some(Noted::FixedText));
                }
            }
        }
        check_name(&name)?;
        facts.range = match (start, end) {
            (None, None) => None,
            (Some(start), Some(end)) => Some(range("gene", start, end)?),
            _ => return Err(Rejection::new(Reason::BadPlace, "start and end are known only together")),
        };
        if !biome.is_empty() {
            facts.biome = Some(biomes.biome_of_cell(&biome)?);
        }
        Ok(Row { name, facts, noted })
    }
}

fn unknown_column(name: &str) -> String {
    let suggestions = store::near_names(Column::VARIANTS.iter().copied(), name);
    let name = quoted(name);
    match suggestions.first() {
        Some(suggestion) => format!("unknown column {name}: did you mean {suggestion}?"),
        None => format!("unknown column {name}; known: {}", Column::VARIANTS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use store::BiomeTable;

    use super::*;
    use crate::DESCRIPTION_BYTES_MAX;

    fn line(text: &str) -> Line<'_> {
        Line { number: 1, bytes: text.as_bytes(), is_cut: false }
    }

    fn table() -> BiomeTable {
        let mut table = BiomeTable::default();
        table.insert(Some(120), "root:Soil").expect("new");
        table
    }

    /// Returns the given facts about the protein `one`.
    fn row_of(facts: Facts) -> Row {
        Row { name: "one".to_owned(), facts, noted: BTreeSet::new() }
    }

    /// Reads a row with one column next to the name.
    fn read_cell(column: &str, cell: &str) -> Result<Facts, Rejection> {
        let columns = Columns::from_header(line(&format!("name\t{column}"))).expect("known");
        let row = format!("one\t{cell}");
        let read = columns.read(line(&row), &mut Biomes::new(&mut table(), true));
        read.map(|row| {
            assert_eq!(row.name, "one");
            row.facts
        })
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let header = "Strand\tend\tdescription\tname\tfull_length\tstudy\tcluster_size\tbiome\tstart\tcontig\tassembly";
        let columns = Columns::from_header(line(header)).expect("known");
        let (mut table, row) =
            (table(), "-\t181\tan \"ABC\" transporter\tone\ttrue\tmy soils\t7\troot:Soil\t2\tc1\tA1");
        let soil = table.find_lineage("root:Soil");
        let expected = Facts {
            biome: soil,
            study: "my soils".to_owned(),
            assembly: "A1".to_owned(),
            contig: "c1".to_owned(),
            range: Some((2, 181)),
            is_reverse: Some(true),
            cluster_size: Some(7),
            full_length: Some(true),
            description: "an \"ABC\" transporter".to_owned(),
        };
        let mut biomes = Biomes::new(&mut table, true);
        assert_eq!(columns.read(line(row), &mut biomes), Ok(row_of(expected)));
        let empty = columns.read(line("\t\t\tone\t\t\t\t\t\t\t"), &mut biomes);
        assert_eq!(empty, Ok(row_of(Facts::default())));
    }

    #[test]
    fn incomplete_and_unknown_headers_are_rejected() {
        for (header, problem) in [
            ("name\tstuddy", "unknown column \"studdy\": did you mean study?"),
            ("name\tlineage", "unknown column \"lineage\"; known: name, biome, study, "),
            ("study\tbiome", "the header has no column name"),
            ("name\tstudy\tname", "the header has the column name twice"),
            ("one", "unknown column \"one\""),
        ] {
            let error = Columns::from_header(line(header)).expect_err(header);
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn biomes_are_lineages_or_ids_and_good_rows_add_new_ones() {
        let mut table = table();
        let mut biomes = Biomes::new(&mut table, true);
        let columns = Columns::from_header(line("name\tbiome\tcluster_size")).expect("known");
        let mut read = |row| columns.read(line(row), &mut biomes).map(|row| row.facts.biome.expect("given"));
        assert_eq!(read("one\t120\t"), read("two\troot:Soil\t"));
        let mine = read("three\troot:Mine:Deep\t");
        assert!(mine.is_ok() && mine == read("four\troot:Mine:Deep\t"));
        assert!(read("five\troot:Moon\tx").is_err());
        assert_eq!(biomes.new_lineages(), ["root:Mine:Deep"]);
        let mut biomes = Biomes::new(&mut table, false);
        let mut read = |biome: &str| columns.read(line(&format!("one\t{biome}\t")), &mut biomes).map(|_| ());
        assert_eq!((read("120"), read("root:Soil"), read("root:Mine:Deep")), (Ok(()), Ok(()), Ok(())));
        for (biome, wanted) in [("root:Soils", "did you mean root:Soil?"), ("root:Moon", "--allow-new-biomes")] {
            let refused = read(biome).expect_err("unknown");
            assert!(refused.reason == Reason::UnknownBiome && refused.detail.contains(wanted), "{refused:?}");
        }
    }

    #[test]
    fn tables_of_r_and_spreadsheets_are_read() {
        let header = "\"name\"\t\"study\"\tstart\tend\tstrand\tfull_length\tdescription\t";
        let columns = Columns::from_header(line(header)).expect("known");
        let (mut table, row) = (table(), "\"one\"\t\"a \"\"b\"\"\"\t2.0\t181.00\t.\t1\t\"APH(2\"\")-Ia\"\tx");
        let mut read = |row: &str| columns.read(line(row), &mut Biomes::new(&mut table, true)).expect(row);
        let facts = Facts {
            study: "a \"b\"".to_owned(),
            range: Some((2, 181)),
            full_length: Some(true),
            description: "APH(2\")-Ia".to_owned(),
            ..Facts::default()
        };
        assert_eq!(read(row), row_of(facts));
        for nothing in ["NA", "nan", "None", "NULL", "-", "N/A", "not collected", "missing: control sample"] {
            let text = format!("one\t{nothing}\t{nothing}\t{nothing}\t+\t{nothing}\t\"{nothing}\"\t");
            let facts = Facts { is_reverse: Some(false), ..Facts::default() };
            assert_eq!(read(&text), Row { noted: BTreeSet::from([Noted::Nothing]), ..row_of(facts) }, "{nothing}");
        }
        // A name may be any word.
        assert_eq!(read("NA\t\t\t\t\t\t\t").name, "NA");
        let long = "x".repeat(DESCRIPTION_BYTES_MAX + 1);
        let fixed = read(&format!("one\t\t\t\t\t\t{long}\t"));
        assert_eq!((fixed.facts.description, fixed.noted), (long[1..].to_owned(), BTreeSet::from([Noted::FixedText])));
    }

    #[test]
    fn each_fault_has_its_reason() {
        let long = "x".repeat(TEXT_BYTES_MAX + 1);
        let deep = format!("root{}", ":x".repeat(97));
        assert!(read_cell("biome", &deep).is_ok());
        for (column, cell, reason) in [
            ("biome", "121", Reason::UnknownBiome),
            ("biome", "Soil", Reason::BadLineage),
            ("biome", "rooted:Soil", Reason::BadLineage),
            ("biome", "root::Soil", Reason::BadLineage),
            ("biome", "root:\u{7}", Reason::BadText),
            ("biome", &format!("root:{long}"), Reason::BadText),
            ("study", "a\u{7}b", Reason::BadText),
            ("assembly", &long, Reason::BadText),
            ("contig", &long, Reason::BadText),
            ("start", "1", Reason::BadPlace),
            ("strand", "forward", Reason::BadPlace),
            ("cluster_size", "0", Reason::BadClusterSize),
            ("cluster_size", "-1", Reason::BadClusterSize),
            ("full_length", "maybe", Reason::BadFullLength),
            ("start\tend", "x\t2", Reason::BadNumber),
            ("start\tend", "3\t2", Reason::BadNumber),
            ("start\tend", "0\t2", Reason::BadNumber),
            ("start\tend", "1\t2\t3", Reason::BadRow),
            ("start\tend", "1", Reason::BadRow),
        ] {
            let fault = read_cell(column, cell).expect_err(cell);
            assert_eq!(fault.reason, reason, "{column} {cell}: {}", fault.detail);
        }
        for (column, cell) in [("study", &long[1..]), ("strand", "-1"), ("strand", "+")] {
            assert!(read_cell(column, cell).is_ok(), "{column} {cell}");
        }
        let columns = Columns::from_header(line("name")).expect("known");
        for (name, reason) in [("", Reason::BadName), ("a/b", Reason::BadName)] {
            let read = columns.read(line(name), &mut Biomes::new(&mut table(), true));
            assert_eq!(read.expect_err(name).reason, reason);
        }
    }
}
