//! Time of the processor: what other processes do at the same time lengthens it little.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the time that the processor has spent on this thread.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().expect("positive"), time.tv_nsec.try_into().expect("positive"))
}
