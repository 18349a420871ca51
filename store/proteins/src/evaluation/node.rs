//! The tree of a query in a segment.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use tantivy::{DocId, TERMINATED};

use super::near::{CANDIDATE_WORK, Near};
use super::number_range::{NUMBER_WORK, NumberRange};
use super::postings::Postings;
use super::{Work, bit_doc, bits_of};

/// The work of visiting a node, of looking one document up in postings, and of evaluating a part in
/// a window.
const NODE_WORK: u64 = 2;
pub(super) const SEEK_WORK: u64 = 64;
const PART_WORK: u64 = 16;

/// A union of more parts does not compute its next candidate, because that would move all parts.
const PARTS_MOVED_MAX: usize = 32;

/// A range does not compute its next candidate if one document in this number, or more, matches:
/// that would move the postings of all its buckets.
const DENSE_DOCS: u64 = 256;

pub(super) struct Node<'a> {
    kind: Kind<'a>,
    num_docs: DocId,
    /// The approximate number of matching documents. Exact for a kind with one source.
    pub(super) num_matches: u64,
    /// The work of adding all matches of the segment.
    pub(super) num_postings: u64,
    /// The work of looking up one document.
    pub(super) lookup: u64,
    num_parts: u64,
    /// Set if genes around proteins are read.
    pub(super) has_near: bool,
}

