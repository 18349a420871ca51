//! Stored data: records of proteins, manifests of generations, lines of exported profiles.

use std::fs;
use std::path::PathBuf;

use flate2::Crc;
use serde_json::Value;
use store::{Contents, GenerationKind, Manifest, ProteinAccession};
use store_catalogue::CatalogueContents;
use store_profiles::{DirectoryContents, export_lines};
use store_proteins::{ProteinContents, ProteinGeneration, Record, RecordParts};
use support::TestFolder;
use support::generation::current_folder;

fn checksum(parts: &[&[u8]]) -> u32 {
    let mut crc = Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

/// An input is a record, to which the checksum is added. Each part is decoded as it is in the
/// whole.
pub(super) fn records(input: &[u8]) {
    let accession = ProteinAccession::new(7).expect("in range");
    assert!(Record::decode(accession, input).is_err() || input.len() > 4);
    let mut stored = input.to_vec();
    stored.extend(checksum(&[&7_u64.to_le_bytes(), input]).to_le_bytes());
    let Ok(record) = Record::decode(accession, &stored) else { return };
    let mut again = Vec::new();
    record.encode(accession, &mut again);
    let decoded = Record::decode(accession, &again).expect("just encoded");
    // A number that is not one differs from itself.
    assert_eq!(format!("{decoded:?}"), format!("{record:?}"));
    let parts = |parts| Record::decode_parts(accession, &stored, parts).expect("part of a record");
    assert_eq!(parts(RecordParts::BIOMES).biomes, record.biomes);
    assert_eq!(format!("{:?}", parts(RecordParts::PFAM_HITS).pfam_hits), format!("{:?}", record.pfam_hits));
    assert_eq!(parts(RecordParts::SEQUENCE).sequence, record.sequence);
    assert_eq!(parts(RecordParts::OCCURRENCES).occurrences, record.occurrences);
    assert_eq!(parts(RecordParts::NAME).description, record.description);
}

/// A published generation, whose manifest is replaced.
struct Published {
    _folder: TestFolder,
    path: PathBuf,
    /// The files of its manifest, as JSON.
    files: String,
}

thread_local! {
    static PUBLISHED: Published = {
        let folder = TestFolder::with_checksums("12,MKVL,true,1,\n13,MKVLA,false,2,\n");
        let path = current_folder(&folder);
        let manifest = Manifest::<ProteinContents>::read(&path).expect("whole");
        let files = serde_json::to_string(&manifest.files).expect("JSON");
        Published { _folder: folder, path, files }
    };
}

/// A manifest is read as its JSON is, and a generation that does not fit it is not served. The word
/// FILES stands for the files of the generation.
pub(super) fn manifests(input: &[u8]) {
    PUBLISHED.with(|Published { path, files, .. }| {
        let Ok(text) = str::from_utf8(input) else { return };
        let text = text.replacen("FILES", files, 1);
        let input = text.as_bytes();
        fs::write(path.join("manifest.json"), input).expect("room");
        fs::write(path.join("manifest.json.crc32"), format!("{:08x}", checksum(&[input]))).expect("room");
        read::<ProteinContents>(path);
        read::<CatalogueContents>(path);
        read::<DirectoryContents>(path);
        match ProteinGeneration::open_folder(path) {
            Ok(generation) => assert_eq!(generation.fetch(ProteinAccession::MIN).ok().flatten(), None),
            Err(error) => assert!(!error.to_string().contains("the engine cannot read"), "{error}"),
        }
    });
}

fn read<C: Contents>(path: &std::path::Path) {
    let Ok(manifest) = Manifest::<C>::read(path) else { return };
    let json = |manifest: &Manifest<C>| serde_json::to_value(manifest).expect("JSON");
    let written = json(&manifest);
    assert_eq!(written["kind"], GenerationKind::of::<C>().name());
    let again: Manifest<C> = serde_json::from_value(written.clone()).expect("just written");
    assert_eq!(json(&again), written);
    assert!(!matches!(written["contents"], Value::Null));
}

/// Lines that are read are written as lines that are read alike.
pub(super) fn exports(input: &[u8]) {
    for line in export_lines(input) {
        let Ok((profile, written)) = line.expect("in memory").profile else { continue };
        let mut again = export_lines(&written[..]);
        let read = again.next().expect("a line").expect("in memory").profile.expect("just written");
        assert!(read == (profile, written.clone()) && again.next().is_none(), "{}", String::from_utf8_lossy(&written));
    }
}
