//! The arguments and the work of each command, in one file each.

pub(crate) mod catalogue;
pub(crate) mod cite;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod describe;
pub(crate) mod doctor;
pub(crate) mod facets;
pub(crate) mod files;
pub(crate) mod generations;
pub(crate) mod harvest;
pub(crate) mod index;
pub(crate) mod load;
pub(crate) mod lookup;
pub(crate) mod own;
pub(crate) mod profiles;
pub(crate) mod proteins;
pub(crate) mod query;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod similar;
mod summary;
pub(crate) mod synth;
mod table;
pub(crate) mod token;
pub(crate) mod verify;
