//! Continues earlier runs. A run records its finished work in the [`journal`]. The next run over
//! the same inputs, compared by their [`fingerprint`], continues the [`unfinished`] one.

pub(super) mod fingerprint;
pub(super) mod journal;
pub(super) mod unfinished;
