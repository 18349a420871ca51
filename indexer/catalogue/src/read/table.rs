//! Tables of one's own samples or studies: each row becomes a resource like those of the public
//! service.

mod cells;
mod columns;
mod rows;

use std::io::{self, BufRead, BufReader, Read};

use csv::StringRecord;
use indexer::run::{Noted, Reason, Rejection};
use serde_json::{Value, json};
use store::{BYTE_ORDER_MARK, is_missing_value, near_names};
use store_catalogue::model::{BIOMES, SAMPLES, STUDIES};
use store_catalogue::{StoredResources, measured};

use self::columns::Column;
use self::rows::TableRows;
use super::checks::Members;
use super::degrees::both_degrees;
use super::own_accession::checked_accession;
use super::pieces::{Content, Limits, ResourceBatch};

/// The most bytes of a header.
const HEADER_BYTES_MAX: u64 = 1 << 20;

/// Between several studies or biomes of a row.
const SEPARATOR: char = ';';

/// The type of the resources of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableType {
    /// Samples.
    #[default]
    Samples,
    /// Studies.
    Studies,
}

impl TableType {
    const fn name(self) -> &'static str {
        match self {
            Self::Samples => SAMPLES,
            Self::Studies => STUDIES,
        }
    }

    /// Returns the relationships, each with whether a column gives it.
    const fn relationships(self) -> &'static [(&'static str, Option<Column>)] {
        match self {
            Self::Samples => &[("studies", Some(Column::Study)), ("runs", None), ("biome", Some(Column::Biome))],
            Self::Studies => &[
                ("samples", None),
                ("biomes", Some(Column::Biome)),
                ("downloads", None),
                ("publications", None),
                ("geocoordinates", None),
                ("analyses", None),
            ],
        }
    }
}

/// The rules for reading a table, and the present catalogue, which has the biomes and studies that
/// it names.
#[derive(Clone, Copy)]
pub(crate) struct TableRules<'a> {
    pub(crate) table_type: TableType,
    pub(crate) present: Option<&'a StoredResources>,
    /// The lineages of its biomes.
    pub(crate) lineages: &'a [String],
}

/// Reads a table, and pushes its rows as resources. The header shows whether tabs or commas
/// separate the columns.
pub(super) fn push_table(
    input: impl Read,
    rules: TableRules<'_>,
    limits: Limits,
    num_lines: &mut u64,
    push: &mut impl FnMut(Content) -> io::Result<()>,
) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut header = Vec::new();
    input.by_ref().take(HEADER_BYTES_MAX).read_until(b'\n', &mut header)?;
    if header.starts_with(BYTE_ORDER_MARK) {
        header.drain(..BYTE_ORDER_MARK.len());
    }
    if header.is_empty() {
        return Ok(());
    }
    let has_tabs = header.contains(&b'\t');
    let mut rows = TableRows::new(io::Cursor::new(header).chain(input), has_tabs);
    let titles = rows.header()?;
    let refused = |problem: String| io::Error::new(io::ErrorKind::InvalidData, problem);
    if matches!(&*titles, [title] if title.contains(';')) {
        return Err(refused("its columns are separated by semicolons: save it with tabs or commas".to_owned()));
    }
    let columns = rules.table_type.columns(titles.iter().map(String::as_str)).map_err(refused)?;
    while let Some(row) = rows.next() {
        let (record, line) = match row {
            Ok((row, _)) if row.iter().all(str::is_empty) => continue,
            Ok(row) => row,
            Err(error) if error.is_io_error() => return Err(error.into()),
            Err(error) => {
                let line = error.position().map_or_else(|| rows.num_lines(), csv::Position::line);
                push(Content::Rejected(Rejection::new(Reason::BadRow, "it is not UTF-8 text").at_row(line, b"")))?;
                continue;
            }
        };
        let row = if record.as_slice().len() > limits.line_bytes {
            Err(Rejection::new(Reason::TooLong, format!("longer than {} bytes: raise --memory", limits.line_bytes)))
        } else {
            rules.resource(&columns, &record)
        };
        *num_lines = rows.num_lines();
        push(match row {
            Ok((resource, noted)) => Content::Resources(ResourceBatch {
                found_in: None,
                resources: vec![(resource.to_string().into(), line, false)],
                noted: noted.map(|noted| (noted, line)),
            }),
            Err(rejection) => Content::Rejected(rejection.at_row(line, record.as_slice().as_bytes())),
        })?;
    }
    Ok(())
}

/// The contents of a row.
struct Cells<'a> {
    accession: &'a str,
    attributes: Members,
    metadata: Vec<Value>,
    biomes: Vec<String>,
    studies: Vec<String>,
    noted: Option<Noted>,
}

impl Cells<'_> {
    /// Sets an attribute that no earlier column has set. A cell in another form is only noted.
    fn set(&mut self, name: &str, value: Option<Value>) {
        match value {
            None => self.noted = Some(Noted::OtherForm),
            Some(value) if self.attributes.get(name).is_none_or(Value::is_null) => {
                self.attributes.insert(name.to_owned(), value);
            }
            Some(_) => {}
        }
    }

    fn add_metadata(&mut self, key: &str, cell: &str, unit: Option<&str>) {
        let (value, unit) = match (measured(cell), unit) {
            (Some((number, unit)), None) => (number, Some(unit)),
            _ => (cell, unit.map(str::to_owned)),
        };
        self.metadata.push(json!({"key": key, "value": value, "unit": unit}));
    }
}

