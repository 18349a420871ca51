//! The fourth stage: what is kept is prepared in the default order, and sorted by the other orders of its type.

mod fields;
mod kept;

pub(crate) use fields::{FieldOrder, FieldOrders};
pub(crate) use kept::in_kept_order;
