//! The second stage: threads read resources, and say what they are known by and where they stand in order.

use std::sync::{Arc, LazyLock};

use store::model::{RESOURCE_TYPES, SortKey, VERSION};

use super::FoundIn;
use super::document::split;
use super::entry::identifiers;
use super::orders::default_key;
use super::read::{Content, Piece, ResourceBatch};
use super::resource::{IS_PRIVATE, Resource};
use super::winners::{Identifier, Identity};
use crate::lines::Line;
use crate::run::{Reason, RejectedRow, Rejection};

/// The attributes that are read of a resource in this stage: those of its default order, and what says whether it counts.
static ATTRIBUTES_READ: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let orders = RESOURCE_TYPES.iter().flat_map(|known| known.default_order);
    let ordered_by = orders.filter_map(|(key, _)| SortKey::attribute(*key));
    [IS_PRIVATE, VERSION].into_iter().chain(ordered_by).collect()
});

/// The resources of a piece, checked.
#[derive(Default)]
pub(super) struct Checked {
    /// The input, by position.
    pub(super) file: usize,
    /// The good ones.
    pub(super) resources: Vec<CheckedResource>,
    /// The bad ones.
    pub(super) rejected: Vec<RejectedRow>,
}

/// A good resource.
pub(super) struct CheckedResource {
    /// What it is known by.
    pub(super) identity: Identity,
    /// It stands in `included`.
    pub(super) is_included: bool,
    /// It must not be shown.
    pub(super) is_private: bool,
    /// If it must not be shown, what else it would be known by.
    pub(super) private_names: Vec<Identity>,
    /// Where it stands in order.
    pub(super) key: Box<[u8]>,
    /// The related collection in which it was found.
    pub(super) found_in: Option<Arc<FoundIn>>,
    /// Its JSON, as it came.
    pub(super) text: Box<str>,
}

/// Checks the resources of a piece.
pub(super) fn check(identifier: &Identifier, line_bytes_max: usize, piece: Piece) -> Checked {
    let mut checked = Checked { file: piece.file, ..Checked::default() };
    match piece.content {
        Content::Rejected(row) => checked.rejected.push(row),
        Content::Lines(batch) => {
            for line in batch.lines().filter(|line| !line.bytes.trim_ascii().is_empty()) {
                if let Err(rejection) = checked.add_line(identifier, line_bytes_max, line) {
                    checked.reject(line.number, rejection, line.bytes);
                }
            }
        }
        Content::Resources(ResourceBatch { found_in, text, resources }) => {
            for (range, line, is_included) in resources {
                checked.add(identifier, &text[range], line, (is_included, found_in.as_ref()));
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
            .map_err(|error| Rejection::new(Reason::UnreadableJson, format!("it is no UTF-8 text: {error}")))?;
        let document = split(text)?;
        if let Some((text, rejection)) = document.bad_included {
            self.reject(line.number, rejection, text.as_bytes());
        }
        let found_in = document.found_in.map(Arc::new);
        for (text, is_included) in document.resources {
            self.add(identifier, text, line.number, (is_included, found_in.as_ref()));
        }
        Ok(())
    }

    /// Adds a resource, whether it is good or bad. What was found in a related collection is its members, and not what is included.
    fn add(
        &mut self,
        identifier: &Identifier,
        text: &str,
        line: u64,
        (is_included, found_in): (bool, Option<&Arc<FoundIn>>),
    ) {
        let resource = match Resource::parse_in_part(text, &ATTRIBUTES_READ) {
            Ok(resource) => resource,
            Err(rejection) => return self.reject(line, rejection, text.as_bytes()),
        };
        let private_names = if resource.is_private() { names(identifier, text) } else { Vec::new() };
        self.resources.push(CheckedResource {
            identity: identifier.identify(&resource.kind, &resource.id, resource.version()),
            is_included,
            is_private: resource.is_private(),
            private_names,
            key: default_key(&resource),
            found_in: found_in.filter(|_| !is_included).cloned(),
            text: text.into(),
        });
    }

    /// Adds a bad row.
    fn reject(&mut self, line: u64, rejection: Rejection, text: &[u8]) {
        self.rejected.push(rejection.of_row(line, text));
    }
}

/// Returns what a good resource may be known by, read whole.
fn names(identifier: &Identifier, text: &str) -> Vec<Identity> {
    let resource = Resource::parse(text).ok();
    let names = resource.iter().flat_map(|resource| {
        identifiers(resource).into_iter().map(|name| identifier.identify(&resource.kind, &name, None))
    });
    names.collect()
}
