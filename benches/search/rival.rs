//! The engine without us: its own collector, and bare postings.

use std::collections::BTreeMap;
use std::ops::Bound;

use store_proteins::ProteinQuery;
use tantivy::collector::{Count, TopDocs};
use tantivy::postings::BlockSegmentPostings;
use tantivy::query::{AllQuery, BooleanQuery, Occur, Query, RangeQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Index, Order, Searcher, Term};

use crate::corpus::Corpus;

/// The segments of a generation, opened by the engine as indexes of their own.
pub(crate) struct Rival {
    /// One for each segment.
    searchers: Vec<Searcher>,
}

/// The postings of a term in each segment, before they are decoded.
pub(crate) type TermPostings = Vec<(usize, tantivy::postings::TermInfo, tantivy::schema::Field)>;

impl Rival {
    pub(crate) fn open(corpus: &Corpus) -> Self {
        let open = |path| Index::open_in_dir(path).and_then(|index| index.reader()).expect("a segment").searcher();
        let searchers = corpus.segments().into_iter().map(open).collect();
        Self { searchers }
    }

    /// Returns the term that a query looks up.
    fn term(&self, query: &ProteinQuery) -> Term {
        let (field, value) = match query {
            ProteinQuery::Family(family) => ("family", family.0),
            ProteinQuery::Biome(biome) => ("lineage", u64::from(*biome)),
            _ => unreachable!("no set has it"),
        };
        Term::from_field_u64(self.field(field), value)
    }

    /// Returns the engine's own queries.
    pub(crate) fn queries(&self, queries: &[ProteinQuery]) -> Vec<TermQuery> {
        queries.iter().map(|query| TermQuery::new(self.term(query), IndexRecordOption::Basic)).collect()
    }

    /// Returns the first accessions of a query, ascending, by the engine's own collector.
    pub(crate) fn top_docs(&self, query: &dyn Query, limit: usize) -> Vec<u64> {
        let mut accessions = Vec::new();
        for searcher in &self.searchers {
            if accessions.len() == limit {
                break;
            }
            let collector = TopDocs::with_limit(limit).order_by_fast_field::<u64>("hit", Order::Asc);
            let hits = searcher.search(query, &collector).expect("readable");
            let missing = limit - accessions.len();
            // The accession is above the ten bits of cluster size and completeness.
            accessions.extend(hits.into_iter().filter_map(|(hit, _)| hit).map(|hit| hit >> 10).take(missing));
        }
        accessions
    }

    /// Returns the bytes of each field in the indexes: its postings, its dictionary of terms, and
    /// its column.
    pub(crate) fn field_bytes(&self) -> BTreeMap<String, [u64; 3]> {
        let mut bytes: BTreeMap<String, [u64; 3]> = BTreeMap::new();
        for searcher in &self.searchers {
            let usage = searcher.space_usage().expect("readable");
            for segment in usage.segments() {
                for (part, fields) in
                    [segment.postings(), segment.termdict(), segment.fast_fields()].into_iter().enumerate()
                {
                    for field in fields.fields() {
                        bytes.entry(field.field_name().to_owned()).or_default()[part] += field.total().get_bytes();
                    }
                }
            }
        }
        bytes
    }

    /// Returns a query of the engine for one of ours. Of ranges only lengths are supported, which
    /// have a column of their own.
    pub(crate) fn query(&self, query: &ProteinQuery) -> Box<dyn Query> {
        let term = |field, value| -> Box<dyn Query> {
            Box::new(TermQuery::new(Term::from_field_u64(self.field(field), value), IndexRecordOption::Basic))
        };
        let parts = |occur, parts: &[ProteinQuery]| -> Vec<(Occur, Box<dyn Query>)> {
            parts.iter().map(|part| (occur, self.query(part))).collect()
        };
        match query {
            ProteinQuery::Everything => Box::new(AllQuery),
            ProteinQuery::Biome(biome) => term("lineage", (*biome).into()),
            ProteinQuery::Family(family) => term("family", family.0),
            ProteinQuery::And(all) => Box::new(BooleanQuery::new(parts(Occur::Must, all))),
            ProteinQuery::Or(any) => Box::new(BooleanQuery::new(parts(Occur::Should, any))),
            ProteinQuery::Not(part) => {
                let excluded = parts(Occur::MustNot, std::slice::from_ref(part));
                let all: Box<dyn Query> = Box::new(AllQuery);
                Box::new(BooleanQuery::new(excluded.into_iter().chain([(Occur::Must, all)]).collect()))
            }
            ProteinQuery::Length(lengths) => {
                let bound = |length| Bound::Included(Term::from_field_u64(self.field("length"), length));
                Box::new(RangeQuery::new(bound(*lengths.start()), bound(*lengths.end())))
            }
            other => panic!("the engine is not asked for {other:?}"),
        }
    }

    /// Returns the number of matches by the engine's own collector.
    pub(crate) fn count(&self, query: &dyn Query) -> usize {
        self.searchers.iter().map(|searcher| searcher.search(query, &Count).expect("readable")).sum()
    }

    fn field(&self, name: &str) -> Field {
        self.searchers[0].schema().get_field(name).expect("in the schema")
    }

    /// Looks up the terms of queries.
    pub(crate) fn postings(&self, queries: &[ProteinQuery]) -> Vec<TermPostings> {
        queries
            .iter()
            .map(|query| {
                let term = self.term(query);
                let in_segment = |(position, searcher): (usize, &Searcher)| {
                    let terms = searcher.segment_reader(0).inverted_index(term.field()).expect("indexed");
                    terms.get_term_info(&term).expect("readable").map(|info| (position, info, term.field()))
                };
                self.searchers.iter().enumerate().filter_map(in_segment).collect()
            })
            .collect()
    }

    /// Decodes the first postings of a term.
    pub(crate) fn decode(&self, postings: &TermPostings, limit: usize) -> usize {
        let mut num_docs = 0;
        let mut last = 0;
        for (position, info, field) in postings {
            let terms = self.searchers[*position].segment_reader(0).inverted_index(*field).expect("indexed");
            let mut block: BlockSegmentPostings =
                terms.read_block_postings_from_terminfo(info, IndexRecordOption::Basic).expect("readable");
            while num_docs < limit && !block.docs().is_empty() {
                let docs = &block.docs()[..block.docs().len().min(limit - num_docs)];
                num_docs += docs.len();
                last = docs.last().copied().unwrap_or(last);
                block.advance();
            }
            if num_docs == limit {
                break;
            }
        }
        num_docs + last as usize
    }
}
