//! The answers of a server. They are kept as they arrive: after a killed run, the next one replays
//! them in the same order, and continues from there.

use std::fs::{DirEntry, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::vec;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use indexer::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::durable;

use super::HarvestLimits;
use super::client::{Answer, Client, Cost, PROBE};

/// After this number of consecutive errors, the server counts as broken unless it answers the
/// probe.
const NUM_FAULTS_MAX: usize = 20;

/// An answer as a line of a file.
#[derive(Serialize, Deserialize)]
struct AnswerLine<'a> {
    get: String,
    cost: Cost,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    json: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// The answers to a sequence of requests.
pub(super) struct Answers {
    client: Client,
    pub(super) limits: HarvestLimits,
    /// The files of earlier runs that were not yet replayed to their ends, and the one that is
    /// being replayed.
    earlier: vec::IntoIter<PathBuf>,
    replaying: Option<BufReader<GzDecoder<BufReader<File>>>>,
    /// The file of this run, which sorts after those of the others.
    path: PathBuf,
    file: GzEncoder<BufWriter<File>>,
    /// Errors since the last answer. If no answer follows, they are not kept, so that the next run
    /// asks again.
    faults: Vec<Vec<u8>>,
    pub(super) cost: Cost,
    /// The number of requests of this run.
    pub(super) num_requests: u64,
}

impl Answers {
    /// Opens the answers that are kept in a folder.
    pub(super) fn open(folder: &Path, client: Client, limits: HarvestLimits) -> Result<Self> {
        let mut earlier: Vec<_> = durable::entries(folder)?.iter().map(DirEntry::path).collect();
        earlier.sort_unstable();
        // Replayed answers must also survive a power cut.
        earlier.iter().try_for_each(|path| durable::sync(path))?;
        let path = folder.join(format!("{:06}.jsonl.gz", earlier.len() + 1));
        let file = File::create_new(&path).map_err(Error::io("cannot create", &path))?;
        let file = GzEncoder::new(BufWriter::new(file), Compression::fast());
        Ok(Self {
            client,
            limits,
            earlier: earlier.into_iter(),
            replaying: None,
            path,
            file,
            faults: Vec::new(),
            cost: Cost::default(),
            num_requests: 0,
        })
    }

    /// Returns the answer of the server to a request, from now or from an earlier run.
    pub(super) fn ask(&mut self, path: &str) -> Result<Answer> {
        if let Some(line) = self.replay()? {
            let folder = self.path.parent().unwrap_or(&self.path);
            let AnswerLine { get, cost, json, fault } = serde_json::from_str(&line).map_err(|_| Error::Refused {
                problem: format!("the answers kept in {} are damaged: remove them", folder.display()),
            })?;
            if get != path {
                let problem = format!(
                    "the answers kept in {} have {get} where {path} is expected: they are damaged, or are from another version or \
                     another --since. Finish the harvest with that one, or remove them",
                    folder.display()
                );
                return Err(Error::Refused { problem });
            }
            self.cost += cost;
            return Ok(match (json, fault) {
                (Some(json), _) => Answer::Json(json.get().to_owned()),
                (None, Some(fault)) => Answer::Fault(fault),
                (None, None) => Answer::Missing,
            });
        }
        let (answer, cost) = self.client.get(path)?;
        self.cost += cost;
        self.num_requests += cost.requests;
        self.keep(path, &answer, cost)?;
        Ok(answer)
    }

    /// Returns the next line of the earlier runs. The last line of each may be cut off, and then
    /// counts as not written.
    fn replay(&mut self) -> Result<Option<String>> {
        loop {
            if let Some(replaying) = &mut self.replaying {
                let mut line = String::new();
                if replaying.read_line(&mut line).is_ok() && line.ends_with('\n') {
                    return Ok(Some(line));
                }
                self.replaying = None;
            }
            let Some(path) = self.earlier.next() else { return Ok(None) };
            let file = File::open(&path).map_err(Error::io("cannot open", &path))?;
            self.replaying = Some(BufReader::new(GzDecoder::new(BufReader::new(file))));
        }
    }

    fn keep(&mut self, path: &str, answer: &Answer, cost: Cost) -> Result<()> {
        let (json, fault) = match answer {
            Answer::Json(text) => (serde_json::from_str(text).ok(), None),
            Answer::Missing => (None, None),
            Answer::Fault(why) => (None, Some(why.clone())),
        };
        let why = fault.clone();
        let mut line = serde_json::to_vec(&AnswerLine { get: path.to_owned(), cost, json, fault })
            .map_err(|_| Error::Internal("an answer has no JSON"))?;
        line.push(b'\n');
        self.faults.push(line);
        let Some(why) = why else { return self.write() };
        if self.faults.len() < NUM_FAULTS_MAX {
            return Ok(());
        }
        // A part of the server may be broken.
        let (answer, cost) = self.client.get(PROBE)?;
        self.cost += cost;
        if matches!(answer, Answer::Json(_)) {
            return self.write();
        }
        let problem = format!(
            "{NUM_FAULTS_MAX} requests in a row failed, the last one for {path}: {why}. The harvest so far is \
             kept: run the same command again to continue"
        );
        Err(Error::Refused { problem })
    }

    /// Writes the pending answers, so that they outlive the process.
    fn write(&mut self) -> Result<()> {
        let file = &mut self.file;
        let written = self.faults.drain(..).try_for_each(|line| file.write_all(&line)).and_then(|()| file.flush());
        written.map_err(Error::io("cannot write", &self.path))
    }

    /// Keeps the errors at the end, too: there are no more requests.
    pub(super) fn finish(mut self) -> Result<()> {
        self.write()
    }
}
