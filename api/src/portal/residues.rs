//! A sequence with positions and highlighted domains.

const LINE: usize = 60;

/// The residues of a block; a space stands between two blocks.
const BLOCK: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The position of its first residue, 1-based.
    pub(super) start: usize,
    pub(super) pieces: Vec<Piece>,
}

/// Residues of a line that are all in one domain, or in none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// With spaces between blocks.
    pub(super) text: String,
    /// The number of the domain, 0-based.
    pub(super) domain: Option<usize>,
}

/// Cuts a sequence into lines. Of domains that overlap, the first one is shown; positions are 1-based, ends included.
pub(super) fn lines(sequence: &str, domains: &[(u32, u32)]) -> Vec<Line> {
    let domain_at =
        |position: usize| domains.iter().position(|&(start, end)| (start as usize..=end as usize).contains(&position));
    let mut lines = Vec::new();
    for (number, residues) in sequence.as_bytes().chunks(LINE).enumerate() {
        let start = number * LINE + 1;
        let mut pieces: Vec<Piece> = Vec::new();
        for (offset, residue) in residues.iter().enumerate() {
            let domain = domain_at(start + offset);
            if pieces.last().is_none_or(|piece| piece.domain != domain) {
                pieces.push(Piece { domain, text: String::new() });
            }
            if let Some(piece) = pieces.last_mut() {
                if offset > 0 && offset.is_multiple_of(BLOCK) {
                    piece.text.push(' ');
                }
                piece.text.push(char::from(*residue));
            }
        }
        lines.push(Line { start, pieces });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_told_apart() {
        let sequence = "MKV".repeat(21);
        let cut = lines(&sequence, &[(2, 12), (11, 61)]);
        assert_eq!(cut.iter().map(|line| line.start).collect::<Vec<_>>(), [1, 61]);
        let pieces: Vec<_> = cut[0].pieces.iter().map(|piece| (&*piece.text, piece.domain)).collect();
        assert_eq!(pieces[..2], [("M", None), ("KVMKVMKVM KV", Some(0))]);
        assert_eq!(pieces[2].1, Some(1));
        assert_eq!(cut[1].pieces.len(), 2);
        let text: String = cut.iter().flat_map(|line| &line.pieces).flat_map(|piece| piece.text.chars()).collect();
        assert_eq!(text.replace(' ', ""), sequence);
    }
}
