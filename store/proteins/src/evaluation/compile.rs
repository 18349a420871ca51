//! From a query to its tree in a segment.

use std::ops::RangeInclusive;

use store::{ProteinAccession, Result};
use tantivy::DocId;

use crate::ProteinGeneration;
use crate::query::ProteinQuery;
use crate::segments::bucket::{Buckets, LENGTH_BUCKETS, SIZE_BUCKETS};
use crate::segments::schema::{IMPLIED_SIZE_BUCKET, SearchTerm};
use crate::segments::segment::{NumberColumn, Segment};

use super::Work;
use super::near::{FIND_WORK, Near};
use super::node::{Kind, Node};
use super::number_range::NumberRange;
use super::postings::Postings;

/// The work of looking a term up in a segment.
const TERM_WORK: u64 = 512;

/// Looks up the terms of a query in a segment.
pub(super) fn compile<'a>(
    query: &'a ProteinQuery,
    generation: &'a ProteinGeneration,
    segment: &'a Segment,
    work: &mut Work,
) -> Result<Node<'a>> {
    let num_docs = segment.entry.num_docs;
    let node = |kind| Ok(Node::new(kind, num_docs));
    let mut term = |term: SearchTerm<'_>| Ok(Node::new(term_kind(term, segment, work)?, num_docs));
    match query {
        ProteinQuery::Everything => node(Kind::Docs(0..num_docs)),
        ProteinQuery::And(parts) => all_of(parts, generation, segment, work),
        ProteinQuery::Or(parts) => any_of(parts, generation, segment, work),
        ProteinQuery::Not(part) => Ok(not(compile(part, generation, segment, work)?, num_docs)),
        ProteinQuery::Biome(biome) => term(SearchTerm::lineage(*biome)),
        ProteinQuery::BiomeExact(biome) => term(SearchTerm::biome(*biome)),
        ProteinQuery::Family(family) => term(SearchTerm::family(*family)),
        ProteinQuery::AnyFamily => term(SearchTerm::any_family()),
        ProteinQuery::Clan(clan) => term(SearchTerm::clan(clan)),
        ProteinQuery::Study(study) => term(SearchTerm::study(study)),
        ProteinQuery::Assembly(assembly) => term(SearchTerm::assembly(assembly)),
        ProteinQuery::Name(name) => term(SearchTerm::name(name)),
        ProteinQuery::FullLength(true) => term(SearchTerm::complete_or_unknown(Some(true))),
        ProteinQuery::FullLength(false) => {
            let others = [Some(true), None].map(|value| term(SearchTerm::complete_or_unknown(value)));
            let others = others.into_iter().collect::<Result<_>>()?;
            Ok(not(union(others, Kind::OneOf, num_docs), num_docs))
        }
        ProteinQuery::ClusterSize(sizes) => sizes_in(sizes, segment, work),
        ProteinQuery::Length(lengths) => {
            let column = NumberColumn::Lengths(segment);
            numbers_in(column, lengths, LENGTH_BUCKETS, SearchTerm::length_bucket, work)
        }
        ProteinQuery::Digest(_) | ProteinQuery::Cluster(_) => node(Kind::Docs(0..0)),
        ProteinQuery::Accession(accessions) => {
            let end = accessions.end().next().map_or(num_docs, |next| segment.first_from(next));
            node(Kind::Docs(segment.first_from(*accessions.start()).min(end)..end))
        }
        ProteinQuery::Among(accessions) => node(Kind::List(among(accessions, segment, work))),
        ProteinQuery::Near { of, beside, genes, same_strand } => {
            let of = compile(of, generation, segment, work)?;
            match generation.contigs_of(segment.entry.first) {
                Some(contigs) if of.exact_count() != Some(0) => {
                    let reach = (*genes, *same_strand);
                    node(Kind::Near(Box::new(Near::new(of, beside, contigs.places(), reach, generation, segment))))
                }
                _ => node(Kind::Docs(0..0)),
            }
        }
    }
}

/// Returns the documents of ascending accessions.
fn among(accessions: &[ProteinAccession], segment: &Segment, work: &mut Work) -> Vec<DocId> {
    let start = accessions.partition_point(|accession| *accession < segment.entry.first);
    let end = accessions.partition_point(|accession| *accession <= segment.entry.last);
    work.spent += FIND_WORK * (end - start) as u64;
    let mut docs: Vec<DocId> = Vec::new();
    for accession in &accessions[start..end] {
        docs.extend(segment.find(*accession, docs.last().copied()));
    }
    docs
}

