//! What becomes of inputs: the generations that runs publish, what they refuse, and what stays when they do not end.

mod catalogue;
mod directory;
mod load;
mod other_writer;
mod release;
mod rows;
