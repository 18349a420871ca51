//! Results of queries in JSON, TSV and FASTA, with the requested fields. Tables are written by
//! [`super::result_stream`].

use std::fmt::Display;
use std::io::Write;
use std::str::FromStr;

use api_catalogue::Formulas;
use api_http::limits::Permit;
use api_tables::{Cell, end_tsv_row, push_tsv_text};
use store::ProteinAccession;
use store_proteins::{
    FoundProtein, Protein, ProteinGeneration, ProteinPage, ProteinReader, RecordParts, known_cluster_size,
};

use super::result_field::ResultField;
use super::result_format::ResultFormat;

/// The residues on a line of FASTA.
pub const FASTA_WIDTH: usize = 60;

/// The most memory of a result without its record, and with it, as a multiple of the size of a
/// protein on the disk.
const COLUMNS_BYTES: usize = 200;
const COPIES: usize = 6;

/// The words of the header lines of FASTA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FastaHeader {
    /// The accession, the completeness and the cluster size.
    #[default]
    Short,
    /// Also the Pfam families and the biomes.
    Full,
}

/// Writes results.
#[derive(Clone, Debug)]
pub struct ResultWriter {
    format: ResultFormat,
    fields: Vec<ResultField>,
    header: FastaHeader,
    /// The treatment of formulas in TSV.
    formulas: Formulas,
}

impl ResultWriter {
    /// Creates a writer. A repeated field is written once. FASTA has no fields.
    pub fn new(format: ResultFormat, fields: &[ResultField]) -> Self {
        let mut named: Vec<ResultField> = Vec::new();
        for field in fields {
            if !named.contains(field) {
                named.push(*field);
            }
        }
        Self { format, fields: named, header: FastaHeader::Short, formulas: Formulas::Kept }
    }

    pub(crate) fn with_formulas(self, formulas: Formulas) -> Self {
        Self { formulas, ..self }
    }

    /// Writes FASTA with these headers.
    #[must_use]
    pub fn with_header(self, header: FastaHeader) -> Self {
        Self { header, ..self }
    }

    /// Returns the format.
    pub fn format(&self) -> ResultFormat {
        self.format
    }

    /// Returns the fields.
    pub fn fields(&self) -> &[ResultField] {
        &self.fields
    }

    /// Reserves memory for results before they are read and written. Returns whether there is
    /// enough.
    pub fn take_memory(&self, generation: &ProteinGeneration, num_results: usize) -> bool {
        let mean_bytes = if self.needs_records() { generation.mean_protein_bytes() } else { 0 };
        let mean_bytes = usize::try_from(mean_bytes).unwrap_or(usize::MAX).saturating_mul(COPIES);
        Permit::take_memory(num_results.saturating_mul(mean_bytes.saturating_add(COLUMNS_BYTES)))
    }

    /// Writes the text before all results.
    pub fn write_head(&self, text: &mut Vec<u8>) {
        if self.format == ResultFormat::Tsv {
            push_tsv_head(self.fields.iter().map(|field| field.name()), text);
        }
    }

    /// Writes the results of a page.
    ///
    /// # Errors
    ///
    /// * The records of the generation cannot be read.
    pub fn write_page(
        &self,
        generation: &ProteinGeneration,
        page: &ProteinPage,
        text: &mut Vec<u8>,
    ) -> store::Result<()> {
        let mut records = generation.reader(self.parts());
        for (number, found) in page.hits.iter().enumerate() {
            self.write_separator(number == 0, text);
            self.write_result(&mut records, found, text)?;
            self.write_end(text);
        }
        Ok(())
    }

    /// Writes a single result, without separators.
    pub(crate) fn write_result(
        &self,
        records: &mut ProteinReader<'_>,
        found: &FoundProtein,
        text: &mut Vec<u8>,
    ) -> store::Result<()> {
        let protein = self.record(records, found.accession)?;
        let protein = protein.as_ref();
        match self.format {
            ResultFormat::Json | ResultFormat::Ndjson => {
                text.push(b'{');
                self.write_members(found, protein, text);
                text.push(b'}');
            }
            ResultFormat::Tsv => {
                let start = text.len();
                self.write_cells(found, protein, text);
                end_tsv_row(start, text);
            }
            ResultFormat::Fasta => protein.into_iter().for_each(|protein| match self.header {
                FastaHeader::Short => write_fasta(protein, text),
                FastaHeader::Full => write_fasta_with(protein, full_words(protein), text),
            }),
            ResultFormat::A3m | ResultFormat::Gff3 | ResultFormat::Parquet | ResultFormat::Arrow => {}
        }
        Ok(())
    }

    /// Returns the record of a protein if it has any of the requested values. Only records of own
    /// data have names.
    pub(crate) fn record(
        &self,
        records: &mut ProteinReader<'_>,
        accession: ProteinAccession,
    ) -> store::Result<Option<Protein>> {
        let parts = self.parts();
        let is_read = parts != RecordParts::NONE && (parts != RecordParts::NAME || accession.is_own());
        if is_read { records.fetch(accession) } else { Ok(None) }
    }

