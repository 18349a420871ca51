//! The promises of own data beside a release: every query covers both, checked against plain scans
//! of the files.

mod beside;
mod carried;
mod killed;
mod plain;
mod scans;
mod source;
