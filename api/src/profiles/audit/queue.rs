//! The way of the lines to the thread that writes them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::output::Output;

/// How many lines may wait.
const LINES_MAX: usize = 10_000;

/// How many bytes they may have together.
const BYTES_MAX: usize = 64 << 20;

/// The sending end. Sending never blocks; a line that finds the queue full is lost.
pub(super) struct Queue {
    messages: Sender<Message>,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    /// Lines that wait.
    waiting_lines: AtomicUsize,
    /// The bytes of the lines that wait.
    waiting_bytes: AtomicUsize,
    /// Lines that were lost since the log last said how many.
    lost_lines: AtomicU64,
}

enum Message {
    Line(Vec<u8>),
    /// Write the following lines here.
    Output(Output),
    /// Answer when everything before is written or lost.
    Drain(Sender<()>),
}

impl Queue {
    /// Starts the thread, which ends when this is dropped and all lines are written.
    pub(super) fn start(output: Output) -> io::Result<Self> {
        let (messages, received) = mpsc::channel();
        let counters = Arc::<Counters>::default();
        let of_thread = Arc::clone(&counters);
        // It is never joined: an output that takes no more must not keep the process from ending.
        thread::Builder::new().name("audit".to_owned()).spawn(move || of_thread.write(received, output))?;
        Ok(Self { messages, counters })
    }

    /// Queues a line. One for which there is no room is lost, which is counted, and logged for the first.
    pub(super) fn push(&self, line: Vec<u8>) {
        if self.counters.add(line.len()) && self.messages.send(Message::Line(line)).is_ok() {
            return;
        }
        if self.counters.lose() {
            tracing::error!("the audit log is not written as fast as lines come: lines are lost until it is");
        }
    }

    /// Writes the following lines elsewhere.
    pub(super) fn change_output(&self, output: Output) {
        let _ = self.messages.send(Message::Output(output));
    }

    /// Waits until all lines so far are written or lost, and returns whether that took no longer than `patience`.
    pub(super) fn drain(&self, patience: Duration) -> bool {
        let (answer, answered) = mpsc::channel();
        self.messages.send(Message::Drain(answer)).is_ok() && answered.recv_timeout(patience).is_ok()
    }
}

impl Counters {
    /// Counts a line that is to wait, and returns whether there is room for it.
    fn add(&self, num_bytes: usize) -> bool {
        let lines_before = self.waiting_lines.fetch_add(1, Ordering::SeqCst);
        let bytes_before = self.waiting_bytes.fetch_add(num_bytes, Ordering::SeqCst);
        let has_room = lines_before < LINES_MAX && bytes_before + num_bytes <= BYTES_MAX;
        if !has_room {
            self.remove(num_bytes);
        }
        has_room
    }

    fn remove(&self, num_bytes: usize) {
        self.waiting_lines.fetch_sub(1, Ordering::SeqCst);
        self.waiting_bytes.fetch_sub(num_bytes, Ordering::SeqCst);
    }

    fn write(&self, messages: Receiver<Message>, mut output: Output) {
        for message in messages {
            match message {
                Message::Line(line) => {
                    self.remove(line.len());
                    self.note(output.append(&line));
                }
                Message::Output(other) => output = other,
                // Nobody may be waiting any longer.
                Message::Drain(answer) => drop(answer.send(())),
            }
        }
    }

    /// Logs the first lost line, and how many were lost once the queue has caught up.
    fn note(&self, written: io::Result<()>) {
        match written {
            Err(error) if self.lose() => {
                tracing::error!(%error, "the audit log cannot be written: lines are lost until it can");
            }
            Err(_) => {}
            Ok(()) => {
                let has_caught_up = self.waiting_lines.load(Ordering::SeqCst) <= LINES_MAX / 2
                    && self.waiting_bytes.load(Ordering::SeqCst) <= BYTES_MAX / 2;
                let num_lost = if has_caught_up { self.lost_lines.swap(0, Ordering::SeqCst) } else { 0 };
                if num_lost > 0 {
                    tracing::warn!(num_lost, "the audit log is written again; some lines were lost");
                }
            }
        }
    }

    /// Counts a lost line, and returns whether it is the first.
    fn lose(&self) -> bool {
        self.lost_lines.fetch_add(1, Ordering::SeqCst) == 0
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Mutex;

    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    /// A reader that has stopped, until somebody says how many writes it takes.
    struct Stalled {
        goes_on: Receiver<()>,
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

    fn counts(queue: &Queue) -> (usize, u64) {
        (queue.counters.waiting_lines.load(Ordering::SeqCst), queue.counters.lost_lines.load(Ordering::SeqCst))
    }

    #[test]
    fn a_stalled_output_holds_nobody_up_and_what_does_not_fit_is_counted() {
        let (go_on, goes_on) = mpsc::channel();
        let written = Arc::new(Mutex::new(Vec::new()));
        let queue = Queue::start(Output::new(Stalled { goes_on, written: Arc::clone(&written) })).expect("a thread");
        queue.push(b"0\n".to_vec());
        while counts(&queue).0 > 0 {
            thread::yield_now();
        }
        for number in 1..LINES_MAX + 4 {
            queue.push(format!("{number}\n").into_bytes());
        }
        assert_eq!(counts(&queue), (LINES_MAX, 3));
        assert!(!queue.drain(Duration::from_millis(10)));
        for _ in 0..=LINES_MAX {
            go_on.send(()).expect("it waits");
        }
        assert!(queue.drain(PATIENCE));
        assert_eq!(counts(&queue), (0, 0), "it was told");
        let text = String::from_utf8(written.lock().expect("whole").clone()).expect("text");
        assert!(text.lines().eq((0..=LINES_MAX).map(|number| number.to_string())), "{text}");
    }

    #[test]
    fn long_lines_do_not_take_all_memory() {
        let (_go_on, goes_on) = mpsc::channel();
        let queue = Queue::start(Output::new(Stalled { goes_on, written: Arc::default() })).expect("a thread");
        queue.push(vec![b'x']);
        while counts(&queue).0 > 0 {
            thread::yield_now();
        }
        for _ in 0..3 {
            queue.push(vec![b'x'; BYTES_MAX / 2]);
        }
        assert_eq!(counts(&queue), (2, 1));
    }
}
