//! The profiles of a folder that holds something unexpected, or that two processes open.

mod damaged_store;
mod foreign_folder;
mod two_servers;
