//! Bars of counts, the longest first.

use store::grouped;

use super::axis::{LINE, Scale};
use super::drawing::{Drawing, shortened, width_of};
use super::plot::{Plot, PlotNumber};

/// The width of the plot, and the height of a bar and of its row, in pixels.
const WIDTH: f64 = 600.0;
const BAR: f64 = 11.0;
const ROW: f64 = 36.0;

/// The distance of the bars from the left, in pixels.
const LEFT: f64 = 12.0;

/// A bar with a label above it.
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) href: String,
    pub(crate) count: u64,
}

/// Draws bars of numbers of proteins. `data` has the rows of a table, the first with the names of
/// the columns.
pub(crate) fn bars(name: &'static str, title: String, bars: Vec<Bar>, data: Vec<Vec<String>>) -> Plot {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or_default();
    let scale = Scale::counts(most, [LEFT, LEFT + WIDTH], 6);
    #[expect(clippy::cast_precision_loss, reason = "a picture")]
    let (bottom, end) = (bars.len() as f64 * ROW + 4.0, |count: u64| scale.at(count as f64));
    let mut drawing = Drawing::default();
    drawing.axis_below(&scale, [0.0, bottom], "Proteins");
    let mut y = 0.0;
    for bar in &bars {
        let count = grouped(bar.count);
        drawing.link(&bar.href, &format!("{}: {count}", bar.label), |drawing| {
            drawing.rect("room", [LEFT, y, WIDTH, ROW]);
            drawing.rect("column", [LEFT, y + 18.0, end(bar.count) - LEFT, BAR]);
            drawing.text("tick end", [LEFT + WIDTH, y + 14.0], &count);
            drawing.text("label", [LEFT + 4.0, y + 14.0], &shortened(&bar.label, WIDTH - width_of(&count) - LINE));
        });
        y += ROW;
    }
    let numbers = bars.into_iter().map(|Bar { label, href, count }| PlotNumber { label, text: grouped(count), href });
    Plot {
        name,
        title,
        size: [LEFT + WIDTH + 2.0 * LINE, bottom + 2.6 * LINE],
        drawing,
        numbers: numbers.collect(),
        data,
        ..Plot::default()
    }
}
