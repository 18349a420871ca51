//! The layout below the URL: names of objects, and the documents among them.

use std::fmt::Write;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::GenerationName;

use crate::{Error, Result};

pub(crate) const LOCK: &str = "LOCK";
pub(crate) const OBJECTS: &str = "objects";
pub(crate) const GENERATIONS: &str = "generations";

/// The format of all documents.
pub(crate) const FORMAT: u32 = 1;

/// The object with the current generation of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pointer {
    pub(crate) format: u32,
    /// Each publication adds one.
    pub(crate) sequence: u64,
    pub(crate) generation: GenerationName,
    pub(crate) manifest_sha256: String,
    pub(crate) published_unix_s: u64,
    /// In base64; see [`crate::signature`] for the signed bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) signature: Option<String>,
}

/// The files of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RemoteManifest {
    pub(crate) format: u32,
    pub(crate) kind: String,
    pub(crate) generation: GenerationName,
    pub(crate) sequence: u64,
    pub(crate) published_unix_s: u64,
    /// The generation that was current before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) previous: Option<GenerationName>,
    pub(crate) files: Vec<RemoteFile>,
}

/// A file, which is its chunks one after another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RemoteFile {
    pub(crate) path: String,
    pub(crate) size_bytes: u64,
    pub(crate) chunks: Vec<Chunk>,
}

/// A part of a file, which is an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Chunk {
    /// In hexadecimal digits.
    pub(crate) sha256: String,
    pub(crate) size_bytes: u64,
}

pub(crate) fn pointer_path(kind: &str) -> String {
    format!("CURRENT-{kind}")
}

pub(crate) fn manifest_path(kind: &str, generation: GenerationName) -> String {
    format!("{GENERATIONS}/{kind}/{generation}.json")
}

/// Returns the kind and the generation of the path of a manifest.
pub(crate) fn parse_manifest_path(path: &str) -> Option<(&str, GenerationName)> {
    let (kind, file) = path.strip_prefix(GENERATIONS)?.strip_prefix('/')?.split_once('/')?;
    Some((kind, file.strip_suffix(".json")?.parse().ok()?))
}

impl Chunk {
    pub(crate) fn path(&self) -> String {
        format!("{OBJECTS}/{}/{}", self.sha256.get(..2).unwrap_or_default(), self.sha256)
    }

    fn is_well_formed(&self) -> bool {
        self.sha256.len() == 64 && self.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }
}

impl RemoteFile {
    /// Returns the chunks with their offsets.
    pub(crate) fn placed_chunks(&self) -> impl Iterator<Item = (u64, &Chunk)> {
        self.chunks.iter().scan(0, |next, chunk| {
            let offset = *next;
            *next += chunk.size_bytes;
            Some((offset, chunk))
        })
    }
}

impl RemoteManifest {
    pub(crate) fn size_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size_bytes).sum()
    }

    /// Checks that the sizes can be added up, and that the chunks of each file add up to its size.
    fn sizes_add_up(&self) -> bool {
        let is_whole =
            |file: &RemoteFile| sum(file.chunks.iter().map(|chunk| chunk.size_bytes)) == Some(file.size_bytes);
        self.files.iter().all(is_whole) && sum(self.files.iter().map(|file| file.size_bytes)).is_some()
    }

    /// Returns all chunks with their files and offsets.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (&RemoteFile, u64, &Chunk)> {
        self.files.iter().flat_map(|file| file.placed_chunks().map(move |(offset, chunk)| (file, offset, chunk)))
    }

    /// Checks a manifest that was read.
    pub(crate) fn check(&self, kind: &str, generation: GenerationName) -> Result<()> {
        let refused = |problem: &str| Err(Error::refused(&manifest_path(kind, generation), problem));
        if self.format != FORMAT {
            return refused("it has a format that this mgdex does not know");
        }
        if self.kind != kind || self.generation != generation {
            return refused("it is the manifest of another generation");
        }
        if !self.sizes_add_up() {
            return refused("the sizes of its chunks and files do not add up");
        }
        let mut chunks = self.files.iter().flat_map(|file| &file.chunks);
        if chunks.all(Chunk::is_well_formed) { Ok(()) } else { refused("a chunk has no SHA-256") }
    }
}

