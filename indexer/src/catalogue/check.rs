//! The first half of a load, on several threads: resources are checked, and get their identities and sort keys.

use std::sync::Arc;

use super::Relation;
use super::document::split;
use super::entry::identifiers;
use super::orders::default_key;
use super::pieces::{Content, Piece, ResourceBatch};
use super::resource::Resource;
use super::winners::{Identifier, Identity};
use crate::lines::Line;
use crate::run::{Reason, RejectedRow, Rejection};

#[derive(Default)]
pub(super) struct Checked {
    /// The input, by position.
    pub(super) file: usize,
    pub(super) resources: Vec<CheckedResource>,
    pub(super) rejected: Vec<RejectedRow>,
}

pub(super) struct CheckedResource {
    pub(super) identity: Identity,
    pub(super) is_included: bool,
    pub(super) is_private: bool,
    /// If it is private, all that it can be named by.
    pub(super) private_names: Vec<Identity>,
    pub(super) key: Box<[u8]>,
    /// The related collection that lists it.
    pub(super) found_in: Option<Arc<Relation>>,
    pub(super) text: Box<str>,
}

pub(super) fn check(identifier: &Identifier, line_bytes_max: usize, piece: Piece) -> Checked {
    let mut checked = Checked { file: piece.file, ..Checked::default() };
    match piece.content {
        Content::Rejected(row) => checked.rejected.push(row),
        Content::Lines(batch) => {
            for line in batch.lines().filter(|line| !line.bytes.trim_ascii().is_empty()) {
                if let Err(rejection) = checked.add_line(identifier, line_bytes_max, line) {
                    checked.rejected.push(rejection.of_row(line.number, line.bytes));
                }
            }
        }
        Content::Resources(ResourceBatch { found_in, resources }) => {
            for (text, line, is_included) in resources {
                checked.add(identifier, &text, line, (is_included, found_in.as_ref()));
            }
        }
    }
    checked
}

impl Checked {
    /// Adds a line: a resource, or a document.
    fn add_line(&mut self, identifier: &Identifier, line_bytes_max: usize, line: Line<'_>) -> Result<(), Rejection> {
        if line.is_cut {
            let detail = format!("longer than {line_bytes_max} bytes: raise --memory");
            return Err(Rejection::new(Reason::TooLong, detail));
        }
        let text = str::from_utf8(line.bytes)
            .map_err(|error| Rejection::new(Reason::UnreadableJson, format!("it is not UTF-8 text: {error}")))?;
        let document = split(text)?;
        if let Some((text, rejection)) = document.bad_included {
            self.rejected.push(rejection.of_row(line.number, text.as_bytes()));
        }
        let found_in = document.found_in.map(Arc::new);
        for (text, is_included) in document.resources {
            self.add(identifier, text, line.number, (is_included, found_in.as_ref()));
        }
        Ok(())
    }

    /// Adds a resource, whether it is good or bad. A related collection lists what is in `data`, and not what is in `included`.
    pub(super) fn add(
        &mut self,
        identifier: &Identifier,
        text: &str,
        line: u64,
        (is_included, found_in): (bool, Option<&Arc<Relation>>),
    ) {
        let resource = match Resource::parse(text) {
            Ok(resource) => resource,
            Err(rejection) => return self.rejected.push(rejection.of_row(line, text.as_bytes())),
        };
        let is_private = resource.is_private();
        let names = if is_private { identifiers(&resource) } else { Vec::new() };
        let identity_of = |name: &String| identifier.identify(&resource.kind, name, None);
        self.resources.push(CheckedResource {
            identity: identifier.identify(&resource.kind, &resource.id, resource.version()),
            is_included,
            is_private,
            private_names: names.iter().map(identity_of).collect(),
            key: default_key(&resource),
            found_in: found_in.filter(|_| !is_included).cloned(),
            text: text.into(),
        });
    }
}
