//! Forms: their fields in order, one of which may be a file.

use std::convert::Infallible;

use axum::body::Bytes;
use futures_util::{FutureExt, stream};
use multer::Multipart;

use super::{BodyFault, Given};
use crate::error::shown;

/// Reads the fields of a form that is encoded like the query of a URL.
pub(super) fn fields(bytes: &[u8], max: (usize, &'static str)) -> Result<Vec<(String, Given)>, BodyFault> {
    let mut fields = Vec::new();
    for (name, value) in form_urlencoded::parse(bytes) {
        push(&mut fields, max, &name, value.into_owned())?;
    }
    Ok(fields)
}

/// Reads the fields of a form in parts.
pub(super) fn parts(
    bytes: Vec<u8>,
    boundary: &str,
    max: (usize, &'static str),
) -> Result<Vec<(String, Given)>, BodyFault> {
    let bytes = stream::iter([Ok::<_, Infallible>(Bytes::from(bytes))]);
    let read = async {
        let (mut parts, mut fields) = (Multipart::new(bytes, boundary), Vec::new());
        while let Some(part) = parts.next_field().await.map_err(|error| malformed(&error))? {
            let name = part.name().unwrap_or_default().to_owned();
            let value = part.bytes().await.map_err(|error| malformed(&error))?;
            push(&mut fields, max, &name, String::from_utf8_lossy(&value).into_owned())?;
        }
        Ok(fields)
    };
    // The whole form is in memory, so that nothing waits.
    read.now_or_never().unwrap_or_else(|| Err(BodyFault::Malformed("The form is incomplete.".to_owned())))
}

fn push(
    fields: &mut Vec<(String, Given)>,
    max: (usize, &'static str),
    name: &str,
    value: String,
) -> Result<(), BodyFault> {
    if fields.len() >= max.0 {
        return Err(BodyFault::TooMany(max));
    }
    fields.push((name.to_owned(), Given::Text(value)));
    Ok(())
}

fn malformed(error: &multer::Error) -> BodyFault {
    BodyFault::Malformed(format!("The form cannot be read: {}.", shown(&error.to_string())))
}
