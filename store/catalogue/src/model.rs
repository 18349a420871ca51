//! The types of the catalogue, with identifiers, orders and relations. Types that are not in the
//! table are served, too, by their names.

mod document_members;
pub(crate) mod lineage_path;
mod metadata_names;
mod resource_types;
mod type_names;
mod words;

pub use document_members::{document_members, num_listed_members};
pub use lineage_path::lineage_path;
pub use metadata_names::{METADATA_ATTRIBUTES, METADATA_KEYS, attribute_of_key, same_keys};
pub use resource_types::RESOURCE_TYPES;
pub use type_names::*;
pub use words::{
    EXPERIMENT_TYPE_WORDS, experiment_label, experiment_type, name_of_version_1, pipeline, pipeline_label,
    value_of_version_1,
};

/// The lineage above all others.
pub const ROOT: &str = "root";

/// The attribute with the accession of a resource.
pub const ACCESSION: &str = "accession";

/// The attribute with the version of a tool.
pub const VERSION: &str = "version";

/// The attribute with the lineage of the document of a resource. The lineage of the resource itself
/// may be that of its study.
pub const DOCUMENT_LINEAGE: &str = "@lineage";

/// The prefix of attributes with dates in their canonical form, where the resource has another one.
pub const CANONICAL_DATE: &str = "@date:";

/// The prefix of attributes that a sample has only in its metadata.
pub const OF_METADATA: &str = "@metadata:";

/// The suffixes of paths that select a format, after a dot.
pub const FORMAT_SUFFIXES: [&str; 4] = ["json", "csv", "ndjson", "api"];

/// A type of resource.
#[derive(Clone, Copy, Debug)]
pub struct ResourceType {
    /// The name, which is the member `type` of its resources.
    pub name: &'static str,
    /// The path of its collection below the prefix of the service, without a slash.
    pub path: &'static str,
    /// The name of a single resource.
    pub singular: &'static str,
    /// The identifiers of a resource, the main one first.
    pub identifiers: &'static [Identifier],
    /// The prefix of the number in an id, if ids have numbers: `MGYS` in `MGYS00000257`.
    pub numbering: Option<&'static str>,
    /// The relationships to one resource whose ids are searched with the texts of the resource.
    pub searched: &'static [&'static str],
    /// The relationship to the biomes of a resource itself. `None` means all relationships.
    pub biome_relation: Option<&'static str>,
    /// The default order of the collection. Ties stay in the order of the input.
    pub default_order: &'static [(SortKey, Direction)],
    /// The tie breakers of all other orders. Remaining ties stay in the default order.
    pub tie: &'static [SortKey],
    /// The other orders by name: the keys are ascending.
    pub orders: &'static [(&'static str, SortKey)],
    /// The orders of version 2 by name, which begins with `@`. All ties are in the order of
    /// `document_key`.
    pub document_orders: &'static [(&'static str, SortKey)],
    /// The member of documents that identifies them.
    pub document_key: &'static str,
    /// The related collections of a resource.
    pub relations: &'static [Relation],
}

/// An identifier of a resource among those of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identifier {
    /// The id.
    Id,
    /// The number in the id, without leading zeros.
    Number,
    /// An attribute.
    Attribute(&'static str),
    /// The id and the version, as in `InterProScan/5.0`.
    WithVersion,
    /// The lower-case id and the version.
    LowercaseWithVersion,
}

/// A key by which resources are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// An attribute as text, by code point.
    Text(&'static str),
    /// An attribute as a number.
    Number(&'static str),
    /// The accession, or the id of a resource without an accession.
    Accession,
    /// The id.
    Id,
    /// The number in the id.
    IdNumber,
    /// An attribute as a version: numbers between dots, so that 4.10 is above 4.9.
    Version(&'static str),
    /// The id of the one resource that a relationship names.
    Named(&'static str),
    /// The root first, then all other biomes.
    IsBelowRoot,
    /// A member of the document, a number or a text, in the order of PostgreSQL: null is the
    /// greatest. The `Z` at the end of a time does not count.
    Document(&'static str),
    /// The path of the lineage, level by level.
    LineagePath,
}

impl SortKey {
    /// Returns the attribute that the key is read from, if any.
    pub fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Text(name) | Self::Number(name) | Self::Version(name) => Some(name),
            Self::Accession => Some(ACCESSION),
            _ => None,
        }
    }
}

/// The direction of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

/// A related collection of a resource.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// The name, at the end of the path and usually in `relationships`.
    pub name: &'static str,
    /// The types of its members; several if the real service uses several names.
    pub member_types: &'static [&'static str],
    /// The way in which its members are found.
    pub members: Members,
    /// The order of the list if the request has none, unless it is the default order of the
    /// members' type.
    pub order: Option<&'static str>,
}

