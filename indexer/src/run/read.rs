//! Reading inputs one after another, and working on their pieces on several threads.

use std::io::Read;
use std::sync::atomic::Ordering;

use store::InputEntry;

use super::{Progress, StageReport, Unit};
use crate::Result;
use crate::input::{BytesRead, Input};
use crate::ordered::{Queue, in_order};

/// Passes the position and the decompressed bytes of each input to `read`, which splits them into
/// pieces; otherwise like [`in_order`]. Returns the sizes of the inputs, which are `total_bytes` as
/// far as they are known, and the duration.
pub fn read_in_order<W: Send, R, F: FnMut(W) -> R>(
    inputs: &[Input],
    total_bytes: u64,
    num_threads: usize,
    mut read: impl FnMut(usize, Box<dyn Read + Send>, &mut Queue<W>) -> Result<()> + Send,
    worker: impl Fn() -> F + Sync,
    mut collect: impl FnMut(R) -> Result<()> + Send,
) -> Result<(Vec<InputEntry>, StageReport)> {
    let progress = Progress::start("reading", Unit::Bytes, total_bytes);
    let bytes_read = BytesRead::default();
    let mut entries = Vec::with_capacity(inputs.len());
    let produce = |mut queue: Queue<W>| {
        for (file, input) in inputs.iter().enumerate() {
            let before = bytes_read.load(Ordering::Relaxed);
            let reader = input.open(&bytes_read, None).map_err(|source| input.error(0, source))?;
            read(file, reader, &mut queue)?;
            entries.push(input.entry(bytes_read.load(Ordering::Relaxed) - before));
        }
        Ok(())
    };
    in_order(num_threads, produce, worker, |result| {
        progress.set(bytes_read.load(Ordering::Relaxed));
        collect(result)
    })?;
    Ok((entries, StageReport::new("reading", progress.finish())))
}
