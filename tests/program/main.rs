//! The program itself: what it prints where, its exit codes, how it starts and stops, real clients of it, other programs
//! that read its results, and a browser that visits its portal; and the manual, whose commands are run.

mod cli;
mod clients;
mod documents;
mod harvest;
mod manual;
mod mgnipy;
mod portal;
mod readers;
mod schemathesis;
mod similar;
mod traces;
