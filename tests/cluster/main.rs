//! Several machines, on this one: what fails in between does not reach those who read or write.

mod directory;
mod network;
mod profiles;
mod replicas;
