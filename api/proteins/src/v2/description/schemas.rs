//! The shapes of answers that are written without types.

use utoipa::ToSchema;

/// A page of results.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct ResultPage {
    /// The results, ascending by accession, or in the order that was asked for.
    results: Vec<ProteinResult>,
    /// How many proteins match, whatever `after` and `limit` say.
    total: TotalNumber,
    /// The address of the next page; null if there are no further hits.
    #[schema(required)]
    next: Option<String>,
}

/// A result, with the fields that `fields` names.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct ProteinResult {
    /// The accession.
    #[schema(required = false, example = "MGYP000261684433")]
    accession: String,
    /// The number of residues.
    #[schema(required = false)]
    length: u64,
    /// Whether the gene is complete; null where that is unknown.
    full_length: Option<bool>,
    /// The number of proteins in the cluster that this one represents; null where that is unknown.
    cluster_size: Option<u64>,
    /// The residues.
    #[schema(required = false)]
    sequence: String,
    /// The MD5 digest of the sequence.
    #[schema(required = false)]
    md5: String,
    /// The GA4GH identifier of the sequence.
    #[schema(required = false)]
    ga4gh: String,
    /// The lineages of the biomes in which it was found.
    #[schema(required = false)]
    biomes: Vec<String>,
    /// The accessions of its Pfam families.
    #[schema(required = false)]
    pfam: Vec<String>,
    /// The accessions of their clans.
    #[schema(required = false)]
    clans: Vec<String>,
    /// The accessions of the studies in which it occurs.
    #[schema(required = false)]
    studies: Vec<String>,
    /// The accessions of the assemblies in which it occurs.
    #[schema(required = false)]
    assemblies: Vec<String>,
    /// The name of a protein of own data; null of the release.
    name: Option<String>,
    /// The source of own data that it is from; null of the release.
    source: Option<String>,
    /// What the source says about it; null where it says nothing.
    description: Option<String>,
}

/// The results of a batch.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct BatchResults {
    /// A record or its fields, or why there is none, for each accession.
    results: Vec<serde_json::Value>,
}

/// A table: a Parquet file, or a stream of Arrow record batches.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct TableFile(Vec<u8>);

/// A line of a look-up.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct SequenceFound {
    /// The first word of the header.
    query: String,
    /// The lowest accession, or null if no protein has the sequence.
    #[schema(example = "MGYP000261684433")]
    accession: Option<String>,
    /// The name of this protein if it is of own data.
    #[schema(required = false)]
    name: String,
    /// Its source if it is of own data.
    #[schema(required = false)]
    source: String,
    /// All accessions, ascending, if they are asked for.
    #[schema(required = false)]
    accessions: Vec<String>,
    /// What is wrong with the sequence.
    #[schema(required = false)]
    error: String,
}

/// A number of proteins.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct TotalNumber {
    /// The number.
    value: u64,
    /// `eq` if there are exactly so many, `gte` if there are at least so many.
    #[schema(example = "eq", pattern = "^(eq|gte)$")]
    relation: String,
}
