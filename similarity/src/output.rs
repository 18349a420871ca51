//! The output of a program: two tables and the alignments, read in parallel.
//!
//! ```text
//! hits         a row for each hit, best first
//! domains      a row for each domain of each hit, in the same order
//! alignments   after a head: `>>` and the name of each hit; for each domain `== domain` and a block of rows
//!              then the number of targets
//! ```
//!
//! A program that was cut off may still report success. Therefore the end of each file is checked.

mod alignment;
mod table;

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use crate::{Hit, SearchError};

use alignment::Alignments;
use table::Table;

/// The totals in the files, in addition to the hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// All hits, including unwanted ones.
    pub(crate) num_hits: u64,
    /// The targets that were searched.
    pub(crate) num_targets: u64,
}

/// The reason why files are not the complete output of a program.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OutputFault {
    #[error("the file of {0} cannot be read")]
    Unreadable(&'static str),
    #[error("the file of {0} is truncated")]
    Cut(&'static str),
    #[error("the file of {0} has an unknown form: {1:?}")]
    Unknown(&'static str, String),
    #[error("the files contradict each other: {0:?}")]
    Contradiction(String),
}

/// The files that a program writes.
pub(crate) struct Files<'a> {
    pub(crate) hits: &'a Path,
    pub(crate) domains: &'a Path,
    pub(crate) alignments: &'a Path,
}

/// The lines of a file.
struct Lines<R> {
    input: R,
    what: &'static str,
    line: String,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R, what: &'static str) -> Self {
        Self { input, what, line: String::new() }
    }

    /// Advances to the next line. Returns whether there is one.
    fn advance(&mut self) -> Result<bool, OutputFault> {
        self.line.clear();
        let read = self.input.read_line(&mut self.line).map_err(|_| OutputFault::Unreadable(self.what))?;
        Ok(read > 0)
    }

    /// Reads the rest, and checks that the file ends with the line `end`. Empty lines may follow
    /// it, and others that `is_passed_over` accepts.
    fn finish(mut self, end: &str, mut is_passed_over: impl FnMut(&str) -> bool) -> Result<(), OutputFault> {
        let mut is_whole = false;
        while self.advance()? {
            let line = self.line.trim_end();
            if !line.is_empty() && !is_passed_over(line) {
                is_whole = line == end;
            }
        }
        if is_whole { Ok(()) } else { Err(OutputFault::Cut(self.what)) }
    }
}

impl Files<'_> {
    /// Passes on the first `limit` hits, and reads all files to their ends.
    pub(crate) fn read(
        &self,
        limit: u64,
        take: impl FnMut(Hit) -> Result<(), SearchError>,
    ) -> Result<Result<Totals, OutputFault>, SearchError> {
        let open = |path, what| open(path).map(BufReader::new).map_err(|_| OutputFault::Unreadable(what));
        let opened = open(self.hits, table::HITS)
            .and_then(|hits| Ok((hits, open(self.domains, table::DOMAINS)?, open(self.alignments, alignment::WHAT)?)));
        match opened {
            Ok((hits, domains, alignments)) => read(hits, domains, alignments, limit, take),
            Err(fault) => Ok(Err(fault)),
        }
    }
}

/// Opens a file that a program has written, unless it has replaced it by a link.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() && metadata.nlink() == 1 { Ok(file) } else { Err(ErrorKind::InvalidData.into()) }
}

fn read(
    hits: impl BufRead,
    domains: impl BufRead,
    alignments: impl BufRead,
    limit: u64,
    mut take: impl FnMut(Hit) -> Result<(), SearchError>,
) -> Result<Result<Totals, OutputFault>, SearchError> {
    let mut hits = Table::new(hits, table::HITS);
    let mut domains = Table::new(domains, table::DOMAINS);
    let mut alignments = Alignments::new(alignments);
    let mut num_hits = 0;
    loop {
        match next_hit(&mut hits, &mut domains, &mut alignments, num_hits < limit) {
            Ok(Some(hit)) if num_hits < limit => take(hit)?,
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(fault) => return Ok(Err(fault)),
        }
        num_hits += 1;
    }
    let ended = hits.finish().and_then(|()| domains.finish()).and_then(|()| alignments.finish());
    Ok(ended.map(|num_targets| Totals { num_hits, num_targets }))
}

