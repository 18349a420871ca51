//! Protein counts by biome, in tree order.

use std::collections::HashMap;

use store_proteins::{Facet, FacetKind, ProteinGeneration, ProteinQuery};

use crate::context::address::{encoded, quoted};
use crate::context::problem::PortalProblem;
use crate::parts::facets::{self, Compared, Comparison};
use crate::parts::lineage::{colour_of, last_level, parent};
use crate::parts::number::Count;
use crate::plots::plot::Plot;

/// A depth that no lineage exceeds.
pub(crate) const ALL_LEVELS: usize = 20;

pub(crate) struct BiomeTree {
    pub(crate) rows: Vec<BiomeRow>,
    /// The number of all proteins.
    pub(crate) total: Count,
    /// The proteins without a recorded biome; only for the tree of all biomes.
    pub(crate) not_recorded: Option<NotRecorded>,
    pub(crate) comparison: Option<Comparison>,
    pub(crate) picture: Option<Plot>,
}

pub(crate) struct BiomeRow {
    pub(crate) lineage: String,
    /// The last level of the lineage.
    pub(crate) name: String,
    /// Levels below the top of the table.
    pub(crate) depth: usize,
    /// The number of proteins in the biome and below it.
    pub(crate) count: Count,
    /// The count, in thousandths of the largest one.
    pub(crate) share: u64,
    pub(crate) compared: Option<Compared>,
    pub(crate) colour: Option<usize>,
}

pub(crate) struct NotRecorded {
    pub(crate) count: Count,
    pub(crate) share: u64,
    /// The query for these proteins, encoded for an address.
    pub(crate) query: String,
}

impl BiomeTree {
    /// Counts the matches of a query in each biome down to a depth below the top, the largest first
    /// among siblings. Omits biomes without proteins.
    pub(crate) fn new(
        data: &ProteinGeneration,
        query: &ProteinQuery,
        top: Option<&str>,
        depth_max: usize,
    ) -> Result<Self, PortalProblem> {
        let counted = facets::count(data, query, FacetKind::Biome, usize::MAX)?;
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
            query: encoded(&no_biome_query(data)),
        });
        Ok(Self { rows, total: counted.total.into(), not_recorded, comparison: None, picture: None })
    }

    /// Compares the counts with those of all other proteins.
    pub(crate) fn compared(mut self, data: &ProteinGeneration, query: &ProteinQuery) -> Result<Self, PortalProblem> {
        let comparison = Comparison::new(data, query, None, FacetKind::Biome)?;
        for row in &mut self.rows {
            let value = comparison.0.values.iter().find(|value| value.value.as_ref() == Some(&row.lineage));
            row.compared = value.and_then(|value| comparison.texts(value));
        }
        self.comparison = Some(comparison);
        Ok(self)
    }

    /// Returns whether the rows have results of a comparison.
    pub(crate) fn is_compared(&self) -> bool {
        self.comparison.as_ref().is_some_and(Comparison::is_possible)
    }
}

/// Returns the query for proteins without a recorded biome.
pub(crate) fn no_biome_query(data: &ProteinGeneration) -> String {
    let tops = data.biomes().iter().filter(|biome| parent(&biome.lineage).is_empty());
    let conditions: Vec<_> = tops.map(|biome| format!("NOT biome:{}", quoted(&biome.lineage))).collect();
    conditions.join(" AND ")
}
