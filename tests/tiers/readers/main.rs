//! Other programs' writers of what is loaded, and readers of what is answered.

mod other_writer;
mod results;
