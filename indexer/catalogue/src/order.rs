//! The fourth stage: kept resources are prepared in the default order, and sorted by the other
//! orders of their type.

mod fields;
mod kept;

pub(crate) use fields::{FieldOrder, FieldOrders};
pub(crate) use kept::in_kept_order;
