//! Writing one segment in accession order.
//!
//! The files are byte for byte those that the engine's writer of one segment makes of the same
//! documents. That writer accepts documents of any kind and keeps the terms of each in a hash
//! table; this one takes half of its time.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use store::{Error, ProteinAccession, Result, durable};
use tantivy::DocId;
use tantivy::columnar::{ColumnType, ColumnarWriter};
use tantivy::schema::Schema;

use super::new_postings::NewPostings;
use super::schema::SearchTerm;
use super::segment_files::SegmentFiles;
use super::stored;
use crate::contents::SegmentEntry;

/// The most documents of a segment. The engine allows 2^31; smaller segments open and merge with
/// less memory.
pub const SEGMENT_DOCS_MAX: u32 = 20_000_000;

/// Writes documents in ascending order of accession into a segment: a document id is the rank of
/// its accession in the segment.
pub(crate) struct OrderedWriter {
    path: PathBuf,
    /// Relative to the generation.
    folder: String,
    /// The segment is full when it takes this much memory.
    memory_bytes: usize,
    files: SegmentFiles,
    postings: NewPostings,
    columns: ColumnarWriter,
    /// The stored form of a document, reused from one to the next.
    stored: Vec<u8>,
    num_docs: u32,
    /// The first and the last accession.
    ends: Option<(ProteinAccession, ProteinAccession)>,
}

/// A document that is being added.
pub(crate) struct NewDocument<'a> {
    doc: DocId,
    postings: &'a mut NewPostings,
    columns: &'a mut ColumnarWriter,
}

impl NewDocument<'_> {
    /// Adds a value to a column.
    pub(crate) fn add_number(&mut self, column: &str, number: u64) {
        self.columns.record_numerical(self.doc, column, number);
    }

    /// Adds a term, unless the document has it.
    pub(crate) fn add_term(&mut self, term: SearchTerm<'_>) {
        self.postings.add(term);
    }
}

