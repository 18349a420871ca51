//! Faults of an engine.

/// A fault of the engine; the text is for the log.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct SourceError(#[from] Box<dyn std::error::Error + Send + Sync>);
