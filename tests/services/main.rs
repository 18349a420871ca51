//! What the services answer: requests to the real router over real stores.

mod catalogue;
mod catalogue_limits;
mod connections;
mod portal;

mod profiles;
mod proteins;
mod sample;
mod switch;
