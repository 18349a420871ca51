//! Queries of several conditions, beside the engine's own.
//!
//! **What is measured.** The median time of a page of 50 and of 1000 hits at the beginning, after
//! 99.9 % of the proteins, and of counting all matches; of the engine's `TopDocs` at 50, and its
//! `Count`. Hits and counts are compared.

use store::{PfamAccession, ProteinAccession};
use store_proteins::{PAGE_BUDGET, ProteinQuery, Relation};
use support::measure::{median_us, ratio};

use crate::corpus::Corpus;
use crate::processor::processor_time;
use crate::rival::Rival;

/// A query with its name, and whether the engine is measured too.
type Named = (&'static str, ProteinQuery, bool);

/// The times of a query.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) query: ProteinQuery,
    /// The times of 50 hits at the beginning, of 50 deep ones, and of the total.
    pub(crate) medians_us: [f64; 3],
}

fn family(number: u64) -> ProteinQuery {
    ProteinQuery::Family(PfamAccession(number))
}

fn not(query: ProteinQuery) -> ProteinQuery {
    ProteinQuery::Not(Box::new(query))
}

fn queries(corpus: &Corpus) -> Vec<Named> {
    let broad = corpus.biomes_by_count(true);
    let deep = corpus.biomes_by_count(false);
    let biome = |biomes: &[u32], rank: usize| ProteinQuery::Biome(biomes[rank]);
    vec![
        ("everything", ProteinQuery::Everything, true),
        ("common AND common", ProteinQuery::And(vec![biome(&broad, 0), family(1)]), true),
        ("dense AND dense", ProteinQuery::And(vec![biome(&broad, 0), not(biome(&broad, 1))]), true),
        ("common AND rare", ProteinQuery::And(vec![biome(&broad, 0), family(20_000)]), true),
        ("common AND NOT common", ProteinQuery::And(vec![family(1), not(biome(&broad, 0))]), true),
        (
            "three conditions",
            ProteinQuery::And(vec![biome(&broad, 0), family(1), ProteinQuery::Length(50..=300)]),
            true,
        ),
        ("OR of 20 families", ProteinQuery::Or((1..=20).map(family).collect()), true),
        ("OR of 1000 families", ProteinQuery::Or((1..=1000).map(family).collect()), true),
        ("NOT biome", not(biome(&deep, 0)), true),
        ("common lengths", ProteinQuery::Length(100..=200), true),
        ("rare lengths", ProteinQuery::Length(3000..=4000), true),
        ("large clusters", ProteinQuery::ClusterSize(100_000..=u64::MAX), false),
        ("clusters of 2 to 10", ProteinQuery::ClusterSize(2..=10), false),
        ("not full length", ProteinQuery::FullLength(false), false),
        ("clan", ProteinQuery::Clan("CL0001".into()), false),
        ("study", ProteinQuery::Study("ERP100007".into()), false),
    ]
}

/// Returns an accession after 99.9 % of the proteins.
pub(crate) fn deep_cursor(corpus: &Corpus) -> Option<ProteinAccession> {
    let last = corpus.generation().statistics().last.expect("not empty").number();
    ProteinAccession::new(last / 1000 * 999).ok()
}

pub(crate) fn measure(corpus: &Corpus, rival: &Rival) -> Vec<Measured> {
    let generation = corpus.generation();
    let mut measured = Vec::new();
    println!(
        "  {:<22} {:>10} {:>9} {:>9} {:>9} {:>11} {:>10} {:>9} {:>11}",
        "median µs", "matches", "50 hits", "1000", "deep 50", "TopDocs 50", "× faster", "count", "Count"
    );
    for (name, query, is_known) in queries(corpus) {
        let page = |after, limit| {
            median_us(processor_time, &[()], |()| {
                generation.page(&query, after, limit, PAGE_BUDGET).expect("sound").hits.len()
            })
        };
        let (first, large, deep) = (page(None, 50), page(None, 1000), page(deep_cursor(corpus), 50));
        let total = generation.total(&query, u64::MAX).expect("sound");
        assert_eq!(total.relation, Relation::Eq);
        let count = median_us(processor_time, &[()], |()| {
            usize::try_from(generation.total(&query, u64::MAX).expect("sound").value).expect("small")
        });
        print!("  {name:<22} {:>10} {first:>9.2} {large:>9.1} {deep:>9.2}", total.value);
        if is_known {
            let theirs = rival.query(&query);
            let hits = generation.page(&query, None, 50, u64::MAX).expect("sound").hits;
            let ours: Vec<u64> = hits.iter().map(|hit| hit.accession.number()).collect();
            assert_eq!(ours, rival.top_docs(&*theirs, 50), "{name}");
            assert_eq!(total.value, rival.count(&*theirs) as u64, "{name}");
            let top_docs = median_us(processor_time, &[()], |()| rival.top_docs(&*theirs, 50).len());
            let their_count = median_us(processor_time, &[()], |()| rival.count(&*theirs));
            println!(" {top_docs:>11.1} {:>10.0} {count:>9.1} {their_count:>11.1}", ratio(top_docs, first));
        } else {
            println!(" {:>11} {:>10} {count:>9.1} {:>11}", "", "", "");
        }
        measured.push(Measured { name, query, medians_us: [first, deep, count] });
    }
    measured
}
