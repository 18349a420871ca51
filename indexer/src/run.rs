//! The parts that all runs share: disk space, a draft, the rows of each input, progress, the
//! report, publishing.

mod acceptance;
mod carrying;
mod changes;
mod checksums;
mod contigs;
mod file_report;
mod notes;
pub mod preflight;
mod progress;
mod read;
mod rejection;
mod replaced;
mod report;
mod rows;
mod survey;
mod workspace;

pub use acceptance::Acceptance;
pub use carrying::carry_own;
pub use changes::{Change, Changes, open_present, read_present};
pub use checksums::index_checksums;
pub use contigs::{ContigsReport, GeneSorter, index_contigs_of_records};
pub use file_report::{FileReport, Noted, NotedRows, PassedOver};
pub use notes::Notes;
pub use progress::{Progress, Unit};
pub use read::read_in_order;
pub use rejection::{Reason, RejectedRow, Rejection, RowOrigin, excerpt, one_line};
pub use replaced::{ReplacedReport, Replacements, examine, replacement_warnings};
pub use report::{LoadReport, ReleaseReport, Report, StageReport, inputs_without_good_row, peak_memory_bytes};
pub use rows::{REJECTS, REJECTS_OF_FAILED_RUN, RejectLimit, Rows};
pub use survey::{Check, Survey};
pub use workspace::{Built, Published, Workspace, origin, publish, write_report};
