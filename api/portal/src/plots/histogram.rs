//! Histograms: columns of counts by ranges of a number.

use html_escape::encode_double_quoted_attribute;

use super::axis::{BELOW, LINE, Scale};
use super::data::PlotData;
use super::drawing::{Drawing, real};
use super::plot::{Plot, PlotNumber};
use crate::parts::number::Count;

/// The distance of the columns from the top, and their height, in pixels.
const TOP: f64 = 8.0;
const HEIGHT: f64 = 150.0;

/// Counts by ranges of a number.
#[derive(Default)]
pub(crate) struct Histogram {
    /// The name of the number, with its unit.
    pub(crate) of: String,
    pub(crate) unit: String,
    /// The counted things, such as `Proteins`.
    pub(crate) counted: String,
    pub(crate) columns: Vec<Column>,
    /// The plot before it is drawn. Its range is an address with `{from}` and `{to}` in place of
    /// the ends.
    pub(crate) plot: Plot,
}

/// A range of a number.
#[derive(Default)]
pub(crate) struct Column {
    pub(crate) label: String,
    pub(crate) count: Count,
    /// The address of the counted things.
    pub(crate) href: String,
    /// `true` if the range is selected.
    pub(crate) is_chosen: bool,
    /// The ends of the range, as in addresses.
    pub(crate) ends: [String; 2],
}

impl Histogram {
    /// Draws the columns; the width is in pixels.
    pub(crate) fn draw(self, title: String, width: f64) -> Plot {
        let mut drawing = Drawing::default();
        let (bottom, right) = (TOP + HEIGHT, width - LINE);
        let most = self.columns.iter().map(|column| column.count.value).max().unwrap_or_default();
        let scale = Scale::counts(most, [bottom, TOP], 4);
        let left = scale.room();
        drawing.axis_left(&scale, [left, right], &self.counted);
        let step = (right - left) / real(self.columns.len().max(1) as u64);
        for (place, column) in (0..).zip(&self.columns) {
            let x = left + real(place) * step;
            let y = scale.at_count(column.count.value).min(bottom - if column.count.value > 0 { 1.0 } else { 0.0 });
            let class = if column.is_chosen { "column chosen" } else { "column" };
            let tip = format!("{}, {}: {}", self.of, column.label, column.count.counted(&self.counted.to_lowercase()));
            let [from, to] = column.ends.each_ref().map(|end| encode_double_quoted_attribute(end));
            drawing.link(&column.href, &tip, |drawing| {
                // The whole height can be clicked.
                drawing.add(format_args!(
                    r#"<rect class="room" x="{x:.1}" y="{TOP}" width="{step:.1}" height="{HEIGHT}" data-from="{from}" data-to="{to}"/>"#
                ));
                drawing.rect(class, [x + step * 0.05, y, step * 0.9, bottom - y]);
            });
        }
        let labels = self.labels();
        let labels = labels.iter().map(|(place, label)| (left + place * step, &**label));
        drawing.labels_below(labels, bottom, right);
        drawing.text("name middle", [f64::midpoint(left, right), bottom + 2.2 * LINE], &self.of);
        let mut data = PlotData::new(&[&self.of, &self.counted, "from", "to", "unit", "precision"]);
        let mut numbers = Vec::new();
        for Column { label, count, href, ends: [from, to], .. } in self.columns {
            data.add(&[&label, &count.value, &from, &to, &self.unit, &count.precision()]);
            numbers.push(PlotNumber { label, count, href });
        }
        let (size, headings) = ([width, bottom + BELOW], [self.of, self.counted]);
        Plot { title, size, drawing, numbers, headings, data, ..self.plot }
    }

    /// Returns the labels with their places, in widths of a column: the ends of ranges that share
    /// them, otherwise the ranges in the middle of their columns.
    fn labels(&self) -> Vec<(f64, String)> {
        if self.columns.windows(2).any(|pair| pair[0].ends[1] != pair[1].ends[0]) {
            let places = (0..).zip(&self.columns);
            return places.map(|(place, column)| (real(place) + 0.5, column.label.clone())).collect();
        }
        let ends = self.columns.iter().map(|column| &column.ends[0]);
        let ends = (0..).zip(ends.chain(self.columns.last().map(|column| &column.ends[1])));
        ends.map(|(place, end)| (real(place), end.replace('-', "−"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_with_common_ends_share_their_labels() {
        let labels = |ranges: &[(&str, &str)]| {
            let column = |(from, to): &(&str, &str)| Column {
                label: format!("{from} to {to}"),
                ends: [from, to].map(|end| (*end).to_owned()),
                ..Column::default()
            };
            let histogram = Histogram { columns: ranges.iter().map(column).collect(), ..Histogram::default() };
            histogram.labels()
        };
        let joined = [(0.0, "−5".to_owned()), (1.0, "5".to_owned()), (2.0, "10".to_owned())];
        assert_eq!(labels(&[("-5", "5"), ("5", "10")]), joined);
        assert_eq!(labels(&[("1", "1"), ("2", "")]), [(0.5, "1 to 1".to_owned()), (1.5, "2 to ".to_owned())]);
    }
}
