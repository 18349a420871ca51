//! The part of the manifest that describes the catalogue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use store::Contents;

use super::Shape;
use super::model::ResourceType;

pub(super) const RESOURCES: &str = "resources";
pub(super) const INDEX: &str = "index";

/// The contents of a catalogue generation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CatalogueContents {
    /// The types by name.
    pub types: BTreeMap<String, TypeContents>,
    /// The number of resources.
    pub num_resources: u32,
    /// The number of missing resources that others name, by type.
    pub missing: BTreeMap<String, u64>,
    /// The number of words of all searched texts.
    pub num_words: u64,
    /// The CRC-32 of all keys and values of the database, in order.
    pub resources_crc32: u32,
    /// The length of the file of the database. Opening the database does not shorten it.
    pub resources_file_bytes: u64,
    /// The harvest of the resources, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harvest: Option<Harvest>,
}

/// A harvest of another service, from which a catalogue was loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Harvest {
    /// The URL of the service.
    pub from: String,
    /// The beginning of the harvest, in seconds since 1970-01-01 UTC. Later changes may be missing.
    pub began_unix_s: u64,
    /// The end of the harvest, in seconds since 1970-01-01 UTC.
    pub finished_unix_s: u64,
}

/// The resources of a type.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeContents {
    /// The ordinal of the first resource.
    pub first: u32,
    /// The number of resources.
    pub num_resources: u32,
    /// The shape of the resource objects.
    pub shape: Shape,
    /// The fields by which the resources can be ordered, in addition to the default order.
    pub orders: Vec<String>,
}

impl CatalogueContents {
    /// Returns the types to display, by name: all except those that are only parts of version 2's
    /// answers.
    pub fn shown_types(&self) -> impl Iterator<Item = (&String, &TypeContents)> {
        self.types.iter().filter(|(name, _)| !ResourceType::is_hidden(name))
    }

    /// Returns the number of bytes of the database for each resource.
    pub fn mean_resource_bytes(&self) -> usize {
        let mean = self.resources_file_bytes / u64::from(self.num_resources).max(1);
        usize::try_from(mean).unwrap_or(usize::MAX)
    }
}

impl Contents for CatalogueContents {
    const KIND: &'static str = "catalogue";
    const COMMAND: &'static str = "mgdex catalogue load";
    const FORMAT: u32 = 6;
    const REWRITTEN: &'static [&'static str] = &[RESOURCES];
}
