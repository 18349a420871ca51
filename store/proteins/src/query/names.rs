//! The names that the values of a query stand for.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use store::{BiomeTable, ProteinAccession, QueryPlace, Resolved};

use crate::own::{find_source, is_control};

use super::field::QueryField;

/// Looks up what the values of a query name. A [`BiomeTable`] knows biomes alone, and takes accessions as they are.
pub trait QueryNames {
    /// The reason why something cannot be looked up.
    type Failure;

    /// Returns the biomes.
    fn biomes(&self) -> &BiomeTable;

    /// Returns the accessions by which proteins are found that occur in a study or an assembly, by one of its accessions in upper case; for
    /// a sample, those of its assemblies.
    ///
    /// # Errors
    ///
    /// * It cannot be looked up. Within, it is nothing that proteins can occur in: the problem, for people.
    fn accessions(&self, field: QueryField, accession: &str) -> Result<Result<Vec<String>, String>, Self::Failure> {
        let _ = field;
        Ok(if is_accession(accession) { Ok(vec![accession.to_owned()]) } else { Err(NO_ACCESSION.to_owned()) })
    }

    /// Returns the accessions of the studies or assemblies that conditions on studies or samples select.
    ///
    /// # Errors
    ///
    /// * They cannot be looked up. Within: the faults of the conditions.
    fn selected(&self, field: QueryField, place: QueryPlace<'_>) -> Resolved<Vec<String>, Self::Failure> {
        Ok(Err(vec![place.fault("there is no catalogue here that conditions could select from", field.understood())]))
    }

    /// Returns the accessions of a source of own data, or of the release, by its name in any letter case.
    fn source(&self, name: &str) -> Option<RangeInclusive<ProteinAccession>> {
        find_source(&[], name)
    }

    /// Returns values that may have been meant by one that names nothing, the nearest first.
    ///
    /// # Errors
    ///
    /// * They cannot be looked up.
    fn near(&self, field: QueryField, value: &str) -> Result<Vec<String>, Self::Failure> {
        let _ = (field, value);
        Ok(Vec::new())
    }
}

/// The problem of a text that is no accession of anything.
pub const NO_ACCESSION: &str = "this is not an accession";

/// The most bytes of the accession of a study or an assembly.
const ACCESSION_BYTES_MAX: usize = 200;

/// Tells whether a text may be the accession of a study or an assembly, which is any text in own data: not blank, without asterisks and control
/// characters, and of 200 bytes at most.
pub fn is_accession(text: &str) -> bool {
    !text.trim().is_empty()
        && text.len() <= ACCESSION_BYTES_MAX
        && !text.contains(|letter: char| letter == '*' || is_control(letter))
}

impl QueryNames for BiomeTable {
    type Failure = Infallible;

    fn biomes(&self) -> &BiomeTable {
        self
    }
}
