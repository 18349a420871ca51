//! Proteins that are similar to sequences: searches over HTTP and by the command, with a script that stands for HMMER, and others that fail and pretend.
//! What only HMMER itself can show is in `tests/tiers/hmmer`.

mod confined;
mod engines;
mod jobs;
mod queries;
mod served;
