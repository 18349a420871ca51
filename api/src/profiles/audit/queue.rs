//! The way of the lines to the thread that writes them.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::output::Output;

/// How many lines may wait.
const LINES_MAX: usize = 10_000;

/// How many bytes they may have together. Lines are short, unless somebody writes many long keys.
const BYTES_MAX: usize = 64 << 20;

/// What waits for the thread. Nobody but the thread waits for the output.
#[derive(Default)]
pub(super) struct Queue {
    /// What waits, and what became of the lines before.
    state: Mutex<State>,
    /// Told of every change.
    changed: Condvar,
}

/// What waits, and what became of the lines before.
#[derive(Default)]
struct State {
    /// In the order in which it came.
    waiting: VecDeque<Message>,
    /// How many lines wait.
    num_lines: usize,
    /// How many bytes they have.
    num_bytes: usize,
    /// Whether the thread is writing a line.
    is_writing: bool,
    /// How many lines were lost since it was last told that there are none any more.
    num_lost: u64,
    /// Whether there will be no more lines.
    is_closed: bool,
}

/// What the thread is to do.
enum Message {
    /// Write a line.
    Line(Vec<u8>),
    /// Write the following lines elsewhere.
    Output(Output),
}

impl Queue {
    /// Takes a line. One for which there is no room is lost, which is counted, and logged for the first.
    pub(super) fn push(&self, line: Vec<u8>) {
        let mut state = self.lock();
        if state.num_lines < LINES_MAX && state.num_bytes + line.len() <= BYTES_MAX {
            state.num_lines += 1;
            state.num_bytes += line.len();
            state.waiting.push_back(Message::Line(line));
            self.changed.notify_all();
            return;
        }
        let is_first = state.lose();
        drop(state);
        if is_first {
            tracing::error!("the audit log is not written as fast as lines come: lines are lost until it is");
        }
    }

    /// Makes the lines from now on go elsewhere.
    pub(super) fn change_output(&self, output: Output) {
        self.lock().waiting.push_back(Message::Output(output));
        self.changed.notify_all();
    }

    /// Lets the thread end when all lines are written.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits until no line waits and none is being written, but no longer than that. Tells whether it was so.
    pub(super) fn drain(&self, patience: Duration) -> bool {
        let is_busy = |state: &mut State| state.num_lines > 0 || state.is_writing;
        let waited = self.changed.wait_timeout_while(self.lock(), patience, is_busy);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Writes the lines as they come, until there will be no more.
    pub(super) fn write_to(&self, mut output: Output) {
        while let Some(message) = self.next() {
            match message {
                Message::Line(line) => self.note(output.append(&line)),
                Message::Output(other) => output = other,
            }
        }
    }

    /// Waits for what is to do next; `None` at the end.
    fn next(&self) -> Option<Message> {
        let is_idle = |state: &mut State| state.waiting.is_empty() && !state.is_closed;
        let mut state = self.changed.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
        let message = state.waiting.pop_front()?;
        if let Message::Line(line) = &message {
            state.num_lines -= 1;
            state.num_bytes -= line.len();
            state.is_writing = true;
        }
        Some(message)
    }

    /// Notes what became of a line, and logs the first that is lost, and how many were when no more are.
    fn note(&self, written: io::Result<()>) {
        let mut state = self.lock();
        state.is_writing = false;
        let is_first_lost = written.is_err() && state.lose();
        let has_caught_up = written.is_ok() && state.num_lines <= LINES_MAX / 2 && state.num_bytes <= BYTES_MAX / 2;
        let num_lost = if has_caught_up { std::mem::take(&mut state.num_lost) } else { 0 };
        drop(state);
        self.changed.notify_all();
        if let (Err(error), true) = (written, is_first_lost) {
            tracing::error!(%error, "the audit log cannot be written: lines are lost until it can");
        }
        if num_lost > 0 {
            tracing::warn!(num_lost, "the audit log is written again; some lines were lost");
        }
    }

    /// Waits until nobody else looks or changes something, which takes no time.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Counts a lost line. Tells whether it is the first.
    fn lose(&mut self) -> bool {
        self.num_lost += 1;
        self.num_lost == 1
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::mpsc;
    use std::sync::{Arc, Mutex};

    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    /// A reader that has stopped, until somebody says how many writes it takes.
    struct Stalled {
        goes_on: mpsc::Receiver<()>,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.goes_on.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            self.written.lock().expect("whole").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stalled_output_holds_nobody_up_and_what_does_not_fit_is_counted() {
        let queue = Queue::default();
        let (go_on, goes_on) = mpsc::channel();
        let written = Arc::new(Mutex::new(Vec::new()));
        let output = Output::new(Stalled { goes_on, written: Arc::clone(&written) });
        std::thread::scope(|scope| {
            scope.spawn(|| queue.write_to(output));
            queue.push(b"0\n".to_vec());
            while !queue.lock().is_writing {
                std::thread::yield_now();
            }
            for number in 1..LINES_MAX + 4 {
                queue.push(format!("{number}\n").into_bytes());
            }
            let state = queue.lock();
            assert_eq!((state.num_lines, state.num_lost), (LINES_MAX, 3));
            drop(state);
            assert!(!queue.drain(Duration::from_millis(10)));
            for _ in 0..=LINES_MAX {
                go_on.send(()).expect("it waits");
            }
            assert!(queue.drain(PATIENCE));
            assert_eq!(queue.lock().num_lost, 0, "it was told");
            queue.close();
        });
        let text = String::from_utf8(written.lock().expect("whole").clone()).expect("text");
        assert!(text.lines().eq((0..=LINES_MAX).map(|number| number.to_string())), "{text}");
    }

    #[test]
    fn long_lines_do_not_take_all_memory() {
        let queue = Queue::default();
        for _ in 0..3 {
            queue.push(vec![b'x'; BYTES_MAX / 2]);
        }
        let state = queue.lock();
        assert_eq!((state.num_lines, state.num_lost), (2, 1));
    }
}
