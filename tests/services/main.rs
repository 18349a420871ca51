//! What the services answer: requests to the real router over real stores.

mod across_limits;
mod catalogue;
mod catalogue_limits;
mod catalogue_v2;
mod connections;
mod harvest_age;
mod portal;

mod profiles;
mod proteins;
mod routes;
mod sample;
mod switch;

/// Whether the profiles of these tests are in PostgreSQL.
pub(crate) const IN_POSTGRES: bool = false;
