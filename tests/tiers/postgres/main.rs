//! Profiles in PostgreSQL: the same promises as in the embedded store, and what only a database has.

mod database;
mod services;
