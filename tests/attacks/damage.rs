//! Damage on the disk: bits that flip in the files of a generation, and files that are truncated
//! while they are served. Each is reported; none stops another service, and none causes a wrong
//! answer without an error.

mod bits;
mod service;
