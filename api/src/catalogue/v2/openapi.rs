//! The description of version 2.
pub(crate) fn description() -> utoipa::openapi::OpenApi { utoipa::openapi::OpenApi::default() }
