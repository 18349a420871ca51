//! The first half: all inputs are read and checked, and their rows are sorted by the name of the
//! protein.

use std::sync::atomic::Ordering;

use indexer::fasta::{FastaReader, FastaRecord};
use indexer::input::{BytesRead, Input};
use indexer::lines::{Line, LineReader};
use indexer::run::{
    Noted, Notes, PassedOver, Progress, Reason, Rejection, RowOrigin, Rows, StageReport, Unit, excerpt, preflight,
};
use indexer::sort::{SortSpace, SortedEntries, Sorter};
use indexer::{Error, Result, values};
use store::{InputEntry, ProteinAccession, looks_like_nucleotides};

use super::annotations::{Columns, Row};
use super::biomes::Biomes;
use super::entry::{Entry, Feature};
use super::features::{self, CodingSequence, FeatureLine};
use super::headers::{Header, parse_header};
use super::hits::{self, HitRow};
use super::{Kind, OwnAddPlan};

pub(super) struct Gathered {
    /// All rows; those with one name in the order of the inputs.
    pub(super) by_name: SortedEntries<Box<[u8]>>,
    pub(super) inputs: Vec<InputEntry>,
    pub(super) notes: Notes,
    pub(super) stage: StageReport,
}

struct Gatherer<'a, 'b> {
    sorter: Sorter<Box<[u8]>>,
    biomes: &'a mut Biomes<'b>,
    rows: &'a mut Rows,
    notes: Notes,
    num_proteins: u64,
    num_features: u64,
    allows_nucleotides: bool,
    /// The file that is being read, by position.
    file: usize,
}

/// The progress within a file.
enum State {
    Proteins(Box<FastaReader<Header>>),
    /// The columns, once the header was read.
    Annotations(Option<Columns>),
    PfamHits,
    /// True after the last feature: the sequences that follow are not read.
    Features(bool),
}

/// Reads all inputs. Sorting uses half of the memory.
pub(super) fn gather(
    plan: &OwnAddPlan,
    biomes: &mut Biomes<'_>,
    space: SortSpace<'_>,
    rows: &mut Rows,
) -> Result<Gathered> {
    let total_bytes = preflight::total_bytes(&preflight::input_sizes(plan.inputs())?);
    let progress = Progress::start("reading", Unit::Bytes, total_bytes);
    let bytes_read = BytesRead::default();
    let sorter = Sorter::named(space.folder, "names", space.memory_bytes / 2);
    let (notes, mut entries) = (Notes::default(), Vec::new());
    let allows_nucleotides = plan.allow_nucleotides;
    let mut gatherer =
        Gatherer { sorter, biomes, rows, notes, num_proteins: 0, num_features: 0, allows_nucleotides, file: 0 };
    for (file, (kind, input)) in plan.kinds().enumerate() {
        gatherer.file = file;
        gatherer.rows.files[file].kind = Some(kind.into());
        let before = bytes_read.load(Ordering::Relaxed);
        let reader = input.open(&bytes_read, None).map_err(|source| input.error(0, source))?;
        let (mut lines, mut state) = (LineReader::new(reader), State::new(kind));
        while let Some(batch) = lines.next_batch().map_err(|source| input.error(lines.num_lines(), source))? {
            for line in batch.lines() {
                gatherer.read(input, Line { bytes: line.without_mark(), ..line }, &mut state)?;
            }
            progress.set(bytes_read.load(Ordering::Relaxed));
        }
        if let State::Proteins(reader) = &mut state
            && let Some(last) = reader.finish()
        {
            gatherer.take_protein(last)?;
        }
        entries.push(input.entry(bytes_read.load(Ordering::Relaxed) - before));
    }
    let Gatherer { sorter, notes, .. } = gatherer;
    let by_name = sorter.finish()?;
    Ok(Gathered { by_name, inputs: entries, notes, stage: StageReport::new("reading", progress.finish()) })
}

impl State {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Proteins => Self::Proteins(Box::new(FastaReader::new(parse_header))),
            Kind::Annotations => Self::Annotations(None),
            Kind::PfamHits => Self::PfamHits,
            Kind::Features => Self::Features(false),
        }
    }
}

impl Gatherer<'_, '_> {
    fn read(&mut self, input: &Input, line: Line<'_>, state: &mut State) -> Result<()> {
        match state {
            State::Proteins(reader) => reader.read(line).map_or(Ok(()), |record| self.take_protein(record)),
            State::Annotations(_) if line.bytes.is_empty() => Ok(()),
            State::Annotations(Some(columns)) => {
                let read = columns.read(line, self.biomes).map(|Row { name, facts, noted }| {
                    for noted in noted {
                        self.rows.files[self.file].note(noted, line.number);
                    }
                    (name, Entry::Annotation(facts))
                });
                self.take(line, read)
            }
            State::Annotations(columns) => {
                let header = Columns::from_header(line);
                *columns = Some(header.map_err(|problem| Error::table(&input.name(), line.number, problem))?);
                Ok(())
            }
            State::PfamHits => self.read_hit(line),
            State::Features(true) => Ok(()),
            State::Features(is_over) => self.read_feature(line, is_over),
        }
    }

