//! HTTP as all services share it: connections, limits, conditional requests, compression, errors.

pub(crate) mod accept;
pub(crate) mod access;
pub(crate) mod base_url;
pub(crate) mod blocking;
pub(crate) mod client;
pub(crate) mod compression;
pub(crate) mod conditional;
pub(crate) mod cross_site;
pub(crate) mod docs;
pub(crate) mod entity_tags;
pub(crate) mod error;
pub(crate) mod execution;
pub(crate) mod front;
pub(crate) mod host;
pub(crate) mod json;
pub(crate) mod limits;
pub(crate) mod posted;
pub(crate) mod routes;
pub(crate) mod server;
pub(crate) mod streaming;
pub(crate) mod trace_context;
