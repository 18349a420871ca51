//! Facets, beside what DuckDB takes to group the same proteins.
//!
//! **What is measured.** The median time of the 50 most frequent families of the whole release, of
//! a biome, and of two conditions that match many and few; of completeness and lengths; and of an
//! estimate. Numbers are compared with those of DuckDB (`duckdb`).

use serde_json::{Value, json};
use store::PfamAccession;
use store_proteins::{FacetKind, LONG_BUDGET, ProteinQuery};
use support::measure::median_us;

use crate::corpus::Corpus;
use crate::processor::processor_time;

const TOP: usize = 50;

/// A question of facets, and how long it takes.
pub(crate) struct Counted {
    pub(crate) name: &'static str,
    pub(crate) query: ProteinQuery,
    pub(crate) by: FacetKind,
    pub(crate) median_us: f64,
    /// The numbers, the largest first, or `None` if they are estimates.
    pub(crate) expected: Option<Value>,
}

fn questions(corpus: &Corpus) -> Vec<(&'static str, ProteinQuery, FacetKind)> {
    let broad = corpus.biomes_by_count(true);
    let biome = |rank: usize| ProteinQuery::Biome(broad[rank]);
    let and = |parts: &[ProteinQuery]| ProteinQuery::And(parts.to_vec());
    let family = |number| ProteinQuery::Family(PfamAccession(number));
    vec![
        ("all, families", ProteinQuery::Everything, FacetKind::Pfam),
        ("all, completeness", ProteinQuery::Everything, FacetKind::FullLength),
        ("biome, families", biome(0), FacetKind::Pfam),
        ("family, families", family(1), FacetKind::Pfam),
        ("biome AND family", and(&[biome(0), family(1)]), FacetKind::Pfam),
        ("biome AND large", and(&[biome(0), ProteinQuery::ClusterSize(10..=u64::MAX)]), FacetKind::Pfam),
        ("biome AND lengths", and(&[biome(0), ProteinQuery::Length(100..=200)]), FacetKind::Pfam),
    ]
}

pub(crate) fn measure(corpus: &Corpus) -> Vec<Counted> {
    println!("  {:<22} {:>10} {:>11} {:>10}", "facets", "matches", "median µs", "sampled");
    let mut measured = Vec::new();
    for (name, query, by) in questions(corpus) {
        let facets =
            || corpus.generation().facets(&query, by, TOP, 1, LONG_BUDGET).expect("sound").expect("affordable");
        let median_us = median_us(processor_time, &[()], |()| facets().facets.len());
        let found = facets();
        let sampled = found.num_sampled.map_or_else(|| "exact".to_owned(), |number| number.to_string());
        println!("  {name:<22} {:>10} {median_us:>11.1} {sampled:>10}", found.total.value);
        let counts = found.facets.iter().filter(|facet| facet.value.is_some()).map(|facet| facet.count.value);
        let expected = found.num_sampled.is_none().then(|| counts.map(|count| json!([count])).collect());
        measured.push(Counted { name, query, by, median_us, expected });
    }
    measured
}
