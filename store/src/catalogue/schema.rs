//! The fields of the index.

use std::sync::LazyLock;

use tantivy::schema::{BytesOptions, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer};

/// The name of the column of ordinals.
pub(super) const ORDINAL: &str = "ordinal";

/// The name of the column of degrees north; null for resources that are nowhere.
pub(super) const LATITUDE: &str = "latitude";

/// The name of the column of degrees east, likewise.
pub(super) const LONGITUDE: &str = "longitude";

/// The name of the column with the ordinals of the samples that a resource names.
pub(super) const SAMPLE_ORDINALS: &str = "sample_ordinals";

/// The name under which the index knows how texts fall into words.
pub(super) const WORDS: &str = "words";

/// How long a word may be, in bytes; longer ones are neither indexed nor found.
pub(super) const WORD_BYTES_MAX: usize = 255;

/// A field of terms. All of them begin with the type of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyField {
    /// Type, lineage: of its own biomes and all above them.
    Lineage,
    /// Type, lineage: of its own biomes.
    OwnLineage,
    /// Type, name, value.
    Attribute,
    /// Type, key.
    MetadataKey,
    /// Type, key, value; entries without a value are left out.
    Metadata,
    /// Type, key, value as a number, of values that are one.
    MetadataNumber,
    /// Type, type and id of the resource that it names.
    Named,
    /// Type, type and id of the parent, name of the relation.
    FoundIn,
}

impl KeyField {
    /// All of them, with their names.
    const ALL: [(Self, &str); 8] = [
        (Self::Lineage, "lineage"),
        (Self::OwnLineage, "own_lineage"),
        (Self::Attribute, "attribute"),
        (Self::MetadataKey, "metadata_key"),
        (Self::Metadata, "metadata"),
        (Self::MetadataNumber, "metadata_number"),
        (Self::Named, "named"),
        (Self::FoundIn, "found_in"),
    ];

    /// Returns the engine's field.
    pub(super) fn field(self) -> Field {
        SCHEMA.keys[self as usize]
    }
}

/// The schema with its fields.
pub(super) struct CatalogueSchema {
    /// The engine's schema.
    pub(super) schema: Schema,
    /// Terms, in the order of [`KeyField`].
    keys: [Field; KeyField::ALL.len()],
    /// Terms: the words of the searchable text.
    pub(super) text: Field,
    /// Column: see [`ORDINAL`].
    pub(super) ordinal: Field,
    /// Column: see [`LATITUDE`].
    pub(super) latitude: Field,
    /// Column: see [`LONGITUDE`].
    pub(super) longitude: Field,
    /// Column: see [`SAMPLE_ORDINALS`].
    pub(super) sample_ordinals: Field,
}

/// The schema of every catalogue.
pub(super) static SCHEMA: LazyLock<CatalogueSchema> = LazyLock::new(|| {
    let column = || NumericOptions::default().set_fast();
    let words = TextFieldIndexing::default()
        .set_tokenizer(WORDS)
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    let mut builder = Schema::builder();
    let keys = KeyField::ALL.map(|(_, name)| builder.add_bytes_field(name, BytesOptions::default().set_indexed()));
    let text = builder.add_text_field("text", TextOptions::default().set_indexing_options(words));
    let ordinal = builder.add_u64_field(ORDINAL, column());
    let latitude = builder.add_f64_field(LATITUDE, column());
    let longitude = builder.add_f64_field(LONGITUDE, column());
    let sample_ordinals = builder.add_u64_field(SAMPLE_ORDINALS, column());
    CatalogueSchema { schema: builder.build(), keys, text, ordinal, latitude, longitude, sample_ordinals }
});

/// Returns what splits texts into the words that are indexed.
pub(super) fn indexed_words() -> TextAnalyzer {
    let long = RemoveLongFilter::limit(WORD_BYTES_MAX + 1);
    TextAnalyzer::builder(SimpleTokenizer::default()).filter(long).filter(LowerCaser).build()
}

/// Returns all words of a text as they are indexed, each once; too long ones are not indexed.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .build()
        .token_stream(text)
        .process(&mut |token| words.push(token.text.clone()));
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_their_names() {
        for (field, name) in KeyField::ALL {
            assert_eq!(SCHEMA.schema.get_field_name(field.field()), name);
        }
    }

    #[test]
    fn words_are_letters_and_digits() {
        assert_eq!(words("Sea-water, SEA  5°C_ÄÖ"), ["5", "c", "sea", "water", "äö"]);
        assert!(words(" -,.").is_empty());
        let long = "x".repeat(WORD_BYTES_MAX);
        let mut indexed = Vec::new();
        let text = format!("{long} {long}x Ab");
        indexed_words().token_stream(&text).process(&mut |token| indexed.push(token.text.clone()));
        assert_eq!(indexed, [&*long, "ab"]);
    }
}
