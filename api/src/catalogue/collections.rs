//! Which collections there are, and what can be asked of each.

pub(super) mod collection;
pub(super) mod filter;
pub(super) mod lookup;
pub(super) mod outline;