fn sum(mut sizes: impl Iterator<Item = u64>) -> Option<u64> {
    sizes.try_fold(0, u64::checked_add)
}

pub(crate) fn sha256_text(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(crate) fn to_json(document: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec_pretty(document).expect("a document of texts and numbers")
}

pub(crate) fn from_json<T: DeserializeOwned>(path: &str, bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| Error::refused(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "gen-00000000-0000-0000-0000-000000000007";

    fn manifest() -> RemoteManifest {
        let chunk = |text: &str| Chunk { sha256: sha256_text(text.as_bytes()), size_bytes: text.len() as u64 };
        let file = |path: &str, texts: &[&str]| RemoteFile {
            path: path.to_owned(),
            size_bytes: texts.concat().len() as u64,
            chunks: texts.iter().map(|text| chunk(text)).collect(),
        };
        RemoteManifest {
            format: FORMAT,
            kind: "words".to_owned(),
            generation: NAME.parse().expect("a name"),
            sequence: 3,
            published_unix_s: 0,
            previous: None,
            files: vec![file("empty", &[]), file("inner/data", &["abc", "de", "f"])],
        }
    }

    #[test]
    fn chunks_have_offsets_in_their_files() {
        let manifest = manifest();
        let offsets: Vec<_> =
            manifest.chunks().map(|(file, offset, chunk)| (&*file.path, offset, chunk.size_bytes)).collect();
        assert_eq!(offsets, [("inner/data", 0, 3), ("inner/data", 3, 2), ("inner/data", 5, 1)]);
        assert_eq!(manifest.size_bytes(), 6);
        assert!(manifest.files[1].chunks[0].path().starts_with("objects/ba/ba7816bf"));
    }

    #[test]
    fn paths_of_manifests_round_trip() {
        let name = NAME.parse().expect("a name");
        assert_eq!(parse_manifest_path(&manifest_path("words", name)), Some(("words", name)));
        for path in [
            "generations/words/other.json",
            "generations/words",
            "objects/ba/ba78",
            &format!("generations/{NAME}.json"),
        ] {
            assert_eq!(parse_manifest_path(path), None, "{path}");
        }
    }

    #[test]
    fn contradictory_manifests_are_rejected() {
        let name = NAME.parse().expect("a name");
        manifest().check("words", name).expect("sound");
        assert!(manifest().check("others", name).is_err());
        let damages: [fn(&mut RemoteManifest); 6] = [
            // Each of the files could be valid, but not all of them together.
            |manifest| {
                let (sha256, size_bytes) = ("ab".repeat(32), 1 << 60);
                let chunk = Chunk { sha256, size_bytes };
                let huge = RemoteFile { path: "huge".to_owned(), size_bytes, chunks: vec![chunk] };
                manifest.files = vec![huge; 16];
            },
            |manifest| manifest.format = 2,
            |manifest| manifest.files[1].size_bytes += 1,
            |manifest| manifest.files[1].chunks[0].sha256.replace_range(0..2, "BA"),
            |manifest| manifest.files[1].chunks[0].sha256 = "../../x".to_owned(),
            |manifest| manifest.files[1].chunks[0].size_bytes = u64::MAX,
        ];
        for damage in damages {
            let mut manifest = manifest();
            damage(&mut manifest);
            assert!(matches!(manifest.check("words", name), Err(Error::Refused { .. })), "{manifest:?}");
        }
        let read: RemoteManifest = from_json("x", &to_json(&manifest())).expect("its own JSON");
        assert_eq!(read, manifest());
    }
}
