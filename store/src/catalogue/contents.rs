//! What a catalogue generation says of itself in its manifest.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Shape;
use crate::Contents;

/// The folder of the database of resources, inside the generation.
pub(super) const RESOURCES: &str = "resources";

/// The folder of the index, inside the generation.
pub(super) const INDEX: &str = "index";

/// The contents of a catalogue generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CatalogueContents {
    /// The types by name, with where their resources stand.
    pub types: BTreeMap<String, TypeContents>,
    /// How many resources there are.
    pub num_resources: u32,
    /// The CRC-32 over all keys and values of the database of resources, in order.
    pub resources_crc32: u32,
    /// The length of the file of that database; opening it does not make it shorter.
    pub resources_file_bytes: u64,
}

/// The resources of a type.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeContents {
    /// The ordinal of the first one.
    pub first: u32,
    /// How many there are.
    pub num_resources: u32,
    /// Their form, with the members of a resource object at its top.
    pub shape: Shape,
    /// The fields by which they can be ordered, other than by default.
    pub orders: Vec<String>,
}

impl Contents for CatalogueContents {
    const KIND: &'static str = "catalogue";
    const COMMAND: &'static str = "mgdex catalogue load";
    const FORMAT: u32 = 1;
    const OLDEST_FORMAT: u32 = 1;
    const REWRITTEN: &'static [&'static str] = &[RESOURCES];
}
