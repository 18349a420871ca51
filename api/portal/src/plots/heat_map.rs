//! Heat maps of counts by protein and column, with similar rows and columns next to each other.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;

use store::grouped;

use super::axis::{GAP, LINE};
use super::data::PlotData;
use super::drawing::{Drawing, real, shortened, width_of};
use super::plot::Plot;
use crate::context::address::segment;
use crate::parts::lineage::{is_lineage, last_first};
use crate::parts::words::capitalized;

/// The maximum number of columns. Those with the most proteins are kept.
const COLUMNS_MAX: usize = 30;

/// The colour steps of all maps: the smallest count of each, and its range.
const STEPS: [(u64, &str); 5] = [(1, "1"), (2, "2"), (3, "3–4"), (5, "5–9"), (10, "10 and more")];

/// The size of a cell, in pixels.
const CELL: [f64; 2] = [38.0, 20.0];

/// The greatest width of the names of columns, which run upwards, in pixels.
const NAME_MAX: f64 = 240.0;

/// The width of capital letters and digits, as a multiple of that of average letters.
const CAPITAL: f64 = 1.2;

/// The accession of a protein, with its counts by column.
type Protein = (String, BTreeMap<Column, u64>);

/// A map as a table and as a plot.
pub(crate) struct HeatMap {
    /// The directory of the pages of columns, below the portal.
    pub(crate) directory: &'static str,
    pub(crate) columns: Vec<Column>,
    /// Accessions of proteins, with a count per column.
    pub(crate) rows: Vec<(String, Vec<u64>)>,
    pub(crate) plot: Plot,
}

/// A biome or family that proteins may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Column {
    pub(crate) value: String,
    pub(crate) name: String,
}

impl HeatMap {
    /// Creates the map of proteins with their counts by column. It has a directory, and its plot a
    /// name and a title. `portal` is the prefix of paths.
    pub(crate) fn new([directory, name, title]: [&'static str; 3], portal: &str, proteins: &[Protein]) -> Self {
        let mut num_proteins: BTreeMap<&Column, usize> = BTreeMap::new();
        for column in proteins.iter().flat_map(|(_, counts)| counts.keys()) {
            *num_proteins.entry(column).or_default() += 1;
        }
        let mut columns: Vec<(&Column, usize)> = num_proteins.clone().into_iter().collect();
        columns.sort_by_key(|(_, num)| Reverse(*num));
        let num_left_out = columns.len().saturating_sub(COLUMNS_MAX);
        columns.truncate(COLUMNS_MAX);
        let count = |counts: &BTreeMap<Column, u64>, column| counts.get(column).copied().unwrap_or_default();
        let of_column = |(column, _)| (column, proteins.iter().map(|(_, counts)| count(counts, column)).collect());
        let columns = by_similarity(columns.into_iter().map(of_column).collect());
        let cells = |counts| columns.iter().map(|(column, _)| count(counts, column)).collect();
        let rows = by_similarity(proteins.iter().map(|protein| (protein, cells(&protein.1))).collect());
        let data = data(rows.iter().map(|(protein, _)| *protein), &num_proteins);
        let left_out = match num_left_out {
            0 => String::new(),
            number => format!(" {number} more columns are left out, because fewer of these proteins have them."),
        };
        let map = Self {
            directory,
            columns: columns.into_iter().map(|(column, _)| column.clone()).collect(),
            rows: rows.into_iter().map(|((accession, _), cells)| (accession.clone(), cells)).collect(),
            plot: Plot::default(),
        };
        let (title, note) = (title.to_owned(), format!("Similar proteins are next to each other.{left_out}"));
        Self { plot: Plot { name, title, note, data, ..map.draw(portal) }, ..map }
    }

    /// Draws the cells, with the names of proteins on the left and of columns above them.
    fn draw(&self, portal: &str) -> Plot {
        let mut drawing = Drawing::default();
        let names: Vec<String> = self.columns.iter().map(Column::short_name).collect();
        let top = names.iter().map(|name| width_of(name).min(NAME_MAX)).fold(0.0, f64::max) + 2.0 * LINE;
        let left = self.rows.iter().map(|(accession, _)| width_of(accession) * CAPITAL).fold(0.0, f64::max) + GAP;
        let right = left + edge(self.columns.len(), CELL[0]);
        let bottom = top + edge(self.rows.len(), CELL[1]);
        drawing.text("name", [0.0, top - GAP], "Proteins");
        drawing.text("name", [left, LINE - 3.0], &capitalized(self.directory));
        for (place, (column, name)) in self.columns.iter().zip(&names).enumerate() {
            let x = left + edge(place, CELL[0]);
            drawing.line("grid", [x, top], [x, bottom]);
            drawing.link(&format!("{portal}/{}/{}", self.directory, segment(&column.value)), &column.name, |drawing| {
                drawing.upward_text("", [x + CELL[0] / 2.0 + 4.0, top - GAP], &shortened(name, NAME_MAX));
            });
        }
        for (place, (accession, cells)) in self.rows.iter().enumerate() {
            let y = top + edge(place, CELL[1]);
            let base = y + CELL[1] / 2.0 + 4.0;
            drawing.line("grid", [left, y], [right, y]);
            drawing.link(&format!("{portal}/proteins/{accession}"), accession, |drawing| {
                drawing.text("end", [left - GAP, base], accession);
            });
            for (place, (&count, name)) in cells.iter().zip(&names).enumerate().filter(|(_, (count, _))| **count > 0) {
                let (x, text) = (left + edge(place, CELL[0]), grouped(count));
                drawing.link("", &format!("{accession}, {name}: {text}"), |drawing| {
                    drawing.rect(&format!("heat-{}", step(count)), [x, y, CELL[0], CELL[1]]);
                    drawing.text("middle", [x + CELL[0] / 2.0, base], &text);
                });
            }
        }
        drawing.line("grid", [left, bottom], [right, bottom]);
        drawing.line("grid", [right, top], [right, bottom]);
        Plot {
            legend: (1..).zip(STEPS).map(|(step, (_, range))| (format!("heat-{step}"), range.to_owned())).collect(),
            size: [right + 1.0, bottom + GAP],
            drawing,
            ..Plot::default()
        }
    }
}

/// Returns the start of a cell, in pixels from the first one.
fn edge(place: usize, size: f64) -> f64 {
    real(place as u64) * size
}

/// Returns the counts of proteins as rows with all columns.
fn data<'a>(proteins: impl Iterator<Item = &'a Protein>, columns: &BTreeMap<&Column, usize>) -> PlotData {
    let names: Vec<_> = std::iter::once("protein").chain(columns.keys().map(|column| &*column.value)).collect();
    let mut data = PlotData::new(&names);
    for (accession, counts) in proteins {
        let counts = columns.keys().map(|column| counts.get(column).unwrap_or(&0) as &dyn Display);
        data.add(&std::iter::once(accession as &dyn Display).chain(counts).collect::<Vec<_>>());
    }
    data
}

