//! Sources of own data on their way into a generation: read again, or carried over from another
//! one.

use std::path::PathBuf;

use store::{Draft, Error, FileEntry, InputEntry, ProteinAccession, Result};

use crate::{BiomeCount, Record, RecordParts};

use super::ProteinGeneration;
use super::builder::{ProteinsBuilder, Shared};
use super::contents::{ProteinContents, SegmentEntry};
use super::own::{NextOwn, SOURCES_MAX, SourceEntry, folder_from};
use super::segments::walk::visit_records;

impl ProteinsBuilder {
    /// Begins with the content of a published generation, without the sources that `leaves` names.
    /// The files are shared, not copied.
    ///
    /// # Errors
    ///
    /// * The file system has no hard links.
    pub fn beside(
        draft: Draft,
        base: &ProteinGeneration,
        leaves: impl Fn(&SourceEntry) -> bool,
        memory_bytes: usize,
    ) -> Result<Self> {
        let contents = &base.manifest().contents;
        let (left, kept): (Vec<_>, Vec<_>) = contents.sources.iter().partition(|source| leaves(source));
        let is_kept = |file: &&FileEntry| {
            file.path != super::tables::BIOMES && !left.iter().any(|source| source.has_file(&file.path))
        };
        let files: Vec<FileEntry> = base.manifest().files.iter().filter(is_kept).cloned().collect();
        draft.share(&base.path, &files)?;
        let mut builder = Self::new(draft, base.biomes.clone(), base.families.clone(), memory_bytes);
        let is_left = |accession| left.iter().any(|source| (source.first..=source.last).contains(&accession));
        for segment in contents.segments.iter().filter(|segment| !is_left(segment.first)) {
            builder.proteins.adopt(segment.clone())?;
        }
        for segment in &contents.replacements {
            builder.replacements.adopt(segment.clone())?;
        }
        let is_left_folder = |folder: &str| left.iter().any(|source| source.has_file(folder));
        let checksums = contents.checksums.iter().filter(|entry| !is_left_folder(&entry.folder)).cloned().collect();
        let contigs = contents.contigs.iter().filter(|entry| !is_left_folder(&entry.folder)).cloned().collect();
        builder.shared =
            Shared { num_segments: builder.proteins.done().len(), num_sources: kept.len(), has_release: true };
        builder.next_own = Some(NextOwn::read(builder.draft.generations(), &contents.sources)?);
        builder.contents = ProteinContents {
            checksums,
            sources: kept.into_iter().cloned().collect(),
            cited: contents.cited.clone(),
            members: contents.members.clone(),
            contigs,
            ..ProteinContents::default()
        };
        builder.sealed = files;
        Ok(builder)
    }

    /// Begins a source of own data, to which [`ProteinsBuilder::add_own`] adds. All proteins of the
    /// release must be added before.
    ///
    /// # Errors
    ///
    /// * A source of this name exists, or the generation has the maximal number of sources.
    pub fn begin_source(&mut self, name: &str) -> Result<()> {
        let problem = if self.contents.sources.iter().any(|source| source.name.eq_ignore_ascii_case(name)) {
            format!("a source {name} already exists")
        } else if self.contents.sources.len() >= SOURCES_MAX {
            format!("there are already {SOURCES_MAX} sources, the maximum")
        } else {
            let first = self.next_own()?.next;
            self.contents.sources.push(SourceEntry {
                name: name.to_owned(),
                num_proteins: 0,
                first,
                last: first,
                added_unix_s: 0,
                inputs: Vec::new(),
            });
            return self.begin_folder(first);
        };
        Err(Error::OwnData(problem))
    }

    /// Adds a protein to the source that was begun last, and returns its new accession. The table
    /// must have its biomes.
    ///
    /// # Errors
    ///
    /// * All numbers are used.
    pub fn add_own(&mut self, record: &Record) -> Result<ProteinAccession> {
        let next_own = self.next_own()?;
        let accession = next_own.next;
        let all_given = || Error::OwnData("all accessions of own data are in use".to_owned());
        next_own.next = accession.next().ok_or_else(all_given)?;
        let mut stored = Vec::new();
        record.encode(accession, &mut stored);
        self.add(accession, &stored)?;
        if let Some(source) = self.contents.sources.last_mut() {
            source.num_proteins += 1;
            source.last = accession;
        }
        Ok(accession)
    }

    /// Ends the source that was begun last. `inputs` are the files from which it was read.
    ///
    /// # Errors
    ///
    /// * The source has no protein.
    pub fn end_source(&mut self, added_unix_s: u64, inputs: Vec<InputEntry>) -> Result<()> {
        match self.contents.sources.last_mut() {
            Some(source) if source.num_proteins > 0 => {
                (source.added_unix_s, source.inputs) = (added_unix_s, inputs);
                Ok(())
            }
            _ => Err(Error::OwnData("a source has at least one protein".to_owned())),
        }
    }

    /// Returns the folder of the source that was begun last, for files about it.
    pub fn source_path(&self) -> PathBuf {
        let folder = self.contents.sources.last().map(SourceEntry::folder).unwrap_or_default();
        self.path().join(folder)
    }

    /// Adds sources of another generation, with their accessions, after the proteins of the
    /// release. Adds to the table the lineages that it lacks.
    ///
    /// # Errors
    ///
    /// * The generation is damaged or cannot be read.
    pub fn carry(&mut self, from: &ProteinGeneration, is_carried: impl Fn(&SourceEntry) -> bool) -> Result<()> {
        let contents = &from.manifest().contents;
        for source in contents.sources.iter().filter(|source| is_carried(source)) {
            self.begin_folder(source.first)?;
            let segments: &[SegmentEntry] = contents.source(source).segments;
            visit_records(&from.path, segments, RecordParts::ALL, |accession, record| {
                self.carry_record(from, accession, record)
            })?;
            self.contents.sources.push(source.clone());
        }
        Ok(())
    }

    fn carry_record(
        &mut self,
        from: &ProteinGeneration,
        accession: ProteinAccession,
        mut record: Record,
    ) -> Result<()> {
        for entry in &mut record.biomes {
            let biome = from.biomes.get(entry.biome);
            let biome = biome.ok_or_else(|| Error::altered(&from.path, format!("{accession} has an unknown biome")))?;
            *entry = BiomeCount { biome: self.biomes.insert(None, &biome.lineage)?, ..*entry };
        }
        let mut stored = Vec::new();
        record.encode(accession, &mut stored);
        self.add(accession, &stored)
    }

    fn begin_folder(&mut self, first: ProteinAccession) -> Result<()> {
        let folder = folder_from(first);
        let path = self.draft.path().join(&folder);
        std::fs::create_dir_all(&path).map_err(Error::io("cannot create", &path))?;
        self.proteins.begin_folder(format!("{folder}/segment"))
    }

    fn next_own(&mut self) -> Result<&mut NextOwn> {
        let next_own = match self.next_own.take() {
            Some(next_own) => next_own,
            None => NextOwn::read(self.draft.generations(), &self.contents.sources)?,
        };
        Ok(self.next_own.insert(next_own))
    }
}
