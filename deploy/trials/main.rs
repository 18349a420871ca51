//! Trials of several machines on this one: readers and writers do not notice what fails in between.

mod directory;
mod network;
mod profiles;
mod replicas;
