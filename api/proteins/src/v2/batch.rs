//! Batches: the records of many accessions or names, in the requested order.

use std::mem;
use std::sync::Arc;

use api_catalogue::Formulas;
use api_http::SourceError;
use api_http::limits::Permit;
use api_http::posted::Contents;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::json;
use store::{AccessionError, ProteinAccession};
use store_proteins::{FoundProtein, ProteinGeneration, ProteinReader, Successor};

use super::given::Given;
use super::parameters::{FASTA_FIELDS, OTHER_HEADER, is_for_proteins, parse_fields, parse_formulas};
use super::record::ProteinRecord;
use crate::problem::ProteinProblem;
use crate::shared::named::list_sources;
use crate::shared::result_field::ResultField;
use crate::shared::result_format::ResultFormat;
use crate::shared::result_stream::ResultStream;
use crate::shared::results::{FastaHeader, ResultWriter};

/// The most accessions and names of a batch.
pub const ACCESSIONS_MAX: usize = 100_000;

/// The most look-ups of names. Each name is looked up in each source of own data.
const LOOKUPS_MAX: usize = 1_000_000;

/// The most results that are written at a time.
const PART_RESULTS: usize = 256;

/// The memory of an accession after its look-up.
const ITEM_BYTES: usize = size_of::<Item>();

/// The header with the number of accessions that have no record.
const MISSING: HeaderName = HeaderName::from_static("x-missing");

/// The requested parts of each protein, and their format.
#[derive(Clone, Debug)]
pub struct BatchParameters {
    pub(super) writer: ResultWriter,
    /// If set, results in JSON are whole records.
    pub(super) is_whole: bool,
}

impl BatchParameters {
    /// Reads the query part of a URI. Results in JSON always have the accession.
    ///
    /// # Errors
    ///
    /// * Some parameters cannot be used, and all are listed; or no format is acceptable.
    pub fn parse(text: &str, accepted: Option<ResultFormat>) -> Result<Self, ProteinProblem> {
        let mut given = Given::new(text, &["fields", "format", "header", "safe"])?;
        let fields = given.values("fields", parse_fields);
        let header = given.value("header", str::parse::<FastaHeader>);
        let formulas = given.value("safe", parse_formulas).unwrap_or(Formulas::Kept);
        let format = given.format(accepted, is_for_proteins)?;
        let is_fasta = format == ResultFormat::Fasta;
        given.problems.refuse("fields", FASTA_FIELDS, is_fasta && fields.is_some());
        given.problems.refuse("header", OTHER_HEADER, !is_fasta && header.is_some());
        given.check()?;
        let is_whole = fields.is_none();
        let mut fields = match fields {
            Some(fields) => fields,
            None if format.table().is_some() => ResultField::all().collect(),
            None => ResultField::DEFAULT.to_vec(),
        };
        if matches!(format, ResultFormat::Json | ResultFormat::Ndjson) && !fields.contains(&ResultField::Accession) {
            fields.insert(0, ResultField::Accession);
        }
        Ok(Self {
            writer: ResultWriter::new(format, &fields).with_header(header.unwrap_or_default()).with_formulas(formulas),
            is_whole,
        })
    }
}

/// The accessions of a body.
#[derive(Debug, Default)]
pub struct Batch {
    /// Accessions, or texts that are not accessions and may be names.
    requested: Vec<Result<ProteinAccession, String>>,
}

/// The result of a look-up of an accession or name.
pub enum Item {
    /// The protein exists.
    Found(FoundProtein),
    /// The protein does not exist.
    Missing(ProteinAccession),
    /// Another protein answers for this accession.
    Elsewhere(ProteinAccession, Successor),
    /// A text that is not an accession, and the proteins of own data with this name: none, or
    /// several.
    NoSingle(String, Vec<ProteinAccession>),
}

impl Batch {
    /// Reads a JSON array of accessions and names, or one of them per line.
    pub(super) fn of_body(body: &Contents) -> Result<Self, ProteinProblem> {
        let mut batch = Self::default();
        body.items(|item| batch.push(item.trim())).map_err(ProteinProblem::of_body)?;
        Ok(batch)
    }

    /// Reads accessions and names in a list of words.
    ///
    /// # Errors
    ///
    /// * There are too many.
    pub fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> Result<Self, ProteinProblem> {
        let mut batch = Self::default();
        words.take(ACCESSIONS_MAX + 1).for_each(|word| batch.push(word));
        if batch.requested.len() > ACCESSIONS_MAX {
            let detail = format!("The body has more than {ACCESSIONS_MAX} accessions.");
            return Err(ProteinProblem::Refused { status: StatusCode::PAYLOAD_TOO_LARGE, detail });
        }
        Ok(batch)
    }

    fn push(&mut self, text: &str) {
        self.requested.push(ProteinAccession::parse_as_written(text).map_err(|_| text.to_owned()));
    }

