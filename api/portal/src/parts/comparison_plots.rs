//! Plots of the values that differ between two groups of proteins.

use std::cmp::Reverse;

use store_proteins::EnrichedValue;

use crate::parts::facets::Comparison;
use crate::parts::lineage::last_first;
use crate::plots::plot::Plot;
use crate::plots::volcano::{Point, volcano};

/// A value that may differ, with its logarithm of the ratio and its interval.
struct Difference<'a> {
    value: &'a str,
    found: &'a EnrichedValue,
    log2_ratio: f64,
    interval: Option<[f64; 2]>,
}

impl Comparison {
    /// Draws all values by ratio and significance. `groups` are the names of both groups, and
    /// `href` returns the address of a value. Returns `None` if no value differs.
    pub(crate) fn volcano(&self, title: String, groups: [&str; 2], href: impl Fn(&str) -> String) -> Option<Plot> {
        let differences = self.differences();
        let points = differences.iter().map(|Difference { value, found, log2_ratio, .. }| Point {
            label: if found.name == **value || is_lineage(value) { label(value) } else { found.name.clone() },
            href: href(value),
            log2_ratio: *log2_ratio,
            rate: found.false_discovery_rate,
            is_over: found.is_enriched,
        });
        let points: Vec<Point> = points.collect();
        points.iter().any(|point| point.is_over.is_some()).then(|| volcano(points, title, table(&differences, groups)))
    }

    /// Returns the values that can differ, by significance.
    fn differences(&self) -> Vec<Difference<'_>> {
        let difference = |found| {
            self.texts(found)?;
            let interval = found
                .log2_interval()
                .map(|[low, high]| [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)]);
            Some(Difference { value: found.value.as_deref()?, log2_ratio: found.log2_ratio?, interval, found })
        };
        let mut differences: Vec<_> = self.0.values.iter().filter_map(difference).collect();
        differences.sort_by_key(|one| Reverse(one.found.count));
        differences.sort_by(|one, other| one.found.false_discovery_rate.total_cmp(&other.found.false_discovery_rate));
        differences
    }
}

fn is_lineage(value: &str) -> bool {
    value == "root" || value.starts_with("root:")
}

fn label(value: &str) -> String {
    if is_lineage(value) { last_first(value) } else { value.to_owned() }
}

/// Returns the rows of a table, the first with the names of the columns.
fn table(differences: &[Difference], groups: [&str; 2]) -> Vec<Vec<String>> {
    let [first, second] = groups;
    let names = ["value", "name", first, second, "log2_ratio", "log2_low", "log2_high", "q", "difference"];
    let row = |one: &Difference| {
        let end = |place: usize| one.interval.map_or_else(String::new, |ends| ends[place].to_string());
        vec![
            one.value.to_owned(),
            one.found.name.clone(),
            one.found.count.to_string(),
            one.found.background_count.to_string(),
            one.log2_ratio.to_string(),
            end(0),
            end(1),
            one.found.false_discovery_rate.to_string(),
            match one.found.is_enriched {
                Some(true) => "over",
                Some(false) => "under",
                None => "",
            }
            .to_owned(),
        ]
    };
    std::iter::once(names.map(str::to_owned).to_vec()).chain(differences.iter().map(row)).collect()
}
