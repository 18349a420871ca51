//! The promises of own data beside a release: every query is over both, checked against plain scans of what the files say.

mod beside;
mod carried;
mod killed;
mod plain;
mod scans;
mod source;
