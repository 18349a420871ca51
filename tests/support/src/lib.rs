//! Shared code of tests and benches: bundled data, data folders, requests to the real router, the
//! real program, disks that can be filled and cut off, and networks whose links can be cut.
#![allow(clippy::missing_panics_doc, reason = "a test fails by panicking")]
#![allow(clippy::new_without_default, reason = "a new folder or disk is not a default")]
#![allow(missing_docs, reason = "fields of answers are named as in HTTP")]

mod bundled;
pub mod embedded;
pub mod failing_calls;
pub mod families;
mod folder;
pub mod generation;
mod hostile;
mod http_server;
pub mod machine;
pub mod measure;
pub mod network;
pub mod postgres;
pub mod process;
pub mod profile_writers;
mod program;
pub mod release;
pub mod replicas;
mod request;
pub mod similarity;
pub mod states;
pub mod tables;
mod tier;

pub use bundled::{SAMPLE, data, data_text, project};
pub use folder::{TestFolder, services};
pub use hostile::{HOSTILE, SCRIPT, TEXTS, hostile};
pub use http_server::HttpServer;
pub use program::program;
pub use request::{Answer, PROTEINS, PROTEINS_V2, encoded, get, get_protein, post, send, send_body};
pub use tier::{needed, needed_program, needed_python};
