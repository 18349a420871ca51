//! Records on their way through the sorter.

/// The bytes before the excerpt: file, line, length of the excerpt.
const HEAD_BYTES: usize = 13;

/// A record with the row that it came from. The sorter has the accession.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The input, by position.
    pub(super) file: usize,
    /// 1-based.
    pub(super) line: u64,
    /// The start of the row's text.
    pub(super) excerpt: &'a [u8],
    /// The encoded record.
    pub(super) record: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Replaces the bytes by those of the entry.
    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        let file = u32::try_from(self.file).expect("a command line has fewer files than 2^32");
        let excerpt_length = u8::try_from(self.excerpt.len()).expect("an excerpt is short");
        bytes.clear();
        bytes.extend(file.to_le_bytes());
        bytes.extend(self.line.to_le_bytes());
        bytes.push(excerpt_length);
        bytes.extend(self.excerpt);
        bytes.extend(self.record);
    }

    /// Reads the bytes of an entry.
    pub(super) fn take(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<HEAD_BYTES>()?;
        let [f0, f1, f2, f3, l0, l1, l2, l3, l4, l5, l6, l7, excerpt_length] = *head;
        let (excerpt, record) = rest.split_at_checked(excerpt_length.into())?;
        let file = u32::from_le_bytes([f0, f1, f2, f3]) as usize;
        Some(Self { file, line: u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]), excerpt, record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let entry = Entry { file: 3, line: 1 << 40, excerpt: b"12,MK", record: b"record" };
        let mut bytes = Vec::new();
        entry.put(&mut bytes);
        assert_eq!(Entry::take(&bytes), Some(entry));
        assert_eq!(Entry::take(&bytes[..HEAD_BYTES + 2]), None);
    }
}
