//! Proteins that are similar to sequences: searches over HTTP and by the command, with a script in
//! place of HMMER, and others that fail or pretend. Tests that need HMMER itself are in
//! `tests/tiers/hmmer`.

mod confined;
mod engines;
mod jobs;
mod queries;
mod served;
