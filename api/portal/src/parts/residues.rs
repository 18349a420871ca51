//! A sequence with positions and domains: coloured in the first lane, and as brackets below the
//! residues in others.

use std::ops::RangeInclusive;

use crate::parts::lanes::Lanes;

const LINE: usize = 60;

/// The residues of a block. Blocks are separated by a space.
const BLOCK: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The position of the first residue, 1-based.
    pub(crate) start: usize,
    pub(crate) pieces: Vec<Piece>,
    /// Rows of brackets below the residues.
    pub(crate) brackets: Vec<Vec<Piece>>,
}

/// Text within one domain, or outside of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The text, with spaces between blocks.
    pub(crate) text: String,
    /// The index of the domain.
    pub(crate) domain: Option<usize>,
}

/// Splits a sequence into lines. Domains of the first lane are coloured; others get brackets, with
/// their names where there is room. Positions are 1-based.
pub(crate) fn lines(sequence: &str, domains: &[RangeInclusive<u32>], names: &[String], placed: &Lanes) -> Vec<Line> {
    let starts = (1..=sequence.len()).step_by(LINE);
    let mut lines: Vec<Line> = starts.map(|start| Line { start, pieces: Vec::new(), brackets: Vec::new() }).collect();
    for lane in 0..placed.num_lanes.max(1) {
        let mut domain_at: Vec<Option<usize>> = vec![None; sequence.len()];
        for number in (0..domains.len()).filter(|&number| placed.lanes[number] == lane) {
            let end = (*domains[number].end() as usize).min(sequence.len());
            let start = (*domains[number].start() as usize).saturating_sub(1).min(end);
            domain_at[start..end].fill(Some(number));
        }
        for line in &mut lines {
            let range = line.start - 1..(line.start - 1 + LINE).min(sequence.len());
            let residues = sequence[range.clone()].chars().zip(&domain_at[range.clone()]);
            if lane == 0 {
                line.pieces = pieces(residues.map(|(residue, domain)| (residue, *domain)), ' ');
            } else if domain_at[range].iter().any(Option::is_some) {
                let letters = residues.zip(line.start..).map(|((_, domain), position)| {
                    (domain.map_or(' ', |domain| bracket_at(position, &domains[domain])), *domain)
                });
                line.brackets.push(pieces(letters, '─').into_iter().map(|piece| named(piece, names)).collect());
            }
        }
    }
    lines
}

/// Joins letters of the same domain. Blocks are separated by a space, or by `between` within a
/// domain.
fn pieces(letters: impl Iterator<Item = (char, Option<usize>)>, between: char) -> Vec<Piece> {
    let mut columns: Vec<(char, Option<usize>)> = Vec::with_capacity(LINE + LINE / BLOCK);
    for (offset, (letter, domain)) in letters.enumerate() {
        if offset > 0 && offset.is_multiple_of(BLOCK) {
            // A space between two domains belongs to neither.
            let around = domain.filter(|_| columns.last().is_some_and(|(_, before)| *before == domain));
            columns.push((if around.is_some() { between } else { ' ' }, around));
        }
        columns.push((letter, domain));
    }
    let runs = columns.chunk_by(|(_, left), (_, right)| left == right);
    runs.map(|run| Piece { text: run.iter().map(|(letter, _)| letter).collect(), domain: run[0].1 }).collect()
}

/// Returns the character of a bracket at a position.
fn bracket_at(position: usize, domain: &RangeInclusive<u32>) -> char {
    match position {
        _ if position == *domain.start() as usize => '└',
        _ if position == *domain.end() as usize => '┘',
        _ => '─',
    }
}

/// Writes the name of a domain into its bracket if there is room.
fn named(piece: Piece, names: &[String]) -> Piece {
    let Some(name) = piece.domain.and_then(|domain| names.get(domain)) else { return piece };
    let (letters, width) = (piece.text.chars().count(), name.chars().count());
    if letters < width + 4 {
        return piece;
    }
    let first = piece.text.chars().take(1);
    let rest = piece.text.chars().skip(width + 3);
    let text = first.chain([' ']).chain(name.chars()).chain([' ']).chain(rest).collect();
    Piece { text, ..piece }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_separate_pieces() {
        let sequence = "MKV".repeat(21);
        let domains = [2..=12, 11..=61];
        let names = ["A", "B"].map(str::to_owned);
        let cut = lines(&sequence, &domains, &names, &Lanes::new(&domains));
        assert_eq!(cut.iter().map(|line| line.start).collect::<Vec<_>>(), [1, 61]);
        let pieces: Vec<_> = cut[0].pieces.iter().map(|piece| (&*piece.text, piece.domain)).collect();
        assert_eq!(pieces[..2], [("M", None), ("KVMKVMKVM KV", Some(0))]);
        assert_eq!((pieces[2].1, pieces.len()), (None, 3));
        let [below] = &cut[0].brackets[..] else { panic!("one row of brackets") };
        assert_eq!((&*below[0].text, below[0].domain), (&*" ".repeat(11), None));
        assert_eq!((below[1].domain, below[1].text.chars().count()), (Some(1), 54));
        assert!(below[1].text.starts_with("└ B ─") && below[1].text.ends_with('─'));
        assert_eq!(
            cut[1].brackets,
            [[Piece { text: "┘".into(), domain: Some(1) }, Piece { text: "  ".into(), domain: None }]]
        );
        let text: String = cut.iter().flat_map(|line| &line.pieces).flat_map(|piece| piece.text.chars()).collect();
        assert_eq!(text.replace(' ', ""), sequence);
    }
}
