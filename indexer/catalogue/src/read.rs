//! The first stage: lines, documents, tables and the resources of the present generation become rows, each of them good or bad.

pub(crate) mod degrees;
mod document;
pub(crate) mod harvest;
pub(crate) mod identity;
mod input;
pub(crate) mod objects;
mod own_accession;
pub(crate) mod own_link;
pub(crate) mod pieces;
pub(crate) mod present;
pub(crate) mod resource;
pub(crate) mod rows;
pub(crate) mod table;
