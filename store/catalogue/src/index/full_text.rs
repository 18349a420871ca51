//! Full-text search and relevance.

use std::collections::BTreeSet;

use store::{Error, Result};
use tantivy::postings::Postings;
use tantivy::query::{Bm25StatisticsProvider, Bm25Weight, EnableScoring, PhraseQuery, Query};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, TERMINATED, Term};

use super::reader::CatalogueIndex;
use super::schema::{SCHEMA, WORD_BYTES_MAX};
use super::segment::IndexSegment;
use crate::selection::effort::MATCH;
use crate::selection::ordinal_set::OrdinalSet;
use crate::selection::search_text::{Part, SearchText};
use crate::{Effort, Ordinal, TypeContents};

/// The relevance of the resources of a type for a search, by ordinal minus the first of the type.
pub(crate) struct Scores {
    first: Ordinal,
    of_rows: Vec<f32>,
}

impl Scores {
    pub(crate) fn of(&self, ordinal: Ordinal) -> f32 {
        self.of_rows.get(ordinal.wrapping_sub(self.first) as usize).copied().unwrap_or_default()
    }
}

impl CatalogueIndex {
    /// Returns the resources of a type whose texts have a part of a search.
    pub(crate) fn with_part(&self, contents: &TypeContents, part: &Part, effort: &Effort) -> Result<OrdinalSet> {
        if part.is_phrase {
            return self.with_phrase(contents, &part.words, effort);
        }
        let mut found = OrdinalSet::all(contents);
        for word in &part.words {
            let mut set = OrdinalSet::none(contents);
            if word.len() <= WORD_BYTES_MAX {
                self.insert_word(word, effort, &mut set)?;
            }
            found.intersect_with(&set);
            if found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    fn with_phrase(&self, contents: &TypeContents, words: &[String], effort: &Effort) -> Result<OrdinalSet> {
        let mut found = OrdinalSet::none(contents);
        let schema = self.index.schema();
        let phrase = PhraseQuery::new(words.iter().map(|word| Term::from_field_text(SCHEMA.text, word)).collect());
        let phrase = phrase.weight(EnableScoring::disabled_from_schema(&schema)).map_err(Error::index(&self.path))?;
        for segment in self.segments_of(found.range()) {
            let mut docs = phrase.scorer(&segment.reader, 1.0).map_err(Error::index(&self.path))?;
            while docs.doc() != TERMINATED && effort.may_continue() {
                effort.spend(MATCH);
                found.insert(segment.first + docs.doc());
                docs.advance();
            }
        }
        Ok(found)
    }

    /// Returns the relevance of the resources of a type: the sums of the BM25 scores of the wanted
    /// words, among the resources of all types.
    pub(crate) fn scores(&self, contents: &TypeContents, search: &SearchText, effort: &Effort) -> Result<Scores> {
        let mut scores = Scores { first: contents.first, of_rows: vec![0.0; contents.num_resources as usize] };
        let wanted = search.0.iter().filter(|part| part.is_wanted);
        let words: BTreeSet<_> = wanted.flat_map(|part| &part.words).collect();
        let words = words.into_iter().filter(|word| word.len() <= WORD_BYTES_MAX);
        for word in words.take_while(|_| effort.may_continue()) {
            self.add_scores(contents, &Term::from_field_text(SCHEMA.text, word), &mut scores)
                .map_err(Error::index(&self.path))?;
        }
        Ok(scores)
    }

    fn add_scores(&self, contents: &TypeContents, term: &Term, scores: &mut Scores) -> tantivy::Result<()> {
        let weight = Bm25Weight::for_terms(self, std::slice::from_ref(term))?;
        for segment in self.segments_of(OrdinalSet::none(contents).range()) {
            let terms = segment.reader.inverted_index(SCHEMA.text)?;
            let lengths = segment.reader.get_fieldnorms_reader(SCHEMA.text)?;
            let Some(mut docs) = terms.read_postings(term, IndexRecordOption::WithFreqs)? else { continue };
            while docs.doc() != TERMINATED {
                let row = (segment.first + docs.doc()).wrapping_sub(scores.first) as usize;
                if let Some(score) = scores.of_rows.get_mut(row) {
                    *score += weight.score(lengths.fieldnorm_id(docs.doc()), docs.term_freq());
                }
                docs.advance();
            }
        }
        Ok(())
    }
}

impl Bm25StatisticsProvider for CatalogueIndex {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        if let Some(num_words) = self.num_words.filter(|_| field == SCHEMA.text) {
            return Ok(num_words);
        }
        self.segments.iter().map(|segment| Ok(segment.reader.inverted_index(field)?.total_num_tokens())).sum()
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        let all = || self.segments.iter().map(|segment| u64::from(segment.reader.max_doc())).sum();
        Ok(self.num_searched.unwrap_or_else(all))
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let in_segment =
            |segment: &IndexSegment| Ok(u64::from(segment.reader.inverted_index(term.field())?.doc_freq(term)?));
        self.segments.iter().map(in_segment).sum()
    }
}
