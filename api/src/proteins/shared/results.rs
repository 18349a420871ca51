//! Results of queries in JSON, TSV and FASTA, with the fields that are asked for. Tables are written by [`super::result_stream`].

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::Write;
use std::str::FromStr;

use store::{DigestAlgorithm, FoundProtein, Protein, ProteinGeneration, ProteinPage, ProteinReader, RecordParts};
use tables::Cell;

use crate::http::limits::Permit;

/// The residues on a line of FASTA.
const FASTA_WIDTH: usize = 60;

/// The most memory of a result without its record, and with it, as a multiple of the size of a protein on the disk.
const COLUMNS_BYTES: usize = 200;
const COPIES: usize = 6;

/// A field of a result. The order is that of the table of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultField {
    /// The accession.
    Accession,
    /// The number of residues.
    Length,
    /// Whether the gene is complete.
    FullLength,
    /// The number of proteins in the cluster that it represents.
    ClusterSize,
    /// The residues.
    Sequence,
    /// The MD5 digest of the sequence.
    Md5,
    /// The GA4GH digest of the sequence.
    Ga4gh,
    /// The lineages of the biomes in which it was found.
    Biomes,
    /// The accessions of its Pfam families.
    Pfam,
    /// The accessions of their clans.
    Clans,
    /// The accessions of the studies in which it occurs.
    Studies,
    /// The accessions of the assemblies in which it occurs.
    Assemblies,
}

/// The form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFormat {
    /// A JSON array.
    Json,
    /// A JSON object a line.
    Ndjson,
    /// Columns separated by tabs, below a line with their names. Several values in a cell are separated by semicolons.
    Tsv,
    /// Sequences, with 60 residues a line.
    Fasta,
    /// A Parquet file.
    Parquet,
    /// A stream of Arrow record batches.
    Arrow,
}

/// Writes results.
#[derive(Clone, Debug)]
pub struct ResultWriter {
    format: ResultFormat,
    fields: Vec<ResultField>,
}

impl ResultField {
    /// All fields with their names, and the part of the record that has the value. What the columns of the index have is in none.
    const TABLE: [(Self, &'static str, RecordParts); 12] = [
        (Self::Accession, "accession", RecordParts::NONE),
        (Self::Length, "length", RecordParts::NONE),
        (Self::FullLength, "full_length", RecordParts::NONE),
        (Self::ClusterSize, "cluster_size", RecordParts::NONE),
        (Self::Sequence, "sequence", RecordParts::SEQUENCE),
        (Self::Md5, "md5", RecordParts::SEQUENCE),
        (Self::Ga4gh, "ga4gh", RecordParts::SEQUENCE),
        (Self::Biomes, "biomes", RecordParts::BIOMES),
        (Self::Pfam, "pfam", RecordParts::PFAM_HITS),
        (Self::Clans, "clans", RecordParts::PFAM_HITS),
        (Self::Studies, "studies", RecordParts::OCCURRENCES),
        (Self::Assemblies, "assemblies", RecordParts::OCCURRENCES),
    ];

    /// The fields of a result that is not asked for others. They are known without reading the record.
    pub const DEFAULT: [Self; 4] = [Self::Accession, Self::Length, Self::FullLength, Self::ClusterSize];

    /// Returns all fields.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::TABLE.into_iter().map(|(field, ..)| field)
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    const fn part(self) -> RecordParts {
        Self::TABLE[self as usize].2
    }

    /// Returns the value of a protein, whose record is there if [`ResultWriter::needs_records`].
    pub(super) fn value(self, found: &FoundProtein, protein: Option<&Protein>) -> Cell {
        let sequence = || protein.map_or("", |protein| &*protein.sequence);
        match self {
            Self::Accession => Cell::Text(found.accession.to_string()),
            Self::Length => Cell::Number(found.length),
            Self::FullLength => Cell::Truth(found.full_length),
            Self::ClusterSize => Cell::Number(found.cluster_size),
            Self::Sequence => Cell::Text(sequence().to_owned()),
            Self::Md5 => Cell::Text(DigestAlgorithm::Md5.digest(sequence()).to_string()),
            Self::Ga4gh => Cell::Text(DigestAlgorithm::Sha512t24u.digest(sequence()).to_string()),
            Self::Biomes | Self::Pfam | Self::Clans | Self::Studies | Self::Assemblies => {
                Cell::List(protein.map(|protein| self.texts(protein)).unwrap_or_default().into_iter().collect())
            }
        }
    }

    /// Returns the texts of a field that is a list of them; other fields have none.
    pub(crate) fn texts(self, protein: &Protein) -> BTreeSet<String> {
        let Protein { biomes, pfam_annotations, occurrences, .. } = protein;
        match self {
            Self::Biomes => biomes.iter().map(|biome| biome.lineage.clone()).collect(),
            Self::Pfam => pfam_annotations.iter().map(|found| found.hit.family.to_string()).collect(),
            Self::Clans => {
                pfam_annotations.iter().filter_map(|found| Some(found.clan.as_deref()?.to_owned())).collect()
            }
            Self::Studies => {
                let studies = occurrences.iter().map(|found| found.study.clone());
                studies.filter(|study| !study.is_empty()).collect()
            }
            Self::Assemblies => occurrences.iter().map(|found| found.assembly.clone()).collect(),
            _ => BTreeSet::new(),
        }
    }
}

impl FromStr for ResultField {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all().find(|field| field.name() == name).ok_or_else(|| {
            let names = Self::TABLE.map(|(_, name, _)| name).join(", ");
            format!("No field is called \"{}\"; there are {names}.", crate::http::error::shown(name))
        })
    }
}

