//! The tables of a release and their columns, for all kinds of files.

use std::collections::BTreeMap;

/// A table of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Table {
    /// Cluster representatives with the sizes of their clusters, by representative.
    Clusters,
    /// Clusters with their members, by representative.
    ClusterMembers,
    /// Sequences with their completeness, by protein.
    Sequences,
    /// Biomes with the number of occurrences in them, by protein.
    Biomes,
    /// Pfam hits, by protein.
    Pfam,
    /// Loci on contigs, by protein.
    Occurrences,
    /// Names of contigs, by contig.
    ContigNames,
}

pub(crate) type PerTable<T> = BTreeMap<Table, T>;

pub(crate) struct TableSpec {
    pub(crate) table: Table,
    /// The name of the rows in messages.
    pub(crate) name: &'static str,
    /// The key, and then the other columns.
    pub(crate) columns: &'static [Column],
    /// The positions in `columns` of the columns of each kind of line of text.
    pub(crate) lines: &'static [&'static [usize]],
    /// The sentence about an index without the table, or `None` if every index needs it.
    pub(crate) if_missing: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// The names in Parquet files. Messages about them use the first name, those about lines of
    /// text the last.
    pub(crate) names: &'static [&'static str],
    pub(crate) kind: Kind,
    /// Set if there are no rows without this column.
    pub(crate) is_needed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ids,
    Whole,
    Real,
    /// Whole numbers or texts, such as numbers of accessions or accessions.
    WholeOrText,
    Completeness,
    Text,
}

/// All tables, in the order in which missing ones are listed for users.
pub(crate) static TABLES: [TableSpec; 7] = [
    table(Table::Clusters, "clusters", &[REPRESENTATIVE, column(Kind::Whole, &["cluster_size"])])
        .if_missing("the sizes of the clusters are counted from their members"),
    table(Table::ClusterMembers, "cluster members", &[REPRESENTATIVE, column(Kind::Ids, MEMBER_NAMES)])
        .if_missing("that does not matter, since members are not in the index"),
    table(
        Table::Sequences,
        "sequences",
        &[PROTEIN, column(Kind::Completeness, &["full_length", "description"]), column(Kind::Text, &["sequence"])],
    ),
    table(
        Table::Biomes,
        "biomes",
        &[PROTEIN, column(Kind::Whole, &["lineage_count", "count"]), column(Kind::Text, &["biome", "lineage"])],
    )
    .if_missing("proteins will have no biomes"),
    table(
        Table::Pfam,
        "Pfam hits",
        &[
            PROTEIN,
            column(Kind::WholeOrText, &["pfam_accession"]),
            column(Kind::Real, &["i_evalue"]),
            column(Kind::Real, &["score"]),
            column(Kind::Whole, &["hmm_from"]),
            column(Kind::Whole, &["hmm_to"]),
            column(Kind::Whole, &["env_from"]),
            column(Kind::Whole, &["env_to"]),
        ],
    )
    .lines(&[&[0, 1, 6, 7], &[0, 1, 2, 3, 4, 5, 6, 7]])
    .if_missing("proteins will have no Pfam hits"),
    table(
        Table::Occurrences,
        "occurrences",
        &[
            PROTEIN,
            column(Kind::Text, &["study_accession"]).optional(),
            column(Kind::Text, &["assembly_accession"]),
            column(Kind::WholeOrText, &["contig_id"]),
            column(Kind::Text, &["contig_name"]).optional(),
            column(Kind::Whole, &["contig_length"]).optional(),
            column(Kind::Whole, &["start_position"]),
            column(Kind::Whole, &["end_position"]),
            column(Kind::WholeOrText, &["strand"]),
        ],
    )
    // A line has all loci of a protein in its second column.
    .lines(&[&[0, 1]])
    .if_missing("proteins will have no studies, assemblies and contigs"),
    table(
        Table::ContigNames,
        "contig names",
        &[column(Kind::WholeOrText, &["contig_id", "mgyc"]), column(Kind::Text, &["contig_name", "name"])],
    )
    .if_missing("contigs will have only their accessions as names"),
];

const PROTEIN: Column = column(Kind::WholeOrText, &["protein_id", "mgyp"]);
const REPRESENTATIVE: Column = column(Kind::WholeOrText, &["cluster_rep", "cluster_rep_accession"]);
const MEMBER_NAMES: &[&str] =
    &["cluster_member", "member_accessions", "cluster_members", "member_accession", "cluster_member_accession"];

const fn table(table: Table, name: &'static str, columns: &'static [Column]) -> TableSpec {
    let lines: &[&[usize]] = if columns.len() == 2 { &[&[0, 1]] } else { &[&[0, 1, 2]] };
    TableSpec { table, name, columns, lines, if_missing: None }
}

const fn column(kind: Kind, names: &'static [&'static str]) -> Column {
    Column { names, kind, is_needed: true }
}

impl TableSpec {
    const fn lines(self, lines: &'static [&'static [usize]]) -> Self {
        Self { lines, ..self }
    }

    const fn if_missing(self, consequence: &'static str) -> Self {
        Self { if_missing: Some(consequence), ..self }
    }
}

impl Column {
    const fn optional(self) -> Self {
        Self { is_needed: false, ..self }
    }
}

impl Table {
    /// The tables about proteins with a sequence, in the order in which they are joined.
    pub(crate) const ANNOTATIONS: [Self; 3] = [Self::Biomes, Self::Pfam, Self::Occurrences];

    pub(crate) fn spec(self) -> &'static TableSpec {
        TABLES.iter().find(|spec| spec.table == self).expect("all tables are listed")
    }

    /// Returns the table with the given name of rows.
    pub(crate) fn of(name: &str) -> Self {
        TABLES.iter().find(|spec| spec.name == name).expect("all tables are listed").table
    }

    /// Returns the name of the rows in messages.
    pub fn name(self) -> &'static str {
        self.spec().name
    }
}