    /// Looks up all accessions and names.
    ///
    /// # Errors
    ///
    /// * There are too many names, too little memory is left, or proteins cannot be read.
    pub fn find(self, data: &ProteinGeneration) -> Result<Vec<Item>, ProteinProblem> {
        let num_lookups = self.requested.iter().filter(|word| word.is_err()).count() * data.sources().len();
        if num_lookups > LOOKUPS_MAX {
            let num_names = LOOKUPS_MAX / data.sources().len();
            let detail =
                format!("The body has more than {num_names} names; each is looked up in each source of own data.");
            return Err(ProteinProblem::Refused { status: StatusCode::PAYLOAD_TOO_LARGE, detail });
        }
        if !Permit::take_memory(self.requested.len() * ITEM_BYTES + num_lookups * size_of::<ProteinAccession>()) {
            return Err(SourceError::Overloaded.into());
        }
        Ok(self.requested.into_iter().map(|word| Item::find(word, data)).collect::<store::Result<Vec<_>>>()?)
    }

    /// Streams all results. `base` is the base URL of links.
    pub fn answer(
        self,
        data: Arc<ProteinGeneration>,
        parameters: BatchParameters,
        base: String,
    ) -> Result<Response, ProteinProblem> {
        let items = self.find(&data)?;
        let num_missing = items.iter().filter(|item| !matches!(item, Item::Found(_))).count();
        let BatchParameters { writer, is_whole } = parameters;
        let (format, query) = (writer.format(), format!("a batch of {} accessions", items.len()));
        let results = writer.clone().begin(Arc::clone(&data), query)?;
        let mut head = if format == ResultFormat::Json { b"{\"results\":[".to_vec() } else { Vec::new() };
        results.write_head(&mut head);
        let mut batch = Some(BatchWriter { data, writer, results, is_whole, base });
        let (mut parts, mut is_first) = (items.into_iter(), true);
        let next = move || {
            let Some(writer) = &mut batch else { return Ok(None) };
            let mut text = mem::take(&mut head);
            writer.write_part(parts.by_ref().take(PART_RESULTS), &mut is_first, &mut text)?;
            if parts.len() == 0 {
                batch.take().map_or(Ok(()), |batch| batch.finish(&mut text))?;
            }
            Ok(Some(text))
        };
        let mut response = format.stream("proteins", next);
        response.headers_mut().insert(MISSING, HeaderValue::from(num_missing));
        Ok(response)
    }
}

impl Item {
    fn find(word: Result<ProteinAccession, String>, data: &ProteinGeneration) -> store::Result<Self> {
        let accession = match word {
            Ok(accession) => accession,
            Err(text) => match &data.find_name(&text)?[..] {
                &[accession] => accession,
                found => return Ok(Self::NoSingle(text, found.to_vec())),
            },
        };
        if let Some(found) = data.find(accession)? {
            return Ok(Self::Found(found));
        }
        let successor = data.successor(accession)?;
        Ok(successor.map_or(Self::Missing(accession), |successor| Self::Elsewhere(accession, successor)))
    }
}

/// Writes the results of a batch.
struct BatchWriter {
    data: Arc<ProteinGeneration>,
    writer: ResultWriter,
    results: ResultStream,
    is_whole: bool,
    base: String,
}

impl BatchWriter {
    fn write_part(
        &mut self,
        items: impl Iterator<Item = Item>,
        is_first: &mut bool,
        text: &mut Vec<u8>,
    ) -> Result<(), SourceError> {
        let data = Arc::clone(&self.data);
        let mut records = data.reader(self.writer.parts());
        for item in items {
            self.write(item, &mut records, is_first, text)?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        item: Item,
        records: &mut ProteinReader<'_>,
        is_first: &mut bool,
        text: &mut Vec<u8>,
    ) -> Result<(), SourceError> {
        let writer = &self.writer;
        let is_object = matches!(writer.format(), ResultFormat::Json | ResultFormat::Ndjson);
        if !is_object && !matches!(item, Item::Found(_)) {
            return Ok(());
        }
        writer.write_separator(mem::take(is_first), text);
        let absence = match item {
            Item::Found(found) if is_object && self.is_whole => {
                if let Some(protein) = self.data.fetch(found.accession)? {
                    // Writing to memory does not fail, and all keys are texts.
                    let record = ProteinRecord::new(&self.data, protein, &self.base)?;
                    let _ = serde_json::to_writer(&mut *text, &record);
                }
                None
            }
            Item::Found(found) => {
                self.results.write_result(records, &found, text)?;
                None
            }
            Item::Missing(accession) => Some(json!({ "accession": accession.to_string(), "found": false })),
            Item::Elsewhere(accession, successor) => {
                let key = match successor {
                    Successor::Replacement(_) => "replaced_by",
                    Successor::Representative(_) => "representative",
                };
                let (accession, other) = (accession.to_string(), successor.accession().to_string());
                Some(json!({ "accession": accession, "found": false, key: other }))
            }
            Item::NoSingle(text, found) => {
                let error = match found[..] {
                    [] if self.data.sources().is_empty() => AccessionError.to_string(),
                    [] => format!("{AccessionError}, and no protein of own data has this name"),
                    _ => list_sources(&self.data, &found, &text),
                };
                Some(json!({ "accession": text, "error": error }))
            }
        };
        if let Some(absence) = absence {
            text.extend_from_slice(absence.to_string().as_bytes());
        }
        writer.write_end(text);
        Ok(())
    }

    fn finish(self, text: &mut Vec<u8>) -> Result<(), SourceError> {
        text.extend_from_slice(if self.writer.format() == ResultFormat::Json { b"]}" } else { b"" });
        self.results.finish(text)
    }
}

#[cfg(test)]
mod tests;
