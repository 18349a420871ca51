//! The fields of the index.

use std::sync::LazyLock;

use tantivy::Term;
use tantivy::schema::{BytesOptions, Field, NumericOptions, Schema};

use crate::biomes::BiomeOrdinal;
use crate::families::PfamAccession;

/// The name of the column with the hit in one number, which ascends with the document id; see [`super::packed_hit`].
pub(super) const HIT: &str = "hit";

/// The name of the column with the sizes of large clusters; other documents have no value in it.
pub(super) const LARGE_CLUSTER_SIZE: &str = "large_cluster_size";

/// The schema with its fields.
pub(super) struct ProteinSchema {
    /// The engine's schema.
    pub(super) schema: Schema,
    /// Column: see [`HIT`].
    pub(super) hit: Field,
    /// Column: see [`LARGE_CLUSTER_SIZE`].
    pub(super) large_cluster_size: Field,
    /// Terms: the ordinals of the protein's own biomes.
    pub(super) biome: Field,
    /// Terms: the ordinals of its biomes and of all their ancestors.
    pub(super) lineage: Field,
    /// Terms: the numbers of its Pfam families.
    pub(super) family: Field,
    /// Stored: the record.
    pub(super) record: Field,
}

/// The schema of every segment.
pub(super) static SCHEMA: LazyLock<ProteinSchema> = LazyLock::new(|| {
    let column = || NumericOptions::default().set_fast();
    // Indexed without field norms, which only a score would need.
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

/// The one term that a search looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SearchTerm {
    /// The biome itself.
    Biome(BiomeOrdinal),
    /// The biome or one below it.
    Lineage(BiomeOrdinal),
    /// The family.
    Family(PfamAccession),
}

impl SearchTerm {
    /// Returns the field in which the term stands.
    pub(super) fn field(self) -> Field {
        match self {
            Self::Biome(_) => SCHEMA.biome,
            Self::Lineage(_) => SCHEMA.lineage,
            Self::Family(_) => SCHEMA.family,
        }
    }

    /// Returns the number that the term is.
    pub(super) fn value(self) -> u64 {
        match self {
            Self::Biome(ordinal) | Self::Lineage(ordinal) => ordinal.into(),
            Self::Family(family) => family.0,
        }
    }

    /// Returns the term as the engine wants it.
    pub(super) fn to_term(self) -> Term {
        Term::from_field_u64(self.field(), self.value())
    }
}
