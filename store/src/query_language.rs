//! The language of queries, in the syntax of Lucene and `UniProt`: conditions, each with a field,
//! combined with `AND`, `OR`, `NOT` and parentheses. A text is parsed into a plain tree, with a
//! place for each condition and fault. Then its names are resolved by [`QueryFields`], which knows
//! the fields and their values. It may have to look something up, which can fail.

mod fault;
mod lexer;
mod parser;
mod place;
mod resolver;
mod tree;

pub use fault::{QueryFault, near_names};
pub use lexer::Bound;
pub use parser::{QUERY_BYTES_MAX, QUERY_DEPTH_MAX, lone_value};
pub use place::QueryPlace;
pub use resolver::{QUERY_TERMS_MAX, QueryFields, Resolved, read};
pub use tree::{Nearness, Operator, QueryTree, QueryValue};
