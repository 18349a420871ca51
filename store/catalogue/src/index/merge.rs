//! Merging the index of a generation with that of resources that are inserted between its own.
//!
//! The engine sorts by the column of ordinals while it merges. So the columns of the old segments
//! are written again with the ordinals of the new generation, in a folder with links to their other
//! files.

use std::fs;
use std::path::Path;

use store::engine::BuildDirectory;
use store::{Error, Result, durable};
use tantivy::columnar::{ColumnType, ColumnarWriter};
use tantivy::directory::{MmapDirectory, OwnedBytes, TerminatingWrite};
use tantivy::fastfield::{AliveBitSet, write_alive_bitset};
use tantivy::index::SegmentComponent;
use tantivy::indexer::merge_filtered_segments;
use tantivy::{BitSet, Index, IndexSortByField, Order, Segment};

use super::reader::CatalogueIndex;
use super::schema::{LATITUDE, LONGITUDE, ORDINAL, SAMPLE_ORDINALS};
use super::segment::IndexSegment;
use crate::Ordinal;
use crate::contents::INDEX;

/// The files of a segment that are written again.
const COLUMNS: &str = "fast";

/// Merges an index with that in the folder `added`, whose documents have the ordinals of the new
/// generation. `renumbered` returns the new ordinal of an old document; documents without one are
/// dropped. `scratch` is a folder that does not exist.
pub(crate) fn merge_indexes(
    old: &CatalogueIndex,
    renumbered: impl Fn(Ordinal) -> Option<Ordinal>,
    added: &Path,
    scratch: &Path,
    draft: &Path,
) -> Result<()> {
    fs::create_dir(scratch).map_err(Error::io("cannot create", scratch))?;
    link_files(&old.path, scratch)?;
    let target = draft.join(INDEX);
    fs::create_dir(&target).map_err(Error::io("cannot create", &target))?;
    let merge = || {
        // Mapped, since millions of terms have few postings and positions each.
        let base = Index::open(MmapDirectory::open(scratch)?)?;
        let added = Index::open(MmapDirectory::open(added)?)?;
        let (mut segments, mut alive) = (Vec::new(), Vec::new());
        for segment in base.searchable_segments()? {
            let of_old = old.segments.iter().find(|known| known.reader.segment_id() == segment.id());
            let Some(of_old) = of_old else { continue };
            alive.push(Some(write_columns(of_old, &renumbered, &segment)?));
            segments.push(segment);
        }
        for segment in added.searchable_segments()? {
            alive.push(None);
            segments.push(segment);
        }
        let mut settings = base.settings().clone();
        settings.sort_by_field = Some(IndexSortByField { field: ORDINAL.to_owned(), order: Order::Asc });
        merge_filtered_segments(&segments, settings, alive, BuildDirectory::open(&target)?).map(drop)
    };
    merge().map_err(Error::index(&target))
}

/// Links all files except the columns. Small files that the engine writes again are copied, and so
/// are all files if links are not possible.
fn link_files(from: &Path, to: &Path) -> Result<()> {
    for entry in durable::entries(from)? {
        let source = entry.path();
        let (Some(name), extension) = (source.file_name(), source.extension()) else { continue };
        if extension.is_some_and(|extension| extension == COLUMNS || extension == "lock") {
            continue;
        }
        let target = to.join(name);
        let is_linked =
            extension.is_some_and(|extension| extension != "json") && fs::hard_link(&source, &target).is_ok();
        if !is_linked {
            fs::copy(&source, &target).map_err(Error::io("cannot copy", &source))?;
        }
    }
    Ok(())
}

/// Writes the columns of a segment with other ordinals, and returns the documents that stay.
fn write_columns(
    old: &IndexSegment,
    renumbered: impl Fn(Ordinal) -> Option<Ordinal>,
    target: &Segment,
) -> tantivy::Result<AliveBitSet> {
    let num_docs = old.reader.max_doc();
    let columns = old.reader.fast_fields();
    let (latitudes, longitudes) = (columns.f64(LATITUDE)?, columns.f64(LONGITUDE)?);
    let samples = columns.u64(SAMPLE_ORDINALS)?;
    let mut alive = BitSet::with_max_value_and_full(num_docs);
    let mut writer = ColumnarWriter::default();
    // As the engine does for the schema. Otherwise the type would depend on the values.
    for (name, column_type) in [
        (ORDINAL, ColumnType::U64),
        (SAMPLE_ORDINALS, ColumnType::U64),
        (LATITUDE, ColumnType::F64),
        (LONGITUDE, ColumnType::F64),
    ] {
        writer.record_column_type(name, column_type, false);
    }
    for doc in 0..num_docs {
        let Some(ordinal) = renumbered(old.first + doc) else {
            alive.remove(doc);
            // Every document has one.
            writer.record_numerical(doc, ORDINAL, 0_u64);
            continue;
        };
        writer.record_numerical(doc, ORDINAL, u64::from(ordinal));
        for (name, column) in [(LATITUDE, &latitudes), (LONGITUDE, &longitudes)] {
            if let Some(degrees) = column.first(doc) {
                writer.record_numerical(doc, name, degrees);
            }
        }
        for sample in samples.values_for_doc(doc) {
            let sample = Ordinal::try_from(sample).ok().and_then(&renumbered);
            if let Some(sample) = sample {
                writer.record_numerical(doc, SAMPLE_ORDINALS, u64::from(sample));
            }
        }
    }
    let mut file = target.open_write(SegmentComponent::FastFields)?;
    writer.serialize(num_docs, None, &mut file)?;
    file.terminate()?;
    let mut bytes = Vec::new();
    write_alive_bitset(&alive, &mut bytes)?;
    Ok(AliveBitSet::open(OwnedBytes::new(bytes)))
}
