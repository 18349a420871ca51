//! Own data: proteins that a group adds beside a release, source by source.
//!
//! ```text
//! own-900000000000/         the source whose first protein has this number
//!   segment-00000/          its segments, after those of the release
//!   facets.table            its table of facets
//!   checksums/              its index of digests, if the generation has any
//! ```
//!
//! Accessions of own data are above all of a release, and ascend in the order in which they were
//! added. So a generation is the files of a release and the folders of its sources, and generations
//! share their common files. A file beside the generations records the next number, so that no
//! number is used twice.

use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use store::{Error, Generations, InputEntry, ProteinAccession, Result, durable};

/// The name of the release in queries.
const RELEASE: &str = "release";

/// The file that records the number of the next protein of own data.
const NEXT: &str = "NEXT_OWN";
const NEXT_NEXT: &str = "NEXT_OWN.next";

/// The most sources of a generation: each search reads all of them.
pub const SOURCES_MAX: usize = 256;

/// The most bytes of the name of a source.
const SOURCE_NAME_BYTES_MAX: usize = 64;

/// The most bytes of the name of a protein.
pub const PROTEIN_NAME_BYTES_MAX: usize = 200;

/// A source of own data in a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// The name; see [`is_source_name`].
    pub name: String,
    /// The number of proteins.
    pub num_proteins: u64,
    /// The first accession.
    pub first: ProteinAccession,
    /// The last accession. All accessions between the first and the last belong to the source.
    pub last: ProteinAccession,
    /// The time at which it was added, in seconds since 1970-01-01 UTC.
    pub added_unix_s: u64,
    /// The files that it was read from.
    pub inputs: Vec<InputEntry>,
}

impl SourceEntry {
    /// Returns the folder inside the generation.
    pub(super) fn folder(&self) -> String {
        folder_from(self.first)
    }

    /// Returns whether a file of the generation belongs to the source.
    pub(super) fn has_file(&self, path: &str) -> bool {
        path.strip_prefix(&self.folder()).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// Returns the folder of a source by its first accession.
pub(super) fn folder_from(first: ProteinAccession) -> String {
    format!("own-{}", first.number())
}

/// Returns whether a text can be the name of a source: 1 to 64 letters of ASCII, digits, `.`, `_`
/// and `-`, and not `release`, in any letter case.
///
/// ```
/// assert!(store_proteins::is_source_name("soil_2024") && !store_proteins::is_source_name("Release") && !store_proteins::is_source_name("a/b"));
/// ```
pub fn is_source_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=SOURCE_NAME_BYTES_MAX).contains(&text.len())
        && text.bytes().all(is_allowed)
        && !text.eq_ignore_ascii_case(RELEASE)
}

/// Returns whether a text can be the name of a protein: 1 to 200 bytes without `/` and control
/// characters.
pub fn is_protein_name(text: &str) -> bool {
    (1..=PROTEIN_NAME_BYTES_MAX).contains(&text.len())
        && !text.contains(|letter: char| letter == '/' || is_control(letter))
}

/// Returns whether a letter is a control character, or changes the direction of the text after it:
/// a name with it looks like another one.
///
/// ```
/// assert!(store_proteins::is_control('\n') && store_proteins::is_control('\u{202e}') && !store_proteins::is_control('é'));
/// ```
pub fn is_control(letter: char) -> bool {
    let is_of_direction = matches!(
        letter,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    is_of_direction || letter.is_control()
}

/// Returns the accessions of a source by its name, or those of the release, in any letter case.
pub(super) fn find_source(sources: &[SourceEntry], name: &str) -> Option<RangeInclusive<ProteinAccession>> {
    if name.eq_ignore_ascii_case(RELEASE) {
        return Some(ProteinAccession::of_releases());
    }
    let source = sources.iter().find(|source| source.name.eq_ignore_ascii_case(name))?;
    Some(source.first..=source.last)
}

/// Returns the names that queries accept.
pub(super) fn source_names(sources: &[SourceEntry]) -> impl Iterator<Item = &str> {
    sources.iter().map(|source| &*source.name).chain([RELEASE])
}

/// Returns whether own data was ever added to the generations of a folder. This is unknown for
/// copies from elsewhere.
pub fn may_have_sources(generations: &Generations) -> bool {
    generations.root().join(NEXT).try_exists().unwrap_or(true)
}

/// The number of the next protein of own data.
pub(super) struct NextOwn {
    path: [PathBuf; 2],
    pub(super) next: ProteinAccession,
}

impl NextOwn {
    /// Reads the number, which is above all numbers that were ever used. The caller holds the lock
    /// of the generations.
    pub(super) fn read(generations: &Generations, sources: &[SourceEntry]) -> Result<Self> {
        let path = [NEXT, NEXT_NEXT].map(|name| generations.root().join(name));
        let text = durable::unless_missing(fs::read_to_string(&path[0])).map_err(Error::io("cannot read", &path[0]))?;
        let noted = text.map(|text| text.trim().parse::<ProteinAccession>()).transpose();
        let noted = noted.map_err(|error| Error::altered(&path[0], error.to_string()))?;
        let following = sources.iter().filter_map(|source| source.last.next());
        let next = noted.into_iter().chain(following).fold(*ProteinAccession::of_own().start(), Ord::max);
        Ok(Self { path, next })
    }

    /// Records the number, so that it survives a power cut.
    pub(super) fn write(&self) -> Result<()> {
        let [path, next] = &self.path;
        durable::write(next, format!("{}\n", self.next).as_bytes(), durable::FILE)?;
        durable::rename(next.parent().unwrap_or(next), next, path)
    }
}
