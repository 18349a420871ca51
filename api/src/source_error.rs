//! Faults of an engine.

/// Why an engine gives no answer; the text is for the log.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It has too much to do.
    #[error("too many queries are under way")]
    Overloaded,
    /// The data were loaded in a format that lacks what is asked for. The text is for the client.
    #[error("{0}")]
    Lacking(String),
    /// A fault of the engine.
    #[error(transparent)]
    Fault(#[from] Box<dyn std::error::Error + Send + Sync>),
}

impl From<store::Error> for SourceError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Lacking { what, command, .. } => {
                Self::Lacking(format!("The index lacks {what}: build it again with `{command}`."))
            }
            error => Self::Fault(Box::new(error)),
        }
    }
}
