//! Objects of version 2, as a harvest has them in files of their own: each is taken apart.

mod files;
pub(crate) mod ids;
mod kind;
mod occurrences;

pub(crate) use files::Files;
pub(crate) use kind::{owner, parts_of};
pub(crate) use occurrences::{Occurrence, Told, complete, told, updated_at};
