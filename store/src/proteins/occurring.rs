//! The studies and assemblies in which proteins occur, by their accessions.

use std::collections::BTreeMap;

use crate::engine::unless_it_panics;
use crate::{Error, Result};

use super::ProteinGeneration;
use super::query::QueryField;
use super::segments::schema::SearchTerm;
use super::segments::segment::Segment;

impl ProteinGeneration {
    /// Returns accessions of studies or assemblies in which proteins occur, each with its number of proteins: the first `num_max` that begin
    /// with a text, in any letter case, ascending and in upper case. Other fields have none.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn occurring(&self, field: QueryField, beginning: &str, num_max: usize) -> Result<Vec<(String, u64)>> {
        self.occurring_within(&self.segments, field, beginning, num_max)
    }

    /// Likewise returns those in which proteins of own data occur, with the numbers of these proteins.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn occurring_own(&self, field: QueryField, num_max: usize) -> Result<Vec<(String, u64)>> {
        self.occurring_within(self.own_segments(), field, "", num_max)
    }

    fn occurring_within(
        &self,
        segments: &[Segment],
        field: QueryField,
        beginning: &str,
        num_max: usize,
    ) -> Result<Vec<(String, u64)>> {
        let term = match field {
            QueryField::Study => SearchTerm::study(""),
            QueryField::Assembly => SearchTerm::assembly(""),
            _ => return Ok(Vec::new()),
        };
        let beginning = beginning.to_ascii_uppercase();
        let mut found = BTreeMap::<String, u64>::new();
        unless_it_panics(&self.path, || {
            for segment in segments {
                let terms = segment.terms(term.field).terms();
                // Those that are among the first of all segments are among the first of their own.
                let range = terms.range().ge(beginning.as_bytes());
                let mut terms = range.into_stream().map_err(Error::index(&segment.path))?;
                for _ in 0..num_max {
                    let Some((accession, info)) = terms.next().filter(|(key, _)| key.starts_with(beginning.as_bytes()))
                    else {
                        break;
                    };
                    *found.entry(String::from_utf8_lossy(accession).into_owned()).or_default() +=
                        u64::from(info.doc_freq);
                }
            }
            Ok(())
        })?;
        Ok(found.into_iter().take(num_max).collect())
    }
}
