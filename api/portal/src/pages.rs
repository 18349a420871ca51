//! One file per page, except pages with modules of their own.

pub(crate) mod architectures;
pub(crate) mod biome;
pub(crate) mod clan;
pub(crate) mod compare;
pub(crate) mod contrast;
pub(crate) mod family;
pub(crate) mod find;
pub(crate) mod glossary;
pub(crate) mod home;
pub(crate) mod places;
pub(crate) mod problem_page;
pub(crate) mod profile;
pub(crate) mod protein;
pub(crate) mod resource;
pub(crate) mod resources;
pub(crate) mod status;
