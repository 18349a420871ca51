//! An icicle plot of the biome tree: deeper levels are further right, and more proteins make a
//! higher cell. Text is horizontal, which is readable on any screen.

use std::collections::BTreeSet;
use std::mem;

use html_escape::encode_text;

use super::FLUID;
use super::axis::Scale;
use super::data::PlotData;
use super::drawing::{Drawing, real, width_of};
use super::plot::{Plot, Side};
use crate::context::address::{encoded, quoted, segment};
use crate::parts::biome_tree::{BiomeRow, BiomeTree};
use crate::parts::lineage::SEPARATOR;
use crate::parts::number::Count;

/// The greatest and smallest height of the cells, and the height per leaf, in pixels.
const HEIGHT_MAX: f64 = 520.0;
const HEIGHT_MIN: f64 = 120.0;
const LEAF_HEIGHT: f64 = 30.0;

/// The room above and below the cells for the numbers of the axis, in pixels.
const MARGIN: f64 = 8.0;

/// Lower cells would be invisible.
const DRAWN_MIN: f64 = 1.5;

/// The height of a touch target, in pixels. Lower cells get no keyboard focus; the table has it.
const TARGET_MIN: f64 = 24.0;

/// The heights of cells with a line of text, and with another one for the number, in pixels.
const LINE_MIN: f64 = 16.0;
const TWO_LINES_MIN: f64 = 34.0;

/// The letters for which a level has room, and the margin around them.
const LETTERS_MIN: usize = 4;
const LETTERS_MAX: usize = 20;
const LETTERS_AROUND: usize = 3;

/// The smallest width of the cells with numbers, and the margin around texts, in pixels.
const NUMBERS_MIN: f64 = 840.0;
const TEXT_MARGIN: f64 = 18.0;

/// A biome of the tree, or the rest of a biome that is not in those below it.
struct Cell<'a> {
    row: &'a BiomeRow,
    count: Count,
    is_rest: bool,
    /// The level, from 0.
    depth: usize,
    /// The first of its proteins from the top, and their number. A protein can be in several
    /// biomes, so children may have more proteins together than their parent, which is as high as
    /// they are.
    start: u64,
    weight: u64,
}

impl BiomeTree {
    /// Draws the tree. Its proteins match a condition of the search, such as `pfam=PF00005`.
    pub(crate) fn drawn(mut self, title: String, root: &str, condition: &str) -> Self {
        self.picture = plot(&self, title, root, condition);
        self
    }
}

/// Draws rows in which each biome follows its parent. Their proteins match a condition of the
/// search, such as `pfam=PF00005`. Returns `None` for a single row.
fn plot(tree: &BiomeTree, title: String, root: &str, condition: &str) -> Option<Plot> {
    if tree.rows.len() < 2 {
        return None;
    }
    let mut cells = cells(&tree.rows);
    let num_leaves = 1 + tree.rows.windows(2).filter(|rows| rows[1].depth <= rows[0].depth).count();
    let height = (real(num_leaves as u64) * LEAF_HEIGHT).clamp(HEIGHT_MIN, HEIGHT_MAX);
    let whole = cells.iter().map(|cell| cell.start + cell.weight).max().unwrap_or_default();
    let scale = Scale::counts_to(whole, [MARGIN, MARGIN + height], 4);
    cells.retain(|cell| scale.at_count(cell.weight) - scale.at_count(0) >= DRAWN_MIN);
    let (edges, mut drawing, mut side) = (column_edges(&cells), Drawing::default(), Side::default());
    for cell in &cells {
        let [x, end, y, bottom] = [
            edges[cell.depth],
            edges[cell.depth + 1],
            scale.at_count(cell.start),
            scale.at_count(cell.start + cell.weight),
        ];
        cell.draw(&mut drawing, [x, y, end - x, bottom - y], [root, condition]);
    }
    side.width = scale.room();
    side.drawing.axis_left(&scale, [side.width - 4.0, side.width], "Proteins");
    let rest = tree.not_recorded.as_ref().map(|rest| rest.count).filter(|count| count.value > 0);
    let not_shown = rest.map(|count| format!(" Not shown: {count} without a recorded biome.")).unwrap_or_default();
    Some(Plot {
        name: "biomes",
        title,
        legend: legend(&tree.rows),
        note: format!(
            "The height of a cell shows its number of proteins. A protein found in several biomes counts in each.{not_shown}"
        ),
        size: [FLUID, height + 2.0 * MARGIN],
        is_fluid: true,
        side,
        drawing,
        data: data(tree),
        ..Plot::default()
    })
}

