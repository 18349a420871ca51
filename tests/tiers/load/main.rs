//! Much load, and load for long: overload and soak. Nothing else may run beside them, so they take
//! turns.

mod mix;
mod overload;
mod site;
mod soak;
