//! Numbers of proteins by biome, in the order of the tree.

use std::collections::HashMap;

use store::{Facet, FacetKind, ProteinGeneration, ProteinQuery};

use super::address::encoded;
use super::facets::{self, Compared, Comparison};
use super::icicle::Icicle;
use super::number::Count;
use super::problem::PortalProblem;

pub(super) const SEPARATOR: char = ':';

/// The biomes right below the root, in the order of their colours.
pub(super) const TOPS: [&str; 5] = ["Environmental", "Host-associated", "Engineered", "Mixed", "Control"];

/// More levels than any lineage has.
pub(super) const WHOLE: usize = 20;

pub(super) struct BiomeTree {
    pub(super) rows: Vec<BiomeRow>,
    /// The number of all proteins.
    pub(super) total: Count,
    /// The proteins of which no biome is recorded, if the tree is whole at the top.
    pub(super) not_recorded: Option<NotRecorded>,
    pub(super) comparison: Option<Comparison>,
}

pub(super) struct BiomeRow {
    pub(super) lineage: String,
    /// The last level of the lineage.
    pub(super) name: String,
    /// Levels below the top of the table.
    pub(super) depth: usize,
    /// The number of proteins found in it or below it.
    pub(super) count: Count,
    /// The number as thousandths of the largest one.
    pub(super) share: u64,
    pub(super) compared: Option<Compared>,
    pub(super) colour: Option<usize>,
}

pub(super) struct NotRecorded {
    pub(super) count: Count,
    pub(super) share: u64,
    /// The query that finds them, for an address.
    pub(super) query: String,
}

impl BiomeTree {
    /// Counts the proteins of a query in each biome down to some level below the top, the largest first among siblings. Biomes without any are
    /// left out.
    pub(super) fn new(
        data: &ProteinGeneration,
        query: &ProteinQuery,
        top: Option<&str>,
        depth_max: usize,
    ) -> Result<Self, PortalProblem> {
        let counted = facets::count(data, query, FacetKind::Biome)?;
        let most = counted.facets.first().map_or(1, |largest| largest.count.value.max(1));
        let share = |facet: &Facet| facet.count.value * 1000 / most;
        let mut below: HashMap<&str, Vec<(&Facet, &str)>> = HashMap::new();
        let mut without = None;
        for facet in counted.facets.iter().rev() {
            match &facet.value {
                Some(lineage) => below.entry(parent(lineage)).or_default().push((facet, lineage)),
                None => without = Some(facet),
            }
        }
        let tops = below.get(top.map_or("", parent)).into_iter().flatten();
        let tops = tops.filter(|(_, lineage)| top.is_none_or(|top| top == *lineage));
        let mut waiting: Vec<(usize, &Facet, &str)> = tops.map(|&(facet, lineage)| (0, facet, lineage)).collect();
        let mut rows = Vec::new();
        while let Some((depth, facet, lineage)) = waiting.pop() {
            rows.push(BiomeRow {
                lineage: lineage.to_owned(),
                name: last_level(lineage).to_owned(),
                depth,
                count: facet.count.into(),
                share: share(facet),
                compared: None,
                colour: colour_of(lineage),
            });
            if depth < depth_max {
                let children = below.get(lineage).into_iter().flatten();
                waiting.extend(children.map(|&(facet, lineage)| (depth + 1, facet, lineage)));
            }
        }
        let not_recorded = top.is_none().then(|| NotRecorded {
            count: without.map(|facet| facet.count.into()).unwrap_or_default(),
            share: without.map(share).unwrap_or_default(),
            query: encoded(&without_biome(data)),
        });
        Ok(Self { rows, total: counted.total.into(), not_recorded, comparison: None })
    }

    /// Compares the numbers with those of all other proteins.
    pub(super) fn compared(mut self, data: &ProteinGeneration, query: &ProteinQuery) -> Result<Self, PortalProblem> {
        let comparison = Comparison::new(data, query, FacetKind::Biome)?;
        for row in &mut self.rows {
            row.compared = comparison.of(Some(&row.lineage));
        }
        self.comparison = Some(comparison);
        Ok(self)
    }

    /// Returns a picture of the rows, if there are enough of them.
    pub(super) fn icicle(&self) -> Option<Icicle> {
        Icicle::new(&self.rows)
    }

    /// Tells whether rows have numbers of a comparison.
    pub(super) fn is_compared(&self) -> bool {
        self.comparison.as_ref().is_some_and(Comparison::is_possible)
    }
}

/// Returns the levels of a lineage below the root, as people read them.
pub(super) fn as_levels(lineage: &str) -> String {
    lineage.strip_prefix("root:").unwrap_or(lineage).replace(SEPARATOR, " › ")
}

pub(super) fn last_level(lineage: &str) -> &str {
    lineage.rsplit(SEPARATOR).next().unwrap_or_default()
}

/// Returns the number of the colour that a biome has with all others below the same top; the root has none.
pub(super) fn colour_of(lineage: &str) -> Option<usize> {
    let top = lineage.split(SEPARATOR).nth(1)?;
    Some(TOPS.iter().position(|known| *known == top).unwrap_or(TOPS.len()))
}

/// Returns the lineage of the biome right above; nothing if there is none.
fn parent(lineage: &str) -> &str {
    lineage.rsplit_once(SEPARATOR).map_or("", |(parent, _)| parent)
}

/// Returns the query for proteins of which no biome is recorded.
pub(super) fn without_biome(data: &ProteinGeneration) -> String {
    let tops = data.biomes().iter().filter(|biome| parent(&biome.lineage).is_empty());
    let conditions: Vec<_> = tops.map(|biome| format!("NOT biome:\"{}\"", biome.lineage)).collect();
    conditions.join(" AND ")
}
