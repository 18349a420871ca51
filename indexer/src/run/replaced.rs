//! Comparing replaced accessions with the proteins of the index.

use std::path::Path;

use serde::{Deserialize, Serialize};
use store::ProteinAccession;
use store_proteins::BuiltProteins;

use super::{FileReport, Reason};
use crate::sort::{SortedEntries, Sorter};
use crate::values::accession;
use crate::words::counted;
use crate::{Error, Result};

/// The number of examples of a kind that are listed.
const EXAMPLES_MAX: usize = 10;

/// The start of the names of the sorter's files.
const NAME: &str = "replaced";

/// The comparison of the replaced accessions with the index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReplacedReport {
    /// Replaced accessions in the index, including those of `--previous`.
    pub num: u64,
    /// Those whose replacement is not in the index.
    pub to_missing: Replacements,
    /// Those that are proteins of the index themselves, and so are served instead of their
    /// replacements.
    pub of_indexed: Replacements,
}

/// Some replacements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replacements {
    /// Their number.
    pub num: u64,
    /// The first of them, old and new accession.
    pub examples: Vec<[String; 2]>,
}

/// The end of a replacement that an accession is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum End {
    Old,
    New,
}

/// The ends of all replacements, ascending.
struct Ends {
    /// The ends after the next one.
    sorted: SortedEntries,
    /// The next end: its accession, which end it is, and the accession of the other end.
    due: Option<(u64, End, ProteinAccession)>,
    payload: Vec<u8>,
}

impl Replacements {
    fn add(&mut self, old: ProteinAccession, new: ProteinAccession) {
        self.num += 1;
        if self.examples.len() < EXAMPLES_MAX {
            self.examples.push([old.to_string(), new.to_string()]);
        }
    }
}

impl Ends {
    fn advance(&mut self) -> Result<()> {
        let next = self.sorted.next_value(&mut self.payload)?;
        let due = next.map(|(number, (end, other))| Ok::<_, Error>((number, end, accession(other)?)));
        self.due = due.transpose()?;
        Ok(())
    }
}

/// Returns the problems of replaced accessions, a sentence each: those that were dropped as
/// cycles, and those without effect.
pub fn replacement_warnings(files: &[FileReport], replaced: Option<&ReplacedReport>) -> Vec<String> {
    let cycles = files.iter().filter_map(|file| file.rejected.get(Reason::ReplacementCycle.name())).sum();
    let mut warnings = Vec::new();
    if cycles > 0 {
        warnings.push(format!(
            "{} leading into a cycle and dropped (replacement_cycle in rejects.tsv)",
            counted(cycles, "replacement")
        ));
    }
    let Some(ReplacedReport { to_missing, of_indexed, .. }) = replaced else { return warnings };
    for (Replacements { num, examples }, what) in [
        (to_missing, "by a protein that is not in the index"),
        (of_indexed, "without effect, since the replaced accession is in the index"),
    ] {
        if *num > 0 {
            let examples: Vec<String> = examples.iter().map(|[old, new]| format!("{old} by {new}")).collect();
            warnings.push(format!("{} {what}, such as {}", counted(*num, "replacement"), examples.join(", ")));
        }
    }
    warnings
}

/// Compares the replaced accessions of an index with its proteins: both are read once, in order.
/// Returns `None` if there are no replaced accessions.
pub fn examine(built: &BuiltProteins, folder: &Path, memory_bytes: usize) -> Result<Option<ReplacedReport>> {
    let mut report = ReplacedReport::default();
    let mut sorter = Sorter::named(folder, NAME, memory_bytes);
    built.for_each_replacement(|old, new| -> Result<()> {
        report.num += 1;
        for (accession, end, other) in [(old, End::Old, new), (new, End::New, old)] {
            sorter.push_value(accession.number(), &(end, other.number()))?;
        }
        Ok(())
    })?;
    if report.num == 0 {
        return Ok(None);
    }
    let mut ends = Ends { sorted: sorter.finish()?, due: None, payload: Vec::new() };
    ends.advance()?;
    built.for_each_accession(|indexed| take_up_to(Some(indexed), &mut ends, &mut report))?;
    take_up_to(None, &mut ends, &mut report)?;
    Ok(Some(report))
}

/// Takes all ends up to an accession of the index, or all remaining ones after the last accession.
fn take_up_to(indexed: Option<ProteinAccession>, ends: &mut Ends, report: &mut ReplacedReport) -> Result<()> {
    let indexed = indexed.map(ProteinAccession::number);
    while let Some((number, end, other)) = ends.due
        && indexed.is_none_or(|indexed| number <= indexed)
    {
        match (end, indexed == Some(number)) {
            (End::Old, true) => report.of_indexed.add(accession(number)?, other),
            (End::New, false) => report.to_missing.add(other, accession(number)?),
            (End::Old, false) | (End::New, true) => {}
        }
        ends.advance()?;
    }
    Ok(())
}
