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

/// The request of a harvest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarvestRequest {
    /// The version of mgdex: another version may ask in another order.
    pub version: String,
    /// The base of the server.
    pub from: String,
    /// The version of its interface: [`API`](super::API), or `v1` in the reports of earlier
    /// programs.
    pub api: String,
    /// The amount of data about analyses: `none`, `lists`, `details` or `annotations`.
    pub analyses: String,
    /// The beginning of the previous harvest, whose unchanged parts are reused.
    pub since: Option<String>,
}

/// The report of a harvest, in its folder as `harvest.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HarvestReport {
    /// The request.
    #[serde(flatten)]
    pub request: HarvestRequest,
    /// The beginning of the harvest, in UTC and in the format of RFC 3339.
    pub began: String,
    /// Its end, or `None` while it is under way.
    pub finished: Option<String>,
    /// Requests, including repeated ones. All costs are totals over all runs of the harvest.
    pub requests: u64,
    /// Requests that were repeated.
    pub repeated: u64,
    /// Seconds of pauses between requests.
    pub seconds_waited: u64,
    /// Bytes of answers.
    pub bytes: u64,
    /// The peak memory of its last run, if the system reports it.
    pub peak_memory_bytes: Option<u64>,
    /// The objects by file.
    pub objects: BTreeMap<String, Numbers>,
    /// The numbers of objects in the lists of the server at the beginning.
    pub listed: BTreeMap<String, u64>,
    /// The requests without a usable answer, which are listed in `harvest.skipped.jsonl`.
    pub skipped: u64,
    /// Lists with rows that were not seen.
    pub incomplete: Vec<Incomplete>,
    /// The estimated requests and seconds that are left, while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<RemainingWork>,
}

/// An estimate of the remaining work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemainingWork {
    /// Requests.
    pub requests: u64,
    /// Seconds.
    pub seconds: u64,
}

impl HarvestRequest {
    /// Returns whether both make the same request to the same server.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (&self.from, &self.api, &self.analyses) == (&other.from, &other.api, &other.analyses)
    }
}

impl fmt::Display for HarvestRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "--from {} --analyses {}", self.from, self.analyses)?;
        self.since.iter().try_for_each(|since| write!(formatter, " --since of {since}"))
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

    /// Returns a sentence for each sign that some data of the server is missing.
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
