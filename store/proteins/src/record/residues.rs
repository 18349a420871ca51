//! Amino-acid sequences in a fixed canonical Huffman code: about 4.25 bits a residue, without a
//! stored table.
//!
//! The lengths of the code words were computed (package-merge, at most 11 bits) from the 1,489,731
//! residues of the 10,000 real representatives in
//! `data/proteins/sequence_explorer_protein_10000.csv.gz`, whose entropy is 4.21 bits. They belong
//! to the record format: a better code is a new format version.

use super::bytes::RecordError;

/// In the order of [`CODE_LENGTHS`].
const ALPHABET: &[u8; 28] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ*-";

/// The number of bits of each code word.
const CODE_LENGTHS: [u8; 28] =
    [4, 11, 6, 4, 4, 4, 4, 5, 4, 11, 4, 4, 5, 4, 11, 5, 5, 4, 4, 4, 11, 4, 7, 8, 5, 10, 11, 11];

const CODE_BITS_MAX: u32 = 11;

/// The number of look-ups before the next refill. Their code words fit into the 57 bits that the
/// window has after a refill, unless the input ends.
const LOOKS: usize = 5;

struct Code {
    /// The code word of each byte and its number of bits, which is 0 for bytes that are not
    /// residues.
    words: [(u16, u8); 256],
    /// The letters that each value of the next [`CODE_BITS_MAX`] bits of input begins with.
    next: [Next; 1 << CODE_BITS_MAX],
}

/// The one or two letters of the next code words.
#[derive(Clone, Copy)]
struct Next {
    letters: [u8; 2],
    /// The number of letters.
    num: u8,
    /// The number of bits of the first one, and of all.
    first_bits: u8,
    bits: u8,
}

static CODE: Code = Code::assign();

impl Code {
    /// Assigns canonical code words: ascending by length, then by position in the alphabet.
    const fn assign() -> Self {
        let none = Next { letters: [0; 2], num: 1, first_bits: 0, bits: 0 };
        let mut code = Self { words: [(0, 0); 256], next: [none; 1 << CODE_BITS_MAX] };
        let mut word: u16 = 0;
        let mut length: u8 = 1;
        while length as u32 <= CODE_BITS_MAX {
            let mut index = 0;
            while index < ALPHABET.len() {
                if CODE_LENGTHS[index] == length {
                    code.words[ALPHABET[index] as usize] = (word, length);
                    let unused_bits = CODE_BITS_MAX - length as u32;
                    let first = (word as usize) << unused_bits;
                    let mut slot = first;
                    while slot < first + (1 << unused_bits) {
                        code.next[slot] =
                            Next { letters: [ALPHABET[index], 0], num: 1, first_bits: length, bits: length };
                        slot += 1;
                    }
                    word += 1;
                }
                index += 1;
            }
            word <<= 1;
            length += 1;
        }
        code.pair();
        code
    }

    /// Looks up the second letter if its code word is among the bits, too.
    const fn pair(&mut self) {
        let mut slot = 0;
        while slot < self.next.len() {
            let first = self.next[slot];
            let second = self.next[(slot << first.first_bits) % self.next.len()];
            let bits = first.first_bits + second.first_bits;
            if bits as u32 <= CODE_BITS_MAX {
                self.next[slot] =
                    Next { letters: [first.letters[0], second.letters[0]], num: 2, first_bits: first.first_bits, bits };
            }
            slot += 1;
        }
    }
}

/// The code words of two residues, the second after the first.
struct Pairs([u32; 1 << (2 * PAIR_BITS)]);

/// The bits of a residue: residues lie between `*` and `Z`.
const PAIR_BITS: u32 = 6;

/// The bits of an entry above both words, which hold their number of bits.
const LENGTH_BITS: u32 = 5;

static PAIRS: Pairs = Pairs::join(&CODE);

impl Pairs {
    const fn join(code: &Code) -> Self {
        let mut pairs = [0; 1 << (2 * PAIR_BITS)];
        let mut index = 0;
        while index < ALPHABET.len() * ALPHABET.len() {
            let pair = [ALPHABET[index / ALPHABET.len()], ALPHABET[index % ALPHABET.len()]];
            let [(first, first_bits), (second, second_bits)] =
                [code.words[pair[0] as usize], code.words[pair[1] as usize]];
            let word = (first as u32) << second_bits | second as u32;
            pairs[Self::place(pair)] = word << LENGTH_BITS | (first_bits + second_bits) as u32;
            index += 1;
        }
        Self(pairs)
    }

    const fn place([first, second]: [u8; 2]) -> usize {
        let [first, second] = [first.wrapping_sub(b'*') as usize, second.wrapping_sub(b'*') as usize];
        (first << PAIR_BITS | second) % (1 << (2 * PAIR_BITS))
    }

    /// Returns the word and its number of bits.
    fn get(&self, pair: [u8; 2]) -> (u32, u32) {
        let entry = self.0[Self::place(pair)];
        (entry >> LENGTH_BITS, entry % (1 << LENGTH_BITS))
    }
}

/// Returns whether all bytes are residues. No byte ends the loop early, so that the compiler
/// compares many at once.
pub(super) fn are_residues(text: &[u8]) -> bool {
    text.iter().fold(true, |are_residues, byte| are_residues & matches!(byte, b'A'..=b'Z' | b'*' | b'-'))
}

