//! Which column of a Parquet file is which, and whether it has a type that makes sense.

use arrow_schema::{DataType, Schema};

use crate::release::table::Table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ids,
    Whole,
    Real,
    /// Whole numbers or texts, such as numbers of accessions or accessions.
    WholeOrText,
    Completeness,
    Text,
}

pub(super) struct Column {
    pub(super) names: &'static [&'static str],
    pub(super) kind: Kind,
    /// Without it, there are no rows.
    pub(super) is_needed: bool,
}

const fn needed(kind: Kind, names: &'static [&'static str]) -> Column {
    Column { names, kind, is_needed: true }
}

const fn optional(kind: Kind, names: &'static [&'static str]) -> Column {
    Column { names, kind, is_needed: false }
}

const PROTEIN: Column = needed(Kind::WholeOrText, &["protein_id", "mgyp"]);
const REPRESENTATIVE: Column = needed(Kind::WholeOrText, &["cluster_rep", "cluster_rep_accession"]);
const MEMBER_NAMES: &[&str] =
    &["cluster_member", "member_accessions", "cluster_members", "member_accession", "cluster_member_accession"];

static CLUSTERS: [Column; 2] = [REPRESENTATIVE, needed(Kind::Whole, &["cluster_size"])];
static MEMBERS: [Column; 2] = [REPRESENTATIVE, needed(Kind::Ids, MEMBER_NAMES)];
static SEQUENCES: [Column; 3] =
    [PROTEIN, needed(Kind::Completeness, &["full_length", "description"]), needed(Kind::Text, &["sequence"])];
static BIOMES: [Column; 3] =
    [PROTEIN, needed(Kind::Whole, &["lineage_count", "count"]), needed(Kind::Text, &["biome", "lineage"])];
static PFAM: [Column; 8] = [
    PROTEIN,
    needed(Kind::WholeOrText, &["pfam_accession"]),
    needed(Kind::Real, &["i_evalue"]),
    needed(Kind::Real, &["score"]),
    needed(Kind::Whole, &["hmm_from"]),
    needed(Kind::Whole, &["hmm_to"]),
    needed(Kind::Whole, &["env_from"]),
    needed(Kind::Whole, &["env_to"]),
];
static OCCURRENCES: [Column; 8] = [
    PROTEIN,
    optional(Kind::Text, &["study_accession"]),
    needed(Kind::Text, &["assembly_accession"]),
    needed(Kind::WholeOrText, &["contig_id"]),
    optional(Kind::Text, &["contig_name"]),
    needed(Kind::Whole, &["start_position"]),
    needed(Kind::Whole, &["end_position"]),
    needed(Kind::WholeOrText, &["strand"]),
];
static CONTIG_NAMES: [Column; 2] =
    [needed(Kind::WholeOrText, &["contig_id", "mgyc"]), needed(Kind::Text, &["contig_name", "name"])];
static COUNTS: [Column; 2] =
    [needed(Kind::WholeOrText, &["mgyp", "protein_id"]), needed(Kind::Whole, &["mgyp_count", "count"])];
static BIOME_COUNTS: [Column; 2] =
    [needed(Kind::Text, &["lineage_prefix", "biome", "lineage"]), needed(Kind::Whole, &["mgyp_count", "count"])];

/// Returns the columns of a table; the first is the key.
pub(super) fn columns_of(table: Table) -> &'static [Column] {
    match table {
        Table::Clusters => &CLUSTERS,
        Table::ClusterMembers => &MEMBERS,
        Table::Sequences => &SEQUENCES,
        Table::Biomes => &BIOMES,
        Table::Pfam => &PFAM,
        Table::Occurrences => &OCCURRENCES,
        Table::ContigNames => &CONTIG_NAMES,
        Table::Counts => &COUNTS,
        Table::BiomeCounts => &BIOME_COUNTS,
    }
}

/// Finds the position of each column of a table in a file, or what is wrong with the file.
pub(super) fn find(table: Table, schema: &Schema) -> Result<Vec<Option<usize>>, String> {
    let position = |name: &&str| schema.fields().iter().position(|field| field.name().eq_ignore_ascii_case(name));
    let find = |column: &Column| match column.names.iter().find_map(position) {
        Some(index) => {
            let field = schema.field(index);
            match column.kind.fits(field.data_type()) {
                true => Ok(Some(index)),
                false if !column.is_needed && field.data_type() == &DataType::Null => Ok(None),
                false => {
                    Err(format!("column {} has type {}, and {}", field.name(), field.data_type(), column.kind.wish()))
                }
            }
        }
        None if column.is_needed => {
            Err(format!("the table of {} needs a column {}", table.name(), column.names.join(" or ")))
        }
        None => Ok(None),
    };
    columns_of(table).iter().map(find).collect()
}

impl Kind {
    fn fits(self, data_type: &DataType) -> bool {
        match self {
            Self::Whole => is_whole(data_type),
            Self::WholeOrText => is_whole(data_type) || is_text(data_type),
            Self::Ids => match data_type {
                DataType::List(field) => Self::WholeOrText.fits(field.data_type()),
                single => Self::WholeOrText.fits(single),
            },
            Self::Real => data_type.is_integer() || decimal_scale(data_type).is_some() || data_type.is_floating(),
            Self::Completeness => data_type == &DataType::Boolean || is_whole(data_type) || is_text(data_type),
            Self::Text => is_text(data_type),
        }
    }

    const fn wish(self) -> &'static str {
        match self {
            Self::WholeOrText => "integers or text are expected",
            Self::Ids => "integers, text, or lists of them are expected",
            Self::Whole => "integers are expected",
            Self::Real => "numbers are expected",
            Self::Completeness => "truth values or text are expected",
            Self::Text => "text is expected",
        }
    }
}

fn is_whole(data_type: &DataType) -> bool {
    data_type.is_integer() || decimal_scale(data_type) == Some(0)
}

fn decimal_scale(data_type: &DataType) -> Option<i8> {
    match *data_type {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => Some(scale),
        _ => None,
    }
}

/// Some programs write texts without saying that the bytes are text.
fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::Binary)
}
