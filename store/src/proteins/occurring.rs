//! The studies and assemblies in which proteins occur, by their accessions.

use std::collections::BTreeMap;

use crate::engine::unless_it_panics;
use crate::{Error, Occurrence, RecordParts, Result};

use super::ProteinGeneration;
use super::query::QueryField;
use super::segments::schema::{SearchTerm, folded};
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

    /// Returns the accession of a study or assembly as the first protein has it that occurs there: those of a release are in upper case, and names
    /// of own data are as their owners write them.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn spelled(&self, field: QueryField, accession: &str) -> Result<String> {
        unless_it_panics(&self.path, || self.spelled_in_records(field, accession))
    }

    pub(super) fn spelled_in_records(&self, field: QueryField, accession: &str) -> Result<String> {
        let as_it_is = || Ok(accession.to_owned());
        let (own, Some(term)) = (self.own_segments(), term(field, accession)) else { return as_it_is() };
        let mut first = None;
        for segment in own {
            first = first.or(segment.postings(term)?.map(|postings| (segment, postings.doc(0))));
        }
        let Some((segment, doc)) = first else { return as_it_is() };
        for segment in &self.segments[..self.segments.len() - own.len()] {
            if segment.postings(term)?.is_some() {
                return as_it_is();
            }
        }
        let record = self.reader(RecordParts::OCCURRENCES).fetch(segment.hit(doc)?.accession)?;
        let folded_accession = folded(accession);
        let occurrences = record.map(|record| record.occurrences).unwrap_or_default();
        let text = |occurrence: Occurrence| {
            if field == QueryField::Study { occurrence.study } else { occurrence.assembly }
        };
        Ok(occurrences
            .into_iter()
            .map(text)
            .find(|text| folded(text) == folded_accession)
            .unwrap_or(accession.to_owned()))
    }

    fn occurring_within(
        &self,
        segments: &[Segment],
        field: QueryField,
        beginning: &str,
        num_max: usize,
    ) -> Result<Vec<(String, u64)>> {
        let Some(term) = term(field, "") else { return Ok(Vec::new()) };
        let beginning = folded(beginning);
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

fn term(field: QueryField, accession: &str) -> Option<SearchTerm<'_>> {
    match field {
        QueryField::Study => Some(SearchTerm::study(accession)),
        QueryField::Assembly => Some(SearchTerm::assembly(accession)),
        _ => None,
    }
}
