//! Reads a request: its path, format and parameters.

pub(super) mod conditions;
pub(super) mod context;
pub(super) mod fields;
pub(super) mod filters;
pub(super) mod list_request;
pub(super) mod negotiation;
pub(super) mod ordering;
pub(super) mod paging;
pub(super) mod parameters;
pub(super) mod query;
pub(super) mod similar_names;
pub(super) mod target;
