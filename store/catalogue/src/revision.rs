//! Making a generation from another one that differs in some resources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use store::{Error, Result};

use super::builder::CurrentType;
use super::contents::RESOURCES;
use super::index::document::document;
use super::index::merge::merge_indexes;
use super::index::reader::CatalogueIndex;
use super::index::schema::num_indexed_words;
use super::index::writer::CatalogueIndexWriter;
use super::missing::count_missing;
use super::model::SAMPLES;
use super::resources::{IdentifierList, Resources, ResourcesWriter};
use super::{CatalogueContents, CatalogueEntry, Ordinal, ResourceBody, Shape, TypeContents};

/// The ordinal of a resource that is not kept.
const NONE: Ordinal = Ordinal::MAX;

/// Writes a generation that has the resources of another one, except for some, with others inserted
/// between them, into the folder of a draft.
///
/// The database of the other generation is revised, and its index is merged with that of the added
/// resources. Both cost far less than writing all resources. Types are revised in the order of
/// their ordinals: [`CatalogueRevision::begin_type`], [`CatalogueRevision::add`] for each added
/// resource, [`CatalogueRevision::end_type`], [`CatalogueRevision::add_order`] for each order.
pub struct CatalogueRevision<'a> {
    draft: PathBuf,
    scratch: PathBuf,
    base: &'a CatalogueContents,
    old_index: CatalogueIndex,
    resources: ResourcesWriter,
    added: CatalogueIndexWriter,
    /// Resources of the other generation that are not kept.
    dropped: BTreeSet<Ordinal>,
    /// By ordinal of the other generation, as far as it is known.
    renumbered: Vec<Ordinal>,
    /// The rows in the database by ordinal.
    rows: Vec<u32>,
    types: BTreeMap<String, TypeContents>,
    current: Option<CurrentType>,
    samples: Option<IdentifierList>,
    num_words: u64,
}

impl<'a> CatalogueRevision<'a> {
    pub(super) fn begin(
        draft: &Path,
        scratch: &Path,
        base: &'a CatalogueContents,
        generation: &Path,
        resources: Resources,
        dropped: &BTreeMap<Ordinal, CatalogueEntry>,
        memory_bytes: usize,
    ) -> Result<Self> {
        let old_index = CatalogueIndex::open(generation, base.num_resources)?;
        let added = scratch.join("added");
        fs::create_dir(&added).map_err(Error::io("cannot create", &added))?;
        let dropped_words: u64 = dropped.values().map(|entry| num_indexed_words(&entry.text)).sum();
        Ok(Self {
            draft: draft.to_owned(),
            scratch: scratch.to_owned(),
            base,
            old_index,
            resources: ResourcesWriter::revise(resources)?,
            added: CatalogueIndexWriter::create(&added, memory_bytes)?,
            dropped: dropped.keys().copied().collect(),
            renumbered: Vec::with_capacity(base.num_resources as usize),
            rows: Vec::with_capacity(base.num_resources as usize),
            types: BTreeMap::new(),
            current: None,
            samples: None,
            num_words: base.num_words - dropped_words,
        })
    }

    /// Returns a resource of the other generation.
    pub fn old_body(&self, ordinal: Ordinal) -> Result<ResourceBody> {
        self.resources.resources().get(ordinal)
    }

    /// Returns an order of the other generation, unless it was added again.
    pub fn old_order(&self, resource_type: &str, field: &str) -> Result<Vec<(Ordinal, bool)>> {
        self.resources.resources().order(resource_type, field)
    }

