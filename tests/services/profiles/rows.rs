//! Each point that the specification leaves open, by the name of its row in the table of decisions. Rows with a file of their own: who may
//! read and change what (`matrix`), tokens (`attacks::tokens`), results that would break a schema and missing titles (`validation`), audit
//! (`audit`).

mod bodies;
mod checks;
mod headers;
mod keys;
mod limits;
mod preconditions;
mod searches;
mod tokens;
