//! The queue of lines for the thread that writes them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::output::Output;

/// The most lines that wait, each of at most 4 KiB.
const LINES_MAX: usize = 10_000;

/// The sending end. Sending never blocks; a line that finds the queue full is lost.
pub(super) struct Queue {
    messages: Sender<Message>,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    num_waiting: AtomicUsize,
    /// Lines that were lost since the number was last logged.
    num_lost: AtomicU64,
}

enum Message {
    Line(Vec<u8>),
    Output(Output),
    /// Answer when all earlier messages are written or lost.
    Drain(Sender<()>),
}

impl Queue {
    /// Starts the thread, which ends when this is dropped and all lines are written.
    pub(super) fn start(output: Output) -> io::Result<Self> {
        let (messages, received) = mpsc::channel();
        let counters = Arc::<Counters>::default();
        let thread_counters = Arc::clone(&counters);
        // The thread is never joined: an output that accepts no more must not keep the process from
        // ending.
        thread::Builder::new().name("audit".to_owned()).spawn(move || thread_counters.write(received, output))?;
        Ok(Self { messages, counters })
    }

    /// Queues a line. If the queue is full, the line is lost and counted, and the first loss is
    /// logged.
    pub(super) fn push(&self, line: Vec<u8>) {
        if self.counters.num_waiting.fetch_add(1, Ordering::SeqCst) < LINES_MAX {
            // The thread ends after this queue.
            let _ = self.messages.send(Message::Line(line));
            return;
        }
        self.counters.num_waiting.fetch_sub(1, Ordering::SeqCst);
        if self.counters.lose() {
            tracing::error!("the audit log cannot be written as fast as lines arrive: lines are lost until it can be");
        }
    }

    pub(super) fn change_output(&self, output: Output) {
        let _ = self.messages.send(Message::Output(output));
    }

    /// Waits until all lines so far are written or lost, and returns whether that took at most
    /// `patience`.
    pub(super) fn drain(&self, patience: Duration) -> bool {
        let (answer, answered) = mpsc::channel();
        self.messages.send(Message::Drain(answer)).is_ok() && answered.recv_timeout(patience).is_ok()
    }
}

impl Counters {
    fn write(&self, messages: Receiver<Message>, mut output: Output) {
        for message in messages {
            match message {
                Message::Line(line) => {
                    self.num_waiting.fetch_sub(1, Ordering::SeqCst);
                    self.note(output.append(&line));
                }
                Message::Output(other) => output = other,
                // The sender may have stopped waiting.
                Message::Drain(answer) => drop(answer.send(())),
            }
        }
    }

    /// Logs the first lost line and, once the queue has caught up, the number of lost lines.
    fn note(&self, written: io::Result<()>) {
        match written {
            Err(error) if self.lose() => {
                tracing::error!(%error, "the audit log cannot be written: lines are lost until it can be");
            }
            Err(_) => {}
            Ok(()) => {
                let has_caught_up = self.num_waiting.load(Ordering::SeqCst) <= LINES_MAX / 2;
                let num_lost = if has_caught_up { self.num_lost.swap(0, Ordering::SeqCst) } else { 0 };
                if num_lost > 0 {
                    tracing::warn!(num_lost, "the audit log is written again; some lines were lost");
                }
            }
        }
    }

    /// Counts a lost line, and returns whether it is the first.
    fn lose(&self) -> bool {
        self.num_lost.fetch_add(1, Ordering::SeqCst) == 0
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Mutex;

    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    /// A reader that has stopped, until the test says how many writes it accepts.
    struct Stalled {
        allowed: Receiver<()>,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.allowed.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            self.written.lock().expect("whole").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn counts(queue: &Queue) -> (usize, u64) {
        (queue.counters.num_waiting.load(Ordering::SeqCst), queue.counters.num_lost.load(Ordering::SeqCst))
    }

    #[test]
    fn stalled_outputs_block_nobody_and_lost_lines_are_counted() {
        let (allow, allowed) = mpsc::channel();
        let written = Arc::new(Mutex::new(Vec::new()));
        let queue = Queue::start(Output::new(Stalled { allowed, written: Arc::clone(&written) })).expect("a thread");
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
            allow.send(()).expect("it waits");
        }
        assert!(queue.drain(PATIENCE));
        assert_eq!(counts(&queue), (0, 0), "the loss was logged");
        let text = String::from_utf8(written.lock().expect("whole").clone()).expect("text");
        assert!(text.lines().eq((0..=LINES_MAX).map(|number| number.to_string())), "{text}");
    }
}
