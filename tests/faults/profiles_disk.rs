//! What becomes of profiles when the folder holds something else than it should, or two processes want it.

mod damaged_store;
mod foreign_folder;
mod two_servers;
