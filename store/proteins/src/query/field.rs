//! The fields of a query.

use std::fmt;

use strum::{IntoStaticStr, VariantArray};

use super::ProteinQuery;

/// A field by which a query finds proteins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum QueryField {
    /// `accession:` and the accession of a protein or a range.
    Accession,
    /// `assembly:` and the accession of an assembly.
    Assembly,
    /// `biome:` and the lineage or the id of a biome: with all biomes below it.
    Biome,
    /// `biome_exact:` and the lineage or the id of a biome alone.
    BiomeExact,
    /// `clan:` and the accession of a clan.
    Clan,
    /// `cluster:` and the accession of a protein: all proteins of its cluster.
    Cluster,
    /// `cluster_size:` and a number or a range.
    ClusterSize,
    /// `full_length:` and `true` or `false`. Proteins of unknown completeness match neither.
    FullLength,
    /// `has:pfam`
    Has,
    /// `length:` and a number of residues or a range.
    Length,
    /// `md5:` and the MD5 digest of a sequence.
    Md5,
    /// `name:` and the name of a protein of own data.
    Name,
    /// `pfam:` and the accession of a family, or its number alone.
    #[strum(serialize = "pfam")]
    Family,
    /// `sample:` and the accession of a sample: its assemblies.
    Sample,
    /// `sha512t24u:` and the truncated SHA-512 digest of a sequence, as GA4GH identifiers have it.
    Sha512t24u,
    /// `source:` and the name of a source of own data, or `release` for proteins of the release.
    Source,
    /// `study:` and the accession of a study.
    Study,
}

impl QueryField {
    /// All fields, by name.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name in a query.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns a description of the values that are accepted.
    pub const fn understood(self) -> &'static str {
        match self {
            Self::Biome | Self::BiomeExact => {
                "a full lineage such as \"root:Environmental:Aquatic\", or the id of a biome"
            }
            Self::Family => "the accession of a family such as PF00005, its number, or *",
            Self::Clan => "the accession of a clan such as CL0023",
            Self::Study => {
                "the accession of a study such as ERP108403, or conditions on studies such as (biome:\"root:Engineered\")"
            }
            Self::Sample => {
                "the accession of a sample such as ERS2033761, or conditions on samples such as (temperature:>30)"
            }
            Self::Assembly => "the accession of an assembly such as ERZ534239",
            Self::FullLength => "true or false",
            Self::ClusterSize | Self::Length => "a number, or a range such as [10 TO *] or >=10",
            Self::Accession => {
                "the accession of a protein such as MGYP000261684433, or a range such as [MGYP000000000001 TO *]"
            }
            Self::Cluster => "the accession of a protein such as MGYP000261684433",
            Self::Has => "pfam",
            Self::Name => "the name of one of your own proteins, as in its file, or *",
            Self::Source => "the name of a source of your own data, or release",
            Self::Md5 => "the MD5 digest of a sequence: 32 hexadecimal digits",
            Self::Sha512t24u => {
                "the GA4GH identifier of a sequence such as SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2, without or with SQ."
            }
        }
    }

    /// Returns the field with a name, in any letter case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.name().eq_ignore_ascii_case(name))
    }

    /// Returns the query for proteins that occur in any of some studies or assemblies, given by
    /// their accessions.
    pub(super) fn with_any(self, accessions: Vec<String>) -> ProteinQuery {
        let of = if self == Self::Study { ProteinQuery::Study } else { ProteinQuery::Assembly };
        let mut parts: Vec<_> = accessions.into_iter().map(of).collect();
        if parts.len() == 1 { parts.remove(0) } else { ProteinQuery::Or(parts) }
    }

    pub(super) const fn has_ranges(self) -> bool {
        matches!(self, Self::ClusterSize | Self::Length | Self::Accession)
    }
}

impl fmt::Display for QueryField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
