//! Requests to the real router over real stores, and the answers of the services.

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
