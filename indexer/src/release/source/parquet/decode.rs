//! Calls of the decoder: what goes wrong in it becomes an error of the run, even if it panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Error, Result};

/// The cause of an error.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// Calls the decoder. After an error, nothing that it had in its hands is used any more.
pub(super) fn guarded<T, E: Into<Source>>(
    name: &str,
    row_group: Option<usize>,
    decode: impl FnOnce() -> std::result::Result<T, E>,
) -> Result<T> {
    let source = match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(decoded)) => return Ok(decoded),
        Ok(Err(error)) => error.into(),
        Err(panic) => {
            let message = panic.downcast_ref::<&str>().copied().map(str::to_owned);
            let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            format!("the decoder gave up, so that the file must be damaged: {message}").into()
        }
    };
    Err(Error::Parquet { name: name.to_owned(), row_group, source })
}
