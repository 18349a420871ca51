//! Several machines, on this one: what fails in between does not reach those who read.

mod directory;
mod network;
mod profiles;
