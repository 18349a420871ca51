//! An estimate of the remaining requests, shown during a harvest and when it is stopped.

use std::time::{Duration, Instant};

use indexer::Result;
use indexer::run::{Progress, Unit};

use super::answers::Answers;
use super::folder::Folder;
use super::report::{HarvestReport, RemainingWork};

/// The interval between reports of a harvest under way.
const NOTE_INTERVAL: Duration = Duration::from_secs(10);

/// The progress of a harvest.
pub(super) struct Estimate<'a> {
    folder: &'a Folder,
    progress: Progress,
    began: Instant,
    noted: Instant,
    /// The expected total number of requests, as far as is known.
    num_expected: u64,
}

impl<'a> Estimate<'a> {
    pub(super) fn new(folder: &'a Folder) -> Self {
        let now = Instant::now();
        let progress = Progress::start("harvesting", Unit::Requests, 1);
        Self { folder, progress, began: now, noted: now, num_expected: 0 }
    }

    /// Expects `num_left` further requests.
    pub(super) fn expect(&mut self, answers: &Answers, num_left: u64) {
        self.num_expected = answers.cost.requests + num_left;
        self.step(answers);
    }

    /// Shows the current position.
    pub(super) fn step(&self, answers: &Answers) {
        let num_left = self.num_expected.saturating_sub(answers.cost.requests);
        self.progress.expect(answers.num_requests + num_left);
        self.progress.set(answers.num_requests);
    }

    pub(super) fn is_due(&self) -> bool {
        self.noted.elapsed() >= NOTE_INTERVAL
    }

    /// Writes a report with the estimate.
    pub(super) fn note(&mut self, answers: &Answers, mut report: HarvestReport) -> Result<()> {
        self.noted = Instant::now();
        let requests = self.num_expected.saturating_sub(answers.cost.requests);
        let millis = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let seconds = requests.saturating_mul(millis) / 1000 / answers.num_requests.max(1);
        report.left = Some(RemainingWork { requests, seconds });
        self.folder.note(&report)
    }

    pub(super) fn finish(&self) {
        self.progress.finish();
    }
}
