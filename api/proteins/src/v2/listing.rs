//! Pages of lists with a cursor, and their streams.

use std::fmt::Display;
use std::mem;

use api_http::SourceError;
use api_http::json::json_answer;
use axum::response::Response;
use serde::Serialize;

use super::search::{link_next, next_url};
use crate::question::{Answer, Question};
use crate::shared::result_format::ResultFormat;

/// Returns the address of the page after a cursor.
pub(super) fn next_page(question: &Question, cursor: impl Display) -> String {
    next_url(&question.url(), question.query(), &cursor.to_string())
}

/// Answers with a page, and links to the next one.
pub(super) fn linked_page(page: &impl Serialize, next: Option<&str>) -> Answer {
    let mut response = json_answer(serde_json::to_vec(page)?);
    link_next(&mut response, next);
    Ok(response)
}

/// Streams items, at most `part` at a time and `num_left` in all, after a head. `write_next` writes
/// at most a number of items that follow those before, and returns their number.
pub(super) fn stream(
    format: ResultFormat,
    name: &str,
    mut head: Vec<u8>,
    mut num_left: u64,
    part: usize,
    mut write_next: impl FnMut(usize, &mut Vec<u8>) -> Result<usize, SourceError> + Send + 'static,
) -> Response {
    format.stream(name, move || {
        if num_left == 0 {
            return Ok(None);
        }
        let wanted = usize::try_from(num_left).map_or(part, |left| left.min(part));
        let mut text = mem::take(&mut head);
        let num_written = write_next(wanted, &mut text)?;
        num_left = if num_written < wanted { 0 } else { num_left - num_written as u64 };
        Ok(Some(text))
    })
}
