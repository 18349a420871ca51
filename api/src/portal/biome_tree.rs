//! Numbers of proteins by biome, in the order of the tree.

use std::collections::BTreeMap;

use store::{BiomeOrdinal, PAGE_BUDGET, ProteinGeneration, ProteinQuery, Relation};

use super::number::Number;

const SEPARATOR: char = ':';

#[derive(Clone, Debug)]
pub(super) struct BiomeRow {
    pub(super) lineage: String,
    /// The last level of the lineage.
    pub(super) name: String,
    /// Levels below the top of the table.
    pub(super) depth: usize,
    /// The number of proteins found in it or below it.
    pub(super) count: Number,
    /// Not all could be counted in good time.
    pub(super) is_at_least: bool,
    /// The number as thousandths of the largest one.
    pub(super) share: u64,
}

/// Counts the proteins of a query in each biome down to some level below the top, the largest first among siblings. Biomes without any are left
/// out. All counts together have the budget of work of one page.
pub(super) fn count(
    data: &ProteinGeneration,
    query: &ProteinQuery,
    top: Option<BiomeOrdinal>,
    depth_max: usize,
) -> store::Result<Vec<BiomeRow>> {
    let children = children(data);
    let mut wanted = Vec::new();
    let mut level: Vec<_> = match top {
        Some(top) => vec![top],
        None => children.get(&None).cloned().unwrap_or_default(),
    };
    for _ in 0..=depth_max {
        wanted.extend(level.iter().copied());
        level = level.iter().flat_map(|biome| children.get(&Some(*biome)).cloned().unwrap_or_default()).collect();
    }
    let budget = PAGE_BUDGET / (wanted.len() as u64).max(1);
    let mut counts = BTreeMap::new();
    for biome in wanted {
        let in_biome = ProteinQuery::Biome(biome);
        let both = match query {
            ProteinQuery::Everything => in_biome,
            query => ProteinQuery::And(vec![query.clone(), in_biome]),
        };
        let total = data.total(&both, budget)?;
        if total.value > 0 || total.relation == Relation::Gte {
            counts.insert(biome, total);
        }
    }
    let most = counts.values().map(|total| total.value).max().unwrap_or_default().max(1);
    let mut rows = Vec::new();
    let mut waiting: Vec<(usize, BiomeOrdinal)> = Vec::new();
    let sorted = |biomes: &[BiomeOrdinal], depth| {
        let mut found: Vec<_> = biomes.iter().filter(|biome| counts.contains_key(biome)).copied().collect();
        found.sort_by_key(|biome| counts[biome].value);
        found.into_iter().map(|biome| (depth, biome)).collect::<Vec<_>>()
    };
    waiting.extend(match top {
        Some(top) => sorted(&[top], 0),
        None => sorted(children.get(&None).map_or(&[], Vec::as_slice), 0),
    });
    while let Some((depth, biome)) = waiting.pop() {
        let (Some(found), Some(total)) = (data.biomes().get(biome), counts.get(&biome)) else { continue };
        let name = found.lineage.rsplit(SEPARATOR).next().unwrap_or_default();
        rows.push(BiomeRow {
            lineage: found.lineage.clone(),
            name: name.to_owned(),
            depth,
            count: Number(total.value),
            is_at_least: total.relation == Relation::Gte,
            share: total.value * 1000 / most,
        });
        waiting.extend(sorted(children.get(&Some(biome)).map_or(&[], Vec::as_slice), depth + 1));
    }
    Ok(rows)
}

/// Returns the biomes right below each biome; below none are the roots.
fn children(data: &ProteinGeneration) -> BTreeMap<Option<BiomeOrdinal>, Vec<BiomeOrdinal>> {
    let mut children: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for biome in (0..).take(data.biomes().iter().len()) {
        let parent = data.biomes().self_and_ancestors(biome).nth(1);
        children.entry(parent).or_default().push(biome);
    }
    children
}
