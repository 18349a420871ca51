//! Random conditions and queries, with the check of a scan.

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use store_proteins::Protein;

use super::fields::{assemblies, clans, families, lineages, studies};

/// A condition of a field, and the check of a scan.
pub(super) struct Condition {
    pub(super) field: &'static str,
    pub(super) value: String,
    pub(super) is_match: Check,
}

pub(super) type Check = Box<dyn Fn(&Protein) -> bool>;

/// Returns the condition that a list of a protein contains a random value of some protein.
fn listed(
    name: &'static str,
    list: fn(&Protein) -> Vec<String>,
    proteins: &[Protein],
    random: &mut StdRng,
) -> Condition {
    let with_values: Vec<&Protein> = proteins.iter().filter(|protein| !list(protein).is_empty()).collect();
    let values = list(with_values.choose(random).expect("some have values"));
    let value = values.choose(random).expect("not empty").clone();
    // Letter case matters only in lineages.
    let requested = if name != "biome_exact" && random.random() { value.to_lowercase() } else { value.clone() };
    Condition { field: name, value: requested, is_match: Box::new(move |protein| list(protein).contains(&value)) }
}

/// Returns the condition that a number is in a range around the numbers of two proteins.
fn ranged(name: &'static str, number: fn(&Protein) -> u64, proteins: &[Protein], random: &mut StdRng) -> Condition {
    let mut bound = || number(proteins.choose(random).expect("some"));
    let (one, other) = (bound(), bound());
    let (low, high) = (one.min(other), one.max(other));
    let (value, range) = match random.random_range(0..5) {
        0 => (format!("[{low} TO {high}]"), low..=high),
        1 => (format!("[{low} TO *]"), low..=u64::MAX),
        2 => (format!("<={high}"), 0..=high),
        3 => (low.to_string(), low..=low),
        _ => (format!("{{{low} TO {}}}", high + 2), low + 1..=high + 1),
    };
    Condition { field: name, value, is_match: Box::new(move |protein| range.contains(&number(protein))) }
}

pub(super) fn condition(proteins: &[Protein], random: &mut StdRng) -> Condition {
    match random.random_range(0..11) {
        0 | 1 => {
            let lineages = lineages(proteins.choose(random).expect("some"));
            let lineage = lineages.choose(random).expect("each has a biome");
            let num_levels = random.random_range(1..=lineage.split(':').count());
            let requested = lineage.split(':').take(num_levels).collect::<Vec<_>>().join(":");
            let value = requested.clone();
            let is_below =
                move |lineage: &String| *lineage == requested || lineage.starts_with(&format!("{requested}:"));
            let is_match = move |protein: &Protein| self::lineages(protein).iter().any(&is_below);
            Condition { field: "biome", value, is_match: Box::new(is_match) }
        }
        2 => listed("biome_exact", lineages, proteins, random),
        3 => listed("pfam", families, proteins, random),
        4 => listed("clan", clans, proteins, random),
        5 => listed("study", studies, proteins, random),
        6 => listed("assembly", assemblies, proteins, random),
        7 => {
            let value: bool = random.random();
            Condition {
                field: "full_length",
                value: value.to_string(),
                is_match: Box::new(move |protein| protein.full_length == Some(value)),
            }
        }
        8 => ranged("cluster_size", |protein| protein.cluster_size, proteins, random),
        9 => ranged("length", |protein| protein.sequence.len() as u64, proteins, random),
        _ if random.random() => ranged("accession", |protein| protein.accession.number(), proteins, random),
        _ => Condition {
            field: "has",
            value: "pfam".into(),
            is_match: Box::new(|protein| !protein.pfam_annotations.is_empty()),
        },
    }
}

/// Returns the text of a query, and the check of a scan.
pub(super) fn query(depth: u32, proteins: &[Protein], random: &mut StdRng) -> (String, Check) {
    if depth == 0 || random.random_range(0..3) == 0 {
        let Condition { field, value, is_match } = condition(proteins, random);
        let quote = if value.contains(' ') && !value.starts_with(['[', '{']) { "\"" } else { "" };
        return (format!("{field}:{quote}{value}{quote}"), is_match);
    }
    if random.random_range(0..4) == 0 {
        let (text, is_match) = query(depth - 1, proteins, random);
        return (format!("NOT ({text})"), Box::new(move |protein| !is_match(protein)));
    }
    let num_parts = random.random_range(2..=4);
    let (texts, checks): (Vec<String>, Vec<Check>) = (0..num_parts)
        .map(|_| query(depth - 1, proteins, random))
        .map(|(text, check)| (format!("({text})"), check))
        .unzip();
    if random.random() {
        return (texts.join(" AND "), Box::new(move |protein| checks.iter().all(|is_match| is_match(protein))));
    }
    (texts.join(" OR "), Box::new(move |protein| checks.iter().any(|is_match| is_match(protein))))
}
