//! The names that the values of a query stand for.

use std::ops::RangeInclusive;

use crate::proteins::own::find_source;
use crate::{BiomeTable, ProteinAccession};

use super::field::QueryField;

/// Looks up what the values of a query name. A [`BiomeTable`] knows biomes alone, and takes accessions as they are.
pub trait QueryNames {
    /// Returns the biomes.
    fn biomes(&self) -> &BiomeTable;

    /// Returns the accessions by which proteins are found that occur in a study or an assembly, by one of its accessions in upper case.
    ///
    /// # Errors
    ///
    /// * It is nothing that proteins can occur in: the problem, for people.
    fn accessions(&self, field: QueryField, accession: &str) -> Result<Vec<String>, String> {
        let _ = field;
        if is_accession(accession) { Ok(vec![accession.to_owned()]) } else { Err(NO_ACCESSION.to_owned()) }
    }

    /// Returns the accessions of a source of own data, or of the release, by its name in any letter case.
    fn source(&self, name: &str) -> Option<RangeInclusive<ProteinAccession>> {
        find_source(&[], name)
    }

    /// Returns values that may have been meant by one that names nothing, the nearest first.
    fn near(&self, field: QueryField, value: &str) -> Vec<String> {
        let _ = (field, value);
        Vec::new()
    }
}

/// The problem of a text that is no accession of anything.
pub const NO_ACCESSION: &str = "this is not an accession";

/// Tells whether a text may be an accession: printable ASCII without spaces and asterisks.
pub fn is_accession(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'*')
}

impl QueryNames for BiomeTable {
    fn biomes(&self) -> &BiomeTable {
        self
    }
}