fn term_kind<'a>(term: SearchTerm<'_>, segment: &Segment, work: &mut Work) -> Result<Kind<'a>> {
    work.spent += TERM_WORK;
    let postings = segment.postings(term)?;
    Ok(postings
        .map_or(Kind::Docs(0..0), |postings| Kind::Term(Box::new(Postings::new(postings, segment.entry.num_docs)))))
}

fn all_of<'a>(
    parts: &'a [ProteinQuery],
    generation: &'a ProteinGeneration,
    segment: &'a Segment,
    work: &mut Work,
) -> Result<Node<'a>> {
    let num_docs = segment.entry.num_docs;
    let mut nodes = Vec::with_capacity(parts.len());
    for part in parts {
        let node = compile(part, generation, segment, work)?;
        if node.exact_count() == Some(0) {
            return Ok(node);
        }
        nodes.push(node);
    }
    // Reading the genes around a protein takes the most work.
    nodes.sort_by_key(|node| (node.has_near, node.num_matches));
    // A part that all documents match excludes nothing.
    nodes.retain(|node| node.exact_count() != Some(num_docs.into()));
    Ok(match nodes.len() {
        0 => Node::new(Kind::Docs(0..num_docs), num_docs),
        1 => nodes.remove(0),
        _ => Node::new(Kind::And(nodes), num_docs),
    })
}

fn any_of<'a>(
    parts: &'a [ProteinQuery],
    generation: &'a ProteinGeneration,
    segment: &'a Segment,
    work: &mut Work,
) -> Result<Node<'a>> {
    let nodes = parts.iter().map(|part| compile(part, generation, segment, work)).collect::<Result<_>>()?;
    Ok(union(nodes, Kind::Or, segment.entry.num_docs))
}

fn union<'a>(mut nodes: Vec<Node<'a>>, kind: fn(Vec<Node<'a>>) -> Kind<'a>, num_docs: u32) -> Node<'a> {
    nodes.retain(|node| node.exact_count() != Some(0));
    match nodes.len() {
        0 => Node::new(Kind::Docs(0..0), num_docs),
        1 => nodes.remove(0),
        _ => Node::new(kind(nodes), num_docs),
    }
}

fn not(node: Node<'_>, num_docs: u32) -> Node<'_> {
    match node.exact_count() {
        Some(0) => Node::new(Kind::Docs(0..num_docs), num_docs),
        _ => Node::new(Kind::Not(Box::new(node)), num_docs),
    }
}

/// The most frequent size has no term: a range that includes it matches the documents without any
/// of the excluded sizes.
fn sizes_in<'a>(sizes: &RangeInclusive<u64>, segment: &'a Segment, work: &mut Work) -> Result<Node<'a>> {
    let num_docs = segment.entry.num_docs;
    let mut within =
        |sizes| numbers_in(NumberColumn::Sizes(segment), &sizes, SIZE_BUCKETS, SearchTerm::size_bucket, work);
    if !SIZE_BUCKETS.touched(sizes).contains(&IMPLIED_SIZE_BUCKET) {
        return within(sizes.clone());
    }
    let mut others = Vec::new();
    others.extend(sizes.start().checked_sub(1).map(|below| within(0..=below)).transpose()?);
    others.extend(sizes.end().checked_add(1).map(|above| within(above..=u64::MAX)).transpose()?);
    Ok(not(union(others, Kind::OneOf, num_docs), num_docs))
}

fn numbers_in<'a>(
    column: NumberColumn<'a>,
    range: &RangeInclusive<u64>,
    buckets: Buckets,
    term: fn(u8) -> SearchTerm<'static>,
    work: &mut Work,
) -> Result<Node<'a>> {
    let segment = column.segment();
    let (mut inside, mut edges) = (Vec::new(), Vec::new());
    for bucket in buckets.touched(range) {
        if let Kind::Term(postings) = term_kind(term(bucket), segment, work)? {
            let buckets = if buckets.is_inside(bucket, range) { &mut inside } else { &mut edges };
            buckets.push(*postings);
        }
    }
    let numbers = NumberRange { column, range: range.clone(), inside, edges };
    Ok(Node::new(Kind::Numbers(numbers), segment.entry.num_docs))
}