    fn read_hit(&mut self, line: Line<'_>) -> Result<()> {
        match values::line(line).and_then(|text| hits::read(text).transpose()) {
            Ok(None) => Ok(()),
            Ok(Some(HitRow::OtherModel(model))) => {
                self.notes.add_other_model(&model, 1);
                self.pass_over(PassedOver::OtherModel);
                Ok(())
            }
            Ok(Some(HitRow::Pfam(name, hit))) => self.take(line, Ok((name, Entry::Hit(hit)))),
            Err(rejection) => self.take::<&str>(line, Err(rejection)),
        }
    }

    fn read_feature(&mut self, line: Line<'_>, is_over: &mut bool) -> Result<()> {
        match values::line(line).and_then(features::read) {
            Ok(FeatureLine::None) => {}
            Ok(FeatureLine::End) => *is_over = true,
            Ok(FeatureLine::Other) => self.pass_over(PassedOver::OtherFeature),
            Ok(FeatureLine::Coding(feature)) => self.take_feature(line, feature)?,
            Err(rejection) => self.take::<&str>(line, Err(rejection))?,
        }
        Ok(())
    }

    fn take_protein(&mut self, record: FastaRecord<'_, Header>) -> Result<()> {
        let FastaRecord { line, content, excerpt } = record;
        let rank = self.num_proteins;
        self.num_proteins += 1;
        let protein = content.and_then(|(Header { name, facts, is_fixed }, residues)| {
            let sequence = read_sequence(&name, residues, self.allows_nucleotides)?;
            let file = &mut self.rows.files[self.file];
            for (noted, is_so) in [
                (Noted::FixedText, is_fixed),
                (Noted::Gaps, residues.iter().copied().any(is_gap)),
                (Noted::InnerStop, sequence.contains('*')),
                (Noted::ShadowedName, is_shadowed(&name)),
            ] {
                if is_so {
                    file.note(noted, line);
                }
            }
            Ok((name, Entry::Protein { rank, sequence, header: facts }))
        });
        self.take(Line { number: line, bytes: &excerpt, is_cut: false }, protein)
    }

    /// Counts the row of a line, and adds it to the sorter or rejects it.
    fn take<N: AsRef<str>>(&mut self, line: Line<'_>, row: Result<(N, Entry), Rejection>) -> Result<()> {
        self.rows.files[self.file].num_read += 1;
        match row {
            Ok((name, entry)) => self.push(name.as_ref(), line, &entry),
            Err(rejection) => self.rows.reject(self.file, &rejection.at_row(line.number, line.bytes)),
        }
    }

    /// Adds a feature to the sorter under each possible name of its protein. It counts as passed
    /// over until its protein is found.
    fn take_feature(&mut self, line: Line<'_>, sequence: CodingSequence) -> Result<()> {
        self.pass_over(PassedOver::NoProtein);
        let CodingSequence { names, id, facts } = sequence;
        let mut feature = Feature { number: self.num_features, preference: 0, id, facts, after_origin: None };
        self.num_features += 1;
        for name in names {
            self.push(&name, line, &Entry::Feature(feature.clone()))?;
            feature.preference += 1;
        }
        Ok(())
    }

    fn push(&mut self, name: &str, line: Line<'_>, entry: &Entry) -> Result<()> {
        let excerpt = if matches!(entry, Entry::Feature(_)) { &[][..] } else { excerpt(line.bytes) };
        let origin = RowOrigin { file: self.file, line: line.number, excerpt: excerpt.to_vec() };
        self.sorter.push_value(name.as_bytes().into(), &(origin, entry))
    }

    fn pass_over(&mut self, why: PassedOver) {
        let file = &mut self.rows.files[self.file];
        file.num_read += 1;
        *file.passed_over.entry(why).or_default() += 1;
    }
}

/// Returns whether the address of a protein with this name would be ambiguous.
fn is_shadowed(name: &str) -> bool {
    let is_part = ["search", "batch", ".", ".."].contains(&name) || name.strip_suffix(".fasta").is_some();
    is_part || ProteinAccession::parse_as_written(name).is_ok()
}

/// Returns a sequence without gaps and without the stop at its end, in upper case.
fn read_sequence(name: &str, residues: &[u8], allows_nucleotides: bool) -> Result<String, Rejection> {
    let mut residues = residues.to_ascii_uppercase();
    residues.retain(|byte| !is_gap(*byte));
    residues.pop_if(|last| *last == b'*');
    values::residues(&residues).map_err(|bad| Rejection { detail: format!("{name}: {}", bad.detail), ..bad })?;
    if !allows_nucleotides && looks_like_nucleotides(&residues) {
        let detail = format!("{name}: this looks like nucleotides; --allow-nucleotides accepts it as a protein");
        return Err(Rejection::new(Reason::BadSequence, detail));
    }
    String::from_utf8(residues).map_err(|_| Rejection::new(Reason::BadSequence, "not UTF-8 text"))
}

/// Returns whether a byte is a gap in a row of an alignment.
fn is_gap(byte: u8) -> bool {
    matches!(byte, b'-' | b'.')
}
