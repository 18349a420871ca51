//! A plain scan of the bundled proteins, and comparisons of some of them with the others as the
//! interface answers them: those are checked against scipy in `proteins/v2/counted.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;
use support::{PROTEINS_V2, get};

use super::SITE;
use crate::services::sample::{families, lineages, list, rows};

pub(super) struct Protein {
    /// The lineages of its biomes, and those of all biomes above them.
    pub(super) biomes: BTreeSet<String>,
    /// The lineages of its biomes alone.
    pub(super) own_biomes: BTreeSet<String>,
    pub(super) families: BTreeSet<String>,
    pub(super) clans: BTreeSet<String>,
    pub(super) length: usize,
    pub(super) is_full_length: Option<bool>,
    pub(super) cluster_size: u64,
}

pub(super) static PROTEINS: LazyLock<Vec<Protein>> = LazyLock::new(|| {
    let (lineages, names) = (lineages(), families());
    let proteins = rows().into_iter().map(|row| {
        let id = |biome: &serde_json::Value| biome[0].as_i64().expect("an id");
        let own_biomes: BTreeSet<String> = list(&row.metadata, "b").map(|biome| lineages[&id(biome)].clone()).collect();
        let above = |lineage: &String| {
            let ends = lineage.match_indices(':').map(|(end, _)| end).chain([lineage.len()]);
            ends.map(|end| lineage[..end].to_owned()).collect::<Vec<_>>()
        };
        let family = |hit: &serde_json::Value| hit[0].as_str().expect("a family").to_owned();
        let families: BTreeSet<String> = list(&row.metadata, "p").map(family).collect();
        let clan = |family: &String| Some(names.get(family)?.1.as_str()?.to_owned());
        Protein {
            biomes: own_biomes.iter().flat_map(above).collect(),
            clans: families.iter().filter_map(clan).collect(),
            own_biomes,
            families,
            length: row.sequence.len(),
            is_full_length: row.full_length.as_bool(),
            cluster_size: row.cluster_size,
        }
    });
    proteins.collect()
});

/// Counts proteins by value. Proteins without a value are counted under `None`.
pub(super) fn count<'a>(
    proteins: impl IntoIterator<Item = &'a Protein>,
    values: fn(&Protein) -> &BTreeSet<String>,
) -> BTreeMap<Option<String>, u64> {
    let mut counts = BTreeMap::new();
    for protein in proteins {
        let found = values(protein).iter().cloned().map(Some);
        for value in found.chain(values(protein).is_empty().then_some(None)) {
            *counts.entry(value).or_default() += 1;
        }
    }
    counts
}

/// Some proteins compared with the others. Proteins without a biome are excluded.
pub(super) struct Comparison {
    pub(super) num_selected: u64,
    pub(super) num_others: u64,
    by_value: BTreeMap<Option<String>, Compared>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) count: u64,
    pub(super) expected: f64,
    pub(super) log2_ratio: f64,
    pub(super) log2_interval: Option<[Option<f64>; 2]>,
    pub(super) rate: f64,
}

impl Comparison {
    /// Requests the comparison of the proteins that satisfy a condition, by the most significant
    /// values.
    pub(super) async fn of_condition(field: &str, value: &str, by: &str) -> Self {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("q", &format!("{field}:\"{value}\""))
            .append_pair("by", by)
            .append_pair("top", "30000")
            .finish();
        Self::of_call(&format!("{PROTEINS_V2}/enrichment?{query}")).await
    }

    /// Requests a comparison.
    pub(super) async fn of_call(address: &str) -> Self {
        let answer = get(&SITE.api, address).await.json();
        let compared = answer["enrichment"].as_array().expect("a list").iter().map(|found| {
            let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
            let compared = Compared {
                count: found["count"].as_u64().expect("a number"),
                expected: number(&found["expected"]),
                log2_ratio: number(&found["log2_ratio"]),
                log2_interval: serde_json::from_value(found["log2_interval"].clone()).expect("ends"),
                rate: number(&found["q"]),
            };
            (found["value"].as_str().map(str::to_owned), compared)
        });
        let count = |group: &str| answer[group]["count"].as_u64().expect("a number");
        Self { num_selected: count("selection"), num_others: count("background"), by_value: compared.collect() }
    }

    /// Returns the compared values, in no order.
    pub(super) fn values(&self) -> BTreeSet<Option<String>> {
        self.by_value.keys().cloned().collect()
    }

    pub(super) fn of(&self, value: Option<&str>) -> Option<Compared> {
        self.by_value.get(&value.map(str::to_owned)).copied()
    }
}