    /// Writes the separator before a result, unless it is the first.
    pub(crate) fn write_separator(&self, is_first: bool, text: &mut Vec<u8>) {
        if self.format == ResultFormat::Json && !is_first {
            text.push(b',');
        }
    }

    /// Writes the text after each result.
    pub(crate) fn write_end(&self, text: &mut Vec<u8>) {
        if self.format == ResultFormat::Ndjson {
            text.push(b'\n');
        }
    }

    /// Returns whether a requested value is not in the columns of the index.
    pub(crate) fn needs_records(&self) -> bool {
        self.parts() != RecordParts::NONE
    }

    /// Returns the requested parts of records.
    pub(crate) fn parts(&self) -> RecordParts {
        match self.format {
            ResultFormat::Fasta => match self.header {
                FastaHeader::Short => RecordParts::SEQUENCE | RecordParts::NAME,
                FastaHeader::Full => {
                    RecordParts::SEQUENCE | RecordParts::NAME | RecordParts::PFAM_HITS | RecordParts::BIOMES
                }
            },
            _ => self.fields.iter().fold(RecordParts::NONE, |parts, field| parts | field.part()),
        }
    }

    /// Writes the fields as the members of an object.
    pub(crate) fn write_members(&self, found: &FoundProtein, protein: Option<&Protein>, text: &mut Vec<u8>) {
        for (number, field) in self.fields.iter().enumerate() {
            if number > 0 {
                text.push(b',');
            }
            // Writing to memory does not fail, and all keys are texts.
            let _ = write!(text, "\"{}\":", field.name());
            let _ = serde_json::to_writer(&mut *text, &field.value(found, protein));
        }
    }

    /// Writes the fields as the cells of a row.
    pub(crate) fn write_cells(&self, found: &FoundProtein, protein: Option<&Protein>, text: &mut Vec<u8>) {
        push_tsv_cells(self.fields.iter().map(|field| field.value(found, protein)), self.formulas, text);
    }
}

impl FromStr for FastaHeader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "short" => Ok(Self::Short),
            "full" => Ok(Self::Full),
            _ => Err("The headers are short and full.".to_owned()),
        }
    }
}

/// Writes the line with the names of the columns.
pub(crate) fn push_tsv_head<'a>(names: impl Iterator<Item = &'a str>, text: &mut Vec<u8>) {
    text.extend_from_slice(names.collect::<Vec<_>>().join("\t").as_bytes());
    text.push(b'\n');
}

/// Writes the cells of a row of TSV. Decimals have exponents where JSON has them.
pub(crate) fn push_tsv_cells(cells: impl Iterator<Item = Cell>, formulas: Formulas, text: &mut Vec<u8>) {
    for (number, cell) in cells.enumerate() {
        if number > 0 {
            text.push(b'\t');
        }
        match cell {
            Cell::Text(value) => push_tsv_text(&formulas.guard(&value.unwrap_or_default()), text),
            Cell::Number(value) => value.into_iter().for_each(|value| write_cell(value, text)),
            Cell::Decimal(value) => value.iter().for_each(|value| write_cell(format_args!("{value:?}"), text)),
            Cell::Truth(value) => value.into_iter().for_each(|value| write_cell(value, text)),
            Cell::List(values) => push_tsv_text(&formulas.guard(&values.join(";")), text),
        }
    }
}

fn write_cell(value: impl Display, text: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = write!(text, "{value}");
}

/// Writes a sequence below a line with its accession, completeness and cluster size.
pub fn write_fasta(protein: &Protein, text: &mut Vec<u8>) {
    write_fasta_with(protein, size_word(protein), text);
}

/// Returns the cluster size if it is known, after a space.
fn size_word(protein: &Protein) -> String {
    known_cluster_size(protein.cluster_size).map(|size| format!(" CLUSTER={size}")).unwrap_or_default()
}

/// Returns the cluster size, the families and the biomes that are known, each after a space. Biomes
/// are last, because their lineages contain spaces.
fn full_words(protein: &Protein) -> String {
    let lists = [("PFAM", ResultField::Pfam), ("BIOMES", ResultField::Biomes)];
    lists.into_iter().fold(size_word(protein), |words, (name, field)| {
        let values = field.texts(protein).into_iter().collect::<Vec<_>>().join(";");
        if values.is_empty() { words } else { format!("{words} {name}={values}") }
    })
}

/// Writes a sequence below a line with its accession, its completeness if known, and further words.
/// Proteins of own data also have their source and, at the end since it may contain spaces, their
/// name.
pub fn write_fasta_with(protein: &Protein, words: impl Display, text: &mut Vec<u8>) {
    let Protein { accession, full_length, sequence, name, source, .. } = protein;
    let full_length = match full_length {
        None => "",
        Some(false) => " FL=0",
        Some(true) => " FL=1",
    };
    // Writing to memory does not fail.
    let _ = write!(text, ">{accession}{full_length}{words}");
    if let Some(source) = source {
        let _ = write!(text, " source={source} name={name}");
    }
    text.push(b'\n');
    for line in sequence.as_bytes().chunks(FASTA_WIDTH) {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
}
