//! Writes: the rules that they obey, and their order.

pub(super) mod engine;
pub(super) mod rules;
pub(super) mod schema_checks;
pub(super) mod schemas;
pub(super) mod turns;
pub(super) mod waiting;
pub(super) mod write;
pub(super) mod writing;
