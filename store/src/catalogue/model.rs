//! The types of the catalogue, with all that is known about each. Other types are served, too, by their names.

/// The type of biomes.
pub const BIOMES: &str = "biomes";

/// The type of studies.
pub const STUDIES: &str = "studies";

/// The type of samples, which resources of other types can name.
pub const SAMPLES: &str = "samples";

/// The type of assemblies.
pub const ASSEMBLIES: &str = "assemblies";

/// The type of tools of the analysis pipelines. Several versions of a tool have the same id.
pub const PIPELINE_TOOLS: &str = "pipeline-tools";

/// The type of functional categories.
pub const COG_CATS: &str = "cog-cats";

/// The type of runs.
pub const RUNS: &str = "runs";

/// The lineage above all others.
pub const ROOT: &str = "root";

/// The attribute with the accession of a resource.
pub const ACCESSION: &str = "accession";

/// The attribute with the version of a tool.
pub const VERSION: &str = "version";

/// The suffixes of paths that select a format, behind a dot.
pub const FORMAT_SUFFIXES: [&str; 4] = ["json", "csv", "ndjson", "api"];

/// Further types whose path is not their name: path and type.
pub const OTHER_PATHS: [(&str, &str); 1] = [("analyses", "analysis-jobs")];

/// What is known about a type of resource.
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
    /// The relationship to the biomes of a resource itself. `None` stands for all relationships.
    pub biome_relation: Option<&'static str>,
    /// The default order of the collection. Ties stay in the order of the input.
    pub default_order: &'static [(SortKey, Direction)],
    /// The tie breakers of all other orders. Remaining ties stay in the default order.
    pub tie: &'static [SortKey],
    /// The other orders by name: the keys are ascending.
    pub orders: &'static [(&'static str, SortKey)],
    /// The related collections of a resource.
    pub relations: &'static [Relation],
}

/// An identifier of a resource among those of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identifier {
    /// The id.
    Id,
    /// The number in the id of a study, without leading zeros.
    StudyNumber,
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
    /// The accession, or the id if there is none.
    Accession,
    /// The id.
    Id,
    /// The number of a study, as in `MGYS00000257`.
    StudyNumber,
    /// Whether a biome is below the root.
    IsBelowRoot,
}

impl SortKey {
    /// Returns the attribute that the key is read from, if any.
    pub fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Text(name) | Self::Number(name) => Some(name),
            Self::Accession => Some(ACCESSION),
            Self::Id | Self::StudyNumber | Self::IsBelowRoot => None,
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
    /// The name, at the end of the path and in `relationships`.
    pub name: &'static str,
    /// The types of its members; several if the real service uses several names.
    pub member_types: &'static [&'static str],
    /// How its members are found.
    pub members: Members,
}

/// How the members of a related collection are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// Parent or member names the other one in its relationships, or the member was found in this related collection.
    Linked,
    /// Resources in the biome or below it.
    InLineage,
    /// The biome and all biomes below it.
    Descendants,
    /// The coordinates of the samples of the study.
    Places,
    /// The metadata entries of the sample.
    MetadataEntries,
}

