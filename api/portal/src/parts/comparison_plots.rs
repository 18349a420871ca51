//! Plots of the values that differ between two groups of proteins.

use store_proteins::EnrichedValue;

use crate::parts::facets::Comparison;
use crate::parts::lineage::{is_lineage, last_first};
use crate::plots::data::PlotData;
use crate::plots::plot::Plot;
use crate::plots::volcano::{Point, volcano};

impl Comparison {
    /// Draws all values by ratio and significance. `groups` are the names of both groups, and
    /// `href` returns the address of a value. Returns `None` if no value differs.
    pub(crate) fn volcano(&self, title: String, groups: [&str; 2], href: impl Fn(&str) -> String) -> Option<Plot> {
        let mut values: Vec<_> = self.0.values.iter().filter(|found| self.can_differ(found)).collect();
        values.iter().find(|found| found.is_enriched.is_some())?;
        values.sort_by(|one, other| {
            let by_rate = one.false_discovery_rate.total_cmp(&other.false_discovery_rate);
            by_rate.then(other.count.cmp(&one.count))
        });
        let [first, second] = groups;
        let mut data =
            PlotData::new(&["value", "name", first, second, "log2_ratio", "log2_low", "log2_high", "q", "difference"]);
        let mut points = Vec::new();
        for found in values {
            let (Some(value), Some(log2_ratio)) = (&found.value, found.log2_ratio) else { continue };
            let EnrichedValue { name, count, background_count, false_discovery_rate: rate, .. } = found;
            let [low, high] = found.log2_interval().map_or_else(Default::default, |[low, high]| {
                [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)].map(|end| end.to_string())
            });
            let difference = found.is_enriched.map_or("", |is_over| if is_over { "over" } else { "under" });
            data.add(&[value, name, count, background_count, &log2_ratio, &low, &high, rate, &difference]);
            points.push(Point {
                label: if is_lineage(value) { last_first(value) } else { name.clone() },
                href: href(value),
                log2_ratio,
                rate: *rate,
                is_over: found.is_enriched,
            });
        }
        Some(volcano(points, title, data))
    }
}
