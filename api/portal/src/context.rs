//! A request to the portal, and what its page is made of.

pub(crate) mod address;
pub(crate) mod assets;
pub(crate) mod document;
pub(crate) mod layout;
pub(crate) mod posted;
pub(crate) mod problem;
pub(crate) mod service;
pub(crate) mod typed_sequence;
pub(crate) mod visit;
