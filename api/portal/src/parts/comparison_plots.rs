//! Plots of the values that differ between two groups of proteins.

use store_proteins::EnrichedValue;

use crate::context::page_context::PageContext;
use crate::parts::facets::Comparison;
use crate::parts::lineage::{is_lineage, last_first};
use crate::plots::data::PlotData;
use crate::plots::plot::Plot;
use crate::plots::volcano::{Point, volcano};

/// The file with the data of the plot.
const DATA: &str = "volcano.tsv";

impl Comparison {
    /// Draws all values by ratio and significance. `groups` are the names of both groups, and
    /// `href` returns the address of a value. Returns `None` if no value differs.
    pub(crate) fn volcano(
        &self,
        context: &PageContext,
        title: String,
        groups: [&str; 2],
        href: impl Fn(&str) -> String,
    ) -> Option<Plot> {
        let mut values: Vec<_> = self.0.values.iter().filter(|found| self.can_differ(found)).collect();
        values.iter().find(|found| found.is_enriched.is_some())?;
        // Values with the same rate stay in the order of the test.
        values.sort_by(|one, other| one.false_discovery_rate.total_cmp(&other.false_discovery_rate));
        let values = values.into_iter().filter_map(|found| Some((found, found.value.as_deref()?, found.log2_ratio?)));
        let values: Vec<_> = values.collect();
        let points = values.iter().map(|&(found, value, log2_ratio)| Point {
            label: if is_lineage(value) { last_first(value) } else { found.name.clone() },
            href: href(value),
            log2_ratio,
            rate: found.false_discovery_rate,
            is_over: found.is_enriched,
        });
        // Pages have thousands of values, and do not show this table.
        let data = if context.plot() == DATA { data(&values, groups) } else { PlotData::default() };
        Some(volcano(points, title, data))
    }
}

/// Returns values, each with its accession or lineage and its ratio, as rows.
fn data(values: &[(&EnrichedValue, &str, f64)], [first, second]: [&str; 2]) -> PlotData {
    let mut data =
        PlotData::new(&["value", "name", first, second, "log2_ratio", "log2_low", "log2_high", "q", "difference"]);
    for (found, value, log2_ratio) in values {
        let EnrichedValue { name, count, background_count, false_discovery_rate: rate, .. } = found;
        let [low, high] = found.log2_interval().map_or_else(Default::default, |[low, high]| {
            [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)].map(|end| end.to_string())
        });
        let difference = found.is_enriched.map_or("", |is_over| if is_over { "over" } else { "under" });
        data.add(&[value, name, count, background_count, log2_ratio, &low, &high, rate, &difference]);
    }
    data
}
