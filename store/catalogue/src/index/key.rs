//! The terms of the index: several texts in one. A prefix omits the last texts.

use super::schema::KeyField;

/// The most bytes of a text. The engine accepts terms of at most 65,530 bytes. Longer texts are
/// cut, in the index and in queries, so that texts with the same first bytes are equal.
pub(crate) const TEXT_BYTES_MAX: usize = 16_000;

/// A term, or a prefix of terms.
///
/// All texts except the last have their length before them, so that neighbouring texts stay
/// separate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) field: KeyField,
    pub(crate) bytes: Vec<u8>,
}

impl Key {
    pub(crate) fn prefix(field: KeyField, texts: &[&str]) -> Self {
        let bytes = Vec::with_capacity(texts.iter().map(|text| 2 + text.len()).sum());
        texts.iter().fold(Self { field, bytes }, |key, text| key.with(text))
    }

    /// The prefix with one more text.
    pub(crate) fn with(self, text: &str) -> Self {
        let text = cut(text);
        let length = u16::try_from(text.len()).expect("the most bytes of a text fit");
        self.then(&length.to_be_bytes()).then(text.as_bytes())
    }

    pub(crate) fn term(field: KeyField, texts: &[&str], last: &str) -> Self {
        Self::prefix(field, texts).then(cut(last).as_bytes())
    }

    /// A term that ends in a number. Terms ascend with the number.
    pub(crate) fn number(field: KeyField, texts: &[&str], number: f64) -> Self {
        Self::prefix(field, texts).then(&ascending_bits(number).to_be_bytes())
    }

    fn then(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Returns the least bytes after all terms with this prefix, or `None` if the prefix is all
    /// 255.
    pub(crate) fn after_prefix(&self) -> Option<Vec<u8>> {
        let last = self.bytes.iter().rposition(|&byte| byte != u8::MAX)?;
        let mut after = self.bytes[..=last].to_vec();
        after[last] += 1;
        Some(after)
    }
}

/// Returns the part of a text that is compared.
pub(crate) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

/// Returns bits that ascend with a number other than NaN. Both zeros have the same bits.
pub fn ascending_bits(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Returns the number that has these bits; see [`ascending_bits`].
pub(crate) fn number_of_bits(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 0 { !bits } else { bits & !(1 << 63) })
}

/// Reads a finite number, such as `3`, `-.5` or `1e2`, with white space around it.
pub fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_ascend() {
        let numbers = [f64::NEG_INFINITY, -1e300, -2.5, -1.0, -1e-300, 0.0, 5e-324, 1.0, 1.5, 1e300, f64::INFINITY];
        assert!(numbers.map(ascending_bits).is_sorted_by(|left, right| left < right));
        assert_eq!(ascending_bits(-0.0), ascending_bits(0.0));
        assert_eq!(numbers.map(ascending_bits).map(number_of_bits).map(f64::to_bits), numbers.map(f64::to_bits));
    }

    #[test]
    fn numbers_are_whole_values() {
        for (text, number) in [(" 12 ", 12.0), ("-1.5e3", -1500.0), (".5", 0.5), ("+7\n", 7.0)] {
            assert_eq!(parse_number(text), Some(number), "{text}");
        }
        for text in ["", " ", "12 m", "inf", "NaN", "1e999", "1,5", "0x10"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn texts_stay_separate_and_are_cut_at_characters() {
        let field = KeyField::Metadata;
        assert_ne!(Key::term(field, &["a", "b"], "c"), Key::term(field, &["ab", ""], "c"));
        assert_ne!(Key::term(field, &["a"], "\0b"), Key::term(field, &["a\0"], "b"));
        let long = "é".repeat(40_000);
        assert_eq!(cut(&long).len(), TEXT_BYTES_MAX);
        let odd = format!("x{long}");
        assert_eq!(cut(&odd).len(), TEXT_BYTES_MAX - 1);
        assert!(Key::term(field, &[&odd, &long, &long], &long).bytes.len() < 65_530);
        assert_eq!(Key { field, bytes: vec![1, 255, 255] }.after_prefix(), Some(vec![2]));
        assert_eq!(Key { field, bytes: vec![255] }.after_prefix(), None);
    }
}
