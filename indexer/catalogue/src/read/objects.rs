//! Objects of version 2, as a harvest has them in files of their own: each is taken apart.

mod files;
mod ids;
mod kind;
mod occurrences;

pub(crate) use files::Folder;
pub(crate) use ids::{first_accession, is_ena, is_id, texts};
pub(crate) use kind::{Kind, owner, parts_of};
pub(crate) use occurrences::{Occurrence, Told, complete, told, updated_at};
