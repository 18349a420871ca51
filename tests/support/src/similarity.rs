//! Searches for similar proteins: data, a scripted engine, servers, and clients of them.

pub mod alike;
pub mod bodies;
pub mod client;
pub mod command;
pub mod engine;
pub mod proteins;
pub mod site;
