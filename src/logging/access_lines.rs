//! Writing lines about answered requests to standard error, by a thread.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use store::lock;

/// The most bytes of lines that may wait to be written. If requests are answered faster than lines
/// are written, further lines are lost.
const WAITING_BYTES_MAX: usize = 1 << 20;

/// The time for which lines are gathered and then written together: waking a thread and writing
/// takes longer than making a line.
const GATHERING: Duration = Duration::from_millis(10);

/// The time limit for the last lines.
const LAST_LINES_PATIENCE: Duration = Duration::from_secs(1);

/// Lines that wait for the thread that writes them. No request waits for it.
pub(super) struct AccessLines(Arc<Queue>);

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Wakes the thread for the first line and for the end, and wakes those that wait for the
    /// thread to end.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    num_lost: u64,
    /// If set, the thread writes the waiting lines, and ends.
    is_closed: bool,
    has_ended: bool,
}

impl AccessLines {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// * The system cannot start a thread.
    pub(super) fn start(output: impl Write + Send + 'static) -> io::Result<Self> {
        let queue = Arc::<Queue>::default();
        let thread_queue = Arc::clone(&queue);
        // The thread is never joined: an output that accepts no more must not keep the process from
        // ending.
        thread::Builder::new().name("access log".to_owned()).spawn(move || thread_queue.write_to(output))?;
        Ok(Self(queue))
    }

    /// Returns the number of lost lines.
    pub(super) fn num_lost(&self) -> u64 {
        lock(&self.0.state).num_lost
    }

    /// Ends the thread when it has written all lines, and waits for it, but not forever.
    pub(super) fn close(&self) {
        let mut state = lock(&self.0.state);
        state.is_closed = true;
        self.0.changed.notify_all();
        drop(self.0.changed.wait_timeout_while(state, LAST_LINES_PATIENCE, |state| !state.has_ended));
    }
}

/// Accepts only whole lines.
impl Write for &AccessLines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut state = lock(&self.0.state);
        if state.waiting.len() + line.len() > WAITING_BYTES_MAX {
            state.num_lost += 1;
            return Ok(line.len());
        }
        let is_first = state.waiting.is_empty();
        state.waiting.extend_from_slice(line);
        drop(state);
        if is_first {
            self.0.changed.notify_all();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Queue {
    fn write_to(&self, mut output: impl Write) {
        let (mut lines, mut is_closed) = (Vec::new(), false);
        while !is_closed {
            let is_idle = |state: &mut State| state.waiting.is_empty() && !state.is_closed;
            let state = self.changed.wait_while(lock(&self.state), is_idle).unwrap_or_else(PoisonError::into_inner);
            let gathered = self.changed.wait_timeout_while(state, GATHERING, |state| !state.is_closed);
            let (mut state, _) = gathered.unwrap_or_else(PoisonError::into_inner);
            mem::swap(&mut lines, &mut state.waiting);
            is_closed = state.is_closed;
            drop(state);
            // If standard error cannot be written, this cannot be reported anywhere.
            let _ = output.write_all(&lines);
            lines.clear();
        }
        lock(&self.state).has_ended = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Sends on the written bytes, and waits until they are received.
    struct Slow(mpsc::SyncSender<Vec<u8>>);

    impl Write for Slow {
        fn write(&mut self, written: &[u8]) -> io::Result<usize> {
            self.0.send(written.to_vec()).map_err(io::Error::other)?;
            Ok(written.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_order_including_the_last_ones() {
        let (output, written) = mpsc::sync_channel(100);
        let lines = AccessLines::start(Slow(output)).expect("a thread");
        let (mut expected, mut found) = (String::new(), Vec::new());
        for number in 0..1000 {
            let line = format!("line {number}\n");
            (&lines).write_all(line.as_bytes()).expect("room");
            expected += &line;
            if number == 500 {
                found.extend(written.recv().expect("it is written without an end"));
            }
        }
        lines.close();
        found.extend(written.iter().flatten());
        assert_eq!(String::from_utf8(found).expect("text"), expected);
        assert_eq!(lines.num_lost(), 0);
    }

    #[test]
    fn lines_are_lost_and_counted_while_the_output_blocks() {
        let (output, written) = mpsc::sync_channel(0);
        let lines = AccessLines::start(Slow(output)).expect("a thread");
        let line = vec![b'x'; WAITING_BYTES_MAX / 4];
        (&lines).write_all(&line).expect("room");
        while !lock(&lines.0.state).waiting.is_empty() {
            thread::sleep(GATHERING);
        }
        for _ in 0..6 {
            (&lines).write_all(&line).expect("room");
        }
        assert_eq!(lines.num_lost(), 2);
        assert_eq!([written.recv(), written.recv()].map(|written| written.expect("lines").len() / line.len()), [1, 4]);
        (&lines).write_all(b"line\n").expect("room");
        assert_eq!(written.recv().expect("a line"), b"line\n");
        assert_eq!(lines.num_lost(), 2);
    }
}
