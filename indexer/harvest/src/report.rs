//! The report of a harvest.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use indexer::Result;
use serde::{Deserialize, Serialize};
use store::durable;

use super::client::Cost;
use super::notes::Incomplete;
use super::objects::Numbers;

/// The file of the report.
pub(super) const REPORT: &str = "harvest.json";

/// What a harvest asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarvestRequest {
    /// The version of mgdex: another may ask in another order.
    pub version: String,
    /// The base of the server.
    pub from: String,
    /// The version of its interface: [`API`](super::API), or `v1` in the reports of earlier programs.
    pub api: String,
    /// How much of analyses: `none`, `lists`, `details` or `annotations`.
    pub analyses: String,
    /// When the harvest before began, from which is carried over what has not changed since.
    pub since: Option<String>,
}

/// The report of a harvest, in its folder as `harvest.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HarvestReport {
    /// What was asked for.
    #[serde(flatten)]
    pub request: HarvestRequest,
    /// When the harvest began, in UTC as in RFC 3339.
    pub began: String,
    /// When it ended, or `None` while it is under way.
    pub finished: Option<String>,
    /// Requests, those repeated included. All costs are those of all runs of the harvest together.
    pub requests: u64,
    /// Requests that were repeated.
    pub repeated: u64,
    /// Seconds in which nothing was asked, so as not to ask too often.
    pub seconds_waited: u64,
    /// Bytes of answers.
    pub bytes: u64,
    /// The most memory that its last run had, if the system tells.
    pub peak_memory_bytes: Option<u64>,
    /// The objects by file.
    pub objects: BTreeMap<String, Numbers>,
    /// The numbers of objects that the lists of the server told at the beginning.
    pub listed: BTreeMap<String, u64>,
    /// The requests that had no usable answer, which are in `harvest.skipped.jsonl`.
    pub skipped: u64,
    /// Lists of which some rows were not seen.
    pub incomplete: Vec<Incomplete>,
    /// About so many requests are left, and as many seconds, while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Left>,
}

/// An estimate of what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Requests.
    pub requests: u64,
    /// Seconds.
    pub seconds: u64,
}

impl HarvestRequest {
    /// Tells whether both ask the same of the same server.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (&self.from, &self.api, &self.analyses) == (&other.from, &other.api, &other.analyses)
    }
}

impl fmt::Display for HarvestRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "--from {} --analyses {}", self.from, self.analyses)?;
        self.since.iter().try_for_each(|since| write!(formatter, " --since that of {since}"))
    }
}

impl HarvestReport {
    pub(super) fn add_cost(&mut self, cost: Cost) {
        let Cost { requests, repeated, bytes, waited_ms } = cost;
        (self.requests, self.repeated, self.bytes, self.seconds_waited) = (requests, repeated, bytes, waited_ms / 1000);
    }

    /// Reads the report of the finished harvest in a folder, or returns `None` if it has none.
    ///
    /// # Errors
    ///
    /// * The report cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        Ok(durable::read_json(&folder.join(REPORT))?)
    }

    /// Returns a sentence for each sign that something of the server is not there.
    pub fn warnings(&self) -> Vec<String> {
        let lists = self
            .incomplete
            .iter()
            .map(|list| format!("{} has {} rows, of which {} were seen", list.list, list.count, list.seen));
        let skipped = (self.skipped > 0).then(|| {
            format!("{} without a usable answer: see harvest.skipped.jsonl", indexer::counted(self.skipped, "request"))
        });
        lists.chain(skipped).collect()
    }
}