impl Cell<'_> {
    fn name(&self) -> String {
        if self.is_rest { format!("only {}", self.row.name) } else { self.row.name.clone() }
    }

    fn href(&self, root: &str, condition: &str) -> String {
        if !self.is_rest {
            return format!("{root}/portal/biomes/{}", segment(&self.row.lineage));
        }
        let separator = if condition.is_empty() { "" } else { "&" };
        let exactly = encoded(&format!("biome_exact:{}", quoted(&self.row.lineage)));
        format!("{root}/portal/search?{condition}{separator}q={exactly}")
    }

    /// Draws the cell at a place.
    fn draw(&self, drawing: &mut Drawing, place: [f64; 4], [root, condition]: [&str; 2]) {
        let ([_, _, width, height], name) = (place, self.name());
        let (href, tip) = (self.href(root, condition), format!("{name}: {}", self.count.counted("proteins")));
        let colour = self.row.colour.map_or_else(|| "no-biome".to_owned(), |colour| format!("biome-{colour}"));
        let draw = |drawing: &mut Drawing| {
            drawing.clipped(place, |drawing| {
                let rest = if self.is_rest { "rest " } else { "" };
                drawing.add(format_args!(r#"<rect class="cell {rest}{colour}" width="100%" height="100%"/>"#));
                if self.row.colour.is_some() && !self.is_rest {
                    drawing.add(format_args!(r#"<rect class="{colour}" width="4" height="100%"/>"#));
                }
                let (count, has_two_lines) = (self.count.to_string(), height >= TWO_LINES_MIN);
                let (shift, before) = if has_two_lines { ("-.2em", 0.0) } else { (".35em", width_of(&name)) };
                // A number must not be cut off.
                let has_number = before + width_of(&count) + TEXT_MARGIN <= NUMBERS_MIN * width / 100.0;
                let below = if has_two_lines { r#" x="9" dy="1.25em""# } else { "" };
                let number = format!(r#" <tspan class="count"{below}>{count}</tspan>"#);
                let number = if has_number { &*number } else { "" };
                if height >= LINE_MIN {
                    let name = encode_text(&name);
                    drawing.add(format_args!(r#"<text x="9" y="50%" dy="{shift}">{name}{number}</text>"#));
                }
            });
        };
        if height >= TARGET_MIN { drawing.target(&href, &tip, draw) } else { drawing.link(&href, &tip, draw) }
    }
}

/// Returns the lineages with their numbers of proteins.
fn data(tree: &BiomeTree) -> PlotData {
    let mut data = PlotData::new(&["lineage", "proteins", "precision"]);
    let rows = tree.rows.iter().map(|row| (&*row.lineage, row.count));
    for (lineage, count) in rows.chain(tree.not_recorded.as_ref().map(|rest| ("not recorded", rest.count))) {
        data.add(&[&lineage, &count.value, &count.precision()]);
    }
    data
}

/// Returns the classes of colours and their biomes directly below the root.
fn legend(rows: &[BiomeRow]) -> Vec<(String, String)> {
    let tops = rows.iter().filter_map(|row| Some((row.colour?, row.lineage.split(SEPARATOR).nth(1)?)));
    let tops: BTreeSet<(usize, &str)> = tops.collect();
    tops.into_iter().map(|(colour, name)| (format!("biome-{colour}"), name.to_owned())).collect()
}

/// Returns the cells of all biomes and of their rests.
fn cells(rows: &[BiomeRow]) -> Vec<Cell<'_>> {
    let num_levels = rows.iter().map(|row| row.depth + 2).max().unwrap_or_default();
    // From the last row to the first, a biome follows all those below it.
    let mut sums = vec![0; num_levels];
    let weights = rows.iter().rev().map(|row| {
        let below = mem::take(&mut sums[row.depth + 1]);
        let weight = row.count.value.max(below);
        sums[row.depth] += weight;
        (weight, below)
    });
    let weights: Vec<(u64, u64)> = weights.collect();
    let (mut cells, mut starts) = (Vec::new(), vec![0; num_levels]);
    for (row, (weight, below)) in rows.iter().zip(weights.into_iter().rev()) {
        let start = starts[row.depth];
        starts[row.depth] += weight;
        starts[row.depth + 1] = start;
        cells.push(Cell { row, count: row.count, is_rest: false, depth: row.depth, start, weight });
        if (1..weight).contains(&below) {
            let (count, depth) = (row.count.without(below), row.depth + 1);
            cells.push(Cell { row, count, is_rest: true, depth, start: start + below, weight: weight - below });
        }
    }
    cells
}

/// Returns the left edges of all levels and the right edge of the last one, in percent. Levels with
/// longer names and numbers get more room.
fn column_edges(cells: &[Cell<'_>]) -> Vec<f64> {
    let mut letters = Vec::new();
    for cell in cells {
        let [name, number] = [cell.name(), cell.count.to_string()].map(|text| text.chars().count());
        letters.resize(letters.len().max(cell.depth + 1), LETTERS_MIN);
        letters[cell.depth] = letters[cell.depth].max(name.max(number).min(LETTERS_MAX));
    }
    let edge = |level: usize| letters[..level].iter().map(|count| real((count + LETTERS_AROUND) as u64)).sum::<f64>();
    (0..=letters.len()).map(|level| edge(level) * 100.0 / edge(letters.len()).max(1.0)).collect()
}

#[cfg(test)]
mod tests {
    use store_proteins::FacetCount;

    use super::*;
    use crate::parts::lineage::colour_of;

    fn row(lineage: &str, value: u64) -> BiomeRow {
        BiomeRow {
            name: lineage.rsplit(SEPARATOR).next().unwrap_or_default().to_owned(),
            depth: lineage.matches(SEPARATOR).count(),
            count: FacetCount { value, low: value, high: value }.into(),
            share: 0,
            compared: None,
            colour: colour_of(lineage),
            lineage: lineage.to_owned(),
        }
    }

    fn tree(rows: impl IntoIterator<Item = (&'static str, u64)>) -> BiomeTree {
        let rows = rows.into_iter().map(|(lineage, value)| row(lineage, value)).collect();
        BiomeTree { rows, total: 10.into(), not_recorded: None, comparison: None, picture: None }
    }

    #[test]
    fn cells_are_left_of_their_children() {
        let tree =
            tree([("root", 10), ("root:A", 6), ("root:A:X", 3), ("root:A:Y", 5), ("root:B", 4), ("root:B:Z", 1)]);
        // A has fewer proteins than its children: X and Y have 8 together, so A and B have 12.
        let cells = cells(&tree.rows);
        let places: Vec<_> =
            cells.iter().map(|cell| (&*cell.row.name, cell.is_rest, cell.depth, cell.start, cell.weight)).collect();
        let expected = [
            ("root", false, 0, 0, 12),
            ("A", false, 1, 0, 8),
            ("X", false, 2, 0, 3),
            ("Y", false, 2, 3, 5),
            ("B", false, 1, 8, 4),
            ("B", true, 2, 9, 3),
            ("Z", false, 2, 8, 1),
        ];
        assert_eq!(places, expected);
        assert_eq!(column_edges(&cells).iter().map(|edge| edge.round()).collect::<Vec<_>>(), [0., 26., 52., 100.]);
        assert_eq!(legend(&tree.rows).iter().map(|(_, name)| &**name).collect::<Vec<_>>(), ["A", "B"]);
    }

    #[test]
    fn cells_have_links_and_rests_have_names() {
        let tree = tree([("root", 10), ("root:Mixed", 6), ("root:Mixed:X Y", 4)]);
        let plot = plot(&tree, "Proteins".to_owned(), "/at", "pfam=PF00005").expect("a picture");
        let svg = plot.svg();
        assert!(svg.contains("<a href=\"/at/portal/biomes/root%3AMixed\"><title>Mixed: 6 proteins</title>"), "{svg}");
        assert!(svg.contains("/at/portal/biomes/root%3AMixed%3AX%20Y"), "{svg}");
        assert!(svg.contains("/at/portal/search?pfam=PF00005&amp;q=biome_exact%3A%22root%3AMixed%22"), "{svg}");
        assert!(svg.contains("<title>only Mixed: at least 2 proteins</title>"), "{svg}");
        assert!(!svg.contains("</svg></svg><svg width=\"100%\" height=\"136\" aria-hidden"), "{svg}");
        let rows = ["lineage proteins precision", "root 10 exact", "root:Mixed 6 exact", "root:Mixed:X Y 4 exact"];
        assert_eq!(plot.data.rows(), rows);
        assert!(super::plot(&self::tree([("root", 10)]), String::new(), "", "").is_none());
    }
}