impl Column {
    /// Returns a short name: the last levels of a lineage, or the accession and name of a family.
    fn short_name(&self) -> String {
        match self {
            Self { value, .. } if is_lineage(value) => last_first(value),
            Self { value, name } if value == name => name.clone(),
            Self { value, name } => format!("{value} {name}"),
        }
    }
}

/// Returns the colour step of a count; 0 is empty.
pub(crate) fn step(count: u64) -> usize {
    STEPS.iter().filter(|(least, _)| count >= *least).count()
}

/// Orders rows by similarity: the row with the most filled cells first, then always the row most
/// similar to the last one.
fn by_similarity<T>(mut waiting: Vec<(T, Vec<u64>)>) -> Vec<(T, Vec<u64>)> {
    let num_filled = |cells: &[u64]| cells.iter().filter(|count| **count > 0).count();
    // Shared cells, in thousandths of the cells of either row.
    let similarity = |left: &[u64], right: &[u64]| {
        let num_shared = left.iter().zip(right).filter(|(left, right)| **left > 0 && **right > 0).count();
        num_shared * 1000 / (num_filled(left) + num_filled(right) - num_shared).max(1)
    };
    let mut ordered: Vec<(T, Vec<u64>)> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let rank = |cells: &[u64]| ordered.last().map_or(0, |(_, last)| similarity(last, cells));
        // In reverse order, the last maximum is the first of equal rows.
        let places = (0..waiting.len()).rev().map(|place| (place, &*waiting[place].1));
        let best = places.max_by_key(|(_, cells)| (rank(cells), num_filled(cells))).map(|(place, _)| place);
        ordered.push(waiting.remove(best.unwrap_or_default()));
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_rows_are_adjacent() {
        let column = |name: &str| Column { value: name.to_owned(), name: name.to_owned() };
        let protein = |accession: &str, has: &[(&str, u64)]| {
            (accession.to_owned(), has.iter().map(|&(name, count)| (column(name), count)).collect())
        };
        let map = HeatMap::new(
            ["letters", "letters-heat", "Letters"],
            "/portal",
            &[
                protein("a", &[("x", 1), ("y", 12)]),
                protein("b", &[("z", 1)]),
                protein("c", &[("y", 4), ("x", 2)]),
                protein("d", &[]),
                protein("e", &[("z", 1)]),
            ],
        );
        let rows: Vec<_> = map.rows.iter().map(|(accession, _)| &**accession).collect();
        assert_eq!(rows, ["a", "c", "b", "e", "d"]);
        let columns: Vec<_> = map.columns.iter().map(|column| &*column.value).collect();
        assert_eq!(columns, ["x", "y", "z"]);
        let steps: Vec<_> = map.rows[1].1.iter().map(|&count| (count, step(count))).collect();
        assert_eq!((steps, step(map.rows[0].1[1])), (vec![(2, 2), (4, 3), (0, 0)], 5));
        let plot = &map.plot;
        let data = ["protein x y z", "a 1 12 0", "c 2 4 0", "b 0 0 1", "e 0 0 1", "d 0 0 0"];
        assert_eq!(plot.data.rows(), data);
        let svg = plot.svg();
        assert_eq!([svg.matches("<rect").count(), svg.matches("class=\"heat-5\"").count()], [6, 1]);
        assert!(svg.contains("<title>a, y: 12</title>") && svg.contains("<a href=\"/portal/letters/z\""), "{svg}");
    }
}
