//! Objects of version 2 from the files of a harvest, split into their parts.

mod files;
mod ids;
mod kind;
mod occurrences;

pub(crate) use files::Folder;
pub(crate) use ids::{first_accession, is_ena, is_id, texts};
pub(crate) use kind::{Kind, owner, parts_of};
pub(crate) use occurrences::{LineFacts, Occurrence, complete, line_facts, updated_at};
