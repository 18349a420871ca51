//! The fields of the index.

use std::sync::LazyLock;

use strum::{IntoStaticStr, VariantArray};
use tantivy::schema::{BytesOptions, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer};

pub(crate) const ORDINAL: &str = "ordinal";

/// Null without coordinates.
pub(crate) const LATITUDE: &str = "latitude";

pub(crate) const LONGITUDE: &str = "longitude";
pub(crate) const SAMPLE_ORDINALS: &str = "sample_ordinals";

pub(crate) const WORDS: &str = "words";

/// Longer words are neither indexed nor found.
pub(crate) const WORD_BYTES_MAX: usize = 255;

/// A field of terms, each of which begins with the type of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum KeyField {
    /// Type, lineage: of its own biomes and all their ancestors.
    Lineage,
    /// Type, lineage: of its own biomes.
    OwnLineage,
    /// Type, name, value.
    Attribute,
    /// Type, key.
    MetadataKey,
    /// Type, key, unit: of entries with a value. The unit may be empty.
    MetadataUnit,
    /// Type, key, unit, value: of entries with a value.
    Metadata,
    /// Type, key, unit, value as a number: of values that are numbers.
    MetadataNumber,
    /// Type, type and id of a resource that it names.
    Named,
    /// Type, type and id of the parent, name of the relation.
    FoundIn,
}

impl KeyField {
    pub(crate) fn field(self) -> Field {
        SCHEMA.keys[self as usize]
    }
}

pub(crate) struct CatalogueSchema {
    pub(crate) schema: Schema,
    /// In the order of [`KeyField`].
    keys: Vec<Field>,
    pub(crate) text: Field,
    pub(crate) ordinal: Field,
    pub(crate) latitude: Field,
    pub(crate) longitude: Field,
    pub(crate) sample_ordinals: Field,
}

pub(crate) static SCHEMA: LazyLock<CatalogueSchema> = LazyLock::new(|| {
    let column = || NumericOptions::default().set_fast();
    let words =
        TextFieldIndexing::default().set_tokenizer(WORDS).set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let mut builder = Schema::builder();
    let key = |field: &KeyField| builder.add_bytes_field(field.into(), BytesOptions::default().set_indexed());
    let keys = KeyField::VARIANTS.iter().map(key).collect();
    let text = builder.add_text_field("text", TextOptions::default().set_indexing_options(words));
    let ordinal = builder.add_u64_field(ORDINAL, column());
    let latitude = builder.add_f64_field(LATITUDE, column());
    let longitude = builder.add_f64_field(LONGITUDE, column());
    let sample_ordinals = builder.add_u64_field(SAMPLE_ORDINALS, column());
    CatalogueSchema { schema: builder.build(), keys, text, ordinal, latitude, longitude, sample_ordinals }
});

pub(crate) fn indexed_words() -> TextAnalyzer {
    let long = RemoveLongFilter::limit(WORD_BYTES_MAX + 1);
    TextAnalyzer::builder(SimpleTokenizer::default()).filter(long).filter(LowerCaser).build()
}

/// Returns the number of indexed words of texts.
pub(crate) fn num_indexed_words(texts: &[String]) -> u64 {
    let (mut analyzer, mut num_words) = (indexed_words(), 0);
    for text in texts {
        analyzer.token_stream(text).process(&mut |_| num_words += 1);
    }
    num_words
}

/// Returns the indexed words of a text, in their order. Words that are too long are included.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .build()
        .token_stream(text)
        .process(&mut |token| words.push(token.text.clone()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_names_of_the_format() {
        let names: Vec<_> = KeyField::VARIANTS.iter().map(|key| SCHEMA.schema.get_field_name(key.field())).collect();
        let expected =
            "lineage own_lineage attribute metadata_key metadata_unit metadata metadata_number named found_in";
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn words_are_letters_and_digits() {
        assert_eq!(words("Sea-water, SEA  5°C_ÄÖ"), ["sea", "water", "sea", "5", "c", "äö"]);
        assert!(words(" -,.").is_empty());
        let long = "x".repeat(WORD_BYTES_MAX);
        let mut indexed = Vec::new();
        let text = format!("{long} {long}x Ab");
        indexed_words().token_stream(&text).process(&mut |token| indexed.push(token.text.clone()));
        assert_eq!(indexed, [&*long, "ab"]);
    }
}
