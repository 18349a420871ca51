//! Data that could not be harvested, and the reasons.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use indexer::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A list with rows that were not seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incomplete {
    /// The path below the base, with the query.
    pub list: String,
    /// The number of rows according to the server.
    pub count: u64,
    /// The number of different rows that were seen.
    pub seen: u64,
}

/// Notes of a harvest.
pub(super) struct Notes {
    path: PathBuf,
    skipped: BufWriter<File>,
    pub(super) num_skipped: u64,
    pub(super) incomplete: Vec<Incomplete>,
}

impl Notes {
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        let file = File::create(&path).map_err(Error::io("cannot create", &path))?;
        Ok(Self { path, skipped: BufWriter::new(file), num_skipped: 0, incomplete: Vec::new() })
    }

    /// Notes a request without a usable answer.
    pub(super) fn skip(&mut self, get: &str, why: &str) -> Result<()> {
        self.num_skipped += 1;
        tracing::debug!("skipped: {get}: {why}");
        let line = json!({"get": get, "why": why});
        writeln!(self.skipped, "{line}").map_err(Error::io("cannot write", &self.path))
    }

    pub(super) fn incomplete(&mut self, path: &str, query: &str, count: u64, seen: u64) {
        let list = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        self.incomplete.push(Incomplete { list, count, seen });
    }

    pub(super) fn finish(&mut self) -> Result<&Path> {
        self.skipped.flush().map_err(Error::io("cannot write", &self.path))?;
        Ok(&self.path)
    }
}
