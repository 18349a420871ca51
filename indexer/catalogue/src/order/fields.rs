//! The resources of a type, ordered by field.

use indexer::sort::{SortSpace, SortedEntries, Sorter};
use indexer::{Error, Result};
use store_catalogue::Ordinal;

use crate::shape::{FieldKey, field_names};

/// Sorts the resources of a type by each of its fields.
pub(crate) struct FieldOrders(Vec<(&'static str, Sorter<Box<[u8]>>)>);

impl FieldOrders {
    /// Creates the orders of a type, each of which uses `space`.
    pub(crate) fn begin(resource_type: &str, space: SortSpace<'_>) -> Self {
        let sorter = |field| (field, Sorter::named(space.folder, field, space.memory_bytes));
        Self(field_names(resource_type).map(sorter).collect())
    }

    pub(crate) fn add(&mut self, ordinal: Ordinal, keys: Vec<FieldKey>) -> Result<()> {
        for ((_, sorter), FieldKey { bytes, value_length }) in self.0.iter_mut().zip(keys) {
            sorter.push_value(bytes, &(ordinal, value_length))?;
        }
        Ok(())
    }

    /// Returns the names of the fields with their orders.
    pub(crate) fn finish(self) -> impl Iterator<Item = Result<(&'static str, FieldOrder)>> {
        self.0.into_iter().map(|(field, sorter)| {
            Ok((field, FieldOrder { entries: sorter.finish()?, payload: Vec::new(), value: None }))
        })
    }
}

/// The resources of a type, ordered by one of its fields.
pub(crate) struct FieldOrder {
    entries: SortedEntries<Box<[u8]>>,
    payload: Vec<u8>,
    /// The previous value.
    value: Option<Box<[u8]>>,
}

impl FieldOrder {
    /// Returns the next resource, and its key.
    pub(crate) fn next(&mut self) -> Result<Option<(Ordinal, FieldKey)>> {
        let Some(next) = self.entries.next_value::<(Ordinal, usize)>(&mut self.payload)? else { return Ok(None) };
        let (bytes, (ordinal, value_length)) = next;
        if value_length > bytes.len() {
            return Err(Error::CorruptSpill);
        }
        Ok(Some((ordinal, FieldKey { bytes, value_length })))
    }

    /// Returns the next resource, and whether its value equals the previous one.
    pub(crate) fn next_tied(&mut self) -> Result<Option<(Ordinal, bool)>> {
        let Some((ordinal, key)) = self.next()? else { return Ok(None) };
        let is_equal = self.value.as_deref().is_some_and(|before| before == key.value());
        if !is_equal {
            self.value = Some(key.value().into());
        }
        Ok(Some((ordinal, is_equal)))
    }
}
