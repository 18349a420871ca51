//! Volcano plots: differences of two groups by size and by significance.

use super::axis::{BELOW, LINE, Scale};
use super::data::PlotData;
use super::drawing::{Drawing, shortened, width_of};
use super::plot::Plot;

/// The size of the plot without its axes, and its distance from the top, in pixels.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 300.0;
const TOP: f64 = 14.0;

/// The maximum number of points, and of those with a label.
const POINTS_MAX: usize = 2000;
const LABELLED: usize = 12;

/// The distance of labels from the middle of their points, in pixels.
const DISTANCE: f64 = 7.0;

/// The smallest false discovery rate that is drawn.
const RATE_MIN: f64 = 1e-100;

/// The false discovery rate below which values differ.
const RATE_MAX: f64 = 0.05;

/// A value of two groups.
pub(crate) struct Point {
    /// The short name beside the point.
    pub(crate) label: String,
    pub(crate) href: String,
    pub(crate) log2_ratio: f64,
    /// The false discovery rate.
    pub(crate) rate: f64,
    pub(crate) is_over: Option<bool>,
}

impl Point {
    fn height(&self) -> f64 {
        -self.rate.max(RATE_MIN).log10()
    }

    fn class(&self) -> &'static str {
        match self.is_over {
            Some(true) => "point over",
            Some(false) => "point under",
            None => "point",
        }
    }
}

/// Draws points, of which the most significant ones are the first. `data` has all of them.
pub(crate) fn volcano(points: impl ExactSizeIterator<Item = Point>, title: String, data: PlotData) -> Plot {
    let num_left_out = points.len().saturating_sub(POINTS_MAX);
    let points: Vec<Point> = points.take(POINTS_MAX).collect();
    let bottom = TOP + HEIGHT;
    let widest = points.iter().map(|point| point.log2_ratio.abs()).fold(1.0, f64::max);
    let highest = points.iter().map(Point::height).fold(2.0, f64::max);
    let y_scale = Scale::new([0.0, highest], [bottom, TOP], 5);
    let left = y_scale.room();
    let x_scale = Scale::new([-widest, widest], [left, left + WIDTH], 8);
    let mut drawing = Drawing::default();
    drawing.axis_left(&y_scale, [left, left + WIDTH], "−log10 q");
    drawing.axis_below(&x_scale, [TOP, bottom], "Log2 ratio");
    let threshold = y_scale.at(-RATE_MAX.log10());
    drawing.line("threshold", [left, threshold], [left + WIDTH, threshold]);
    drawing.line("threshold", [x_scale.at(0.0), TOP], [x_scale.at(0.0), bottom]);
    // The most significant ones are drawn last, above the others.
    for point in points.iter().rev() {
        let [x, y] = [x_scale.at(point.log2_ratio), y_scale.at(point.height())];
        let tip = format!("{}: log2 ratio {:+.2}, q {:.1e}", point.label, point.log2_ratio, point.rate);
        drawing.link(&point.href, &tip, |drawing| {
            drawing.add(format_args!(r#"<circle class="{}" cx="{x:.1}" cy="{y:.1}" r="4"/>"#, point.class()));
        });
    }
    add_labels(&mut drawing, &points, &x_scale, &y_scale);
    let more = if num_left_out > 0 { format!(" {num_left_out} more have larger q.") } else { String::new() };
    Plot {
        name: "volcano",
        title,
        legend: [("over", "Over-represented"), ("under", "Under-represented"), ("point", "Neither")]
            .map(|(class, meaning)| (class.to_owned(), meaning.to_owned()))
            .to_vec(),
        note: format!("A point is a value; above the dashed line, q is below {RATE_MAX}.{more}"),
        size: [left + WIDTH + LINE, bottom + BELOW],
        drawing,
        data,
        ..Plot::default()
    }
}

/// Adds the labels of the most significant points that differ, where they have room.
fn add_labels(drawing: &mut Drawing, points: &[Point], x_scale: &Scale, y_scale: &Scale) {
    let mut placed: Vec<[f64; 3]> = Vec::new();
    for point in points.iter().filter(|point| point.is_over.is_some()).take(LABELLED) {
        let [x, y] = [x_scale.at(point.log2_ratio), y_scale.at(point.height())];
        // A label is on the outer side, where fewer points are, if it has room there. It is not
        // wider than half of the plot.
        let label = shortened(&point.label, WIDTH / 2.0);
        let width = width_of(&label);
        let [left, right] = x_scale.pixels;
        let is_right = point.log2_ratio > 0.0 && x + DISTANCE + width <= right;
        let (class, place, from) = if is_right || x - DISTANCE - width < left {
            ("label", x + DISTANCE, x + DISTANCE)
        } else {
            ("label end", x - DISTANCE, x - DISTANCE - width)
        };
        let is_free = placed.iter().all(|[other_from, other_to, other_y]| {
            from > *other_to || from + width < *other_from || (y - other_y).abs() > LINE * 0.8
        });
        if is_free {
            drawing.text(class, [place, y + 4.0], &label);
            placed.push([from, from + width, y]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_placed_by_ratio_and_significance() {
        let point = |label: &str, log2_ratio, rate, is_over| Point {
            label: label.to_owned(),
            href: String::new(),
            log2_ratio,
            rate,
            is_over,
        };
        let points = [
            point("under", -2.0, 0.0, Some(false)),
            point("over", 2.0, 1e-10, Some(true)),
            point("rare", 0.5, 0.5, None),
        ];
        let svg = volcano(points.into_iter(), "title".to_owned(), PlotData::default()).drawing.svg;
        let circles: Vec<_> = svg.split("<circle ").skip(1).filter_map(|rest| rest.split_once('/')).collect();
        // The first is drawn below the others, and a rate of zero is at the top.
        let expected = [
            r#"class="point" cx="422.4" cy="313.1" r="4""#,
            r#"class="point over" cx="647.4" cy="284.0" r="4""#,
            r#"class="point under" cx="47.4" cy="14.0" r="4""#,
        ];
        assert_eq!(circles.iter().map(|(circle, _)| *circle).collect::<Vec<_>>(), expected);
        assert!(svg.contains(r#"<text class="label end" x="640.4" y="288.0">over</text>"#), "{svg}");
        assert!(!svg.contains(">rare</text>"));
    }

    #[test]
    fn labels_do_not_leave_the_plot() {
        let point =
            Point { label: "a".repeat(300), href: String::new(), log2_ratio: 0.1, rate: 1e-10, is_over: Some(true) };
        let svg = volcano([point].into_iter(), String::new(), PlotData::default()).drawing.svg;
        assert!(svg.contains(&format!(">{}…</text>", "a".repeat(43))), "{svg}");
    }
}
