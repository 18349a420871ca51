//! Clients of the field, unchanged, and a tester that knows the service by its description alone.

mod clients_of_version_1;
mod documents;
mod mgnipy;
mod producers;
mod schemathesis;