impl TableRules<'_> {
    /// Returns the resource of a row, and a remark if it is unusual.
    fn resource(self, columns: &[Column], row: &StringRecord) -> Result<(Value, Option<Noted>), Rejection> {
        let is_blank = |column: usize| matches!(columns.get(column), None | Some(Column::Blank));
        let num_least = columns.iter().rposition(|column| *column != Column::Blank).map_or(0, |last| last + 1);
        if row.len() < num_least || row.iter().enumerate().any(|(column, cell)| is_blank(column) && !cell.is_empty()) {
            let detail = format!("it has {} columns, and the header has {}", row.len(), num_least);
            return Err(Rejection::new(Reason::BadRow, detail));
        }
        let kind = self.table_type.name();
        let Cells { accession, mut attributes, metadata, biomes, studies, noted } = self.cells(columns, row)?;
        attributes.insert("accession".to_owned(), accession.into());
        if self.table_type == TableType::Samples {
            attributes.insert("sample-metadata".to_owned(), metadata.into());
        } else {
            attributes.insert("is-private".to_owned(), false.into());
        }
        let base = "{base_url}/metagenomics/api/v1";
        let own = format!("{base}/{kind}/{accession}");
        let mut relationships = Members::new();
        for (name, given_by) in self.table_type.relationships() {
            let mut relationship = json!({"links": {"related": format!("{own}/{name}")}});
            let named = |named_type: &str, ids: &[String]| -> Value {
                ids.iter().map(|id| json!({"type": named_type, "id": id, "links": {"self": format!("{base}/{named_type}/{id}")}})).collect()
            };
            match given_by {
                Some(Column::Biome) if self.table_type == TableType::Samples => {
                    relationship = biomes.first().map_or(json!({"data": null}), |lineage| {
                        let related = format!("{base}/{BIOMES}/{lineage}");
                        json!({"data": {"type": BIOMES, "id": lineage}, "links": {"related": related}})
                    });
                }
                Some(Column::Biome) => relationship["data"] = named(BIOMES, &biomes),
                Some(_) => relationship["data"] = named(STUDIES, &studies),
                None => {}
            }
            relationships.insert((*name).to_owned(), relationship);
        }
        let resource = json!({"type": kind, "id": accession, "attributes": attributes, "relationships": relationships, "links": {"self": own}});
        Ok((resource, noted))
    }

    fn cells<'a>(self, columns: &[Column], row: &'a StringRecord) -> Result<Cells<'a>, Rejection> {
        let attributes = self.table_type.attributes().map(|(name, _)| (name.to_owned(), Value::Null)).collect();
        let (metadata, biomes, studies) = (Vec::new(), Vec::new(), Vec::new());
        let mut cells = Cells { accession: "", attributes, metadata, biomes, studies, noted: None };
        for (column, cell) in columns.iter().zip(row) {
            match column {
                Column::Accession => cells.accession = checked_accession(cell)?,
                _ if cell.is_empty() => {}
                Column::Biome | Column::Study if is_missing_value(cell) => {}
                Column::Biome => cells.biomes = self.biomes(cell)?,
                Column::Study => cells.studies = self.studies(cell)?,
                Column::Attribute(name, form) => {
                    let value = form.value(cell);
                    if value.is_none() && self.table_type == TableType::Studies {
                        // A study has no metadata that could keep the text.
                        return Err(form.rejection(name, cell));
                    }
                    if value.is_none() {
                        cells.add_metadata(name, cell, None);
                    }
                    cells.set(name, value);
                }
                Column::Known(key, name, form) => {
                    cells.add_metadata(key, cell, None);
                    cells.set(name, form.value(cell));
                }
                Column::Place(key) => {
                    cells.add_metadata(key, cell, None);
                    let both = both_degrees(cell);
                    if both.is_some() || !is_missing_value(cell) {
                        cells.set("latitude", both.map(|(latitude, _)| latitude.into()));
                        cells.set("longitude", both.map(|(_, longitude)| longitude.into()));
                    }
                }
                Column::Metadata(key, unit) => cells.add_metadata(key, cell, unit.as_deref()),
                Column::Blank => {}
            }
        }
        Ok(cells)
    }

    fn biomes(self, cell: &str) -> Result<Vec<String>, Rejection> {
        let lineages: Vec<String> = parts(cell).map(str::to_owned).collect();
        if self.table_type == TableType::Samples && lineages.len() > 1 {
            return Err(Rejection::new(Reason::BadLineage, "a sample has one biome"));
        }
        for lineage in &lineages {
            if self.id_of(BIOMES, lineage).is_none_or(|known| known != *lineage) {
                let near = near_names(self.lineages.iter().map(String::as_str), lineage);
                let advice =
                    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
                let detail = format!("the catalogue has no biome {lineage}{advice}");
                return Err(Rejection::new(Reason::UnknownBiome, detail));
            }
        }
        Ok(lineages)
    }

    /// Returns the ids of studies. Other accessions of a study of the catalogue are replaced by its
    /// id.
    fn studies(self, cell: &str) -> Result<Vec<String>, Rejection> {
        let id = |part: &str| {
            if part.contains(|character: char| character.is_whitespace() || character == '/') {
                return Err(Rejection::new(Reason::BadReference, format!("{part:?} is not an accession of a study")));
            }
            Ok(self.id_of(STUDIES, part).unwrap_or_else(|| part.to_owned()))
        };
        parts(cell).map(id).collect()
    }

    /// Returns the id of the resource of the present catalogue with an identifier.
    fn id_of(self, resource_type: &str, identifier: &str) -> Option<String> {
        let stored = self.present?;
        let ordinal = stored.find(resource_type, identifier).ok()??;
        Some(stored.body(ordinal).ok()?.key()?.1)
    }
}

fn parts(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(SEPARATOR).map(str::trim).filter(|part| !part.is_empty())
}
