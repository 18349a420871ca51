//! Several machines: publishers, object stores and replicas, databases that lie, and collectors of
//! traces. All replicas serve the publications, whatever fails in between.

mod altered;
mod away;
mod directory;
mod killed;
mod lying_database;
mod own;
mod publishers;
mod serving;
mod settings;
mod signed;
mod stores;
mod traces;
mod web;
