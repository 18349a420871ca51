//! Tables of one's own samples or studies: each row becomes a resource like those of the public service.

use std::io::{self, BufRead, BufReader, Read};

use csv::{ReaderBuilder, StringRecord, Trim};
use serde_json::{Value, json};
use store::model::{BIOMES, SAMPLES, STUDIES};
use store::{BYTE_ORDER_MARK, StoredResources};

use super::date::is_date;
use super::own_accession::checked_accession;
use super::pieces::{Content, Limits, ResourceBatch};
use super::resource::Members;
use crate::run::{Reason, Rejection};

/// The most bytes of a header.
const HEADER_BYTES_MAX: u64 = 1 << 20;

/// Between several studies or biomes of a row.
const SEPARATOR: char = ';';

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Text,
    Date,
    /// A whole number of at least 0.
    Count,
    /// Degrees up to this number, north or south, east or west.
    Degrees(f64),
}

/// The type of the resources of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableType {
    /// Samples.
    Samples,
    /// Studies.
    Studies,
}

const SAMPLE_ATTRIBUTES: [(&str, Form); 14] = [
    ("longitude", Form::Degrees(180.0)),
    ("biosample", Form::Text),
    ("latitude", Form::Degrees(90.0)),
    ("analysis-completed", Form::Date),
    ("collection-date", Form::Date),
    ("geo-loc-name", Form::Text),
    ("sample-desc", Form::Text),
    ("environment-biome", Form::Text),
    ("environment-feature", Form::Text),
    ("environment-material", Form::Text),
    ("sample-name", Form::Text),
    ("sample-alias", Form::Text),
    ("host-tax-id", Form::Count),
    ("species", Form::Text),
];

const STUDY_ATTRIBUTES: [(&str, Form); 7] = [
    ("bioproject", Form::Text),
    ("samples-count", Form::Count),
    ("secondary-accession", Form::Text),
    ("centre-name", Form::Text),
    ("public-release-date", Form::Date),
    ("study-abstract", Form::Text),
    ("study-name", Form::Text),
];

/// Identifiers that the archives give. A table has no columns for them.
const OF_ARCHIVES: [&str; 3] = ["biosample", "bioproject", "secondary-accession"];

const LAST_UPDATE: (&str, Form) = ("last-update", Form::Date);

impl TableType {
    const fn name(self) -> &'static str {
        match self {
            Self::Samples => SAMPLES,
            Self::Studies => STUDIES,
        }
    }

    fn attributes(self) -> impl Iterator<Item = (&'static str, Form)> {
        let attributes = match self {
            Self::Samples => &SAMPLE_ATTRIBUTES[..],
            Self::Studies => &STUDY_ATTRIBUTES,
        };
        attributes.iter().copied().chain([LAST_UPDATE])
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

/// A table that is read, and the present catalogue, which knows the biomes and studies that it names.
#[derive(Clone, Copy)]
pub(super) struct TableRules<'a> {
    pub(super) table_type: TableType,
    pub(super) present: Option<&'a StoredResources>,
}

/// The meaning of a column.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    Accession,
    Biome,
    Study,
    Attribute(&'static str, Form),
    /// Key and unit of metadata.
    Metadata(String, Option<String>),
}

/// Reads a table, and pushes its rows as resources. The header shows whether tabs or commas are between its columns.
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
    let is_tsv = header.contains(&b'\t');
    let mut reader = ReaderBuilder::new()
        .delimiter(if is_tsv { b'\t' } else { b',' })
        .quoting(!is_tsv)
        .trim(Trim::All)
        .flexible(true)
        .from_reader(io::Cursor::new(header).chain(input));
    let columns =
        rules.columns(reader.headers()?).map_err(|problem| io::Error::new(io::ErrorKind::InvalidData, problem))?;
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        let row = match reader.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) if record.iter().all(str::is_empty) => continue,
            Ok(true) if record.as_slice().len() > limits.line_bytes => {
                Err(Rejection::new(Reason::TooLong, format!("longer than {} bytes: raise --memory", limits.line_bytes)))
            }
            Ok(true) => rules.resource(&columns, &record),
            Err(error) if error.is_io_error() => return Err(error.into()),
            Err(_) => Err(Rejection::new(Reason::BadRow, "it is not UTF-8 text")),
        };
        *num_lines = reader.position().line() - 1;
        let line = record.position().map_or(line, csv::Position::line);
        push(match row {
            Ok(resource) => Content::Resources(ResourceBatch {
                found_in: None,
                resources: vec![(resource.to_string().into(), line, false)],
            }),
            Err(rejection) => Content::Rejected(rejection.at_row(line, record.as_slice().as_bytes())),
        })?;
    }
}

