//! A type of resources beside its contents.

use crate::TypeContents;

/// A type of resources, by name.
#[derive(Clone, Copy)]
pub(crate) struct OfType<'a> {
    pub(crate) name: &'a str,
    pub(crate) contents: &'a TypeContents,
}
