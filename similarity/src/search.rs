//! A search: one run of a program, and the checks of its result.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use store_proteins::ProteinGeneration;

use crate::engine::Engine;
use crate::feed::{Targets, Written, residues_max};
use crate::limits::Limits;
use crate::output::Files;
use crate::process::{Exit, Guarded, Input};
use crate::{Hit, Query, Result, SearchError};

/// The highest E-value that can be requested: hits by chance are worth no more.
pub const EVALUE_MAX: f64 = 10.0;

/// E-values differ by up to a fifth with other seeds.
const SEED: &str = "42";

/// The files in the folder of a run.
const QUERY: &str = "query";
const HITS: &str = "hits";
const DOMAINS: &str = "domains";
const ALIGNMENTS: &str = "alignments";

/// The signals of a program that crashes: SIGILL, SIGBUS, SIGFPE, SIGSEGV and SIGSYS.
const CRASHES: [i32; 5] = [4, 7, 8, 11, 31];

/// The signals of a program that is ended by its limits.
const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// The database size used for E-values: `selection`, `release` or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchSpace {
    /// The number of searched proteins.
    Selection,
    /// The number of all proteins, so that E-values of different selections can be compared.
    Release,
    /// This number, above 0.
    Number(u64),
}

/// Reads the highest E-value of a hit.
///
/// # Errors
///
/// * It is not a number above 0 and up to [`EVALUE_MAX`]. The text says what is expected.
pub fn parse_evalue(text: &str) -> std::result::Result<f64, String> {
    let evalue = text.trim().parse().ok().filter(|evalue| *evalue > 0.0 && *evalue <= EVALUE_MAX);
    evalue.ok_or_else(|| format!("a number above 0 and up to {EVALUE_MAX}"))
}

impl SearchSpace {
    /// Returns the database size for a generation, or `None` if it is the number of searched
    /// proteins.
    pub fn number(self, generation: &ProteinGeneration) -> Option<u64> {
        match self {
            Self::Selection => None,
            Self::Release => Some(generation.statistics().num_proteins),
            Self::Number(number) => Some(number),
        }
    }
}

impl FromStr for SearchSpace {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text.trim() {
            "selection" => Ok(Self::Selection),
            "release" => Ok(Self::Release),
            number => match number.parse() {
                Ok(number @ 1..) => Ok(Self::Number(number)),
                _ => Err("`selection`, `release` or a number of proteins".to_owned()),
            },
        }
    }
}

/// A search.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// The programs.
    pub engine: &'a Engine,
    /// The query.
    pub query: &'a Query,
    /// The highest E-value of a hit, above 0 and up to [`EVALUE_MAX`].
    pub evalue: f64,
    /// The database size used for E-values: `None` for the number of searched proteins.
    pub space: Option<u64>,
    /// The most hits that are passed on.
    pub hits_max: u64,
    /// The limits of the program.
    pub limits: &'a Limits,
}

/// The numbers of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// All hits.
    pub num_hits: u64,
    /// The best hits, which were passed on.
    pub num_kept: u64,
    /// The proteins that were searched.
    pub num_targets: u64,
    /// The proteins of the selection that were too long to be searched.
    pub num_skipped: u64,
}

