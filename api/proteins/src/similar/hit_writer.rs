//! Hits in JSON, TSV, FASTA and A3M, and as tables.

use std::io::Write;
use std::sync::Arc;

use api_catalogue::{Formulas, TableStream};
use api_http::SourceError;
use api_tables::{Cell, ColumnType, push_tsv_text};
use serde::Serialize;
use similarity::{Columns, Domain, Hit, Query};
use store_proteins::{FoundProtein, Protein, ProteinGeneration};

use crate::shared::result_field::ResultField;
use crate::shared::result_format::ResultFormat;
use crate::shared::results::{ResultWriter, push_tsv_head, write_fasta_with};

/// The columns of BLAST's tables.
const COLUMNS: [(&str, ColumnType); 12] = [
    ("qseqid", ColumnType::Text),
    ("sseqid", ColumnType::Text),
    ("pident", ColumnType::Decimal),
    ("length", ColumnType::Number),
    ("mismatch", ColumnType::Number),
    ("gapopen", ColumnType::Number),
    ("qstart", ColumnType::Number),
    ("qend", ColumnType::Number),
    ("sstart", ColumnType::Number),
    ("send", ColumnType::Number),
    ("evalue", ColumnType::Decimal),
    ("bitscore", ColumnType::Decimal),
];

/// A query and its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedQuery<'a> {
    /// The name.
    pub name: &'a str,
    /// The query.
    pub query: &'a Query,
}

/// Writes hits.
pub struct HitWriter {
    /// If set, each object has the name of its query.
    names_queries: bool,
    /// Writes the fields of records.
    records: ResultWriter,
    generation: Option<Arc<ProteinGeneration>>,
    table: Option<TableStream>,
}

/// The values of a hit that are not in the record of the protein.
#[derive(Serialize)]
struct HitValues<'a> {
    score: f64,
    evalue: f64,
    bias: f64,
    domains: &'a [Domain],
}

impl HitWriter {
    /// Creates a writer for hits of a generation, with the given fields of their records. If the
    /// generation does not exist any more, only accession and length are known. `metadata` is
    /// written into tables.
    ///
    /// # Errors
    ///
    /// * There is too little memory for a table.
    pub fn new(
        format: ResultFormat,
        fields: &[ResultField],
        generation: Option<Arc<ProteinGeneration>>,
        metadata: Vec<(String, String)>,
    ) -> Result<Self, SourceError> {
        let column = |field: &ResultField| {
            let column = generation.as_ref().map_or(ColumnType::Text, |generation| field.column(generation.biomes()));
            (column_name(*field), column)
        };
        let columns = COLUMNS.into_iter().chain(fields.iter().map(column));
        let table = format.table().map(|table| TableStream::begin(table, columns, metadata)).transpose()?;
        let records = ResultWriter::new(format, fields);
        Ok(Self { names_queries: false, records, generation, table })
    }

    /// Adds the name of its query to each object.
    #[must_use]
    pub fn naming_queries(self) -> Self {
        Self { names_queries: true, ..self }
    }

    pub(super) fn with_formulas(self, formulas: Formulas) -> Self {
        Self { records: self.records.with_formulas(formulas), ..self }
    }

    /// Writes the text before all hits.
    pub fn write_head(&self, text: &mut Vec<u8>) {
        if self.records.format() == ResultFormat::Tsv {
            let names = self.records.fields().iter().map(|field| column_name(*field));
            push_tsv_head(COLUMNS.into_iter().map(|(name, _)| name).chain(names), text);
        }
    }

    /// Writes the text before the hits of a query.
    pub fn begin(&self, NamedQuery { name, query }: NamedQuery, text: &mut Vec<u8>) {
        if let (ResultFormat::A3m, Query::Sequence(residues)) = (self.records.format(), query) {
            // Writing to memory does not fail.
            let _ = writeln!(text, ">{name}\n{residues}");
        }
    }