/// Reads the output of a program from memory: hits, domains and alignments. Returns `None` if it
/// has a fault. For tests, which make up outputs.
pub fn read_output([hits, domains, alignments]: [&[u8]; 3], limit: u64) -> Option<Vec<Hit>> {
    let mut taken = Vec::new();
    let read = read(hits, domains, alignments, limit, |hit| {
        taken.push(hit);
        Ok(())
    });
    read.ok()?.ok().map(|_| taken)
}

/// Returns the next hit, with its domains only if they are wanted.
fn next_hit(
    hits: &mut Table<impl BufRead>,
    domains: &mut Table<impl BufRead>,
    alignments: &mut Alignments<impl BufRead>,
    is_wanted: bool,
) -> Result<Option<Hit>, OutputFault> {
    let Some((mut hit, num_domains)) = hits.next_hit()? else { return Ok(None) };
    for _ in 0..if is_wanted { num_domains } else { 0 } {
        let (accession, length, mut domain) = domains.next_domain()?;
        if accession != hit.accession {
            return Err(OutputFault::Contradiction(format!("a domain of {accession} below {}", hit.accession)));
        }
        alignments.next(&mut domain)?;
        hit.length = length;
        hit.domains.push(domain);
    }
    Ok(Some(hit))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The output of `phmmer` 3.3.2 for three targets, of which one is a hit without a domain.
    const RECORDED: [&str; 3] = [
        include_str!("output/recorded/hits"),
        include_str!("output/recorded/domains"),
        include_str!("output/recorded/alignments"),
    ];

    fn read_texts(texts: [&[u8]; 3], limit: u64) -> Result<(Totals, Vec<Hit>), OutputFault> {
        let mut taken = Vec::new();
        let read = read(texts[0], texts[1], texts[2], limit, |hit| {
            taken.push(hit);
            Ok(())
        });
        read.expect("nothing is written").map(|totals| (totals, taken))
    }

    #[test]
    fn recorded_results_are_read() {
        let (totals, hits) = read_texts(RECORDED.map(str::as_bytes), 10).expect("hits");
        assert_eq!(totals, Totals { num_hits: 3, num_targets: 3 });
        let found: Vec<_> =
            hits.iter().map(|hit| (hit.accession.number(), hit.evalue, hit.score, hit.domains.len())).collect();
        assert_eq!(found, [(2, 6e-100, 317.3, 2), (1, 7.8e-83, 262.1, 1), (3, 9.6e-18, 52.4, 0)]);
        let domain = &hits[0].domains[1];
        assert_eq!((domain.query_from, domain.query_to, domain.from, domain.to), (1, 43, 139, 181));
        assert_eq!(domain.query, "mktayiakqrqisfvkshfsrqleerlglievqapilsrvgdg");
        assert_eq!(domain.middle, domain.query);
        assert_eq!(domain.target, domain.query.to_uppercase());
        assert_eq!(domain.posterior, format!("8{}8", "*".repeat(41)));
        let (totals, hits) = read_texts(RECORDED.map(str::as_bytes), 1).expect("hits");
        assert_eq!((totals.num_hits, hits.len()), (3, 1));
    }

    #[test]
    fn truncated_results_are_rejected() {
        for cut in 0..3 {
            for end in 0..RECORDED[cut].trim_end().len() {
                let mut texts = RECORDED.map(str::as_bytes);
                texts[cut] = &texts[cut][..end];
                assert!(read_texts(texts, 10).is_err(), "{cut}: {end}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_output_is_read_or_rejected(
            edits in prop::collection::vec((0..3_usize, any::<prop::sample::Index>(), 0..40_usize, any::<Vec<u8>>()), 1..6)
        ) {
            let mut texts = RECORDED.map(|text| text.as_bytes().to_vec());
            for (file, start, num_removed, added) in edits {
                let start = start.index(texts[file].len());
                let end = texts[file].len().min(start + num_removed);
                texts[file].splice(start..end, added);
            }
            if let Ok((_, hits)) = read_texts([&texts[0], &texts[1], &texts[2]], 10) {
                for domain in hits.iter().flat_map(|hit| &hit.domains) {
                    prop_assert_eq!(domain.query.len(), domain.target.len());
                }
            }
        }

        #[test]
        fn any_query_is_read_or_rejected(text in "(>[a-z ]{0,5}\n)?[A-Za-z*\\- \n7]{0,40}(HMMER3/f|LENG  9|ALPH  amino|//|\n){0,9}") {
            let _ = crate::Query::profile(&text);
            if let Ok((query, _)) = crate::Query::fasta(&text) {
                prop_assert!(query.length() > 0 && query.file().starts_with(">q\n"));
            }
        }
    }
}