impl OrderedWriter {
    pub(crate) fn create(generation: &Path, folder: &str, schema: &Schema, memory_bytes: usize) -> Result<Self> {
        let path = generation.join(folder);
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        let files = SegmentFiles::create(&path, schema).map_err(Error::index(&path))?;
        let mut columns = ColumnarWriter::default();
        for (_, field) in schema.fields().filter(|(_, field)| field.is_fast()) {
            columns.record_column_type(field.name(), ColumnType::U64, false);
        }
        let folder = folder.to_owned();
        let (postings, stored) = (NewPostings::new(schema.num_fields()), Vec::new());
        Ok(Self { path, folder, memory_bytes, files, postings, columns, stored, num_docs: 0, ends: None })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a document, with its record if documents of this kind are stored.
    pub(crate) fn add(
        &mut self,
        accession: ProteinAccession,
        record: Option<&[u8]>,
        fill: impl FnOnce(&mut NewDocument<'_>),
    ) -> Result<()> {
        if let Some((_, previous)) = self.ends {
            check_order(previous, accession)?;
        }
        let Self { postings, columns, num_docs: doc, .. } = self;
        fill(&mut NewDocument { doc: *doc, postings, columns });
        self.postings.end_document();
        stored::write_document(record, &mut self.stored);
        self.files.records.store_bytes(&self.stored).map_err(Error::io("cannot write", &self.path))?;
        self.num_docs += 1;
        self.ends = Some((self.ends.map_or(accession, |(first, _)| first), accession));
        Ok(())
    }

    pub(crate) fn last(&self) -> Option<ProteinAccession> {
        self.ends.map(|(_, last)| last)
    }

    pub(crate) fn is_full(&self) -> bool {
        let memory_bytes = self.postings.memory_bytes() + self.columns.mem_usage() + self.files.records.mem_usage();
        memory_bytes >= self.memory_bytes || self.num_docs >= SEGMENT_DOCS_MAX
    }

    /// Writes the rest that is in memory. If nothing was added, removes the folder.
    pub(crate) fn finish(self) -> Result<Option<SegmentEntry>> {
        let Self { path, folder, files, postings, mut columns, num_docs, ends, .. } = self;
        let Some((first, last)) = ends else {
            durable::remove_folder(&path)?;
            return Ok(None);
        };
        let columns = |file: &mut dyn Write| columns.serialize(num_docs, None, file);
        files.finish(num_docs, |postings_file| postings.write(postings_file), columns).map_err(Error::index(&path))?;
        Ok(Some(SegmentEntry { folder, num_docs, first, last }))
    }
}

pub(crate) fn check_order(previous: ProteinAccession, found: ProteinAccession) -> Result<()> {
    if previous < found {
        return Ok(());
    }
    Err(Error::Unordered { previous: previous.number(), found: found.number() })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;
    use tantivy::indexer::merge_filtered_segments;
    use tantivy::{Index, SingleSegmentIndexWriter, TantivyDocument};
    use tempfile::TempDir;

    use super::*;
    use crate::segments::merge::stack;
    use crate::segments::schema::{FAMILY, HIT, SCHEMA};
    use crate::segments::segment::{Access, open_reader, open_segment};
    use crate::segments::segment_files::index_settings;
    use store::PfamAccession;
    use store::engine::BuildDirectory;

    /// The families, studies and residues of a document.
    type Contents = (Vec<u64>, Vec<String>, Vec<u8>);

    fn contents() -> impl Strategy<Value = Contents> {
        let study = prop_oneof![Just("MGYS1".to_owned()), "[a-zA-Z0-9]{1,4}"];
        (
            proptest::collection::vec(prop_oneof![1..20_u64, Just(1 << 40)], 0..4),
            proptest::collection::vec(study, 0..4),
            proptest::collection::vec(any::<u8>(), 0..300),
        )
    }

    /// Returns the files of an index by extension, without those that name the segment.
    fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(folder).expect("there").map(|entry| entry.expect("there").path());
        let files = entries.filter_map(|path| Some((path.extension()?.to_str()?.to_owned(), path)));
        let bytes = files.map(|(extension, path)| (extension, fs::read(path).expect("there")));
        bytes.filter(|(extension, _)| extension != "json").collect()
    }

    fn write_by_engine(folder: &Path, documents: &[Contents]) {
        let builder = Index::builder().schema(SCHEMA.schema.clone()).settings(index_settings());
        let directory = BuildDirectory::open(folder).expect("a folder");
        let mut writer: SingleSegmentIndexWriter =
            builder.single_segment_index_writer(directory, 64 << 20).expect("an empty folder");
        for (hit, (families, studies, record)) in (0..).zip(documents) {
            let mut document = TantivyDocument::new();
            document.add_u64(SCHEMA.schema.get_field(HIT).expect("a column"), hit);
            for &family in &families.iter().collect::<BTreeSet<_>>() {
                document.add_u64(SCHEMA.family, *family);
            }
            for study in studies.iter().map(|study| study.to_ascii_uppercase()).collect::<BTreeSet<_>>() {
                document.add_bytes(SCHEMA.study, study.as_bytes());
            }
            document.add_bytes(SCHEMA.record, record);
            writer.add_document(document).expect("written");
        }
        writer.finalize().expect("written");
    }

    fn write(folder: &Path, first: u64, documents: &[Contents]) -> SegmentEntry {
        let name = format!("segment-{first}");
        let mut writer = OrderedWriter::create(folder, &name, &SCHEMA.schema, 64 << 20).expect("new");
        for (hit, (families, studies, record)) in (first..).zip(documents) {
            let fill = |document: &mut NewDocument<'_>| {
                document.add_number(HIT, hit);
                for &family in &families.iter().collect::<BTreeSet<_>>() {
                    document.add_number(FAMILY, *family);
                }
                for &family in families {
                    document.add_term(SearchTerm::family(PfamAccession(family)));
                }
                for study in studies {
                    document.add_term(SearchTerm::study(study));
                }
            };
            writer.add(ProteinAccession::new(hit + 1).expect("in range"), Some(record), fill).expect("ascending");
        }
        writer.finish().expect("written").expect("not empty")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn files_equal_those_of_the_engine(
            documents in proptest::collection::vec(contents(), 2..400),
            cut: proptest::sample::Index,
        ) {
            let [ours, theirs, merged] = [(); 3].map(|()| TempDir::new().expect("a folder"));
            write_by_engine(theirs.path(), &documents);
            let theirs = files(theirs.path());
            let whole = write(ours.path(), 0, &documents);
            let found = files(&ours.path().join(whole.folder));
            prop_assert_eq!(found.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
            for (extension, bytes) in found {
                prop_assert!(theirs[&extension] == bytes, "{extension}");
            }
            let cut = 1 + cut.index(documents.len() - 1);
            let (left, right) = documents.split_at(cut);
            let parts = [write(merged.path(), 0, left), write(merged.path(), cut as u64, right)];
            let readers = parts.each_ref().map(|part| {
                open_reader(&merged.path().join(&part.folder), part, Access::Unmapped).expect("whole")
            });
            let segments = parts.each_ref().map(|part| {
                open_segment(&merged.path().join(&part.folder), part, Access::Unmapped).expect("whole")
            });
            let [merged, theirs] = ["merged", "theirs"].map(|name| merged.path().join(name));
            for folder in [&merged, &theirs] {
                fs::create_dir(folder).expect("new");
            }
            stack(&readers, &merged).expect("whole");
            let directory = BuildDirectory::open(&theirs).expect("a folder");
            merge_filtered_segments(&segments, index_settings(), vec![None, None], directory).expect("whole");
            let theirs = files(&theirs);
            // Records are copied block by block.
            for (extension, bytes) in files(&merged).into_iter().filter(|(extension, _)| extension != "store") {
                prop_assert!(theirs[&extension] == bytes, "{extension} of merged parts");
            }
        }
    }
}