impl Search<'_> {
    /// Runs the program in an empty folder, which may be removed afterwards, and passes on its
    /// hits, best first, once it is known to have succeeded. Hits of equal score are in ascending
    /// order of accession.
    ///
    /// `on_progress` is called from time to time by another thread with the number of proteins sent
    /// to the program. `may_continue` is called every few milliseconds with the processor time that
    /// the program has used; if it returns `false`, the search ends.
    ///
    /// # Errors
    ///
    /// * Nothing is selected, the search is cancelled, or the program runs into a limit.
    /// * The program rejects the query, or ends without a whole result.
    /// * The selection or a file cannot be read or written.
    pub fn run(
        &self,
        folder: &Path,
        targets: &Targets,
        on_progress: &(dyn Fn(u64) + Sync),
        may_continue: &dyn Fn(Duration) -> bool,
        take: impl FnMut(Hit) -> Result<()>,
    ) -> Result<Found> {
        let path = folder.join(QUERY);
        fs::write(&path, self.query.file()).map_err(SearchError::io("cannot write", &path))?;
        let guarded = Guarded { guards: &self.engine.guards, limits: self.limits, folder, may_continue };
        let ((program, _), arguments) = (self.program(), self.arguments());
        let arguments: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
        let mut written = Written::default();
        let exit = match targets {
            Targets::Selection(selection) => {
                let residues_max = residues_max(self.query.length(), self.limits.memory_bytes);
                // For an empty selection, no program is started.
                if selection.is_empty()? {
                    return Err(SearchError::Empty);
                }
                let mut write = |out: &mut dyn Write| {
                    written = selection.write(residues_max, out, on_progress)?;
                    Ok(())
                };
                guarded.run(program, &arguments, Input::Written(&mut write))?
            }
            Targets::File(file) => {
                let opened = file.open().map_err(SearchError::io("cannot read the proteins in", folder))?;
                written = opened.1;
                guarded.run(program, &arguments, Input::File(opened.0))?
            }
        };
        self.check(&exit)?;
        let [hits, domains, alignments] = [HITS, DOMAINS, ALIGNMENTS].map(|name| folder.join(name));
        let files = Files { hits: &hits, domains: &domains, alignments: &alignments };
        // Reads all files to their ends once, so that no hit of a truncated run is passed on.
        let read = files.read(0, |_| Ok(()))?;
        let totals = read.map_err(|fault| self.broken(fault.to_string()))?;
        if totals.num_targets != written.num_targets {
            let (searched, sent) = (totals.num_targets, written.num_targets);
            return Err(self.broken(format!("it has searched {searched} of {sent} proteins")));
        }
        files.read(self.hits_max, take)?.map_err(|fault| self.broken(fault.to_string()))?;
        let Written { num_targets, num_skipped } = written;
        let num_hits = totals.num_hits;
        Ok(Found { num_hits, num_kept: num_hits.min(self.hits_max), num_targets, num_skipped })
    }

    /// Returns the program, and its name.
    fn program(&self) -> (&Path, &'static str) {
        match self.query {
            Query::Sequence(_) => (&self.engine.phmmer, "phmmer"),
            Query::Profile { .. } => (&self.engine.hmmsearch, "hmmsearch"),
        }
    }

    fn arguments(&self) -> Vec<OsString> {
        let evalue = self.evalue.to_string();
        let mut arguments = vec!["--cpu", "0", "--seed", SEED, "--notextw", "--tformat", "fasta"];
        arguments.extend(["-E", &evalue, "--domE", &evalue]);
        arguments.extend(["--tblout", HITS, "--domtblout", DOMAINS, "-o", ALIGNMENTS]);
        let space = self.space.map(|number| number.to_string());
        arguments.extend(space.iter().flat_map(|space| ["-Z", space]));
        arguments.extend([QUERY, "-"]);
        arguments.into_iter().map(OsString::from).collect()
    }

    /// Checks the exit status of the program.
    fn check(&self, exit: &Exit) -> Result<()> {
        let (_, program) = self.program();
        match (exit.signal(), exit.status.code()) {
            (None, Some(0)) => Ok(()),
            // The system kills processes when memory runs out.
            (Some(SIGABRT | SIGKILL), _) => Err(SearchError::Aborted { program }),
            (Some(signal), _) if CRASHES.contains(&signal) => Err(SearchError::Crashed { program, signal }),
            (Some(SIGXFSZ), _) => Err(SearchError::TooMuchOutput(self.limits.output_bytes)),
            (Some(SIGXCPU), _) => Err(SearchError::TooLong(self.limits.cpu_time.unwrap_or_default())),
            (Some(signal), _) => Err(self.broken(format!("it was ended by signal {signal}"))),
            (None, _) => {
                let line = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
                let problem = line(&exit.output).unwrap_or_else(|| "it gives no reason".to_owned());
                Err(SearchError::Refused { program, problem })
            }
        }
    }

    fn broken(&self, problem: String) -> SearchError {
        SearchError::Broken { program: self.program().1, problem }
    }
}
