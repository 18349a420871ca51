//! An icicle plot of the biome tree: deeper levels are further right, and more proteins make a
//! higher cell. Text is horizontal, which is readable on any screen.

use crate::parts::biome_tree::BiomeRow;
use crate::parts::lineage::SEPARATOR;
use crate::parts::number::Count;

/// The greatest and smallest height of the picture, and the height per leaf, in pixels.
const HEIGHT_MAX: f64 = 520.0;
const HEIGHT_MIN: f64 = 120.0;
const LEAF_HEIGHT: f64 = 30.0;

/// Lower cells would be invisible.
const DRAWN_MIN: f64 = 1.5;

/// The height of a touch target, in pixels. Lower cells get no keyboard focus; the table has it.
const TARGET_MIN: f64 = 24.0;

/// The height of a line of text, in pixels.
const LINE_HEIGHT: f64 = 16.0;

/// The letters for which a level has room, and the margin around them.
const LETTERS_MIN: usize = 4;
const LETTERS_MAX: usize = 20;
const LETTERS_AROUND: usize = 3;

pub(crate) struct Icicle {
    /// The height in pixels.
    pub(crate) height: f64,
    pub(crate) cells: Vec<Cell>,
    /// The colours of the picture, and their biomes below the root.
    pub(crate) legend: Vec<(usize, String)>,
}

pub(crate) struct Cell {
    pub(crate) lineage: String,
    pub(crate) name: String,
    pub(crate) count: Count,
    pub(crate) colour: Option<usize>,
    /// The distance from the left, in percent.
    pub(crate) x: f64,
    pub(crate) width: f64,
    /// The distance from the top, in pixels.
    pub(crate) y: f64,
    pub(crate) height: f64,
    pub(crate) is_target: bool,
    pub(crate) has_text: bool,
    /// `true` if the count gets its own line.
    pub(crate) is_tall: bool,
}

/// A biome of the tree.
struct Node {
    /// The row numbers of the child biomes.
    below: Vec<usize>,
    /// A protein can be in several biomes, so children may have more proteins together than their
    /// parent. The weight is the greater number.
    weight: f64,
    y: f64,
    height: f64,
}

impl Icicle {
    /// Draws rows in which each biome follows its parent. Returns `None` for a single row.
    pub(crate) fn new(rows: &[BiomeRow]) -> Option<Self> {
        if rows.len() < 2 {
            return None;
        }
        let (tops, mut nodes) = tree(rows);
        let num_leaves = nodes.iter().filter(|node| node.below.is_empty()).count();
        let height = (pixels(num_leaves) * LEAF_HEIGHT).clamp(HEIGHT_MIN, HEIGHT_MAX);
        let whole: f64 = tops.iter().map(|&top| nodes[top].weight).sum();
        stack(&mut nodes, &tops, (0.0, height / whole.max(1.0)));
        // Parents have lower numbers.
        for row in 0..nodes.len() {
            let Node { y, height, weight, .. } = nodes[row];
            let below = std::mem::take(&mut nodes[row].below);
            stack(&mut nodes, &below, (y, height / weight.max(1.0)));
        }
        let column_edges = column_edges(rows);
        let drawn = rows.iter().zip(&nodes).filter(|(_, node)| node.height >= DRAWN_MIN);
        let cells = drawn.map(|(row, node)| Cell {
            lineage: row.lineage.clone(),
            name: row.name.clone(),
            count: row.count,
            colour: row.colour,
            x: column_edges[row.depth],
            width: column_edges[row.depth + 1] - column_edges[row.depth],
            y: node.y,
            height: node.height,
            is_target: node.height >= TARGET_MIN,
            has_text: node.height >= LINE_HEIGHT,
            is_tall: node.height >= 2.0 * LINE_HEIGHT + 2.0,
        });
        Some(Self { height, cells: cells.collect(), legend: legend(rows) })
    }
}

/// Returns the colours and their biomes directly below the root.
fn legend(rows: &[BiomeRow]) -> Vec<(usize, String)> {
    let mut legend: Vec<(usize, String)> = Vec::new();
    for row in rows {
        let top = row.lineage.split(SEPARATOR).nth(1).zip(row.colour);
        if let Some((name, colour)) = top
            && !legend.iter().any(|(_, known)| known == name)
        {
            legend.push((colour, name.to_owned()));
        }
    }
    legend
}

/// Returns the row numbers of the top biomes, and all rows as a tree.
fn tree(rows: &[BiomeRow]) -> (Vec<usize>, Vec<Node>) {
    let (mut tops, mut above): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut nodes: Vec<Node> = Vec::new();
    #[expect(clippy::cast_precision_loss, reason = "a picture")]
    let node = |row: &BiomeRow| Node { below: Vec::new(), weight: row.count.value as f64, y: 0.0, height: 0.0 };
    for (number, row) in rows.iter().enumerate() {
        above.truncate(row.depth);
        nodes.push(node(row));
        match above.last() {
            Some(&parent) => nodes[parent].below.push(number),
            None => tops.push(number),
        }
        above.push(number);
    }
    for number in (0..nodes.len()).rev() {
        let below: f64 = nodes[number].below.iter().map(|&child| nodes[child].weight).sum();
        nodes[number].weight = nodes[number].weight.max(below);
    }
    (tops, nodes)
}

/// Places siblings below each other, from a height on; `scale` is in pixels per protein.
fn stack(nodes: &mut [Node], neighbours: &[usize], (mut y, scale): (f64, f64)) {
    for &number in neighbours {
        let node = &mut nodes[number];
        (node.y, node.height) = (y, node.weight * scale);
        y += node.height;
    }
}

/// Returns the left edges of all levels and the right edge of the last one, in percent. Longer
/// names get more room.
fn column_edges(rows: &[BiomeRow]) -> Vec<f64> {
    let depth = rows.iter().map(|row| row.depth).max().unwrap_or_default();
    let mut letters = vec![LETTERS_MIN; depth + 1];
    for row in rows {
        letters[row.depth] = letters[row.depth].max(row.name.chars().count().min(LETTERS_MAX));
    }
    let mut edges = vec![0];
    edges.extend(letters.iter().scan(0, |sum, count| {
        *sum += count + LETTERS_AROUND;
        Some(*sum)
    }));
    let whole = pixels(*edges.last().unwrap_or(&1));
    edges.into_iter().map(|edge| pixels(edge) * 100.0 / whole).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a picture")]
fn pixels(number: usize) -> f64 {
    number as f64
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

    #[test]
    fn cells_are_left_of_their_children() {
        let rows = [row("root", 10), row("root:A", 6), row("root:A:X", 3), row("root:A:Y", 5), row("root:B", 4)];
        let icicle = Icicle::new(&rows).expect("a picture");
        // A has fewer proteins than its children: X and Y have 8 together, so A and B have 12.
        let cells: Vec<_> =
            icicle.cells.iter().map(|cell| (&*cell.name, cell.y.round(), cell.height.round())).collect();
        let expected = [("root", 0., 120.), ("A", 0., 80.), ("X", 0., 30.), ("Y", 30., 50.), ("B", 80., 40.)];
        assert_eq!(cells, expected);
        let ends: Vec<_> = icicle.cells.iter().map(|cell| (cell.x.round(), (cell.x + cell.width).round())).collect();
        assert_eq!(ends, [(0., 33.), (33., 67.), (67., 100.), (67., 100.), (33., 67.)]);
        assert_eq!(icicle.legend.iter().map(|(_, name)| &**name).collect::<Vec<_>>(), ["A", "B"]);
        assert!(Icicle::new(&rows[..1]).is_none());
    }
}
