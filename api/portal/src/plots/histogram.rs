//! Histograms: columns of counts by ranges of a number.

use html_escape::encode_double_quoted_attribute;

use super::axis::{LINE, Scale};
use super::drawing::Drawing;
use super::plot::{Plot, PlotNumber};
use crate::context::layout::Origin;
use crate::parts::number::Count;

/// The distance of the columns from the top, and their height, in pixels.
const TOP: f64 = 8.0;
const HEIGHT: f64 = 150.0;

/// A plot of counts.
#[derive(Default)]
pub(crate) struct Histogram {
    pub(crate) name: &'static str,
    pub(crate) origin: Origin,
    /// The name of the number, with its unit.
    pub(crate) of: String,
    /// The counted things, such as `Proteins`.
    pub(crate) counted: &'static str,
    pub(crate) columns: Vec<Column>,
    /// The address of a range, with `{from}` and `{to}` in place of its ends, if ranges can be
    /// selected by dragging.
    pub(crate) range: String,
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
    pub(crate) fn plot(self, title: String, width: f64) -> Plot {
        let mut drawing = Drawing::default();
        let (bottom, right) = (TOP + HEIGHT, width - LINE);
        let most = self.columns.iter().map(|column| column.count.value).max().unwrap_or_default();
        let scale = Scale::counts(most, [bottom, TOP], 4);
        let left = scale.room();
        drawing.axis_left(&scale, [left, right], self.counted);
        #[expect(clippy::cast_precision_loss, reason = "a picture")]
        let (step, x) = {
            let step = (right - left) / self.columns.len().max(1) as f64;
            (step, move |place: usize| left + place as f64 * step)
        };
        for (place, column) in self.columns.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a picture")]
            let y = scale.at(column.count.value as f64);
            let class = if column.is_chosen { "column chosen" } else { "column" };
            let tip = format!("{}, {}: {}", self.of, column.label, column.count.counted(&self.counted.to_lowercase()));
            let [from, to] = column.ends.each_ref().map(|end| encode_double_quoted_attribute(end));
            drawing.link(&column.href, &tip, |drawing| {
                // The whole height can be clicked.
                drawing.add(format_args!(
                    r#"<rect class="room" x="{:.1}" y="{TOP}" width="{step:.1}" height="{HEIGHT}" data-from="{from}" data-to="{to}"/>"#,
                    x(place)
                ));
                drawing.rect(class, [x(place) + step * 0.05, y, step * 0.9, bottom - y]);
            });
        }
        let labels = self.columns.iter().enumerate();
        let labels = labels.map(|(place, column)| (x(place) + step / 2.0, &*column.label));
        drawing.labels_below(labels, bottom, right);
        drawing.text("name middle", [f64::midpoint(left, right), bottom + 2.2 * LINE], &self.of);
        let mut data = vec![vec![self.of, self.counted.to_owned(), "precision".to_owned()]];
        let mut numbers = Vec::new();
        for Column { label, count, href, .. } in self.columns {
            data.push(vec![label.clone(), count.value.to_string(), count.precision().to_owned()]);
            numbers.push(PlotNumber { label, text: count.to_string(), href });
        }
        Plot {
            name: self.name,
            title,
            origin: self.origin,
            size: [width, bottom + 2.6 * LINE],
            drawing,
            data,
            numbers,
            range: self.range,
            ..Plot::default()
        }
    }
}
