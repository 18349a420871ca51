//! The context of a request, and the parts of its answer.

pub(crate) mod address;
pub(crate) mod assets;
pub(crate) mod document;
pub(crate) mod layout;
pub(crate) mod page_context;
pub(crate) mod posted;
pub(crate) mod problem;
pub(crate) mod service;
pub(crate) mod typed_sequence;
