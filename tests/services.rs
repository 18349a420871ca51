//! What the services answer: requests to the real router over real stores.

mod across_limits;
mod backend;
pub(crate) mod catalogue;
mod catalogue_limits;
mod catalogue_v2;
mod connections;
mod cross_site;
mod harvest_age;
mod portal;
mod profiles;
mod proteins;
mod routes;
mod sample;
mod switch;
