//! Heat maps of counts by protein and column, with similar rows and columns next to each other.

use std::collections::BTreeMap;

use crate::parts::number::Number;

/// The maximum number of columns. Those with the most proteins are kept.
const COLUMNS_MAX: usize = 30;

/// The colour steps of all maps: the smallest count of each, and its range.
pub(crate) const STEPS: [(u64, &str); 5] = [(1, "1"), (2, "2"), (3, "3–4"), (5, "5–9"), (10, "10 and more")];

pub(crate) struct HeatMap {
    pub(crate) columns: Vec<Column>,
    /// Accessions of proteins, with a cell per column.
    pub(crate) rows: Vec<(String, Vec<HeatCell>)>,
    pub(crate) num_left_out: usize,
}

/// A biome or family that proteins may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Column {
    pub(crate) value: String,
    pub(crate) name: String,
}

pub(crate) struct HeatCell {
    pub(crate) count: Number,
    /// The colour step; 0 is empty.
    pub(crate) step: usize,
}

impl HeatMap {
    /// Creates the map of proteins with their counts by column.
    pub(crate) fn new(proteins: &[(String, BTreeMap<Column, u64>)]) -> Self {
        let mut num_proteins: BTreeMap<&Column, usize> = BTreeMap::new();
        for column in proteins.iter().flat_map(|(_, counts)| counts.keys()) {
            *num_proteins.entry(column).or_default() += 1;
        }
        let mut columns: Vec<(&Column, usize)> = num_proteins.into_iter().collect();
        columns.sort_by_key(|&(_, num)| usize::MAX - num);
        let num_left_out = columns.len().saturating_sub(COLUMNS_MAX);
        columns.truncate(COLUMNS_MAX);
        let has = |protein: &BTreeMap<Column, u64>, column: &Column| protein.contains_key(column);
        let of_columns: Vec<Vec<bool>> = columns
            .iter()
            .map(|(column, _)| proteins.iter().map(|(_, counts)| has(counts, column)).collect())
            .collect();
        let columns: Vec<&Column> =
            order_by_similarity(&of_columns).into_iter().map(|place| columns[place].0).collect();
        let of_rows: Vec<Vec<bool>> =
            proteins.iter().map(|(_, counts)| columns.iter().map(|column| has(counts, column)).collect()).collect();
        let row = |place: usize| {
            let (accession, counts) = &proteins[place];
            let cells = columns.iter().map(|column| HeatCell::of(counts.get(column).copied().unwrap_or_default()));
            (accession.clone(), cells.collect())
        };
        Self {
            rows: order_by_similarity(&of_rows).into_iter().map(row).collect(),
            columns: columns.into_iter().cloned().collect(),
            num_left_out,
        }
    }
}

impl HeatCell {
    fn of(count: u64) -> Self {
        Self { count: Number(count), step: STEPS.iter().filter(|(least, _)| count >= *least).count() }
    }
}

/// Orders rows by similarity: the row with the most cells first, then always the row most similar
/// to the last one.
fn order_by_similarity(rows: &[Vec<bool>]) -> Vec<usize> {
    let num_filled = |row: &[bool]| row.iter().filter(|has| **has).count();
    // Shared cells, in thousandths of the cells of either row.
    let similarity = |left: &[bool], right: &[bool]| {
        let count = |is_wanted: fn(bool, bool) -> bool| {
            left.iter().zip(right).filter(|&(left, right)| is_wanted(*left, *right)).count()
        };
        count(|left, right| left && right) * 1000 / count(|left, right| left || right).max(1)
    };
    let mut waiting: Vec<usize> = (0..rows.len()).collect();
    let mut order: Vec<usize> = Vec::with_capacity(rows.len());
    while !waiting.is_empty() {
        let rank = |row: usize| order.last().map_or(0, |last| similarity(&rows[*last], &rows[row]));
        let best = (0..waiting.len())
            .max_by_key(|&place| (rank(waiting[place]), num_filled(&rows[waiting[place]]), usize::MAX - place))
            .unwrap_or_default();
        order.push(waiting.remove(best));
    }
    order
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
        let map = HeatMap::new(&[
            protein("a", &[("x", 1), ("y", 12)]),
            protein("b", &[("z", 1)]),
            protein("c", &[("y", 4), ("x", 2)]),
            protein("d", &[]),
            protein("e", &[("z", 1)]),
        ]);
        let rows: Vec<_> = map.rows.iter().map(|(accession, _)| &**accession).collect();
        assert_eq!(rows, ["a", "c", "b", "e", "d"]);
        let columns: Vec<_> = map.columns.iter().map(|column| &*column.value).collect();
        assert_eq!(columns, ["x", "y", "z"]);
        let steps: Vec<_> = map.rows[1].1.iter().map(|cell| (cell.count.0, cell.step)).collect();
        assert_eq!((steps, map.rows[0].1[1].step), (vec![(2, 2), (4, 3), (0, 0)], 5));
    }
}
