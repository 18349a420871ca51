//! The progress of stages with millions of quick steps.

use indexer::{Progress, Unit};

/// How many steps there are between two updates of the display, which take longer than a step.
const UPDATE_STEPS: u64 = 1024;

pub(crate) struct Steps {
    progress: Progress,
    num_done: u64,
}

impl Steps {
    pub(crate) fn start(name: &'static str, unit: Unit, total: u64) -> Self {
        Self { progress: Progress::start(name, unit, total), num_done: 0 }
    }

    pub(crate) fn add(&mut self, num_steps: u64) {
        let num_updates = self.num_done / UPDATE_STEPS;
        self.num_done += num_steps;
        if self.num_done / UPDATE_STEPS > num_updates {
            self.progress.set(self.num_done);
        }
    }

    pub(crate) fn finish(mut self) {
        self.progress.set(self.num_done);
        self.progress.finish();
    }
}
