//! Limits of a program.

use std::time::Duration;

/// The limits of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Bytes of a file.
    pub output_bytes: u64,
    /// Processor time, or `None` for no limit.
    pub cpu_time: Option<Duration>,
    /// Time until it ends, or `None` for no limit.
    pub time: Option<Duration>,
}

/// 4 GiB of memory, files of 256 MiB, 10 minutes of processor time, and 15 minutes in total.
impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 4 << 30,
            output_bytes: 256 << 20,
            cpu_time: Some(Duration::from_mins(10)),
            time: Some(Duration::from_mins(15)),
        }
    }
}