    /// Returns the contents of the other generation.
    pub fn base(&self) -> &'a CatalogueContents {
        self.base
    }

    /// Returns whether a resource of the other generation is not kept.
    pub fn is_dropped(&self, old: Ordinal) -> bool {
        self.dropped.contains(&old)
    }

    /// Returns the new ordinal of a resource of the other generation, if it is kept and its type
    /// has ended.
    pub fn renumbered(&self, old: Ordinal) -> Option<Ordinal> {
        self.renumbered.get(old as usize).copied().filter(|new| *new != NONE)
    }

    /// Begins a type: the next one of the other generation, or a new one.
    pub fn begin_type(&mut self, name: &str) {
        self.current = Some(CurrentType::new(name, self.next()));
    }

    /// Adds a resource of the current type just before one of the other generation, or before the
    /// next type. Returns its ordinal.
    pub fn add(&mut self, before: Ordinal, entry: &CatalogueEntry) -> Result<Ordinal> {
        self.keep_before(before)?;
        let known = self.samples.as_ref().filter(|_| entry.resource_type != SAMPLES);
        let named = entry.named.iter().filter(|(named_type, _)| named_type == SAMPLES);
        let samples = known.map(|known| known.find_all(named)).unwrap_or_default();
        let ordinal = self.next();
        self.added.add(document(entry, ordinal, &samples))?;
        self.rows.push(self.resources.add(&entry.body)?);
        self.num_words += num_indexed_words(&entry.text);
        if let Some(current) = &mut self.current {
            current.identify(entry, ordinal);
        }
        Ok(ordinal)
    }

    /// Ends the current type and sets the shape of its resources.
    pub fn end_type(&mut self, shape: Shape) -> Result<()> {
        let Some(CurrentType { name, mut contents, identifiers: added }) = self.current.take() else { return Ok(()) };
        let old = self.base.types.get(&name);
        if let Some(old) = old {
            self.keep_before(old.first + old.num_resources)?;
        }
        contents.shape = shape;
        contents.num_resources = self.next() - contents.first;
        let mut identifiers = match old {
            Some(_) => self.resources.resources().all_identifiers(&name)?.renumbered(|old| self.renumbered(old)),
            None => IdentifierList::default(),
        };
        added.iter().for_each(|(identifier, ordinal)| identifiers.push(&String::from_utf8_lossy(identifier), ordinal));
        self.resources.forget_identifiers(&name)?;
        self.resources.add_identifiers(&name, &mut identifiers)?;
        if name == SAMPLES {
            self.samples = Some(identifiers);
        }
        if contents.num_resources > 0 {
            self.types.insert(name, contents);
        } else if let Some(old) = old {
            old.orders.iter().try_for_each(|field| self.resources.forget_order(&name, field))?;
        }
        Ok(())
    }

    /// Adds an order of a type that has ended; see [`crate::CatalogueBuilder::add_order`].
    pub fn add_order(
        &mut self,
        resource_type: &str,
        field: &str,
        ascending: impl IntoIterator<Item = Result<(Ordinal, bool)>>,
    ) -> Result<()> {
        let Some(contents) = self.types.get_mut(resource_type) else { return Ok(()) };
        self.resources.forget_order(resource_type, field)?;
        self.resources.add_order(resource_type, contents, field, ascending)?;
        contents.orders.push(field.to_owned());
        Ok(())
    }

    /// Adds the text of a partial resource; see [`crate::CatalogueBuilder::add_partial`].
    pub fn add_partial(&mut self, text: &str) -> Result<()> {
        self.resources.add_partial(text)
    }

    /// Merges the indexes, closes the database, reads it back, and returns the contents.
    pub fn finish(self) -> Result<CatalogueContents> {
        let Self {
            draft,
            scratch,
            base,
            old_index,
            mut resources,
            added,
            dropped,
            renumbered,
            rows,
            types,
            num_words,
            ..
        } = self;
        added.finish()?;
        let unused =
            dropped.iter().map(|ordinal| resources.resources().row_of(*ordinal)).collect::<Result<Vec<_>>>()?;
        resources.set_rows(&rows, unused.into_iter())?;
        debug_assert_eq!(renumbered.len(), base.num_resources as usize);
        let ordinal_of = |old: Ordinal| renumbered.get(old as usize).copied().filter(|new| *new != NONE);
        let num_rows = resources.next();
        thread::scope(|scope| {
            let merge = || {
                let (added, base) = (scratch.join("added/index"), scratch.join("base"));
                merge_indexes(&old_index, ordinal_of, &added, &base, &draft)
            };
            let merging = scope.spawn(merge);
            resources.finish(&draft.join(RESOURCES), types, |resources| {
                merging.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
                Ok((num_words, count_missing(&CatalogueIndex::open(&draft, num_rows)?, resources)?))
            })
        })
    }

    fn next(&self) -> Ordinal {
        // The number of added resources stays below the limit of the database.
        Ordinal::try_from(self.rows.len()).unwrap_or(NONE)
    }

    /// Keeps the resources of the other generation before an ordinal, without those that are
    /// dropped.
    fn keep_before(&mut self, before: Ordinal) -> Result<()> {
        for old in Ordinal::try_from(self.renumbered.len()).unwrap_or(NONE)..before {
            if self.dropped.contains(&old) {
                self.renumbered.push(NONE);
                continue;
            }
            self.renumbered.push(self.next());
            self.rows.push(self.resources.resources().row_of(old)?);
        }
        Ok(())
    }
}
