//! Sort keys: bytes that compare as the values that they were made of.

/// Ends a text: less than any byte of a longer one, since the zeros of a text are escaped.
const TEXT_END: [u8; 2] = [0, 0];

const ESCAPED_ZERO: [u8; 2] = [0, 0xff];

/// Puts a key together. No part is a prefix of another one, so that what follows matters only where both are equal.
#[derive(Debug, Default)]
pub(super) struct KeyWriter(Vec<u8>);

impl KeyWriter {
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Appends a text, to be compared by code point; null comes first.
    pub(super) fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.0.push(0) };
        self.0.push(1);
        for &byte in text.as_bytes() {
            if byte == 0 { self.0.extend(ESCAPED_ZERO) } else { self.0.push(byte) }
        }
        self.0.extend(TEXT_END);
    }

    /// Appends a number other than NaN; null comes first.
    pub(super) fn number(&mut self, number: Option<f64>) {
        let Some(number) = number else { return self.0.push(0) };
        self.0.push(1);
        // Adding a zero makes a negative one positive.
        let bits = (number + 0.0).to_bits();
        let is_negative = bits >> 63 == 1;
        let ordered = if is_negative { !bits } else { bits | 1 << 63 };
        self.0.extend(ordered.to_be_bytes());
    }

    /// Appends a part in the opposite order.
    pub(super) fn descending(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.len();
        write(self);
        self.0[start..].iter_mut().for_each(|byte| *byte = !*byte);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn finish(self) -> Box<[u8]> {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(text: Option<&str>, number: Option<f64>, is_descending: bool) -> Box<[u8]> {
        let mut key = KeyWriter::default();
        if is_descending {
            key.descending(|key| key.text(text));
        } else {
            key.text(text);
        }
        key.number(number);
        key.finish()
    }

    fn any_text() -> impl Strategy<Value = Option<String>> {
        prop::option::of(
            prop::collection::vec(prop_oneof![Just('\0'), Just('a'), Just('\u{e9}'), Just('\u{10ffff}')], 0..4)
                .prop_map(String::from_iter),
        )
    }

    fn any_number() -> impl Strategy<Value = Option<f64>> {
        prop::option::of(prop_oneof![
            any::<i32>().prop_map(f64::from),
            any::<f64>().prop_filter("a number", |x| !x.is_nan())
        ])
    }

    proptest! {
        #[test]
        fn keys_compare_as_their_parts(
            one in (any_text(), any_number()), other in (any_text(), any_number()), is_descending: bool,
        ) {
            let of = |parts: &(Option<String>, Option<f64>)| key(parts.0.as_deref(), parts.1, is_descending);
            let by_text = one.0.cmp(&other.0);
            let by_text = if is_descending { by_text.reverse() } else { by_text };
            let expected = by_text.then(one.1.partial_cmp(&other.1).expect("no NaN"));
            prop_assert_eq!(of(&one).cmp(&of(&other)), expected);
        }
    }

    #[test]
    fn times_with_microseconds_are_later() {
        let [without, with] =
            ["2019-09-25T16:24:05", "2019-09-25T16:24:05.000001"].map(|time| key(Some(time), None, false));
        assert!(without < with);
    }
}
