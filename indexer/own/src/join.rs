//! Joining the rows of a name, and sorting the proteins back into the order of their files.

use indexer::Result;
use indexer::run::{Reason, Rejection, RowOrigin, Rows};
use indexer::sort::{SortSpace, SortedEntries, Sorter};
use indexer::values::quoted;

use super::entry::{Entry, Facts, Feature, Hit, JoinedProtein, Part};

/// The most hits of a protein, which has to fit into memory; the longest real proteins have a few
/// hundred.
const HITS_MAX: usize = 10_000;

/// The rows of a name whose protein was found.
struct Named {
    /// The first row of the protein.
    origin: RowOrigin,
    rank: u64,
    /// The row of its annotation.
    annotated: Option<RowOrigin>,
    protein: JoinedProtein,
}

struct Joiner<'a> {
    /// The parts of proteins, by rank.
    parts: Sorter,
    /// The features of proteins that were found, by the number of the feature.
    features: Sorter,
    rows: &'a mut Rows,
}

/// Joins the rows, and returns the proteins in the order of their files, each followed by its
/// features. Sorting uses half of the memory.
pub(super) fn join(by_name: SortedEntries<Box<[u8]>>, space: SortSpace<'_>, rows: &mut Rows) -> Result<SortedEntries> {
    let sorter = |name, memory_bytes| Sorter::named(space.folder, name, memory_bytes);
    let (parts, features) = (sorter("parts", space.memory_bytes / 8 * 3), sorter("features", space.memory_bytes / 8));
    let mut joiner = Joiner { parts, features, rows };
    joiner.join(by_name)?;
    let Joiner { mut parts, features, .. } = joiner;
    assign(features.finish()?, &mut parts)?;
    parts.finish()
}

/// Assigns each feature to one protein, by the best of its names.
fn assign(mut features: SortedEntries, parts: &mut Sorter) -> Result<()> {
    let mut payload = Vec::new();
    let mut best: Option<FoundFeature> = None;
    loop {
        let next: Option<FoundFeature> = features.next_value(&mut payload)?.map(|(_, next)| next);
        best = match (best, next) {
            (Some((rank, file, feature)), Some(next)) if feature.number == next.2.number => {
                let is_better = next.2.preference < feature.preference;
                Some(if is_better { next } else { (rank, file, feature) })
            }
            (before, next) => {
                if let Some((rank, file, feature)) = before {
                    parts.push_value(rank, &Part::Feature { file, feature })?;
                }
                if next.is_none() {
                    return Ok(());
                }
                next
            }
        };
    }
}

/// The rank of a protein, the file of a feature under one of its names, and the feature.
type FoundFeature = (u64, usize, Feature);

impl Joiner<'_> {
    fn join(&mut self, mut by_name: SortedEntries<Box<[u8]>>) -> Result<()> {
        let mut payload = Vec::new();
        let (mut key, mut named) = (Box::default(), None);
        while let Some((next, (origin, entry))) = by_name.next_value(&mut payload)? {
            if next != key {
                self.finish(named.take())?;
                key = next;
            }
            self.take(&key, origin, entry, &mut named)?;
        }
        self.finish(named)
    }

    fn take(&mut self, key: &[u8], origin: RowOrigin, entry: Entry, named: &mut Option<Named>) -> Result<()> {
        let name = || String::from_utf8_lossy(key);
        match (entry, named) {
            (Entry::Protein { .. }, Some(Named { origin: first, .. })) => {
                let detail = format!("{}: {}", name(), self.rows.first_at(first));
                self.rows.reject_at(&origin, Rejection::new(Reason::DuplicateName, detail))
            }
            (Entry::Protein { rank, sequence, header }, named) => {
                let (annotation, hits) = (Facts::default(), Vec::new());
                let (file, name) = (origin.file, name().into_owned());
                let protein = JoinedProtein { file, name, sequence, header, annotation, hits };
                *named = Some(Named { origin, rank, annotated: None, protein });
                Ok(())
            }
            (Entry::Feature(feature), Some(named)) => {
                let found: FoundFeature = (named.rank, origin.file, feature);
                self.features.push_value(found.2.number, &found)
            }
            (Entry::Feature(_), None) => Ok(()),
            (_, None) => {
                let detail = format!("no accepted protein is named {}", quoted(&name()));
                self.rows.reject_at(&origin, Rejection::new(Reason::UnknownName, detail))
            }
            (Entry::Annotation(_), Some(Named { annotated: Some(first), .. })) => {
                let detail = format!("{}: {}", name(), self.rows.first_at(first));
                self.rows.reject_at(&origin, Rejection::new(Reason::DuplicateAnnotation, detail))
            }
            (Entry::Annotation(facts), Some(named)) => {
                named.protein.annotation = facts;
                self.rows.files[origin.file].num_accepted += 1;
                named.annotated = Some(origin);
                Ok(())
            }
            (Entry::Hit(hit), Some(Named { protein, .. })) => match check(&hit, protein) {
                Ok(()) => {
                    protein.hits.push(hit);
                    self.rows.files[origin.file].num_accepted += 1;
                    Ok(())
                }
                Err(bad) => {
                    self.rows.reject_at(&origin, Rejection { detail: format!("{}: {}", name(), bad.detail), ..bad })
                }
            },
        }
    }

    fn finish(&mut self, named: Option<Named>) -> Result<()> {
        let Some(Named { rank, protein, .. }) = named else { return Ok(()) };
        self.parts.push_value(rank, &Part::Protein(Box::new(protein)))
    }
}

/// Checks a hit of a protein against those that it already has.
fn check(hit: &Hit, protein: &JoinedProtein) -> Result<(), Rejection> {
    let (length, (_, end)) = (protein.sequence.len(), hit.envelope);
    if end as usize > length {
        let detail = format!("the envelope ends at {end}, and the sequence at {length}");
        return Err(Rejection::new(Reason::BadNumber, detail));
    }
    if protein.hits.len() >= HITS_MAX {
        return Err(Rejection::new(Reason::TooLong, format!("the protein already has {HITS_MAX} hits")));
    }
    if protein.hits.iter().any(|known| known.is_same_domain(hit)) {
        return Err(Rejection::new(Reason::DuplicateAnnotation, "the protein already has this hit"));
    }
    Ok(())
}
