//! Searches for similar proteins over HTTP, at the real server: with an engine that finds hits, and
//! with others that wait, fail or pretend.

mod answers;
mod clock;
mod failing;
mod headers;
mod hostile;
mod killed;
mod off;
mod pages;
mod private;
mod removed;
mod requesters;
mod shares;
mod switched;
mod together;
mod waiting;
