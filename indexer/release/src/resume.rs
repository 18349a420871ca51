//! What was done before? A run writes down in the [`journal`] what it has done. The next one over the same inputs, by their
//! [`fingerprint`], continues what is [`unfinished`].

pub(super) mod fingerprint;
pub(super) mod journal;
pub(super) mod unfinished;
