//! Each point that the specification leaves open, by the name of its row in the table of decisions.
//! Some rows have their own files: rights to read and change (`matrix`), tokens
//! (`attacks::tokens`), violations of schemas and missing titles (`validation`), audit (`audit`).

mod bodies;
mod checks;
mod headers;
mod keys;
mod limits;
mod preconditions;
mod searches;
mod tokens;
