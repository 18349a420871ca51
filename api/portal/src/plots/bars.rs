//! Bars of counts, the longest first.

use super::axis::{BELOW, LINE, Scale};
use super::data::PlotData;
use super::drawing::{Drawing, real, shortened, width_of};
use super::plot::{Plot, PlotNumber};

/// The width of the plot, and the height of a bar and of its row, in pixels.
const WIDTH: f64 = 600.0;
const BAR: f64 = 11.0;
const ROW: f64 = 36.0;

/// The distance of the bars from the left, in pixels.
const LEFT: f64 = 12.0;

/// Draws numbers as bars below their labels. `headings` are those of the labels and of the numbers.
pub(crate) fn bars(
    name: &'static str,
    headings: [&str; 2],
    title: String,
    numbers: Vec<PlotNumber>,
    data: PlotData,
) -> Plot {
    let most = numbers.iter().map(|number| number.count.value).max().unwrap_or_default();
    let scale = Scale::counts(most, [LEFT, LEFT + WIDTH], 6);
    let bottom = real(numbers.len() as u64) * ROW + 4.0;
    let mut drawing = Drawing::default();
    drawing.axis_below(&scale, [0.0, bottom], headings[1]);
    let mut y = 0.0;
    for PlotNumber { label, count, href } in &numbers {
        let text = count.to_string();
        drawing.link(href, &format!("{label}: {text}"), |drawing| {
            drawing.rect("room", [LEFT, y, WIDTH, ROW]);
            drawing.rect("column", [LEFT, y + 18.0, scale.at_count(count.value) - LEFT, BAR]);
            drawing.text("tick end", [LEFT + WIDTH, y + 14.0], &text);
            drawing.text("label", [LEFT + 4.0, y + 14.0], &shortened(label, WIDTH - width_of(&text) - LINE));
        });
        y += ROW;
    }
    Plot {
        name,
        title,
        size: [LEFT + WIDTH + 2.0 * LINE, bottom + BELOW],
        drawing,
        numbers,
        headings: headings.map(str::to_owned),
        data,
        ..Plot::default()
    }
}