impl TableRules<'_> {
    fn columns(self, header: &StringRecord) -> Result<Vec<Column>, String> {
        let mut columns = Vec::with_capacity(header.len());
        for title in header {
            let name = title.to_lowercase().replace(['_', ' '], "-");
            let mut attributes = self.table_type.attributes().filter(|(known, _)| !OF_ARCHIVES.contains(known));
            let attribute = attributes.find(|(known, _)| *known == name);
            let column = match (&*name, attribute) {
                ("accession" | "id", _) => Column::Accession,
                ("biome", _) => Column::Biome,
                ("study", _) if self.table_type == TableType::Samples => Column::Study,
                (_, Some((known, form))) => Column::Attribute(known, form),
                ("", None) => return Err("a column has no name".to_owned()),
                _ if self.table_type == TableType::Samples => {
                    let unit = title.strip_suffix(')').and_then(|title| title.rsplit_once(" ("));
                    let (key, unit) = unit.map_or((title, None), |(key, unit)| (key, Some(unit.to_owned())));
                    Column::Metadata(key.to_owned(), unit)
                }
                _ => {
                    let known = self.table_type.attributes().map(|(known, _)| known);
                    let known: Vec<_> = known.filter(|known| !OF_ARCHIVES.contains(known)).collect();
                    return Err(format!(
                        "studies have no column {title:?}, only accession, biome, {}",
                        known.join(", ")
                    ));
                }
            };
            if columns.contains(&column) {
                return Err(format!("the column {title:?} occurs twice"));
            }
            columns.push(column);
        }
        if columns.contains(&Column::Accession) { Ok(columns) } else { Err("no column is named accession".to_owned()) }
    }

    /// Returns the resource of a row.
    fn resource(self, columns: &[Column], row: &StringRecord) -> Result<Value, Rejection> {
        if row.len() != columns.len() {
            let detail = format!("it has {} columns, and the header has {}", row.len(), columns.len());
            return Err(Rejection::new(Reason::BadRow, detail));
        }
        let kind = self.table_type.name();
        let mut accession = "";
        let mut attributes: Members =
            self.table_type.attributes().map(|(name, _)| (name.to_owned(), Value::Null)).collect();
        let (mut metadata, mut biomes, mut studies) = (Vec::new(), Vec::new(), Vec::new());
        for (column, cell) in columns.iter().zip(row) {
            match column {
                Column::Accession => accession = checked_accession(cell)?,
                _ if cell.is_empty() => {}
                Column::Biome => biomes = self.biomes(cell)?,
                Column::Study => studies = self.studies(cell)?,
                Column::Attribute(name, form) => _ = attributes.insert((*name).to_owned(), form.value(name, cell)?),
                Column::Metadata(key, unit) => metadata.push(json!({"key": key, "value": cell, "unit": unit})),
            }
        }
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
                    let Some(lineage) = biomes.first() else {
                        relationship = json!({"data": null});
                        relationships.insert((*name).to_owned(), relationship);
                        continue;
                    };
                    let related = format!("{base}/{BIOMES}/{lineage}");
                    relationship = json!({"data": {"type": BIOMES, "id": lineage}, "links": {"related": related}});
                }
                Some(Column::Biome) => relationship["data"] = named(BIOMES, &biomes),
                Some(_) => relationship["data"] = named(STUDIES, &studies),
                None => {}
            }
            relationships.insert((*name).to_owned(), relationship);
        }
        Ok(
            json!({"type": kind, "id": accession, "attributes": attributes, "relationships": relationships, "links": {"self": own}}),
        )
    }

    fn biomes(self, cell: &str) -> Result<Vec<String>, Rejection> {
        let lineages: Vec<String> = parts(cell).map(str::to_owned).collect();
        if self.table_type == TableType::Samples && lineages.len() > 1 {
            return Err(Rejection::new(Reason::BadLineage, "a sample has one biome"));
        }
        for lineage in &lineages {
            if self.id_of(BIOMES, lineage).is_none_or(|known| known != *lineage) {
                return Err(Rejection::new(Reason::UnknownBiome, format!("the catalogue has no biome {lineage}")));
            }
        }
        Ok(lineages)
    }

    /// Returns the ids of studies. Other accessions of a study of the catalogue become its id.
    fn studies(self, cell: &str) -> Result<Vec<String>, Rejection> {
        let id = |part: &str| {
            if part.contains(|character: char| character.is_whitespace() || character == '/') {
                return Err(Rejection::new(Reason::BadReference, format!("{part:?} is no accession of a study")));
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

impl Form {
    fn value(self, name: &str, cell: &str) -> Result<Value, Rejection> {
        let bad_number =
            |expected: &str| Rejection::new(Reason::BadNumber, format!("{name}: {cell:?} is not {expected}"));
        Ok(match self {
            Self::Text => cell.into(),
            Self::Date if is_date(cell) => cell.into(),
            Self::Date => {
                let detail = format!("{name}: {cell:?} is not a date such as 2026-11-24 or 2026-11-24T08:00:00");
                return Err(Rejection::new(Reason::BadDate, detail));
            }
            Self::Count => cell.parse::<u64>().map_err(|_| bad_number("a whole number"))?.into(),
            Self::Degrees(max) => {
                let degrees: f64 = cell.parse().map_err(|_| bad_number("a number"))?;
                if degrees.abs() <= max {
                    degrees.into()
                } else {
                    return Err(bad_number(&format!("within {max} degrees")));
                }
            }
        })
    }
}
