//! Accessions of studies, assemblies and contigs: a known prefix and a number, or any other text.

use super::bytes::{Bytes, RecordError, put_varint};

/// Known prefixes and the least number of digits after them. The position is part of the record
/// format: only append. Position 0 means any other text.
const PREFIXES: [(&str, usize); 15] = [
    ("", 0),
    ("ERP", 6),
    ("SRP", 6),
    ("DRP", 6),
    ("ERZ", 6),
    ("SRZ", 6),
    ("DRZ", 6),
    ("MGYC", 12),
    ("MGYS", 8),
    ("MGYA", 8),
    ("PRJEB", 1),
    ("PRJNA", 1),
    ("PRJDB", 1),
    ("GCA_", 9),
    ("GCF_", 9),
];

const PREFIX_BITS: u32 = 4;

pub(super) fn put_label(out: &mut Vec<u8>, label: &str) {
    if let Some((prefix, number)) = numbered(label) {
        put_varint(out, number << PREFIX_BITS | prefix);
    } else {
        put_varint(out, (label.len() as u64) << PREFIX_BITS);
        out.extend(label.as_bytes());
    }
}

pub(super) fn take_label(bytes: &mut Bytes<'_>) -> Result<String, RecordError> {
    let head = bytes.varint()?;
    let number = head >> PREFIX_BITS;
    let prefix = usize::from(head.to_le_bytes()[0] & ((1 << PREFIX_BITS) - 1));
    if prefix == 0 {
        let length = usize::try_from(number).map_err(|_| RecordError::Short)?;
        return bytes.text(length);
    }
    let (prefix, digits) = PREFIXES.get(prefix).ok_or(RecordError::Value("the prefix of an accession"))?;
    Ok(format!("{prefix}{number:0digits$}"))
}

/// Returns the position of the prefix and the number of a label, if they restore exactly this
/// label.
fn numbered(label: &str) -> Option<(u64, u64)> {
    let digits_at = label.find(|letter: char| letter.is_ascii_digit())?;
    let (prefix, digits) = label.split_at(digits_at);
    let position = PREFIXES.iter().skip(1).position(|&(known, _)| known == prefix)? + 1;
    let digits_min = PREFIXES[position].1;
    let padded_no_further = digits.len() == digits_min || !digits.starts_with('0');
    if digits.len() < digits_min || !padded_no_further || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    (number >> (u64::BITS - PREFIX_BITS) == 0).then_some((position as u64, number))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn round_trip(label: &str) -> (usize, String) {
        let mut out = Vec::new();
        put_label(&mut out, label);
        let mut bytes = Bytes(&out);
        let read = take_label(&mut bytes).expect("just written");
        assert!(bytes.0.is_empty());
        (out.len(), read)
    }

    #[test]
    fn accessions_are_short_and_texts_are_kept() {
        for (label, size_bytes) in [
            ("", 1),
            ("ERP108403", 3),
            ("ERZ534239", 4),
            ("ERZ17082817", 5),
            ("MGYC000564781877", 5),
            ("PRJEB1", 1),
            ("ERP0108403", 12),
            ("ERP1", 5),
            ("ERZ1.5", 7),
            ("ERP99999999999999999999999", 28),
        ] {
            assert_eq!(round_trip(label), (size_bytes, label.to_owned()), "{label}");
        }
    }

    proptest! {
        #[test]
        fn labels_round_trip(label in "(ERP|ERZ|MGYC|PRJNA|GCA_|X)?[0-9]{0,22}(\\PC{0,8})?") {
            prop_assert_eq!(round_trip(&label).1, label);
        }
    }
}
