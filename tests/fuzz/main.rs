//! Whatever the bytes of an input are, it is read or refused: never with a panic, an internal error
//! or a wrong result.

mod inputs;
#[path = "targets/list.rs"]
mod targets;
