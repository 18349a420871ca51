//! Much load, and load for long: overload and soak. Nothing else may run beside them, so they take
//! turns.

mod mix;
mod overload;
mod site;
mod soak;

use std::str::FromStr;

/// Returns a number from the environment, or the usual one. Variables make the tests longer.
fn number_of<T: FromStr>(variable: &str, usual: T) -> T {
    let given = std::env::var(variable).ok();
    given.map_or(usual, |number| number.parse().unwrap_or_else(|_| panic!("{variable}={number}")))
}
