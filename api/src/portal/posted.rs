//! Forms that are posted: their fields, of which one may come as a file.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::http::request::Parts;
use futures_util::stream;
use multer::Multipart;

use super::address::Pairs;
use super::problem::PortalProblem;
use crate::http::json_body;
use crate::http::limits::Limits;
use crate::proteins::{BATCH_BYTES_MAX, take_body_memory};

const FORM: &str = "application/x-www-form-urlencoded";
const IN_PARTS: &str = "multipart/form-data";

/// Reads the fields of a form. Its body is as long as that of a batch at most.
///
/// # Errors
///
/// * The body is too long, of another type, or damaged.
/// * The answers under way leave too little memory.
pub(super) async fn read(limits: &Limits, parts: &Parts, body: Body) -> Result<Pairs, PortalProblem> {
    take_body_memory(&body, BATCH_BYTES_MAX)?;
    let bytes = json_body::bytes(limits, &parts.headers, body, (&[FORM, IN_PARTS], BATCH_BYTES_MAX)).await;
    let bytes = bytes.map_err(PortalProblem::of_body)?;
    let content_type =
        parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match multer::parse_boundary(content_type) {
        Ok(boundary) => fields(bytes, boundary).await.map_err(|error| PortalProblem::malformed(&error.to_string())),
        Err(_) => Ok(Pairs::of_bytes(&bytes)),
    }
}

async fn fields(bytes: Vec<u8>, boundary: String) -> Result<Pairs, multer::Error> {
    let mut parts = Multipart::new(stream::iter([Ok::<_, Infallible>(Bytes::from(bytes))]), boundary);
    let mut pairs = Pairs::default();
    while let Some(field) = parts.next_field().await? {
        let name = field.name().unwrap_or_default().to_owned();
        let value = field.bytes().await?;
        pairs = pairs.and(&name, &String::from_utf8_lossy(&value));
    }
    Ok(pairs)
}
