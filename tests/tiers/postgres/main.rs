//! Profiles in PostgreSQL: the same promises as in the embedded store, and those that only a
//! database has.

mod database;
mod services;
