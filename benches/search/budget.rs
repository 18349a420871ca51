//! The worst pages: queries that are made to cost as much as possible.
//!
//! **What is measured.** All pages of each query from the first to the last, at most 2000 of them,
//! and of those the slowest; and a count within the budget of a page. Times are those of the
//! processor, which other processes do not lengthen much.

use std::time::Duration;

use store::PfamAccession;
use store_proteins::{PAGE_BUDGET, ProteinQuery};

use crate::corpus::Corpus;
use crate::processor::processor_time;

const PAGES_MAX: usize = 2000;

fn queries(corpus: &Corpus) -> Vec<(&'static str, ProteinQuery)> {
    let not = |query: ProteinQuery| ProteinQuery::Not(Box::new(query));
    let broad = corpus.biomes_by_count(true);
    let root = ProteinQuery::Biome(corpus.generation().biomes().find_lineage("root").expect("the root"));
    let biome = |rank: usize| ProteinQuery::Biome(broad[rank]);
    let family = |number: u64| ProteinQuery::Family(PfamAccession(number));
    let complete = || ProteinQuery::FullLength(true);
    let even_odd = |query: ProteinQuery| ProteinQuery::And(vec![query.clone(), not(query)]);
    let mut nested = ProteinQuery::And(vec![biome(0), not(biome(0))]);
    for level in 0..30 {
        nested = ProteinQuery::Or(vec![
            ProteinQuery::And(vec![nested, ProteinQuery::Length(40..=400 - level)]),
            ProteinQuery::And(vec![biome(1), not(biome(1))]),
        ]);
    }
    vec![
        ("dense AND NOT itself", even_odd(biome(0))),
        ("root AND NOT root", even_odd(root.clone())),
        (
            "dense AND dense AND few",
            ProteinQuery::And(vec![biome(0), biome(1), complete(), ProteinQuery::Length(60..=70)]),
        ),
        (
            "a length that is not there",
            ProteinQuery::And(vec![ProteinQuery::Length(100..=100), not(ProteinQuery::Length(99..=101))]),
        ),
        ("sizes that are not there", ProteinQuery::ClusterSize(3_000_000..=4_000_000)),
        (
            "edges of all buckets",
            ProteinQuery::And((0..50).map(|edge| ProteinQuery::Length(65 + edge..=125 - edge / 4)).collect()),
        ),
        (
            "50 edges, none together",
            ProteinQuery::And(vec![
                ProteinQuery::Or((0..50).map(|edge| ProteinQuery::Length(65 + edge..=66 + edge)).collect()),
                ProteinQuery::Length(200..=250),
            ]),
        ),
        ("30 levels, empty", nested),
        (
            "1000 families, empty",
            ProteinQuery::And(vec![
                ProteinQuery::Or((1..=1000).map(family).collect()),
                not(ProteinQuery::Or((1..=1000).map(family).collect())),
            ]),
        ),
        ("1000 times root, empty", ProteinQuery::And(vec![ProteinQuery::Or(vec![root.clone(); 1000]), not(root)])),
        (
            "1000 NOT families",
            ProteinQuery::And((1..=1000).map(|number| not(family(number))).chain([not(biome(0)), biome(0)]).collect()),
        ),
        (
            "500 studies AND family",
            ProteinQuery::And(vec![
                ProteinQuery::Or(
                    (0..500).map(|study| ProteinQuery::Study(format!("ERP{:06}", 100_000 + study))).collect(),
                ),
                family(19_999),
                not(family(19_999)),
            ]),
        ),
    ]
}

pub(crate) fn measure(corpus: &Corpus) {
    let generation = corpus.generation();
    println!("  {:<28} {:>7} {:>9} {:>12} {:>12}", "milliseconds", "pages", "hits", "worst page", "count");
    let mut worst = Duration::ZERO;
    for (name, query) in queries(corpus) {
        let (mut after, mut num_pages, mut num_hits, mut slowest) = (None, 0, 0, Duration::ZERO);
        loop {
            let started = processor_time();
            let page = generation.page(&query, after, 1000, PAGE_BUDGET).expect("sound");
            slowest = slowest.max(processor_time().saturating_sub(started));
            num_pages += 1;
            num_hits += page.hits.len();
            after = page.next;
            if after.is_none() || num_pages == PAGES_MAX {
                break;
            }
        }
        let started = processor_time();
        generation.total(&query, PAGE_BUDGET).expect("sound");
        let count = processor_time().saturating_sub(started);
        worst = worst.max(slowest).max(count);
        let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
        println!("  {name:<28} {num_pages:>7} {num_hits:>9} {:>12.2} {:>12.2}", ms(slowest), ms(count));
    }
    println!("  the worst of all: {:.1} ms", worst.as_secs_f64() * 1e3);
}
