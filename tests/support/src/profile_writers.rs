//! Clients of the profile service that remember acknowledged writes, and the check that a restarted
//! server has them.
//!
//! Each profile has one writer, which has one write under way at a time. So after any fault a
//! profile is either as acknowledged last, or as the write under way makes it.

mod access;
mod connection;
mod contents;
mod damage;
pub mod outcomes;
mod strace;
mod writer;

use std::io::{self, Write};

pub use access::{Access, export, exported, profiles};
pub use connection::{Answer, Connection};
pub use contents::{Contents, Known, State, check_over_http, export_until_failure, settle, try_settle};
pub use damage::{copy_folder, used_bytes};
pub use strace::{Call, Strace, calls};
pub use writer::{Attempt, Mix, Writer, write_until_failure};

/// Prints a result that may be quoted. The test harness would capture `eprintln`, since the test
/// passes.
pub fn print_to_stderr(text: &str) {
    writeln!(io::stderr(), "{text}").expect("stderr");
}

/// Prints the number of writes that survived some faults.
pub fn print_survived(faults: &str, num_acknowledged: u64, num_profiles: usize) {
    print_to_stderr(&format!(
        "{faults}: {num_acknowledged} writes of {num_profiles} profiles were acknowledged, 0 of them lost"
    ));
}
