//! Reading schemas, and checking profiles against their schemas, without occupying all cores.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use store::UserReference;
use tokio::sync::Semaphore;

use super::schemas::Schemas;
use super::turns::TurnsByKey;
use super::waiting::{wait_for, wait_until};
use crate::{AttributeSchema, SchemaError, SchemaLimits};
use crate::{Profile, Refusal};

/// The time a caller waits for its turn to have a schema read.
const READING_PATIENCE: Duration = Duration::from_secs(5);

/// Bounds the work on schemas. Calls block.
pub struct SchemaChecks {
    schemas: Schemas,
    /// One schema at a time for each caller.
    readers: TurnsByKey<UserReference>,
    /// The limit of all work together: half of the cores are left for other work.
    work: Semaphore,
}

impl SchemaChecks {
    /// Starts with no schema compiled.
    pub fn new() -> Self {
        let num_cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self { schemas: Schemas::new(), readers: TurnsByKey::default(), work: Semaphore::new((num_cores / 2).max(1)) }
    }

    /// Reads a schema. Returns `None` if other schemas keep the cores busy for too long.
    pub fn read(&self, caller: UserReference, text: &str, limits: SchemaLimits) -> Option<Result<(), SchemaError>> {
        let turn = async { (self.readers.wait(caller).await, self.work.acquire().await) };
        let _turn = wait_until(READING_PATIENCE, turn)?;
        Some(AttributeSchema::parse(text, limits).map(drop))
    }

    /// Checks the attributes of a profile against its schema, if it has one.
    ///
    /// # Errors
    ///
    /// * The attributes do not conform.
    pub fn check(&self, profile: &Profile) -> Result<(), Refusal> {
        let _permit = wait_for(self.work.acquire());
        self.schemas.check(profile)
    }
}

impl Default for SchemaChecks {
    fn default() -> Self {
        Self::new()
    }
}
