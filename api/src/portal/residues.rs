//! A sequence with positions, and with its domains: marked where they do not overlap, and else as brackets below the residues.

use super::track::Track;

const LINE: usize = 60;

/// The residues of a block; a space stands between two blocks.
const BLOCK: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The position of its first residue, 1-based.
    pub(super) start: usize,
    pub(super) pieces: Vec<Piece>,
    /// Rows of brackets below it.
    pub(super) brackets: Vec<Vec<Piece>>,
}

/// Text of a line that is all of one domain, or of none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// With spaces between blocks.
    pub(super) text: String,
    /// The number of the domain, 0-based.
    pub(super) domain: Option<usize>,
}

/// Cuts a sequence into lines. The domains of the first lane are marked; the others get brackets, with a name where it has room. Positions are
/// 1-based, ends included.
pub(super) fn lines(sequence: &str, domains: &[(u32, u32)], names: &[String], track: &Track) -> Vec<Line> {
    let domain_at = |lane: usize, position: usize| {
        let is_there = |&(start, end): &(u32, u32)| (start as usize..=end as usize).contains(&position);
        (0..domains.len()).find(|&number| track.lanes[number] == lane && is_there(&domains[number]))
    };
    let mut lines = Vec::new();
    for (number, residues) in sequence.as_bytes().chunks(LINE).enumerate() {
        let start = number * LINE + 1;
        let row = |lane: usize, letter_at: &dyn Fn(usize, Option<usize>) -> char| {
            let mut columns: Vec<(char, Option<usize>)> = Vec::new();
            for offset in 0..residues.len() {
                let domain = domain_at(lane, start + offset);
                if offset > 0 && offset.is_multiple_of(BLOCK) {
                    // The space between two domains is of neither.
                    let around = domain.filter(|_| columns.last().is_some_and(|(_, before)| *before == domain));
                    columns.push((if lane > 0 && around.is_some() { '─' } else { ' ' }, around));
                }
                columns.push((letter_at(offset, domain), domain));
            }
            let pieces = columns.chunk_by(|(_, left), (_, right)| left == right);
            let pieces =
                pieces.map(|run| Piece { text: run.iter().map(|(letter, _)| letter).collect(), domain: run[0].1 });
            pieces.collect::<Vec<_>>()
        };
        let bracket = |offset: usize, domain: Option<usize>| match domain.map(|domain| domains[domain]) {
            None => ' ',
            Some((first, _)) if first as usize == start + offset => '└',
            Some((_, last)) if last as usize == start + offset => '┘',
            Some(_) => '─',
        };
        let brackets = (1..track.num_lanes).map(|lane| row(lane, &bracket)).map(|row| named(row, names));
        let has_domain = |row: &Vec<Piece>| row.iter().any(|piece| piece.domain.is_some());
        lines.push(Line {
            start,
            pieces: row(0, &|offset, _| char::from(residues[offset])),
            brackets: brackets.filter(has_domain).collect(),
        });
    }
    lines
}

/// Puts the names of domains into their brackets, where these are long enough.
fn named(mut row: Vec<Piece>, names: &[String]) -> Vec<Piece> {
    for piece in &mut row {
        let Some(name) = piece.domain.and_then(|domain| names.get(domain)) else { continue };
        let letters: Vec<char> = piece.text.chars().collect();
        if letters.len() >= name.chars().count() + 4 {
            let rest: String = letters[name.chars().count() + 3..].iter().collect();
            piece.text = format!("{} {name} {rest}", letters[0]);
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_told_apart() {
        let sequence = "MKV".repeat(21);
        let domains = [(2, 12), (11, 61)];
        let names = ["A", "B"].map(str::to_owned);
        let cut = lines(&sequence, &domains, &names, &Track::new(sequence.len(), &domains));
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