/// Appends the code words of a sequence of residues, most significant bits first, padded with zeros
/// to a whole byte.
pub(super) fn encode(sequence: &[u8], out: &mut Vec<u8>) {
    let mut pending: u64 = 0;
    let mut pending_bits: u32 = 0;
    let mut put = |word: u32, length: u32| {
        pending = (pending << length) | u64::from(word);
        pending_bits += length;
        // Four bytes at once. Less than 32 bits remain, and the next two words have at most 22.
        if pending_bits >= u32::BITS {
            pending_bits -= u32::BITS;
            let [.., b3, b2, b1, b0] = (pending >> pending_bits).to_be_bytes();
            out.extend([b3, b2, b1, b0]);
        }
    };
    let (pairs, last) = sequence.as_chunks();
    for &pair in pairs {
        let (word, length) = PAIRS.get(pair);
        debug_assert!(length > 0, "callers check the residues");
        put(word, length);
    }
    for &residue in last {
        let (word, length) = CODE.words[usize::from(residue)];
        put(word.into(), length.into());
    }
    let rest = pending << (u64::BITS - pending_bits.max(1));
    out.extend(&rest.to_be_bytes()[..pending_bits.div_ceil(8) as usize]);
}

/// Decodes `length_aa` residues from the start of `bytes`. Returns them and the number of bytes
/// they took.
pub(super) fn decode(bytes: &[u8], length_aa: usize) -> Result<(String, usize), RecordError> {
    let mut sequence = Vec::new();
    let used_bytes = decode_into(&mut sequence, bytes, length_aa)?;
    let sequence = String::from_utf8(sequence).map_err(|_| RecordError::Value("a residue"))?;
    Ok((sequence, used_bytes))
}

/// Decodes like [`decode`] and replaces the content of a buffer.
pub(super) fn decode_into(sequence: &mut Vec<u8>, bytes: &[u8], length_aa: usize) -> Result<usize, RecordError> {
    // A look-up may write a letter after the last one.
    sequence.resize(length_aa + 1, 0);
    let mut rest = bytes;
    // The unread bits are at the top of the window.
    let mut window: u64 = 0;
    let mut window_bits: u32 = 0;
    let mut used_bits: usize = 0;
    let mut num_letters = 0;
    while num_letters < length_aa {
        // Eight bytes at once if there are eight. The next refill reads again the bits that do not
        // fill a whole byte.
        if let Some(&next) = rest.first_chunk() {
            window |= u64::from_be_bytes(next) >> window_bits;
            let num_bytes = (u64::BITS - 1 - window_bits) / 8;
            rest = &rest[num_bytes as usize..];
            window_bits += 8 * num_bytes;
        }
        while window_bits <= 56
            && let Some((&byte, tail)) = rest.split_first()
        {
            window |= u64::from(byte) << (56 - window_bits);
            window_bits += 8;
            rest = tail;
        }
        if window_bits == 0 {
            return Err(RecordError::Short);
        }
        // The last letters are decoded one by one.
        let (num_looks, are_pairs) = match length_aa - num_letters {
            num_left if num_left >= 2 * LOOKS => (LOOKS, true),
            num_left => (LOOKS.min(num_left), false),
        };
        for _ in 0..num_looks {
            let slot = usize::try_from(window >> (64 - CODE_BITS_MAX)).expect("11 bits fit");
            let Next { letters, num, first_bits, bits } = CODE.next[slot];
            let (num, bits) = if are_pairs { (num, bits) } else { (1, first_bits) };
            sequence[num_letters..num_letters + 2].copy_from_slice(&letters);
            num_letters += usize::from(num);
            window <<= bits;
            used_bits += usize::from(bits);
            window_bits = window_bits.saturating_sub(u32::from(bits));
        }
    }
    sequence.truncate(length_aa);
    let used_bytes = used_bits.div_ceil(8);
    if used_bytes > bytes.len() { Err(RecordError::Short) } else { Ok(used_bytes) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_code_is_complete() {
        let kraft: u32 = CODE_LENGTHS.iter().map(|&length| 1 << (CODE_BITS_MAX - u32::from(length))).sum();
        assert_eq!(kraft, 1 << CODE_BITS_MAX, "every bit pattern is the start of exactly one word");
        assert!(CODE.next.iter().all(|next| next.first_bits > 0));
    }

    #[test]
    fn only_letters_stars_and_dashes_are_residues() {
        let residues: Vec<u8> = (0..=255).filter(|&byte| are_residues(&[byte])).collect();
        assert_eq!(residues, b"*-ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        assert!((0..=255).all(|byte| (CODE.words[usize::from(byte)].1 > 0) == residues.contains(&byte)));
    }

    #[test]
    fn a_cut_sequence_is_an_error() {
        let mut out = Vec::new();
        encode(b"MKVLAWMKVLAWMKVLAWMKVLAW", &mut out);
        for length in 0..out.len() {
            assert_eq!(decode(&out[..length], 24), Err(RecordError::Short), "{length} bytes");
        }
    }

    proptest! {
        #[test]
        fn sequences_round_trip(sequence in "[A-Z*-]{0,400}", tail: [u8; 3]) {
            let mut out = Vec::new();
            encode(sequence.as_bytes(), &mut out);
            let encoded = out.len();
            out.extend(tail);
            prop_assert_eq!(decode(&out, sequence.len()), Ok((sequence, encoded)));
        }
    }
}
