//! Errors of an engine.

/// The reason why an engine gives no answer; the text is for the log.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It has too much to do.
    #[error("too many queries are running")]
    Overloaded,
    /// The question takes more work than one answer may take.
    #[error("the query takes too much work")]
    TooMuchWork,
    /// An internal error of the engine.
    #[error(transparent)]
    Fault(#[from] Box<dyn std::error::Error + Send + Sync>),
}

impl SourceError {
    /// Wraps another error as an internal error.
    pub fn fault(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Fault(Box::new(error))
    }
}

impl From<store::Error> for SourceError {
    fn from(error: store::Error) -> Self {
        Self::fault(error)
    }
}
