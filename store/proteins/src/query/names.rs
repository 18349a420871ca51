//! The names in the values of a query.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use store::{BiomeTable, ProteinAccession, QueryPlace, Resolved};

use crate::own::{find_source, is_control};

use super::field::QueryField;

/// Looks up the names in the values of a query. A [`BiomeTable`] looks up only biomes, and leaves
/// accessions unchanged.
pub trait QueryNames {
    /// The reason why a name cannot be looked up.
    type Failure;

    /// Returns the biomes.
    fn biomes(&self) -> &BiomeTable;

    /// Returns the accessions by which the index finds the proteins of a study or an assembly,
    /// given one of its accessions in upper case; for a sample, those of its assemblies.
    ///
    /// # Errors
    ///
    /// * It cannot be looked up. If no protein can occur in it, the inner error is the problem, for
    ///   people.
    fn accessions(&self, field: QueryField, accession: &str) -> Result<Result<Vec<String>, String>, Self::Failure> {
        let _ = field;
        Ok(if is_accession(accession) { Ok(vec![accession.to_owned()]) } else { Err(NO_ACCESSION.to_owned()) })
    }

    /// Returns the accessions of the studies or assemblies that conditions on studies or samples
    /// select.
    ///
    /// # Errors
    ///
    /// * They cannot be looked up. The inner error has the faults of the conditions.
    fn selected(&self, field: QueryField, place: QueryPlace<'_>) -> Resolved<Vec<String>, Self::Failure> {
        Ok(Err(vec![place.fault("no catalogue is loaded", field.understood())]))
    }

    /// Returns the accessions of a source of own data, or of the release, by its name in any letter
    /// case.
    fn source(&self, name: &str) -> Option<RangeInclusive<ProteinAccession>> {
        find_source(&[], name)
    }

    /// Returns similar values for a value that does not exist, the most similar first.
    ///
    /// # Errors
    ///
    /// * They cannot be looked up.
    fn near(&self, field: QueryField, value: &str) -> Result<Vec<String>, Self::Failure> {
        let _ = (field, value);
        Ok(Vec::new())
    }
}

/// The problem of a text that is not an accession.
pub const NO_ACCESSION: &str = "this is not an accession";

/// The most bytes of the accession of a study or an assembly.
const ACCESSION_BYTES_MAX: usize = 200;

/// Returns whether a text may be the accession of a study or an assembly, which is any text in own
/// data: not blank, without asterisks and control characters, and at most 200 bytes long.
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
