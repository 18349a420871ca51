//! The engine without us: its own collector, and bare postings.

use store::Filter;
use tantivy::collector::TopDocs;
use tantivy::postings::BlockSegmentPostings;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, Order, Searcher, Term};

use crate::corpus::Corpus;

/// The segments of a generation, opened by the engine as indexes of their own.
pub(crate) struct Rival {
    /// One for each segment.
    searchers: Vec<Searcher>,
    /// The lineages by ordinal.
    lineages: Vec<String>,
}

/// The postings of a term in each segment, before they are decoded.
pub(crate) type TermPostings = Vec<(usize, tantivy::postings::TermInfo, tantivy::schema::Field)>;

impl Rival {
    pub(crate) fn open(corpus: &Corpus) -> Self {
        let open = |path| Index::open_in_dir(path).and_then(|index| index.reader()).expect("a segment").searcher();
        let searchers = corpus.segments().into_iter().map(open).collect();
        let lineages = corpus.generation().biomes().iter().map(|biome| biome.lineage.clone()).collect();
        Self { searchers, lineages }
    }

    /// Returns the term that a filter looks up.
    fn term(&self, filter: &Filter) -> Term {
        let (field, value) = match filter {
            Filter::Family(family) => ("family", family.0),
            Filter::BiomeLineage(lineage) => {
                let ordinal = self.lineages.iter().position(|known| known == lineage).expect("known");
                ("lineage", ordinal as u64)
            }
            Filter::BiomeId(_) => unreachable!("no set has it"),
        };
        let field = self.searchers[0].schema().get_field(field).expect("in the schema");
        Term::from_field_u64(field, value)
    }

    /// Returns the queries for filters.
    pub(crate) fn queries(&self, filters: &[Filter]) -> Vec<TermQuery> {
        filters.iter().map(|filter| TermQuery::new(self.term(filter), IndexRecordOption::Basic)).collect()
    }

    /// Returns the first accessions of a query, ascending, by the engine's own collector.
    pub(crate) fn top_docs(&self, query: &TermQuery, limit: usize) -> Vec<u64> {
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

    /// Looks up the terms of filters.
    pub(crate) fn postings(&self, filters: &[Filter]) -> Vec<TermPostings> {
        filters
            .iter()
            .map(|filter| {
                let term = self.term(filter);
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
