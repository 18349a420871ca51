//! Limits of a program that is run.

use std::time::Duration;

/// What a program may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Bytes of a file.
    pub output_bytes: u64,
    /// Time of the processor, or `None` for any.
    pub cpu_time: Option<Duration>,
    /// Time until it ends, or `None` for any.
    pub time: Option<Duration>,
}

/// 4 GiB of memory, files of 256 MiB, 10 minutes of the processor, and 15 minutes in all.
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