/// The way in which the members of a related collection are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// One of parent and member names the other in its relationships, or the member was found in
    /// this related collection.
    Linked,
    /// Likewise; the parent `all` means every resource of the members' type.
    LinkedOrAll,
    /// The member names the parent in its relationships.
    Naming,
    /// Resources in the biome or below it.
    InLineage,
    /// Resources in the biome itself.
    InBiome,
    /// The biome and all biomes below it.
    Descendants,
    /// An attribute of the member is the id of the parent. The name of the attribute, with
    /// underscores.
    Having(&'static str),
    /// Samples that a resource of this type names. An attribute of that resource is the id of the
    /// parent.
    SamplesHaving(&'static str, &'static str),
    /// The member names a study that is linked with the parent.
    OfStudies,
    /// The coordinates of the samples of the study.
    Places,
    /// The metadata entries of the sample.
    MetadataEntries,
}

impl Members {
    /// Returns whether the members are resources themselves, and not made from other resources.
    pub fn are_resources(self) -> bool {
        !matches!(self, Self::Places | Self::MetadataEntries)
    }
}

impl ResourceType {
    /// Returns the type with a name, if it has special rules.
    ///
    /// ```
    /// use store_catalogue::model::ResourceType;
    ///
    /// assert_eq!(ResourceType::named("cog-cats").map(|known| known.path), Some("cogs"));
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        RESOURCE_TYPES.iter().find(|known| known.name == name)
    }

    /// Returns the type whose collection has a path, if it has special rules.
    pub fn at_path(path: &str) -> Option<&'static Self> {
        RESOURCE_TYPES.iter().find(|known| known.path == path)
    }

    /// Returns whether resources of a type are only parts of version 2's answers. Such types are
    /// not in lists of types.
    pub fn is_hidden(name: &str) -> bool {
        name.starts_with('@')
    }

    /// Returns the rules of a type, special or not.
    pub fn rules_of(name: &str) -> &'static Self {
        Self::named(name).unwrap_or(&ANY_OTHER)
    }

    /// Returns the identifiers of a resource, each once, from its id and its attributes as text.
    pub fn identifiers_of(&self, id: &str, attribute: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let with_version = |id: &str| attribute(VERSION).map_or(id.to_owned(), |version| format!("{id}/{version}"));
        let mut identifiers = Vec::new();
        for identifier in self.identifiers {
            let found = match identifier {
                Identifier::Id => Some(id.to_owned()),
                Identifier::Number => self.number_of(id).map(str::to_owned),
                Identifier::Attribute(name) => attribute(name),
                Identifier::WithVersion => Some(with_version(id)),
                Identifier::LowercaseWithVersion => Some(with_version(&id.to_lowercase())),
            };
            identifiers.extend(found.filter(|found| !found.is_empty() && !identifiers.contains(found)));
        }
        identifiers
    }

    /// Returns the digits of the number in an id, without leading zeros: `257` for `MGYS00000257`.
    pub fn number_of<'a>(&self, id: &'a str) -> Option<&'a str> {
        digits(id.strip_prefix(self.numbering?)?)
    }

    /// Returns the number of an identifier, in any notation: `MGYA00135572`, `MGYA135572` and
    /// `0135572` are 135572.
    pub fn number_in_any_notation<'a>(&self, identifier: &'a str) -> Option<&'a str> {
        digits(identifier.strip_prefix(self.numbering?).unwrap_or(identifier))
    }
}

/// Returns a number without leading zeros.
fn digits(text: &str) -> Option<&str> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.trim_start_matches('0');
    is_number.then_some(if number.is_empty() { "0" } else { number })
}

/// The rules of all other types.
const ANY_OTHER: ResourceType = ResourceType {
    name: "",
    path: "",
    singular: "",
    identifiers: &[Identifier::Id, attribute(ACCESSION), attribute("secondary-accession")],
    numbering: None,
    searched: &[],
    biome_relation: None,
    default_order: &[rising(SortKey::Id)],
    tie: &[],
    orders: &[],
    document_orders: &[],
    document_key: ACCESSION,
    relations: &[],
};

const fn rising(key: SortKey) -> (SortKey, Direction) {
    (key, Direction::Ascending)
}

const fn falling(key: SortKey) -> (SortKey, Direction) {
    (key, Direction::Descending)
}

const fn attribute(name: &'static str) -> Identifier {
    Identifier::Attribute(name)
}

const fn linked(name: &'static str, member_types: &'static [&'static str]) -> Relation {
    found(name, member_types, Members::Linked)
}

/// The genomes of a resource. They ascend by accession, while the whole collection descends.
const fn genomes(members: Members) -> Relation {
    Relation { order: Some("accession"), ..found("genomes", &[GENOMES], members) }
}

const fn found(name: &'static str, member_types: &'static [&'static str], members: Members) -> Relation {
    Relation { name, member_types, members, order: None }
}

#[cfg(test)]
mod tests;
