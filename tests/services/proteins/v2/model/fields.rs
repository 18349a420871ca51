//! Fields of records, read without the program.

use serde_json::{Value, json};
use store_proteins::Protein;

/// Fields of results that a scan can read without computing anything.
pub(super) const FIELDS: [&str; 10] = [
    "accession",
    "length",
    "full_length",
    "cluster_size",
    "biomes",
    "pfam",
    "pfam_names",
    "clans",
    "studies",
    "assemblies",
];

pub(super) fn lineages(protein: &Protein) -> Vec<String> {
    sorted(protein.biomes.iter().map(|biome| biome.lineage.clone()))
}

pub(super) fn families(protein: &Protein) -> Vec<String> {
    sorted(protein.pfam_annotations.iter().map(|found| found.hit.family.to_string()))
}

/// Returns the names of the families, in the order of their accessions.
fn family_names(protein: &Protein) -> Vec<String> {
    let all = &protein.pfam_annotations;
    let name = |family: String| {
        all.iter().find(|found| found.hit.family.to_string() == family).expect("listed").name.replace(';', ",")
    };
    families(protein).into_iter().map(name).collect()
}

pub(super) fn clans(protein: &Protein) -> Vec<String> {
    sorted(protein.pfam_annotations.iter().filter_map(|found| found.clan.as_deref().map(str::to_owned)))
}

pub(super) fn studies(protein: &Protein) -> Vec<String> {
    sorted(protein.occurrences.iter().map(|found| found.study.clone()).filter(|study| !study.is_empty()))
}

pub(super) fn assemblies(protein: &Protein) -> Vec<String> {
    sorted(protein.occurrences.iter().map(|found| found.assembly.clone()))
}

fn sorted(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut values: Vec<_> = values.collect();
    values.sort();
    values.dedup();
    values
}

/// Returns a field of a result.
pub(super) fn field(protein: &Protein, name: &str) -> Value {
    match name {
        "accession" => json!(protein.accession.to_string()),
        "length" => json!(protein.sequence.len()),
        "full_length" => json!(protein.full_length),
        "cluster_size" => json!(protein.cluster_size),
        "biomes" => json!(lineages(protein)),
        "pfam" => json!(families(protein)),
        "pfam_names" => json!(family_names(protein)),
        "clans" => json!(clans(protein)),
        "studies" => json!(studies(protein)),
        "assemblies" => json!(assemblies(protein)),
        other => panic!("{other}"),
    }
}
