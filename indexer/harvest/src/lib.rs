#![doc = include_str!("../README.md")]

mod answers;
mod client;
mod estimate;
mod folder;
mod lines;
mod notes;
mod objects;
mod pages;
mod previous;
mod report;
mod version_2;
mod walk;
mod writer;

use std::path::PathBuf;
use std::time::Duration;

use indexer::{Error, Result};
use strum::{EnumString, IntoStaticStr, VariantNames};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use url::Url;

pub use self::notes::Incomplete;
pub use self::objects::Numbers;
pub use self::report::{HarvestReport, HarvestRequest, RemainingWork};

use self::answers::Answers;
use self::client::{Client, without_secrets};
use self::estimate::Estimate;
use self::folder::Folder;
use self::notes::Notes;
use self::previous::Previous;
use self::walk::Walk;
use self::writer::Writer;

/// The version of the interface that is harvested.
pub const API: &str = "v2";

/// A type with fewer objects than this may lose most of them.
const SHRINKING_MIN: u64 = 10;

/// The amount of data about analyses that is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Analyses {
    /// None of them.
    None,
    /// The rows in the lists of studies.
    Lists,
    /// Each analysis with its downloads and quality control. Also includes assemblies with their
    /// genomes, and objects that belong to no study.
    Details,
    /// Everything: also annotations of analyses, genomes and publications.
    Annotations,
}

/// Limits for the answers of a server: a broken or malicious one might never stop.
#[derive(Clone, Copy, Debug)]
pub struct HarvestLimits {
    /// The most objects of a type, and rows of a list.
    pub objects_max: u64,
    /// The most rows of a page; by default ten times the requested number.
    pub page_objects_max: Option<u64>,
}

impl HarvestLimits {
    /// Returns an error if there are too many objects.
    fn check(self, what: &str, num_objects: u64) -> Result<()> {
        if num_objects <= self.objects_max {
            return Ok(());
        }
        let problem = format!(
            "{what} has more than {} objects. The harvest so far is kept: run the same command with a larger --max-objects to continue",
            self.objects_max
        );
        Err(Error::Refused { problem })
    }
}

/// The settings of a harvest.
#[derive(Clone, Debug)]
pub struct HarvestPlan {
    /// The server, with or without the path of the interface.
    pub from: Url,
    /// The folder for the harvest.
    pub to: PathBuf,
    /// The amount of data about analyses.
    pub analyses: Analyses,
    /// A folder with an earlier harvest; its unchanged parts are reused. It may be the same folder,
    /// and may have no harvest yet.
    pub since: Option<PathBuf>,
    /// The least time between requests.
    pub interval: Duration,
    /// The first pause before a request is repeated. It doubles each time.
    pub pause: Duration,
    /// The limits for the answers of the server.
    pub limits: HarvestLimits,
    /// Accept a harvest with less than half of the objects of a type in the previous harvest.
    pub allow_shrink: bool,
}

impl HarvestPlan {
    /// Harvests, or continues an earlier run that was stopped.
    ///
    /// # Errors
    ///
    /// * The server is unavailable and stays so, or gives no usable answers: the harvested data is
    ///   kept, and the same plan continues with it.
    /// * The folder has an unfinished harvest with another request.
    /// * The earlier harvest is of another server or amount, or damaged.
    /// * Most of a type is gone, and that was not allowed: the folder is unchanged.
    /// * The disk fails or is full.
    pub fn run(&self) -> Result<HarvestReport> {
        let base = self.base()?;
        let folder = Folder::open(&self.to)?;
        let from = without_secrets(&base);
        let settled = folder.settle()?;
        let before = self.since.as_deref().map_or(Ok(None), HarvestReport::read)?;
        let request = HarvestRequest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            from: from.into(),
            api: API.to_owned(),
            analyses: <&str>::from(self.analyses).to_owned(),
            since: before.as_ref().map(|before| before.began.clone()),
        };
        if let Some(report) = settled.filter(|report| report.request.is_like(&request)) {
            return Ok(report);
        }
        if let Some(HarvestReport { request: of_before, .. }) = &before
            && !of_before.is_like(&request)
        {
            let problem = format!("the previous harvest is {of_before}: use the same options, or leave out --since");
            return Err(Error::Refused { problem });
        }
        let since = self.since.clone().filter(|_| before.is_some());
        let there = HarvestReport::read(&self.to)?;
        let before = there.or(before);
        let report =
            folder.begin(HarvestReport { request, began: now(), ..HarvestReport::default() }, self.allow_shrink)?;
        let names: Vec<&str> = version_2::KINDS.iter().map(|kind| kind.name).collect();
        let previous = since.as_deref().map(|since| Previous::open(since, &names)).transpose()?;
        let mut walk = Walk {
            answers: Answers::open(&folder.answers(), Client::new(base, self.interval, self.pause)?, self.limits)?,
            notes: Notes::create(folder.files().join("harvest.skipped.jsonl"))?,
            writer: Writer::create(&folder.files(), version_2::KINDS, previous)?,
            since,
            analyses: self.analyses,
            report,
            estimate: Estimate::new(&folder),
        };
        if let Err(error) = version_2::harvest(&mut walk) {
            walk.note()?;
            return Err(error);
        }
        let (mut report, empty) = walk.finish()?;
        report.finished = Some(now());
        if let Some(before) = before.filter(|_| !self.allow_shrink) {
            check_size(&before, &report).inspect_err(|_| drop(folder.refuse()))?;
        }
        folder.finish(&report, &empty)?;
        Ok(report)
    }

    /// Returns the address that all requests begin with, with a trailing slash.
    fn base(&self) -> Result<Url> {
        let mut base = self.from.clone();
        let name = without_secrets(&base);
        if !matches!(base.scheme(), "http" | "https") {
            let problem = format!("{name} is not the address of a server, which begins with http:// or https://");
            return Err(Error::Refused { problem });
        }
        if base.query().is_some() || base.fragment().is_some() {
            let problem = format!("{name} is not a base URL: it has a query or a fragment");
            return Err(Error::Refused { problem });
        }
        let path = base.path().trim_end_matches('/');
        let path = if path.is_empty() { format!("/metagenomics/api/{API}") } else { path.to_owned() };
        base.set_path(&format!("{path}/"));
        Ok(base)
    }
}

fn now() -> String {
    let now = OffsetDateTime::now_utc();
    now.replace_nanosecond(0).unwrap_or(now).format(&Rfc3339).unwrap_or_else(|error| error.to_string())
}

/// Checks that a harvest has not lost most objects of a type, which suggests a broken server.
fn check_size(before: &HarvestReport, report: &HarvestReport) -> Result<()> {
    let total = |report: &HarvestReport, name: &str| report.objects.get(name).map_or(0, |numbers| numbers.total);
    let is_lost =
        |name: &&String| total(before, name) >= SHRINKING_MIN && total(report, name) < total(before, name).div_ceil(2);
    let lost = before.objects.keys().filter(is_lost);
    let lost: Vec<_> =
        lost.map(|name| format!("{name}: {} before, {} now", total(before, name), total(report, name))).collect();
    if lost.is_empty() || !before.request.is_like(&report.request) {
        return Ok(());
    }
    let problem = format!(
        "most objects of a type are missing ({}), so the previous harvest is kept. If this is intended, run the same command with \
         --allow-shrink: it repeats no request",
        lost.join("; ")
    );
    Err(Error::Refused { problem })
}