impl ResultWriter {
    /// Makes a writer. A field that is named twice is written once. FASTA has no fields.
    pub fn new(format: ResultFormat, fields: &[ResultField]) -> Self {
        let mut named: Vec<ResultField> = Vec::new();
        for field in fields {
            if !named.contains(field) {
                named.push(*field);
            }
        }
        Self { format, fields: named }
    }

    /// Returns the format.
    pub fn format(&self) -> ResultFormat {
        self.format
    }

    /// Returns the fields.
    pub(crate) fn fields(&self) -> &[ResultField] {
        &self.fields
    }

    /// Takes memory for results before they are read and written. Returns whether there is as much.
    pub(crate) fn take_memory(&self, generation: &ProteinGeneration, num_results: usize) -> bool {
        let mean_bytes = if self.needs_records() { generation.mean_protein_bytes() } else { 0 };
        let mean_bytes = usize::try_from(mean_bytes).unwrap_or(usize::MAX).saturating_mul(COPIES);
        Permit::take_memory(num_results.saturating_mul(mean_bytes.saturating_add(COLUMNS_BYTES)))
    }

    /// Writes what stands before all results.
    pub fn write_head(&self, text: &mut Vec<u8>) {
        if self.format == ResultFormat::Tsv {
            let names: Vec<_> = self.fields.iter().map(|field| field.name()).collect();
            text.extend_from_slice(names.join("\t").as_bytes());
            text.push(b'\n');
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

    /// Writes a result without what stands around it.
    pub(crate) fn write_result(
        &self,
        records: &mut ProteinReader<'_>,
        found: &FoundProtein,
        text: &mut Vec<u8>,
    ) -> store::Result<()> {
        let protein = if self.needs_records() { records.fetch(found.accession)? } else { None };
        let protein = protein.as_ref();
        match self.format {
            ResultFormat::Json | ResultFormat::Ndjson => self.write_object(found, protein, text),
            ResultFormat::Tsv => self.write_row(found, protein, text),
            ResultFormat::Fasta => protein.into_iter().for_each(|protein| write_fasta(protein, text)),
            ResultFormat::Parquet | ResultFormat::Arrow => {}
        }
        Ok(())
    }

    /// Writes what stands between a result and the one before it.
    pub(crate) fn write_separator(&self, is_first: bool, text: &mut Vec<u8>) {
        if self.format == ResultFormat::Json && !is_first {
            text.push(b',');
        }
    }

    /// Writes what stands behind each result.
    pub(crate) fn write_end(&self, text: &mut Vec<u8>) {
        if self.format == ResultFormat::Ndjson {
            text.push(b'\n');
        }
    }

    /// Returns whether the columns of the index do not have all that is wanted.
    pub(crate) fn needs_records(&self) -> bool {
        self.parts() != RecordParts::NONE
    }

    /// Returns the parts of records that are wanted.
    pub(crate) fn parts(&self) -> RecordParts {
        match self.format {
            ResultFormat::Fasta => RecordParts::SEQUENCE,
            _ => self.fields.iter().fold(RecordParts::NONE, |parts, field| parts | field.part()),
        }
    }

    fn write_object(&self, found: &FoundProtein, protein: Option<&Protein>, text: &mut Vec<u8>) {
        text.push(b'{');
        for (number, field) in self.fields.iter().enumerate() {
            if number > 0 {
                text.push(b',');
            }
            // Nothing fails: it is written into memory, and all keys are texts.
            let _ = write!(text, "\"{}\":", field.name());
            let _ = match field.value(found, protein) {
                Cell::Text(value) => serde_json::to_writer(&mut *text, &value),
                Cell::Number(value) => serde_json::to_writer(&mut *text, &value),
                Cell::Truth(value) => serde_json::to_writer(&mut *text, &value),
                Cell::List(values) => serde_json::to_writer(&mut *text, &values),
            };
        }
        text.push(b'}');
    }

    fn write_row(&self, found: &FoundProtein, protein: Option<&Protein>, text: &mut Vec<u8>) {
        for (number, field) in self.fields.iter().enumerate() {
            if number > 0 {
                text.push(b'\t');
            }
            match field.value(found, protein) {
                Cell::Text(value) => write_cell(value, text),
                Cell::Number(value) => write_cell(value, text),
                Cell::Truth(value) => value.into_iter().for_each(|value| write_cell(value, text)),
                Cell::List(values) => write_cell(values.join(";"), text),
            }
        }
        text.push(b'\n');
    }
}

/// Writes a value without the characters that end cells.
fn write_cell(value: impl Display, text: &mut Vec<u8>) {
    let start = text.len();
    // Writing into memory does not fail.
    let _ = write!(text, "{value}");
    for byte in &mut text[start..] {
        if matches!(byte, b'\t' | b'\r' | b'\n') {
            *byte = b' ';
        }
    }
}

/// Writes a sequence below a line with its accession, completeness and cluster size.
pub(crate) fn write_fasta(protein: &Protein, text: &mut Vec<u8>) {
    write_fasta_with(protein, format_args!(" CLUSTER={}", protein.cluster_size), text);
}

/// Writes a sequence below a line with its accession, completeness if that is known, and further words.
pub fn write_fasta_with(protein: &Protein, words: impl Display, text: &mut Vec<u8>) {
    let Protein { accession, full_length, sequence, .. } = protein;
    let full_length = match full_length {
        None => "",
        Some(false) => " FL=0",
        Some(true) => " FL=1",
    };
    // Writing into memory does not fail.
    let _ = writeln!(text, ">{accession}{full_length}{words}");
    for line in sequence.as_bytes().chunks(FASTA_WIDTH) {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
}
