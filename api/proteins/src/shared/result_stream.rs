//! Results in pages, also as tables.

use std::path::Path;
use std::sync::Arc;

use api_catalogue::TableStream;
use api_http::SourceError;
use api_tables::ColumnType;
use store::BiomeTable;
use store_proteins::{FoundProtein, ProteinGeneration, ProteinPage, ProteinReader};

use super::citation::Citation;
use super::result_field::ResultField;
use super::results::ResultWriter;

/// Writes results page by page.
pub struct ResultStream {
    generation: Arc<ProteinGeneration>,
    writer: ResultWriter,
    table: Option<TableStream>,
}

impl ResultWriter {
    /// Begins to write results of a generation. The metadata of a table have `query`, the query
    /// part of an address.
    ///
    /// # Errors
    ///
    /// * There is too little memory for a table.
    pub fn begin(self, generation: Arc<ProteinGeneration>, query: String) -> Result<ResultStream, SourceError> {
        let columns = self.fields().iter().map(|field| (field.name(), field.column(generation.biomes())));
        let begin = |format| TableStream::begin(format, columns, metadata(&generation, query));
        let table = self.format().table().map(begin).transpose()?;
        Ok(ResultStream { generation, writer: self, table })
    }
}

impl ResultStream {
    /// Writes the text before all results.
    pub fn write_head(&self, text: &mut Vec<u8>) {
        self.writer.write_head(text);
    }

    /// Writes the results of a page. A table may write some of them later.
    ///
    /// # Errors
    ///
    /// * The records of the generation cannot be read.
    /// * There is too little memory for the footer of a table.
    pub fn write_page(&mut self, page: &ProteinPage, text: &mut Vec<u8>) -> Result<(), SourceError> {
        if self.table.is_none() {
            return Ok(self.writer.write_page(&self.generation, page, text)?);
        }
        let generation = Arc::clone(&self.generation);
        let mut records = generation.reader(self.writer.parts());
        page.hits.iter().try_for_each(|found| self.write_result(&mut records, found, text))
    }

    /// Writes a single result, without separators.
    pub(crate) fn write_result(
        &mut self,
        records: &mut ProteinReader<'_>,
        found: &FoundProtein,
        text: &mut Vec<u8>,
    ) -> Result<(), SourceError> {
        let Some(table) = &mut self.table else { return Ok(self.writer.write_result(records, found, text)?) };
        let protein = self.writer.record(records, found.accession)?;
        table.write_row(self.writer.fields().iter().map(|field| field.value(found, protein.as_ref())), text)
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
}

impl ResultField {
    pub(crate) fn column(self, biomes: &BiomeTable) -> ColumnType {
        match self {
            Self::Accession | Self::Sequence | Self::Md5 | Self::Ga4gh => ColumnType::Text,
            Self::Name | Self::Source | Self::Description => ColumnType::OptionalText,
            Self::Length => ColumnType::Number,
            Self::ClusterSize => ColumnType::OptionalNumber,
            Self::FullLength => ColumnType::Truth,
            Self::Biomes => ColumnType::Labels(biomes.iter().map(|biome| biome.lineage.clone()).collect()),
            Self::Pfam | Self::PfamNames | Self::Clans | Self::Studies | Self::Assemblies => ColumnType::Texts,
        }
    }
}

/// Returns the metadata of a table. The files of the release are listed without their folders,
/// which are local to this machine.
pub(crate) fn metadata(generation: &ProteinGeneration, query: String) -> Vec<(String, String)> {
    let inputs = generation.manifest().origin.inputs.iter();
    let files = inputs.filter_map(|input| Path::new(&input.name).file_name()).map(|name| name.to_string_lossy());
    let release = files.collect::<Vec<_>>().join(", ");
    let metadata = [("query", query), ("release", release), ("generation", generation.name().to_string())];
    with_citation(metadata, Some(generation))
}

/// Returns metadata with the citation of a generation, which may not exist any more.
pub(crate) fn with_citation(
    metadata: [(&str, String); 3],
    generation: Option<&ProteinGeneration>,
) -> Vec<(String, String)> {
    let citation = generation.and_then(Citation::of).map(|citation| ("citation", citation.line));
    metadata.into_iter().chain(citation).map(|(name, value)| (format!("mgdex.{name}"), value)).collect()
}
