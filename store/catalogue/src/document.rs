//! Documents: resources in the form of MGnify's version 2.

use std::mem::size_of;

/// The lengths after the JSON of a stored document.
const LENGTHS_BYTES: usize = 2 * size_of::<u32>();

/// A resource in the form of MGnify's version 2: compact JSON of an object. Its members have the
/// order of version 2: first those that lists show, then those that only details show, then those
/// that no answer shows. Other resources in it are accessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    json: Box<[u8]>,
    listed_bytes: u32,
    shown_bytes: u32,
    is_loaded: bool,
}

impl Document {
    /// Makes a document of the JSON of an object. The two lengths, in bytes from its brace, end
    /// after the members that lists show, and after those that any answer shows. The document was
    /// loaded, or derived from a resource of version 1.
    ///
    /// # Panics
    ///
    /// * The lengths are greater than the JSON.
    pub fn new(json: Vec<u8>, [listed_bytes, shown_bytes]: [usize; 2], is_loaded: bool) -> Self {
        assert!(listed_bytes <= shown_bytes && shown_bytes < json.len(), "members are inside of their object");
        let length = |bytes| u32::try_from(bytes).expect("a document is far below 4 GiB");
        Self { json: json.into(), listed_bytes: length(listed_bytes), shown_bytes: length(shown_bytes), is_loaded }
    }

    /// Reads the bytes that [`Document::store`] has written.
    pub(super) fn from_stored(stored: &[u8], is_loaded: bool) -> Option<Self> {
        let (json, lengths) = stored.split_at_checked(stored.len().checked_sub(LENGTHS_BYTES)?)?;
        let (listed, shown) = lengths.split_at(size_of::<u32>());
        let length = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?));
        let (listed_bytes, shown_bytes) = (length(listed)?, length(shown)?);
        let is_whole = listed_bytes <= shown_bytes && (shown_bytes as usize) < json.len();
        is_whole.then(|| Self { json: json.into(), listed_bytes, shown_bytes, is_loaded })
    }

    pub(super) fn store(&self) -> Vec<u8> {
        [&*self.json, &self.listed_bytes.to_be_bytes(), &self.shown_bytes.to_be_bytes()].concat()
    }

    /// Returns the whole JSON.
    pub fn json(&self) -> &[u8] {
        &self.json
    }

    /// Returns the members that lists show, after the opening brace and without the closing one.
    pub fn listed(&self) -> &[u8] {
        &self.json[..self.listed_bytes as usize]
    }

    /// Returns the members that any answer shows, after the opening brace and without the closing
    /// one.
    pub fn shown(&self) -> &[u8] {
        &self.json[..self.shown_bytes as usize]
    }

    /// Returns whether it was loaded, and not derived from a resource of version 1.
    pub fn is_loaded(&self) -> bool {
        self.is_loaded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_document_are_restored() {
        let json = br#"{"accession":"A","downloads":[],"@rank":1}"#;
        let document = Document::new(json.to_vec(), [16, 31], true);
        assert_eq!(document.listed(), br#"{"accession":"A""#);
        assert_eq!(document.shown(), br#"{"accession":"A","downloads":[]"#);
        assert_eq!(Document::from_stored(&document.store(), true), Some(document));
    }

    #[test]
    fn damaged_documents_are_rejected() {
        for stored in [&b""[..], b"{}", b"{}\0\0\0\x01\0\0\0\x02", b"{}\0\0\0\x01\0\0\0\0"] {
            assert_eq!(Document::from_stored(stored, true), None);
        }
    }
}
