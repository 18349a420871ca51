//! The properties by which proteins are counted, and their values.

use std::sync::Arc;

use store::{BiomeOrdinal, PfamAccession};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::ProteinGeneration;
use crate::segments::bucket::{Buckets, LENGTH_RANGES, SIZE_RANGES};
use crate::{QueryField, known_cluster_size};

use super::architecture::architecture_name;

/// A property by which proteins are counted. As a text it is the name of the field of queries,
/// except that queries have no field for architectures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case", parse_err_ty = String, parse_err_fn = unknown)]
pub enum FacetKind {
    /// The biomes of a protein and all biomes above them.
    Biome,
    /// Its Pfam families.
    Pfam,
    /// The clans of its families.
    Clan,
    /// The domain architecture: the families of its domains in their order along the sequence.
    Architecture,
    /// The studies in which it occurs.
    Study,
    /// The assemblies in which it occurs.
    Assembly,
    /// The completeness.
    FullLength,
    /// The size of its cluster, in ranges of powers of two.
    ClusterSize,
    /// The number of its residues, in ranges of powers of two.
    Length,
}

impl FacetKind {
    /// All kinds.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The name for the proteins without a recorded value.
    fn name_without_value(self) -> &'static str {
        match self {
            Self::Pfam => "no family",
            Self::Clan => "no clan",
            Self::Architecture => "no domain",
            _ => "not recorded",
        }
    }

    /// Returns whether a number is a value: unknown sizes of clusters are stored as 0.
    pub(super) fn is_known(self, number: u64) -> bool {
        self != Self::ClusterSize || known_cluster_size(number).is_some()
    }

    pub(super) fn buckets(self) -> Buckets {
        if self == Self::ClusterSize { SIZE_RANGES } else { LENGTH_RANGES }
    }
}

fn unknown(_: &str) -> String {
    let names: Vec<&str> = FacetKind::ALL.iter().map(|kind| kind.name()).collect();
    format!("Proteins can be counted by one of {}.", names.join(", "))
}

/// A value that proteins have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    Biome(BiomeOrdinal),
    Family(PfamAccession),
    /// A clan, an architecture, a study or an assembly.
    Text(Arc<str>),
    FullLength(bool),
    Bucket(u8),
}

/// Returns a value as queries accept it, or an architecture, and its name to display.
pub(super) fn written(
    value: Option<&Value>,
    by: FacetKind,
    generation: &ProteinGeneration,
) -> store::Result<(Option<String>, String)> {
    let (value, name) = match value {
        None => return Ok((None, by.name_without_value().to_owned())),
        Some(Value::Biome(biome)) => {
            let biome = &generation.biomes()[*biome];
            (biome.lineage.clone(), biome.name())
        }
        Some(Value::Family(family)) => {
            let name = generation.families().get(*family).map(|family| family.name.to_string());
            (family.to_string(), name.unwrap_or_else(|| family.to_string()))
        }
        Some(Value::Text(text)) if by == FacetKind::Clan => {
            let name = generation.families().clan_name(text);
            (text.to_string(), name.unwrap_or(text).to_owned())
        }
        Some(Value::Text(text)) if by == FacetKind::Architecture => {
            (text.to_string(), architecture_name(text, generation.families()))
        }
        Some(Value::Text(text)) => {
            let field = if by == FacetKind::Study { QueryField::Study } else { QueryField::Assembly };
            let text = generation.spelled(field, text)?;
            (text.clone(), text)
        }
        Some(Value::FullLength(full_length)) => {
            (full_length.to_string(), if *full_length { "full length" } else { "partial" }.to_owned())
        }
        Some(Value::Bucket(bucket)) => {
            let numbers = by.buckets().numbers(*bucket);
            match (*numbers.start(), *numbers.end()) {
                (start, u64::MAX) => (format!("[{start} TO *]"), format!("{start} and more")),
                (start, end) if start == end => (start.to_string(), start.to_string()),
                (start, end) => (format!("[{start} TO {end}]"), format!("{start} to {end}")),
            }
        }
    };
    Ok((Some(value), name))
}
