//! The studies and assemblies in which proteins occur, by their accessions.

use std::collections::BTreeMap;

use store::engine::catch_panics;
use store::{Error, ProteinAccession, Result};

use crate::{Occurrence, RecordParts};

use super::ProteinGeneration;
use super::query::QueryField;
use super::segments::schema::{SearchTerm, folded};
use super::segments::segment::Segment;

impl ProteinGeneration {
    /// Returns accessions of studies or assemblies in which proteins occur, each with its number of
    /// proteins: the first `num_max` that begin with a text, in any letter case, ascending and in
    /// upper case. For other fields the list is empty.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn accession_counts(&self, field: QueryField, beginning: &str, num_max: usize) -> Result<Vec<(String, u64)>> {
        self.accession_counts_within(&self.segments, field, beginning, num_max)
    }

    /// Like [`ProteinGeneration::accession_counts`], for the proteins of own data alone.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn own_accession_counts(&self, field: QueryField, num_max: usize) -> Result<Vec<(String, u64)>> {
        self.accession_counts_within(self.own_segments(), field, "", num_max)
    }

    /// If proteins of own data occur in a study or assembly, returns its accession in the letter
    /// case of the first protein that occurs there: the owners of the data choose it. Other
    /// accessions stay unchanged.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn spelled(&self, field: QueryField, accession: &str) -> Result<String> {
        let Some(term) = term(field, accession) else { return Ok(accession.to_owned()) };
        let spelled = catch_panics(&self.path, || {
            if Self::first_with(self.own_segments(), term)?.is_none() {
                return Ok(None);
            }
            let Some(first) = Self::first_with(&self.segments, term)? else { return Ok(None) };
            let record = self.reader(RecordParts::OCCURRENCES).fetch(first)?;
            let text = |occurrence: Occurrence| {
                if field == QueryField::Study { occurrence.study } else { occurrence.assembly }
            };
            let mut texts = record.into_iter().flat_map(|record| record.occurrences).map(text);
            let wanted = folded(accession);
            Ok(texts.find(|text| folded(text) == wanted))
        })?;
        Ok(spelled.unwrap_or_else(|| accession.to_owned()))
    }

    /// Returns the first protein of some segments that has a term.
    fn first_with(segments: &[Segment], term: SearchTerm<'_>) -> Result<Option<ProteinAccession>> {
        for segment in segments {
            if let Some(postings) = segment.postings(term)? {
                return Ok(Some(segment.hit(postings.doc(0))?.accession));
            }
        }
        Ok(None)
    }

    fn accession_counts_within(
        &self,
        segments: &[Segment],
        field: QueryField,
        beginning: &str,
        num_max: usize,
    ) -> Result<Vec<(String, u64)>> {
        let Some(term) = term(field, "") else { return Ok(Vec::new()) };
        let beginning = folded(beginning);
        let mut found = BTreeMap::<String, u64>::new();
        catch_panics(&self.path, || {
            for segment in segments {
                let terms = segment.terms(term.field).terms();
                // An accession that is among the first of all segments is also among the first of
                // its own segment.
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
