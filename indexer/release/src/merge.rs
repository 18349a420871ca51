//! Turns records into an index. [`index`] runs all threads: workers join and index a range each
//! ([`worker`]), and neighbouring ranges are merged into segments ([`collector`]). [`replacements`]
//! adds the accessions that other proteins replace, [`members`] those of the members of clusters,
//! and [`contigs`] the genes on contigs.

mod collector;
pub(super) mod contigs;
pub(super) mod index;
pub(super) mod members;
pub(super) mod replacements;
mod worker;