    /// Writes a hit of a query, without separators between objects.
    ///
    /// # Errors
    ///
    /// * The record of the protein cannot be read.
    pub fn write(&mut self, named: NamedQuery, hit: &Hit, text: &mut Vec<u8>) -> Result<(), SourceError> {
        let Hit { accession, evalue, domains, .. } = hit;
        let (found, protein) = self.record(hit)?;
        match self.records.format() {
            ResultFormat::Json | ResultFormat::Ndjson => self.write_object(named, hit, &found, protein.as_ref(), text),
            ResultFormat::Tsv => {
                for domain in domains {
                    write_row(named.name, hit, domain, text);
                    if !self.records.fields().is_empty() {
                        text.push(b'\t');
                        self.records.write_cells(&found, protein.as_ref(), text);
                    }
                    text.push(b'\n');
                }
            }
            ResultFormat::Fasta => {
                let words = format_args!(" E={evalue:e} query={}", named.name);
                if let Some(protein) = &protein {
                    write_fasta_with(protein, words, text);
                }
            }
            ResultFormat::A3m => {
                for domain @ Domain { from, to, ievalue, .. } in domains {
                    let row = domain.a3m_row(named.query.length());
                    let _ = writeln!(text, ">{accession}/{from}-{to} E={ievalue:e}\n{row}");
                }
            }
            ResultFormat::Gff3 => {}
            ResultFormat::Parquet | ResultFormat::Arrow => {
                let Some(table) = &mut self.table else { return Ok(()) };
                for domain in domains {
                    let fields = self.records.fields().iter().map(|field| field.value(&found, protein.as_ref()));
                    table.write_row(row(named.name, hit, domain).into_iter().chain(fields), text)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the rest at the end.
    ///
    /// # Errors
    ///
    /// * The last rows of a table cannot be written.
    pub fn finish(self, text: &mut Vec<u8>) -> Result<(), SourceError> {
        if let Some(mut table) = self.table {
            text.append(&mut table.finish()?);
        }
        Ok(())
    }

    /// Reads the requested parts of the record of a hit.
    fn record(&self, hit: &Hit) -> Result<(FoundProtein, Option<Protein>), SourceError> {
        let Hit { accession, length, .. } = *hit;
        let of_hit = FoundProtein { accession, length, full_length: None, cluster_size: 0 };
        let Some(generation) = &self.generation else { return Ok((of_hit, None)) };
        let is_of_hit = |field: &ResultField| matches!(field, ResultField::Accession | ResultField::Length);
        let found = if self.records.fields().iter().all(is_of_hit) { None } else { generation.find(accession)? };
        let protein = self.records.record(&mut generation.reader(self.records.parts()), accession)?;
        Ok((found.unwrap_or(of_hit), protein))
    }

    fn write_object(
        &self,
        NamedQuery { name, .. }: NamedQuery,
        &Hit { score, evalue, bias, ref domains, .. }: &Hit,
        found: &FoundProtein,
        protein: Option<&Protein>,
        text: &mut Vec<u8>,
    ) {
        text.push(b'{');
        if self.names_queries {
            // All keys are texts, and numbers are finite.
            let _ = write!(text, "\"query\":{},", serde_json::Value::from(name));
        }
        self.records.write_members(found, protein, text);
        text.push(b',');
        let start = text.len();
        let _ = serde_json::to_writer(&mut *text, &HitValues { score, evalue, bias, domains });
        // Removes the opening brace.
        text.remove(start);
        if self.records.format() == ResultFormat::Ndjson {
            text.push(b'\n');
        }
    }
}

/// Returns the name of the column for a field. BLAST's `length` is that of the alignment, so the
/// length of the protein is `slen`.
fn column_name(field: ResultField) -> &'static str {
    if field == ResultField::Length { "slen" } else { field.name() }
}

/// Writes the twelve columns of a row.
fn write_row(name: &str, Hit { accession, .. }: &Hit, domain: &Domain, text: &mut Vec<u8>) {
    let Columns { num, num_mismatches, num_gaps, .. } = domain.columns();
    let Domain { query_from, query_to, from, to, ievalue, score, .. } = domain;
    let identity = domain.identity() * 100.0;
    push_tsv_text(name, text);
    let _ = write!(
        text,
        "\t{accession}\t{identity:.3}\t{num}\t{num_mismatches}\t{num_gaps}\t{query_from}\t{query_to}\t{from}\t{to}\t{ievalue:e}\t{score}"
    );
}

/// Returns the twelve columns of a row as cells of a table.
fn row(name: &str, Hit { accession, .. }: &Hit, domain: &Domain) -> [Cell; 12] {
    let Columns { num, num_mismatches, num_gaps, .. } = domain.columns();
    let &Domain { query_from, query_to, from, to, ievalue, score, .. } = domain;
    let [num, num_mismatches, num_gaps] = [num, num_mismatches, num_gaps].map(Cell::number);
    let [query_from, query_to, from, to] = [query_from, query_to, from, to].map(Cell::number);
    let (name, accession) = (Cell::text(name), Cell::text(accession));
    let [identity, ievalue, score] =
        [domain.identity() * 100.0, ievalue, score].map(|number| Cell::Decimal(Some(number)));
    [name, accession, identity, num, num_mismatches, num_gaps, query_from, query_to, from, to, ievalue, score]
}
