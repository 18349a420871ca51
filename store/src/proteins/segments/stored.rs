//! Reading what the engine stores of a protein: its record, and nothing else.

use tantivy::DocId;
use tantivy::schema::Field;
use tantivy::schema::document::{DeserializeError, DocumentDeserialize, DocumentDeserializer};
use tantivy::store::StoreReader;

use super::schema::SCHEMA;

/// The bytes of a record, none if the document has no record.
#[derive(Default)]
pub(crate) struct Stored(pub(crate) Vec<u8>);

impl DocumentDeserialize for Stored {
    fn deserialize<'de, D: DocumentDeserializer<'de>>(mut document: D) -> Result<Self, DeserializeError> {
        let first: Option<(Field, Vec<u8>)> = document.next_field()?;
        let record = first.filter(|(field, _)| *field == SCHEMA.record);
        Ok(record.map(|(_, record)| Self(record)).unwrap_or_default())
    }
}

/// Returns the bytes of a record, none if the document has no record.
pub(crate) fn stored_record(records: &StoreReader, doc: DocId) -> tantivy::Result<Vec<u8>> {
    records.get(doc).map(|Stored(record)| record)
}
