//! Several proteins beside each other.

use std::collections::BTreeMap;

use askama::Template;
use axum::response::Response;
use store::{Protein, ProteinAccession};

use super::address::{encoded, segment};
use super::layout::Layout;
use super::number::Number;
use super::own::Mark;
use super::problem::PortalProblem;
use super::protein::is_full_length;
use super::visit::{Visit, page};
use crate::http::error::shown;
use crate::paths;

const PROTEINS_MAX: usize = 100;

/// The most biomes and families in a heat map; those in most proteins come first.
const COLUMNS_MAX: usize = 30;

/// Levels of a lineage; deeper biomes count as theirs.
const LEVELS: usize = 4;

/// The steps of colour of a heat map.
const STEPS: u64 = 5;

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    layout: Layout,
    /// The text as it was pasted.
    text: String,
    proteins: Vec<Row>,
    biomes: HeatMap,
    families: HeatMap,
    /// Words that are no accession, and accessions of no protein.
    missing: Vec<String>,
    /// More were pasted than can be compared.
    is_cut: bool,
    proteins_max: usize,
}

struct Row {
    accession: String,
    mark: Option<Mark>,
    length: Number,
    full_length: &'static str,
    cluster_size: Number,
    families: Vec<String>,
}

struct HeatMap {
    /// Names and addresses.
    columns: Vec<(String, String)>,
    rows: Vec<(String, Vec<HeatCell>)>,
    num_left_out: usize,
}

struct HeatCell {
    count: Number,
    /// The step of colour, from 0.
    step: u64,
}

pub(super) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    let text = visit.parameter("proteins");
    let words: Vec<&str> = text
        .split(|letter: char| letter.is_whitespace() || [',', ';'].contains(&letter))
        .filter(|word| !word.is_empty())
        .collect();
    let is_cut = words.len() > PROTEINS_MAX;
    let data = visit.proteins()?;
    let (mut proteins, mut missing): (Vec<Protein>, Vec<String>) = (Vec::new(), Vec::new());
    for word in words.into_iter().take(PROTEINS_MAX) {
        let fetch = |accession| data.fetch(data.replacement(accession).unwrap_or(accession));
        let found = word.parse::<ProteinAccession>().ok().map(fetch).transpose()?.flatten();
        match found {
            Some(protein) if proteins.iter().all(|before| before.accession != protein.accession) => {
                proteins.push(protein);
            }
            Some(_) => {}
            None => missing.push(shown(word).into_owned()),
        }
    }
    let mut layout = visit.layout("Compare proteins").section("compare");
    if !proteins.is_empty() {
        let accessions: Vec<_> = proteins.iter().map(|protein| protein.accession.to_string()).collect();
        let query = format!("accession:({})", accessions.join(" OR "));
        let query = encoded(&query);
        let path = format!("{}/proteins?q={query}", paths::PROTEINS_V2);
        layout = layout
            .call("These proteins", visit.base(), &format!("{path}&limit={PROTEINS_MAX}"))
            .protein_downloads(&path, &format!("{} proteins", proteins.len()));
    }
    let root = visit.root();
    let biomes = heat_map(&proteins, &format!("{root}/portal/biomes"), |protein| {
        let counted = protein.biomes.iter().map(|biome| {
            let levels: Vec<_> = biome.lineage.split(':').take(LEVELS).collect();
            (levels.join(":"), biome.count)
        });
        counted.collect()
    });
    let families = heat_map(&proteins, &format!("{root}/portal/families"), |protein| {
        protein.pfam_annotations.iter().map(|found| (found.hit.family.to_string(), 1)).collect()
    });
    page(&ComparePage {
        layout,
        text,
        biomes,
        families,
        proteins: proteins.iter().map(row).collect(),
        missing,
        is_cut,
        proteins_max: PROTEINS_MAX,
    })
}

fn row(protein: &Protein) -> Row {
    let mut families: Vec<_> = protein.pfam_annotations.iter().map(|found| found.hit.family.to_string()).collect();
    families.dedup();
    Row {
        accession: protein.accession.to_string(),
        mark: Mark::of(protein),
        length: Number::of(protein.sequence.len()),
        full_length: is_full_length(protein),
        cluster_size: Number(protein.cluster_size),
        families,
    }
}

fn heat_map(proteins: &[Protein], directory: &str, has: impl Fn(&Protein) -> Vec<(String, u64)>) -> HeatMap {
    let mut counts: Vec<BTreeMap<String, u64>> = Vec::new();
    let mut num_proteins: BTreeMap<String, usize> = BTreeMap::new();
    for protein in proteins {
        let mut of_protein = BTreeMap::new();
        for (name, count) in has(protein) {
            *of_protein.entry(name).or_default() += count;
        }
        for name in of_protein.keys() {
            *num_proteins.entry(name.clone()).or_default() += 1;
        }
        counts.push(of_protein);
    }
    let mut columns: Vec<(String, usize)> = num_proteins.into_iter().collect();
    columns.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
    let num_left_out = columns.len().saturating_sub(COLUMNS_MAX);
    columns.truncate(COLUMNS_MAX);
    let most = counts.iter().flat_map(BTreeMap::values).max().copied().unwrap_or_default().max(1);
    let cell = |count: u64| HeatCell { count: Number(count), step: (count * STEPS).div_ceil(most) };
    let rows = proteins.iter().zip(&counts).map(|(protein, counts)| {
        let cells = columns.iter().map(|(name, _)| cell(counts.get(name).copied().unwrap_or_default()));
        (protein.accession.to_string(), cells.collect())
    });
    let rows = rows.collect();
    let columns = columns.into_iter().map(|(name, _)| (format!("{directory}/{}", segment(&name)), name));
    HeatMap { columns: columns.map(|(address, name)| (name, address)).collect(), rows, num_left_out }
}
