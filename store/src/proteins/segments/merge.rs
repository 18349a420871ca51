//! Merging neighbouring segments.

use std::fs;
use std::path::Path;

use tantivy::indexer::merge_filtered_segments;

use crate::engine::{BuildDirectory, unless_it_panics};
use crate::{Error, Result};

use super::ordered_writer::{SEGMENT_DOCS_MAX, check_order, index_settings};
use super::segment::{Access, Segment, open_segment};
use crate::proteins::contents::SegmentEntry;

/// Merges neighbouring segments of a draft into one segment in a new folder. The documents keep their order, and their records are
/// copied. The parts stay; the caller removes them. The new segment survives a power cut once [`crate::seal_folder`] has sealed it.
///
/// Files are read without being mapped, and one file of each part is kept open. The engine holds two tables of eight bytes a document
/// (its old and its new number), the second of which it makes several times, and the columns and dictionaries of all parts. Then it
/// copies the records, one part at a time. As measured, a merge takes the larger of
///
/// * 30 bytes a document (26 in parts of 65,536, somewhat more in parts below 16,384) and 15 KB a part, and
/// * 17 bytes a document and the size of the largest part's `.store` file.
///
/// # Errors
///
/// * There are no parts, or more documents than a segment can have.
/// * The parts do not ascend, or overlap.
/// * A part is damaged.
/// * The folder exists, or the disk is full or fails.
pub fn merge_segments(draft: &Path, parts: &[SegmentEntry], folder: &str) -> Result<SegmentEntry> {
    let path = draft.join(folder);
    let merged = plan(&path, parts, folder)?;
    fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
    let result = write(draft, parts, &path).and_then(|()| check(draft, parts, &merged));
    if let Err(error) = result {
        // What cannot be removed now is removed with the draft.
        let _ = fs::remove_dir_all(&path);
        return Err(error);
    }
    Ok(merged)
}

/// Returns the expected entry of the merged segment.
fn plan(path: &Path, parts: &[SegmentEntry], folder: &str) -> Result<SegmentEntry> {
    let problem = |problem: String| Error::Merge { path: path.to_owned(), problem };
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return Err(problem("there are no parts".to_owned()));
    };
    for pair in parts.windows(2) {
        check_order(pair[0].last, pair[1].first)?;
    }
    let num_docs: u64 = parts.iter().map(|part| u64::from(part.num_docs)).sum();
    match u32::try_from(num_docs) {
        Ok(num_docs) if num_docs <= SEGMENT_DOCS_MAX => {
            Ok(SegmentEntry { folder: folder.to_owned(), num_docs, first: first.first, last: last.last })
        }
        _ => Err(problem(format!("{num_docs} documents are more than the {SEGMENT_DOCS_MAX} of a segment"))),
    }
}

fn write(draft: &Path, parts: &[SegmentEntry], path: &Path) -> Result<()> {
    let mut segments = Vec::with_capacity(parts.len());
    for part in parts {
        let path = draft.join(&part.folder);
        segments.push(unless_it_panics(&path, || open_segment(&path, part, Access::Unmapped))?);
    }
    let output = BuildDirectory::open(path).map_err(Error::index(path))?;
    let all_alive = parts.iter().map(|_| None).collect();
    // The engine does not name the damaged part.
    unless_it_panics(path, || {
        merge_filtered_segments(&segments, index_settings(), all_alive, output).map_err(Error::index(path)).map(drop)
    })
}

/// Checks that each part is at its rows of the merged segment, by its first and last record.
fn check(draft: &Path, parts: &[SegmentEntry], merged: &SegmentEntry) -> Result<()> {
    let path = draft.join(&merged.folder);
    unless_it_panics(&path, || {
        let segment = Segment::open(draft, merged, Access::Unmapped)?;
        let mut start = 0;
        for part in parts {
            let end = start + part.num_docs;
            for (doc, accession) in [(start, part.first), (end - 1, part.last)] {
                if segment.hit(doc)?.accession != accession || segment.fetch(accession)?.is_none() {
                    return Err(segment.altered(accession, format_args!("it is not document {doc}")));
                }
            }
            start = end;
        }
        Ok(())
    })
}
