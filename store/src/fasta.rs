//! Reading query sequences in FASTA. Files that are loaded have a reader that counts and reports;
//! both agree on marks and residues.

use std::io::{self, BufRead};

/// The byte order mark with which some programs begin a text.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A sequence of a FASTA file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FastaSequence {
    /// The first word of its header, or empty without a header.
    pub name: String,
    /// The residues in upper case: `A` to `Z`, `*` and `-`.
    pub sequence: Result<String, SequenceFault>,
}

/// The reason why a sequence cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SequenceFault {
    /// It is empty.
    #[error("the sequence is missing")]
    Empty,
    /// It has another character than residues.
    #[error("invalid residue {0:?}: a sequence has letters, * and -")]
    Letter(char),
}

/// Reads sequences one after another. Only the first one may lack a header.
///
/// ```
/// use store::FastaReader;
///
/// let mut reader = FastaReader::new(&b">one of two\nMKVla\nW*\n>two\n"[..]);
/// let one = reader.next_sequence()?.expect("the first");
/// assert_eq!((&*one.name, one.sequence.as_deref()), ("one", Ok("MKVLAW*")));
/// let two = reader.next_sequence()?.expect("the second");
/// assert_eq!((&*two.name, two.sequence), ("two", Err(store::SequenceFault::Empty)));
/// assert_eq!(reader.next_sequence()?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FastaReader<R> {
    input: R,
    /// The name of the next sequence, if its header was read.
    next: Option<String>,
    line: Vec<u8>,
}

impl<R: BufRead> FastaReader<R> {
    /// Makes a reader.
    pub fn new(input: R) -> Self {
        Self { input, next: None, line: Vec::new() }
    }

    /// Reads the next sequence, or returns `None` at the end.
    ///
    /// # Errors
    ///
    /// * The input cannot be read.
    pub fn next_sequence(&mut self) -> io::Result<Option<FastaSequence>> {
        let mut name = self.next.take();
        let mut sequence = Ok(String::new());
        loop {
            self.line.clear();
            if self.input.read_until(b'\n', &mut self.line)? == 0 {
                break;
            }
            // Only the first one can have a mark: it is not a letter of the others.
            let line = String::from_utf8_lossy(self.line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.line));
            if let Some(header) = line.strip_prefix('>') {
                let found = header.split_whitespace().next().unwrap_or_default().to_owned();
                if name.is_some() {
                    self.next = Some(found);
                    break;
                }
                name = Some(found);
            } else if name.is_some() || !line.trim().is_empty() {
                // Only the first one needs no header.
                name.get_or_insert_default();
                add_residues(&mut sequence, &line);
            }
        }
        let Some(name) = name else { return Ok(None) };
        if sequence.as_ref().is_ok_and(String::is_empty) {
            sequence = Err(SequenceFault::Empty);
        }
        Ok(Some(FastaSequence { name, sequence }))
    }
}

/// Letters of nucleotides, or of an unknown one.
const NUCLEOTIDES: &[u8] = b"ACGTUN";

/// The share of nucleotides, in hundredths, that makes a protein sequence unlikely, and the least
/// length of such a sequence.
const NUCLEOTIDES_MIN: usize = 95;
const NUCLEOTIDES_LENGTH_MIN: usize = 20;

/// Returns whether a sequence, in upper case, most likely consists of nucleotides.
pub fn looks_like_nucleotides(residues: &[u8]) -> bool {
    let num_nucleotides = residues.iter().filter(|residue| NUCLEOTIDES.contains(residue)).count();
    residues.len() >= NUCLEOTIDES_LENGTH_MIN && num_nucleotides * 100 >= residues.len() * NUCLEOTIDES_MIN
}

/// Appends the residues of a line: all characters except white space, which separates blocks of
/// them.
pub fn push_residues(line: &[u8], residues: &mut Vec<u8>) {
    if line.iter().any(u8::is_ascii_whitespace) {
        residues.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()));
    } else {
        residues.extend_from_slice(line);
    }
}

fn add_residues(sequence: &mut Result<String, SequenceFault>, line: &str) {
    for letter in line.chars().filter(|letter| !letter.is_whitespace()) {
        let Ok(residues) = sequence else { return };
        match letter.to_ascii_uppercase() {
            residue @ ('A'..='Z' | '*' | '-') => residues.push(residue),
            other => *sequence = Err(SequenceFault::Letter(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_have_their_names_and_faults() {
        let text = "\u{feff}\r\n mkv la\r\nw\n>a b c\r\nMK\r\n\r\nV*\n>\nM-K\n>c\nMK7\nMÄ\n> d\n>e\nM\u{fffd}";
        let mut reader = FastaReader::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(FastaSequence { name, sequence }) = reader.next_sequence().expect("memory") {
            found.push((name, sequence));
        }
        let good = |name: &str, sequence: &str| (name.to_owned(), Ok(sequence.to_owned()));
        let bad = |name: &str, fault| (name.to_owned(), Err(fault));
        let expected = [
            good("", "MKVLAW"),
            good("a", "MKV*"),
            good("", "M-K"),
            bad("c", SequenceFault::Letter('7')),
            bad("d", SequenceFault::Empty),
            bad("e", SequenceFault::Letter('\u{fffd}')),
        ];
        assert_eq!(found, expected);
        assert_eq!(FastaReader::new(&b" \n\n"[..]).next_sequence().expect("memory"), None);
    }
}
