//! A model of `store/mirror`: publishers with leases, an object store, and replicas that follow it.
//! It is checked in any order of steps and crashes.
//!
//! A step of the model is one request, or one change on a replica's disk. These are abstract:
//!
//! * **Time** passes in grace periods. None passes while a replica fetches a superseded generation:
//!   it must be done by then, as the manual says of `--grace`. The times that publishers wait for
//!   are left out: a lease can be taken over at any moment.
//! * **A request that needs the lease** takes effect while its publisher has the lease, or never.
//!   `Lease::hold` of the code ensures this as far as clocks can.
//! * **Versions** of the pointer are its contents, as entity tags are.

#![cfg(test)]

mod follower;
mod model;
mod publisher;
mod store;
mod tests;