pub(super) enum Kind<'a> {
    /// Neighbouring documents.
    Docs(Range<DocId>),
    /// Some documents, ascending.
    List(Vec<DocId>),
    Term(Box<Postings>),
    Numbers(NumberRange<'a>),
    /// The rarest first.
    And(Vec<Node<'a>>),
    Or(Vec<Node<'a>>),
    /// Parts of which a document matches at most one.
    OneOf(Vec<Node<'a>>),
    Not(Box<Node<'a>>),
    Near(Box<Near<'a>>),
}

impl<'a> Node<'a> {
    pub(super) fn new(kind: Kind<'a>, num_docs: DocId) -> Self {
        let of_all = |postings: &[Postings]| postings.iter().map(Postings::doc_freq).sum::<u64>();
        let sum = |nodes: &[Node<'_>], of: fn(&Node<'_>) -> u64| nodes.iter().map(of).sum::<u64>();
        let [num_matches, num_postings, lookup, num_parts] = match &kind {
            Kind::Docs(docs) => [docs.len() as u64, 0, 1, 1],
            Kind::List(docs) => [docs.len() as u64, docs.len() as u64, SEEK_WORK, 1],
            Kind::Term(postings) => [postings.doc_freq(), postings.doc_freq(), SEEK_WORK, 1],
            Kind::Numbers(NumberRange { inside, edges, .. }) => {
                let (inside_docs, edge_docs) = (of_all(inside), of_all(edges));
                let num_parts = (inside.len() + edges.len()) as u64;
                [inside_docs + edge_docs, inside_docs + edge_docs * NUMBER_WORK, NUMBER_WORK, num_parts]
            }
            Kind::And(nodes) | Kind::Or(nodes) | Kind::OneOf(nodes) => {
                let num_matches = match kind {
                    Kind::And(_) => nodes.iter().map(|node| node.num_matches).min().unwrap_or(num_docs.into()),
                    _ => sum(nodes, |node| node.num_matches).min(num_docs.into()),
                };
                [
                    num_matches,
                    sum(nodes, |node| node.num_postings),
                    sum(nodes, |node| node.lookup),
                    sum(nodes, |node| node.num_parts),
                ]
            }
            Kind::Not(node) => {
                [u64::from(num_docs).saturating_sub(node.num_matches), node.num_postings, node.lookup, node.num_parts]
            }
            Kind::Near(near) => {
                let Node { num_matches, num_postings, lookup, num_parts, .. } = near.of;
                let work = num_matches * CANDIDATE_WORK;
                [num_matches, num_postings + work, lookup + work / u64::from(num_docs.max(1)), num_parts]
            }
        };
        let has_near = match &kind {
            Kind::And(nodes) | Kind::Or(nodes) | Kind::OneOf(nodes) => nodes.iter().any(|node| node.has_near),
            Kind::Not(node) => node.has_near,
            kind => matches!(kind, Kind::Near(_)),
        };
        Self { kind, num_docs, num_matches, num_postings, lookup, num_parts: num_parts + 1, has_near }
    }

    /// Returns the number of matches if it is known without looking at them.
    pub(super) fn exact_count(&self) -> Option<u64> {
        match &self.kind {
            Kind::Docs(_) | Kind::List(_) | Kind::Term(_) => Some(self.num_matches),
            // A document is in one bucket.
            Kind::Numbers(numbers) => numbers.edges.is_empty().then_some(self.num_matches),
            Kind::Not(node) => node.exact_count().map(|count| u64::from(self.num_docs).saturating_sub(count)),
            Kind::OneOf(nodes) => nodes.iter().map(Node::exact_count).sum(),
            Kind::And(_) | Kind::Or(_) | Kind::Near(_) => None,
        }
    }

    /// Removes the matches whose number is known: those in buckets inside a range. Returns their
    /// number.
    pub(super) fn without_known(self) -> (Self, u64) {
        match self.kind {
            Kind::Numbers(NumberRange { inside, edges, column, range }) => {
                let num_known = inside.iter().map(Postings::doc_freq).sum();
                let numbers = NumberRange { inside: Vec::new(), edges, column, range };
                (Self::new(Kind::Numbers(numbers), self.num_docs), num_known)
            }
            _ => (self, 0),
        }
    }

    /// Returns `doc` or a later document, or [`TERMINATED`]. None of the documents
    /// that it skips matches.
    pub(super) fn next_candidate(&mut self, doc: DocId, work: &mut Work) -> DocId {
        work.spent += NODE_WORK;
        match &mut self.kind {
            Kind::Docs(docs) => {
                if doc < docs.end {
                    doc.max(docs.start)
                } else {
                    TERMINATED
                }
            }
            Kind::List(docs) => docs.get(docs.partition_point(|&other| other < doc)).copied().unwrap_or(TERMINATED),
            Kind::Term(postings) => postings.seek(doc, work),
            Kind::Numbers(_) if self.num_matches * DENSE_DOCS >= u64::from(self.num_docs) => doc,
            Kind::Numbers(NumberRange { inside, edges, .. }) => {
                inside.iter_mut().chain(edges).map(|postings| postings.seek(doc, work)).min().unwrap_or(TERMINATED)
            }
            Kind::And(nodes) => {
                let (first, others) = nodes.split_first_mut().expect("a conjunction has parts");
                // A window would look up each document of the rarest part. This does it here, up to
                // a document that all parts may have.
                let (lookups, num_postings) = (self.lookup - first.lookup, self.num_postings - first.num_postings);
                let is_rare = first.num_matches * lookups <= num_postings;
                let mut doc = doc;
                loop {
                    let start = first.next_candidate(doc, work);
                    doc = others.iter_mut().fold(start, |doc, node| match doc {
                        TERMINATED => doc,
                        doc => node.next_candidate(doc, work),
                    });
                    if doc == start || !is_rare || work.is_spent() {
                        return doc;
                    }
                }
            }
            Kind::Or(nodes) | Kind::OneOf(nodes) if nodes.len() > PARTS_MOVED_MAX => doc,
            Kind::Or(nodes) | Kind::OneOf(nodes) => {
                nodes.iter_mut().map(|node| node.next_candidate(doc, work)).min().unwrap_or(TERMINATED)
            }
            Kind::Not(_) => doc,
            Kind::Near(near) => near.of.next_candidate(doc, work),
        }
    }

    /// Returns the matches in a window.
    pub(super) fn matches(&mut self, window: &Range<DocId>, work: &mut Work) -> FixedBitSet {
        if let Kind::And(nodes) = &mut self.kind {
            return all_of(nodes, window, work);
        }
        let mut bits = FixedBitSet::with_capacity(window.len());
        self.add(window, &mut bits, work);
        bits
    }

    /// Adds the matches in a window to a set.
    pub(super) fn add(&mut self, window: &Range<DocId>, bits: &mut FixedBitSet, work: &mut Work) {
        work.spent += PART_WORK;
        match &mut self.kind {
            Kind::Docs(docs) => bits.insert_range(bits_of(docs, window)),
            Kind::List(docs) => {
                let [start, end] = [window.start, window.end].map(|doc| docs.partition_point(|&other| other < doc));
                docs[start..end].iter().for_each(|doc| bits.insert((doc - window.start) as usize));
            }
            Kind::Term(postings) => postings.add(window, bits, work),
            Kind::Numbers(numbers) => numbers.add(window, bits, work),
            Kind::Or(nodes) | Kind::OneOf(nodes) => nodes.iter_mut().for_each(|node| node.add(window, bits, work)),
            Kind::And(nodes) => bits.union_with(&all_of(nodes, window, work)),
            Kind::Not(node) => {
                work.spent += set_work(window);
                let mut others = FixedBitSet::with_capacity(window.len());
                node.add(window, &mut others, work);
                others.toggle_range(..);
                bits.union_with(&others);
            }
            Kind::Near(near) => {
                let mut found = near.of.matches(window, work);
                near.keep(window.start, &mut found, work);
                bits.union_with(&found);
            }
        }
    }

    /// Removes the documents that do not match from a set. Returns whether the set had any
    /// document.
    fn keep(&mut self, window: &Range<DocId>, bits: &mut FixedBitSet, work: &mut Work) -> bool {
        work.spent += set_work(window);
        let num_left = bits.count_ones(..) as u64;
        if num_left == 0 {
            return false;
        }
        let by_adding = self.num_parts * PART_WORK
            + self.num_postings * u64::from(window.end - window.start) / u64::from(self.num_docs.max(1));
        let (is_quick, has_near) = (num_left * self.lookup <= by_adding, self.has_near);
        match &mut self.kind {
            Kind::Near(near) => {
                near.of.keep(window, bits, work);
                near.keep(window.start, bits, work);
            }
            Kind::And(nodes) if !is_quick || has_near => {
                let _ = nodes.iter_mut().all(|node| node.keep(window, bits, work));
            }
            Kind::Not(node) if !is_quick || has_near => {
                let mut others = bits.clone();
                node.keep(window, &mut others, work);
                bits.difference_with(&others);
            }
            Kind::Numbers(numbers) if is_quick => numbers.keep(window, bits, work),
            _ if is_quick || has_near => {
                let is_other = |&bit: &usize| !self.contains(window.start + bit_doc(bit), work);
                let others: Vec<usize> = bits.ones().filter(is_other).collect();
                for bit in others {
                    bits.remove(bit);
                }
            }
            _ => {
                let mut found = FixedBitSet::with_capacity(window.len());
                self.add(window, &mut found, work);
                bits.intersect_with(&found);
            }
        }
        true
    }

    /// Returns whether a document matches. Documents must ascend.
    pub(super) fn contains(&mut self, doc: DocId, work: &mut Work) -> bool {
        work.spent += NODE_WORK;
        match &mut self.kind {
            Kind::Docs(docs) => docs.contains(&doc),
            Kind::List(docs) => docs.binary_search(&doc).is_ok(),
            Kind::Term(postings) => postings.seek(doc, work) == doc,
            Kind::Numbers(numbers) => {
                work.spent += NUMBER_WORK;
                numbers.range.contains(&numbers.column.get(doc))
            }
            Kind::And(nodes) => nodes.iter_mut().all(|node| node.contains(doc, work)),
            Kind::Or(nodes) | Kind::OneOf(nodes) => nodes.iter_mut().any(|node| node.contains(doc, work)),
            Kind::Not(node) => !node.contains(doc, work),
            Kind::Near(near) => {
                let mut bits = FixedBitSet::with_capacity(1);
                bits.set(0, near.of.contains(doc, work));
                near.keep(doc, &mut bits, work);
                bits.contains(0)
            }
        }
    }
}

/// Returns the documents in a window that match all parts of a conjunction.
fn all_of(nodes: &mut [Node<'_>], window: &Range<DocId>, work: &mut Work) -> FixedBitSet {
    work.spent += set_work(window);
    let mut bits = FixedBitSet::with_capacity(window.len());
    let (first, others) = nodes.split_first_mut().expect("a conjunction has parts");
    first.add(window, &mut bits, work);
    let _ = others.iter_mut().all(|node| node.keep(window, &mut bits, work));
    bits
}

/// The work of making, counting or intersecting the sets of a window, whatever their content.
fn set_work(window: &Range<DocId>) -> u64 {
    PART_WORK + window.len() as u64 / 128
}
