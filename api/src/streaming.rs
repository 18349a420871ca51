//! Answers that are written while they are read from the engine.

/// The mark of an answer whose body is a stream: an extension of the response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streamed;
