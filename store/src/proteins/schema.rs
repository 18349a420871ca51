//! The fields of the index.

use std::sync::LazyLock;

use tantivy::Term;
use tantivy::schema::{BytesOptions, Field, NumericOptions, Schema};

use crate::{BiomeOrdinal, PfamAccession};

/// The column of packed hits, which ascend with the document; see [`super::packed_hit`].
pub(super) const HIT: &str = "hit";

/// The column with the sizes of large clusters. Other documents have no value in it.
pub(super) const LARGE_CLUSTER_SIZE: &str = "large_cluster_size";

pub(super) struct ProteinSchema {
    pub(super) schema: Schema,
    pub(super) hit: Field,
    pub(super) large_cluster_size: Field,
    /// Terms: the ordinals of the biomes of the protein.
    pub(super) biome: Field,
    /// Terms: the ordinals of these biomes and of all their ancestors.
    pub(super) lineage: Field,
    /// Terms: the numbers of the Pfam families of the protein.
    pub(super) family: Field,
    /// Stored, not indexed.
    pub(super) record: Field,
}

pub(super) static SCHEMA: LazyLock<ProteinSchema> = LazyLock::new(|| {
    let column = || NumericOptions::default().set_fast();
    // Without field norms, which only scores need.
    let terms = || NumericOptions::default().set_indexed();
    let mut builder = Schema::builder();
    let hit = builder.add_u64_field(HIT, column());
    let large_cluster_size = builder.add_u64_field(LARGE_CLUSTER_SIZE, column());
    let biome = builder.add_u64_field("biome", terms());
    let lineage = builder.add_u64_field("lineage", terms());
    let family = builder.add_u64_field("family", terms());
    let record = builder.add_bytes_field("record", BytesOptions::default().set_stored());
    ProteinSchema { schema: builder.build(), hit, large_cluster_size, biome, lineage, family, record }
});

/// The term that a search looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SearchTerm {
    /// The biome itself.
    Biome(BiomeOrdinal),
    /// The biome or one below it.
    Lineage(BiomeOrdinal),
    Family(PfamAccession),
}

impl SearchTerm {
    pub(super) fn field(self) -> Field {
        match self {
            Self::Biome(_) => SCHEMA.biome,
            Self::Lineage(_) => SCHEMA.lineage,
            Self::Family(_) => SCHEMA.family,
        }
    }

    pub(super) fn value(self) -> u64 {
        match self {
            Self::Biome(ordinal) | Self::Lineage(ordinal) => ordinal.into(),
            Self::Family(family) => family.0,
        }
    }

    pub(super) fn to_term(self) -> Term {
        Term::from_field_u64(self.field(), self.value())
    }
}
