//! Promises to users, which need nothing but Rust to be tested. `README.md` lists the tiers that
//! need more.

mod attacks;
mod cli;
mod faults;
mod field;
mod frozen;
mod harvest;
mod loading;
mod services;
mod similar;
