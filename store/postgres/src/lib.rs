#![doc = include_str!("../README.md")]

mod address;
mod batcher;
mod changes;
mod connections;
mod connector;
mod export;
mod fault;
mod health;
mod import;
mod leader;
mod lookup;
mod migrations;
mod row;
mod source;
mod tls;
mod writing;

pub use address::{AddressError, DatabaseAddress};
pub use source::{PostgresConfig, PostgresError, PostgresProfiles};
pub use store_profiles::Imported;
