//! Faults of an engine.

/// Why an engine gives no answer; the text is for the log.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It has too much to do.
    #[error("too many queries are under way")]
    Overloaded,
    /// The question takes more work than may be done for one answer.
    #[error("the question takes too much work")]
    TooMuchWork,
    /// A fault of the engine.
    #[error(transparent)]
    Fault(#[from] Box<dyn std::error::Error + Send + Sync>),
}

impl SourceError {
    /// Wraps a fault of something else.
    pub fn fault(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Fault(Box::new(error))
    }
}

impl From<store::Error> for SourceError {
    fn from(error: store::Error) -> Self {
        Self::fault(error)
    }
}
