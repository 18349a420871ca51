//! Inputs written by other programs, and results read by other programs.

mod other_writer;
mod results;
