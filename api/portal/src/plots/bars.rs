//! Bars, the highest first: counts, or differences with their intervals.

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
    pub(crate) value: f64,
    /// The value as text.
    pub(crate) text: String,
    /// The ends of the interval around the value. They may be infinite.
    pub(crate) interval: Option<[f64; 2]>,
    /// The class of its colour.
    pub(crate) class: &'static str,
}

/// Draws bars; `of` is the name of their numbers, and `data` has the rows of a table, the first
/// with the names of the columns.
pub(crate) fn bars(name: &'static str, title: String, of: &str, bars: Vec<Bar>, data: Vec<Vec<String>>) -> Plot {
    #[expect(clippy::cast_precision_loss, reason = "a picture")]
    let bottom = bars.len() as f64 * ROW + 4.0;
    let finite = bars.iter().flat_map(|bar| bar.interval.unwrap_or_default().into_iter().chain([bar.value]));
    let finite = finite.filter(|number| number.is_finite());
    let [low, high] = finite.fold([0.0_f64, 0.0], |[low, high], number| [low.min(number), high.max(number)]);
    let scale = Scale::new([low, high.max(low + 1.0)], [LEFT, LEFT + WIDTH], 6);
    let mut drawing = Drawing::default();
    drawing.axis_below(&scale, [0.0, bottom], of);
    let zero = scale.at(0.0);
    drawing.line("axis", [zero, 0.0], [zero, bottom]);
    let mut y = 0.0;
    for bar in &bars {
        let end = scale.at(bar.value);
        let tip = format!("{}: {}", bar.label, bar.text);
        drawing.link(&bar.href, &tip, |drawing| {
            drawing.rect("room", [LEFT, y, WIDTH, ROW]);
            drawing.rect(bar.class, [zero.min(end), y + 18.0, (end - zero).abs(), BAR]);
            if let Some(ends) = bar.interval {
                let [from, to] = ends.map(|number| scale.at(number).clamp(LEFT, LEFT + WIDTH));
                drawing.line("whisker", [from, y + 18.0 + BAR / 2.0], [to, y + 18.0 + BAR / 2.0]);
            }
            drawing.text("tick end", [LEFT + WIDTH, y + 14.0], &bar.text);
            drawing.text("label", [LEFT + 4.0, y + 14.0], &shortened(&bar.label, WIDTH - width_of(&bar.text) - LINE));
        });
        y += ROW;
    }
    let numbers = bars.into_iter().map(|Bar { label, text, href, .. }| PlotNumber { label, text, href });
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
