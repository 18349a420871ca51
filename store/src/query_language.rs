//! The language of queries, in the syntax of Lucene and `UniProt`: conditions, each with a field, put together by `AND`, `OR`, `NOT` and
//! parentheses. What the fields and their values are is told by a [`Grammar`].

mod fault;
mod grammar;
mod lexer;
mod parser;
mod place;

pub use fault::{QueryFault, near_names};
pub use grammar::{Grammar, QueryValue};
pub use lexer::Bound;
pub use parser::{QUERY_BYTES_MAX, QUERY_DEPTH_MAX, QUERY_TERMS_MAX, parse, parse_value};
pub use place::QueryPlace;
