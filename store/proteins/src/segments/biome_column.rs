//! The biomes of a document in a column with one number for each document: most proteins have one
//! biome. A second column has the biomes of the others.

use store::BiomeOrdinal;
use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use super::column::DenseColumn;
use super::ordered_writer::NewDocument;
use super::schema::{BIOME_CODE, SEVERAL_BIOMES};

/// The numbers for no biome and for several. The ordinals of single biomes follow.
const NONE: u64 = 0;
const SEVERAL: u64 = 1;
const FIRST: u64 = 2;

pub(crate) struct BiomeColumn {
    codes: DenseColumn,
    /// The ordinals of documents of several biomes, ascending, and each once.
    several: Column,
}

/// Documents by their number of biomes.
#[derive(Default)]
pub(crate) struct ByBiome {
    pub(crate) num_without: u64,
    pub(crate) of_one: Vec<BiomeOrdinal>,
    pub(crate) of_several: Vec<DocId>,
}

impl BiomeColumn {
    pub(crate) fn open(reader: &SegmentReader) -> tantivy::Result<Self> {
        Ok(Self { codes: DenseColumn::open(reader, BIOME_CODE)?, several: reader.fast_fields().u64(SEVERAL_BIOMES)? })
    }

    /// Adds the biomes of a document, ascending, and each once.
    pub(crate) fn add(document: &mut NewDocument<'_>, biomes: &[BiomeOrdinal]) {
        let code = match *biomes {
            [] => NONE,
            [biome] => FIRST + u64::from(biome),
            _ => SEVERAL,
        };
        document.add_number(BIOME_CODE, code);
        for &biome in if code == SEVERAL { biomes } else { &[] } {
            document.add_number(SEVERAL_BIOMES, biome.into());
        }
    }

    pub(crate) fn several(&self) -> &Column {
        &self.several
    }

    /// Sorts documents by their number of biomes.
    pub(crate) fn sort(&self, docs: &[DocId], codes: &mut Vec<u64>, sorted: &mut ByBiome) {
        codes.resize(docs.len(), 0);
        self.codes.get_all(docs, codes);
        sorted.num_without = 0;
        sorted.of_one.clear();
        sorted.of_several.clear();
        for (&doc, &code) in docs.iter().zip(&*codes) {
            match code {
                NONE => sorted.num_without += 1,
                SEVERAL => sorted.of_several.push(doc),
                code => sorted.of_one.extend(BiomeOrdinal::try_from(code - FIRST)),
            }
        }
    }

    /// Returns the biomes of a document.
    pub(crate) fn of(&self, doc: DocId) -> Vec<u64> {
        match self.codes.get(doc) {
            NONE => Vec::new(),
            SEVERAL => self.several.values_for_doc(doc).collect(),
            code => vec![code - FIRST],
        }
    }
}
