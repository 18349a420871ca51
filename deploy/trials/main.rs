//! Trials of several machines on this one: readers and writers do not notice failures in between.

mod directory;
mod network;
mod profiles;
mod replicas;
