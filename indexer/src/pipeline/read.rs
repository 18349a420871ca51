//! The first stage: one thread reads the inputs one after another and cuts them into batches of lines.

use crossbeam::channel::Sender;

use crate::input::{BytesRead, Input};
use crate::lines::{LineBatch, LineReader};
use crate::portal::Columns;
use crate::{Error, Result};

/// Lines of one input.
pub(super) struct RowBatch {
    /// The rank of the batch among all, 0-based.
    pub(super) sequence: u64,
    /// The input, by position.
    pub(super) file: usize,
    /// How its rows are laid out.
    pub(super) columns: Columns,
    /// The lines.
    pub(super) lines: LineBatch,
    /// The line that is the header and no row.
    pub(super) header_line: Option<u64>,
}

/// Reads all inputs. Ends early, without an error, when nobody takes the batches any more.
#[expect(clippy::needless_pass_by_value, reason = "dropping the senders tells the other stages that there is no more")]
pub(super) fn read(
    inputs: &[Input],
    bytes_read: &[BytesRead],
    places: Sender<()>,
    batches: Sender<RowBatch>,
) -> Result<()> {
    let mut sequence = 0;
    for (file, (input, bytes_read)) in inputs.iter().zip(bytes_read).enumerate() {
        let input_error = |line, source| Error::Input { name: input.name(), line, source };
        let mut reader = LineReader::new(input.open(bytes_read).map_err(|source| input_error(0, source))?);
        let mut columns = None;
        while let Some(lines) = reader.next_batch().map_err(|source| input_error(reader.num_lines(), source))? {
            let mut header_line = None;
            if columns.is_none()
                && let Some(first) = lines.lines().find(|line| !line.bytes.is_empty())
            {
                let header = Columns::from_header(first.bytes).map_err(|problem| Error::Table {
                    name: input.name(),
                    line: first.number,
                    problem,
                })?;
                header_line = header.is_some().then_some(first.number);
                columns = Some(header.unwrap_or_default());
            }
            let batch = RowBatch { sequence, file, columns: columns.unwrap_or_default(), lines, header_line };
            if places.send(()).is_err() || batches.send(batch).is_err() {
                return Ok(());
            }
            sequence += 1;
        }
    }
    Ok(())
}
