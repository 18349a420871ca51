//! The program itself: what it prints where, its exit codes, how it starts and stops, and a real client of it.

mod cli;
mod clients;
