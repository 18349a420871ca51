//! The promises of profiles that depend on the store, by the tests of `tests/services/profiles`.

#[path = "../../../services/profiles/answer.rs"]
mod answer;
#[path = "../../../services/profiles/audit.rs"]
mod audit;
#[path = "../../../services/profiles/concurrency.rs"]
mod concurrency;
#[path = "../../../services/profiles/erasure.rs"]
mod erasure;
#[path = "../../../services/profiles/harness.rs"]
pub(crate) mod harness;
#[path = "../../../services/profiles/matrix.rs"]
mod matrix;
#[path = "../../../services/profiles/model.rs"]
mod model;
#[path = "../../../services/profiles/read_only.rs"]
mod read_only;
#[path = "../../../services/profiles/signing.rs"]
mod signing;
