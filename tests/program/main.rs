//! The program itself: what it prints where, its exit codes, how it starts and stops, real clients of it, and other
//! programs that read its results; and a browser that visits its portal.

mod cli;
mod clients;
mod documents;
mod harvest;
mod mgnipy;
mod portal;
mod readers;
mod schemathesis;
mod similar;
mod traces;