/// The types with special rules, in the order of their ordinals: samples come before all types that may name samples.
pub static RESOURCE_TYPES: [ResourceType; 6] = [
    ResourceType {
        name: SAMPLES,
        path: "samples",
        singular: "Sample",
        identifiers: &[Identifier::Id, Identifier::Attribute(ACCESSION), Identifier::Attribute("biosample")],
        biome_relation: Some("biome"),
        default_order: &[
            (SortKey::Text("last-update"), Direction::Descending),
            (SortKey::Accession, Direction::Ascending),
        ],
        tie: &[SortKey::Accession],
        orders: &[
            ("accession", SortKey::Accession),
            ("sample_name", SortKey::Text("sample-name")),
            ("last_update", SortKey::Text("last-update")),
        ],
        relations: &[
            linked("studies", &[STUDIES]),
            linked("runs", &[RUNS]),
            Relation { name: "metadata", member_types: &["sample-anns"], members: Members::MetadataEntries },
        ],
    },
    ResourceType {
        name: BIOMES,
        path: "biomes",
        singular: "Biome",
        identifiers: &[Identifier::Id, Identifier::Attribute("lineage")],
        default_order: &[(SortKey::IsBelowRoot, Direction::Ascending)],
        relations: &[
            Relation { name: "children", member_types: &[BIOMES], members: Members::Descendants },
            Relation { name: "studies", member_types: &[STUDIES], members: Members::InLineage },
            Relation { name: "samples", member_types: &[SAMPLES], members: Members::InLineage },
            linked("genomes", &["genomes"]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: STUDIES,
        path: "studies",
        singular: "Study",
        identifiers: &[
            Identifier::Id,
            Identifier::StudyNumber,
            Identifier::Attribute(ACCESSION),
            Identifier::Attribute("secondary-accession"),
            Identifier::Attribute("bioproject"),
        ],
        biome_relation: Some("biomes"),
        default_order: &[
            (SortKey::Text("last-update"), Direction::Descending),
            (SortKey::StudyNumber, Direction::Ascending),
        ],
        tie: &[SortKey::StudyNumber],
        orders: &[
            ("study_id", SortKey::StudyNumber),
            ("study_name", SortKey::Text("study-name")),
            ("last_update", SortKey::Text("last-update")),
            ("samples_count", SortKey::Number("samples-count")),
            ("accession", SortKey::Accession),
        ],
        relations: &[
            linked("biomes", &[BIOMES]),
            linked("samples", &[SAMPLES]),
            linked("analyses", &["analysis-jobs", "analyses"]),
            linked("publications", &["publications"]),
            Relation { name: "geocoordinates", member_types: &["sample-geo-coordinates"], members: Members::Places },
            linked("downloads", &["study-downloads", "downloads"]),
            linked("studies", &[STUDIES]),
        ],
    },
    ResourceType {
        name: ASSEMBLIES,
        path: "assemblies",
        singular: "Assembly",
        identifiers: &[
            Identifier::Id,
            Identifier::Attribute(ACCESSION),
            Identifier::Attribute("wgs-accession"),
            Identifier::Attribute("legacy-accession"),
        ],
        default_order: &[(SortKey::Accession, Direction::Descending)],
        orders: &[("accession", SortKey::Accession)],
        relations: &[
            linked("runs", &[RUNS]),
            linked("analyses", &["analysis-jobs", "analyses"]),
            linked("extra-annotations", &["extra-annotations", "assembly-extra-annotations"]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: PIPELINE_TOOLS,
        path: "pipeline-tools",
        singular: "Pipeline Tool",
        identifiers: &[Identifier::WithVersion, Identifier::LowercaseWithVersion],
        default_order: &[
            (SortKey::Text("tool-name"), Direction::Ascending),
            (SortKey::Text(VERSION), Direction::Ascending),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: COG_CATS,
        path: "cogs",
        singular: "Cog Cat",
        identifiers: &[Identifier::Id],
        default_order: &[(SortKey::Text("name"), Direction::Descending)],
        orders: &[("name", SortKey::Text("name"))],
        ..ANY_OTHER
    },
];

/// The rules of all other types.
const ANY_OTHER: ResourceType = ResourceType {
    name: "",
    path: "",
    singular: "",
    identifiers: &[Identifier::Id, Identifier::Attribute(ACCESSION), Identifier::Attribute("secondary-accession")],
    biome_relation: None,
    default_order: &[(SortKey::Id, Direction::Ascending)],
    tie: &[],
    orders: &[],
    relations: &[],
};

const fn linked(name: &'static str, member_types: &'static [&'static str]) -> Relation {
    Relation { name, member_types, members: Members::Linked }
}

impl ResourceType {
    /// Returns the type with a name, if it has special rules.
    ///
    /// ```
    /// assert_eq!(store::model::ResourceType::named("cog-cats").map(|known| known.path), Some("cogs"));
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        RESOURCE_TYPES.iter().find(|known| known.name == name)
    }

    /// Returns the type whose collection has a path, if it has special rules.
    pub fn at_path(path: &str) -> Option<&'static Self> {
        RESOURCE_TYPES.iter().find(|known| known.path == path)
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
                Identifier::StudyNumber => study_number(id).map(str::to_owned),
                Identifier::Attribute(name) => attribute(name),
                Identifier::WithVersion => Some(with_version(id)),
                Identifier::LowercaseWithVersion => Some(with_version(&id.to_lowercase())),
            };
            identifiers.extend(found.filter(|found| !found.is_empty() && !identifiers.contains(found)));
        }
        identifiers
    }
}

/// Returns the digits of the number of a study, such as `257` for `MGYS00000257`.
pub fn study_number(id: &str) -> Option<&str> {
    let digits = id.strip_prefix("MGYS")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.trim_start_matches('0');
    is_number.then_some(if number.is_empty() { "0" } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn studies_have_numbers() {
        for (id, number) in
            [("MGYS00000257", Some("257")), ("MGYS0", Some("0")), ("MGYS", None), ("MGYSx", None), ("257", None)]
        {
            assert_eq!(study_number(id), number, "{id}");
        }
    }

    #[test]
    fn names_and_paths_are_those_of_one_type() {
        for known in &RESOURCE_TYPES {
            assert_eq!(ResourceType::named(known.name).map(|found| found.path), Some(known.path));
            assert_eq!(ResourceType::at_path(known.path).map(|found| found.name), Some(known.name));
        }
        assert!(ResourceType::named("runs").is_none() && ResourceType::named("").is_none());
    }

    #[test]
    fn identifiers_are_each_there_once() {
        let attributes = |name: &str| match name {
            "accession" | "secondary-accession" => Some("S".to_owned()),
            "version" => Some("5.0".to_owned()),
            _ => Some(String::new()),
        };
        for (resource_type, id, expected) in [
            (STUDIES, "MGYS007", &["MGYS007", "7", "S"][..]),
            (PIPELINE_TOOLS, "MAPseq", &["MAPseq/5.0", "mapseq/5.0"]),
            (COG_CATS, "S", &["S"]),
            (RUNS, "R", &["R", "S"]),
        ] {
            assert_eq!(ResourceType::rules_of(resource_type).identifiers_of(id, attributes), expected);
        }
    }
}
