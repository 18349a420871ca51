//! The names before the colons of conditions.

use api_http::SourceError;
use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
    name_of_version_1,
};
use store_catalogue::{Coordinate, Shape};

use crate::collections::Collection;
use crate::collections::filter::{Filter, FilterScope};
use crate::snapshot::Snapshot;

/// The field of a condition.
#[derive(Clone, Debug)]
pub(super) enum Field {
    /// The biome, or a biome below it.
    Biome,
    /// The biome itself.
    BiomeExact,
    Has,
    /// Resources of this type that are linked with the resource.
    Linked(&'static str),
    Coordinate(Coordinate),
    /// An attribute. Its name has underscores.
    Attribute(String),
    Filter(&'static Filter),
    /// The entries of metadata with this key.
    Metadata(String),
}

pub(super) const BIOME: &str = "biome";
pub(super) const BIOME_EXACT: &str = "biome_exact";
pub(super) const HAS: &str = "has";

/// The types of linked resources, by the names that conditions use.
pub(super) const KINDS: [(&str, &str); 9] = [
    ("sample", SAMPLES),
    ("study", STUDIES),
    ("run", RUNS),
    ("assembly", ASSEMBLIES),
    ("analysis", ANALYSIS_JOBS),
    ("publication", PUBLICATIONS),
    ("genome", GENOMES),
    ("genome_catalogue", GENOME_CATALOGUES),
    ("super_study", SUPER_STUDIES),
];

/// Attributes that have conditions of their own or can only be searched.
const NOT_COMPARED: [&str; 4] = ["sample-metadata", "study-abstract", "sample-desc", "pub-abstract"];

impl Field {
    /// Finds the field of a name that has the same meaning in all collections.
    pub(super) fn reserved(name: &str) -> Option<Self> {
        let plain = plain(name);
        let linked = KINDS.into_iter().map(|(known, resource_type)| (known, Self::Linked(resource_type)));
        let reserved = [(BIOME, Self::Biome), (BIOME_EXACT, Self::BiomeExact), (HAS, Self::Has)];
        reserved.into_iter().chain(linked).find(|(known, _)| *known == plain).map(|(_, field)| field)
    }

    /// Finds the field of a name: first among attributes, then filters, then keys of metadata.
    pub(super) fn named(name: &str, collection: &Collection, snapshot: &Snapshot) -> Result<Option<Self>, SourceError> {
        if let Some(field) = Self::reserved(name) {
            return Ok(Some(field));
        }
        let plain = plain(name);
        let is_attribute = |name: &str| attributes(collection, snapshot).any(|known| known == name);
        let of_version_2 = || name_of_version_1(&collection.resource_type, &plain).filter(|name| is_attribute(name));
        if let Some(name) = Some(plain.clone()).filter(|name| is_attribute(name)).or_else(of_version_2) {
            return Ok(Some(match &*name {
                "latitude" => Self::Coordinate(Coordinate::Latitude),
                "longitude" => Self::Coordinate(Coordinate::Longitude),
                _ => Self::Attribute(name),
            }));
        }
        if let Some(filter) = collection.filters().find(|filter| filter.name == plain) {
            return Ok(Some(Self::Filter(filter)));
        }
        let is_key = collection.metadata_scope().is_some() && !snapshot.known_keys(name)?.is_empty();
        Ok(is_key.then(|| Self::Metadata(name.to_owned())))
    }

    /// Returns a description of the accepted values.
    pub(super) const fn understood(&self) -> &'static str {
        match self {
            Self::Biome | Self::BiomeExact => "a full lineage such as \"root:Environmental:Aquatic\", or *",
            Self::Has => "proteins, or (proteins: …) with a query of proteins such as pfam:PF00005",
            Self::Linked(_) => "an accession, *, or conditions in parentheses",
            Self::Coordinate(_) => "degrees, or a range such as [-10 TO 10] or >60",
            Self::Attribute(_) => {
                "a text, in which * stands for any part, a number, a date, or a range such as >=2016-03"
            }
            Self::Filter(_) => "a value of the filter",
            Self::Metadata(_) => {
                "a text, a number, or a range such as >30 or [5 TO 6.5], optionally followed by a unit as in >30[°C], or *"
            }
        }
    }
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

/// Returns the names of the fields of a collection.
pub(super) fn names(collection: &Collection, snapshot: &Snapshot) -> Vec<String> {
    let reserved = [BIOME, BIOME_EXACT, HAS].into_iter().chain(KINDS.map(|(name, _)| name));
    let filters = collection.filters().map(|filter| filter.name);
    let mut names: Vec<String> = reserved.chain(filters).map(str::to_owned).collect();
    names.extend(attributes(collection, snapshot));
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns whether an attribute of a collection is a number.
pub(super) fn is_number(name: &str, collection: &Collection, snapshot: &Snapshot) -> bool {
    shapes(collection, snapshot).any(|(known, shape)| known.replace('-', "_") == name && shape.is_number())
}

fn shapes<'a>(collection: &Collection, snapshot: &'a Snapshot) -> impl Iterator<Item = (&'a String, &'a Shape)> {
    let contents = snapshot.contents().types.get(&*collection.resource_type);
    let attributes = contents.and_then(|contents| contents.shape.members.get("attributes"));
    attributes.into_iter().flat_map(|attributes| &attributes.members)
}

/// Returns the names of the attributes that resources have or that filters check.
fn attributes(collection: &Collection, snapshot: &Snapshot) -> impl Iterator<Item = String> {
    let names = shapes(collection, snapshot).map(|(name, _)| name);
    let names = names.filter(|name| !NOT_COMPARED.contains(&name.as_str())).map(|name| name.replace('-', "_"));
    let of_filters = collection.filters().filter_map(|filter| filter.kind.attribute());
    let own = of_filters.filter(|(_, scope)| *scope == FilterScope::Own);
    names.chain(own.map(|(name, _)| name.to_owned()))
}
