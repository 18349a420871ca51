//! The record of a profile: format, commit (big-endian), export line, CRC-32 of all preceding bytes
//! (big-endian).

use super::Profile;

/// The size of the largest profile, as a line of an export.
pub const PROFILE_BYTES_MAX: usize = 224 << 10;

/// The only format so far.
const FORMAT: u8 = 1;

/// Format, commit and checksum.
const OVERHEAD_BYTES: usize = 1 + size_of::<u64>() + size_of::<u32>();

pub(super) const RECORD_BYTES_MAX: usize = PROFILE_BYTES_MAX + OVERHEAD_BYTES;

/// The bytes are not a record, or were changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Damaged;

/// A record whose checksum is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub(super) commit: u64,
    pub(super) line: &'a [u8],
}

impl<'a> Record<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let (&[FORMAT], content) = without_checksum(bytes)?.split_first_chunk().ok_or(Damaged)? else {
            return Err(Damaged);
        };
        let (commit, line) = content.split_first_chunk().ok_or(Damaged)?;
        Ok(Self { commit: u64::from_be_bytes(*commit), line })
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.line.len() + OVERHEAD_BYTES);
        bytes.push(FORMAT);
        bytes.extend_from_slice(&self.commit.to_be_bytes());
        bytes.extend_from_slice(self.line);
        with_checksum(bytes)
    }

    pub(super) fn profile(&self) -> Result<Profile, Damaged> {
        serde_json::from_slice(self.line).map_err(|_| Damaged)
    }
}

pub(super) fn line(profile: &Profile) -> Vec<u8> {
    serde_json::to_vec(profile).expect("a profile consists of numbers and texts with texts as keys")
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    /// The number of the last commit; 0 before the first one.
    pub(super) commit: u64,
    pub(super) num_profiles: u64,
}

impl Totals {
    /// Reads two big-endian numbers and their CRC-32.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Damaged> {
        let (&[commit, num_profiles], []) = without_checksum(bytes)?.as_chunks() else { return Err(Damaged) };
        Ok(Self { commit: u64::from_be_bytes(commit), num_profiles: u64::from_be_bytes(num_profiles) })
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        with_checksum([self.commit.to_be_bytes(), self.num_profiles.to_be_bytes()].concat())
    }
}

/// Appends a CRC-32, big-endian.
pub(super) fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_be_bytes());
    bytes
}

pub(super) fn without_checksum(bytes: &[u8]) -> Result<&[u8], Damaged> {
    let (content, checksum) = bytes.split_last_chunk().ok_or(Damaged)?;
    if crc32fast::hash(content) == u32::from_be_bytes(*checksum) { Ok(content) } else { Err(Damaged) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip_and_flipped_bits_are_found() {
        let line = br#"{"reference":"prf-"}"#;
        let bytes = Record { commit: 1 << 40, line }.to_bytes();
        assert_eq!(Record::read(&bytes), Ok(Record { commit: 1 << 40, line }));
        let totals = Totals { commit: 3, num_profiles: 2 }.to_bytes();
        assert_eq!(Totals::read(&totals), Ok(Totals { commit: 3, num_profiles: 2 }));
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Record::read(&bytes), Err(Damaged));
        }
        for length in 0..bytes.len() {
            assert_eq!(Record::read(&bytes[..length]), Err(Damaged));
        }
        for length in 0..totals.len() {
            assert_eq!(Totals::read(&totals[..length]), Err(Damaged));
        }
    }

    #[test]
    fn lines_match_the_documentation() {
        let text = r#"{"reference":"prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90","domain":"dom-x","version":3,"schema":{"given":"{}"},"attributes":{"b":"1","a":"ü\n"}}"#;
        let record = Record { commit: 1, line: text.as_bytes() };
        let profile = record.profile().expect("a profile");
        assert_eq!(profile.version, 3);
        assert_eq!(String::from_utf8(line(&profile)).expect("text"), text);
    }
}
