//! The first stage: lines, documents, tables and the resources of the present generation become
//! rows, each good or bad.

mod checks;
mod degrees;
mod document;
mod examples;
mod files;
mod harvest;
mod identity;
mod input;
pub(crate) mod objects;
mod own_accession;
mod own_link;
mod pieces;
mod present;
mod removal;
mod resource;
mod rows;
mod stored;
mod table;

pub use self::removal::Removal;
pub use self::table::TableType;
pub(crate) use checks::Members;
pub(crate) use degrees::{LATITUDE, LONGITUDE, both_degrees, degrees};
pub(crate) use examples::Examples;
pub(crate) use files::{Form, RunFiles};
pub(crate) use harvest::harvest_of;
pub(crate) use identity::{Identifier, Identity};
pub(crate) use own_link::own_path;
pub(crate) use pieces::Limits;
pub(crate) use present::Present;
pub(crate) use removal::Removed;
pub(crate) use resource::{Reference, Relation, Resource, reference_of};
pub(crate) use rows::{Reader, Row};
pub(crate) use stored::damaged;
pub(crate) use table::TableRules;
