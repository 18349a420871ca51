//! The answers to questions for facets, enrichment and neighbourhoods.

use serde::Serialize;
use store_proteins::{EnrichedValue, Enrichment, Facet, FacetCount, Facets, Neighbourhood};
use utoipa::ToSchema;

/// The number of matches of a query with each value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetAnswer {
    /// The most frequent values, the most frequent first.
    pub facets: Vec<FacetValue>,
    /// The number of all values that matches have, with that of no value.
    pub num_values: usize,
    /// The number of all matches.
    pub total: FacetTotal,
    /// True if all matches were counted.
    pub exact: bool,
    /// The number of proteins in the sample if not all matches were counted.
    #[schema(required)]
    pub num_sampled: Option<u64>,
}

/// The number of matches with a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetValue {
    /// The value as a query takes it, such as a lineage, or an architecture, such as
    /// `PF00664-PF00005`; null where none is recorded.
    #[schema(required, example = "PF00005")]
    pub value: Option<String>,
    /// The name for people.
    #[schema(example = "ABC transporter")]
    pub name: String,
    /// The number of matches, or an estimate of it.
    pub count: u64,
    /// The interval of 95 % of an estimate; null of an exact number.
    #[schema(required)]
    pub interval: Option<[u64; 2]>,
}

/// A number of matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetTotal {
    /// The number, or an estimate of it.
    pub value: u64,
    /// The interval of 95 % of an estimate; null of an exact number.
    #[schema(required)]
    pub interval: Option<[u64; 2]>,
}

impl From<Facets> for FacetAnswer {
    fn from(Facets { facets, num_values, total, num_sampled }: Facets) -> Self {
        let interval = |FacetCount { low, high, .. }| num_sampled.map(|_| [low, high]);
        let value =
            |Facet { value, name, count }| FacetValue { value, name, count: count.value, interval: interval(count) };
        Self {
            total: FacetTotal { value: total.value, interval: interval(total) },
            facets: facets.into_iter().map(value).collect(),
            num_values,
            exact: num_sampled.is_none(),
            num_sampled,
        }
    }
}

/// The values that are more or less frequent in a selection than in a background, of proteins with
/// a recorded biome.
#[derive(Debug, Serialize, ToSchema)]
pub struct EnrichmentAnswer {
    /// The values that differ most, by the statistic of the G-test.
    pub enrichment: Vec<EnrichmentValue>,
    /// The number of all values that were compared.
    num_values: usize,
    selection: EnrichmentGroup,
    background: EnrichmentGroup,
    /// True if all proteins were counted. If not, all numbers are those of a systematic sample.
    exact: bool,
    /// The number of proteins in the sample.
    #[schema(required)]
    num_sampled: Option<u64>,
}

/// A group of proteins.
#[derive(Debug, Serialize, ToSchema)]
struct EnrichmentGroup {
    /// The number of its proteins with a recorded biome. Only these are compared.
    count: u64,
    /// The number of the others.
    without_biome: u64,
}

/// The families or clans that are more or less frequent in the genes beside the matches of a query
/// than in all other genes on contigs. Only genes whose proteins have records are compared.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NeighbourhoodAnswer {
    /// The values that differ most, by the statistic of the G-test. Numbers are those of genes.
    pub(crate) neighbourhood: Vec<EnrichmentValue>,
    /// The number of all values that were compared.
    num_values: usize,
    /// The number of places of the matches on contigs.
    num_places: u64,
    /// The genes beside these places.
    selection: GeneGroup,
    /// The other genes on contigs.
    background: GeneGroup,
    /// True if all places of all matches were examined. If not, random ones were.
    exact: bool,
    /// The number of matches whose places were examined, if not all were.
    #[schema(required)]
    num_sampled: Option<u64>,
}

/// A group of genes.
#[derive(Debug, Serialize, ToSchema)]
struct GeneGroup {
    /// The number of genes.
    count: u64,
}

/// A value in the selection and in the background. In a neighbourhood, numbers of proteins are
/// numbers of genes.
#[derive(Debug, Serialize, ToSchema)]
pub struct EnrichmentValue {
    /// The value as a query takes it; null for proteins without a family or clan.
    #[schema(required, example = "PF00005")]
    value: Option<String>,
    /// The name for people.
    name: String,
    /// The number of proteins of the selection that have it.
    count: u64,
    /// The number of proteins of the background that have it.
    background_count: u64,
    /// The number of the selection that is expected if it is equally frequent in both.
    expected: f64,
    /// The binary logarithm of the ratio of the two frequencies. If no protein of a group has the
    /// value, a half is added to all numbers. Null if a group has no proteins.
    #[schema(required)]
    log2_ratio: Option<f64>,
    /// The 95 % interval of this: all ratios that the G-test does not reject at 5 %, so it leaves
    /// out 0 exactly if `p` is below 0.05. An end is null if it is unbounded, because no protein of
    /// a group has the value. Null if `p` is from Fisher's exact test.
    #[schema(required)]
    log2_interval: Option<[Option<f64>; 2]>,
    /// The probability of such a difference by chance: G-test, or Fisher's exact test if fewer than
    /// ten proteins are expected to have the value, or to lack it, in either group.
    p: f64,
    /// The false discovery rate by Benjamini and Hochberg, over all values that were compared.
    q: f64,
    /// `over` or `under` if `q` is below 0.05 and at least ten proteins are found or expected,
    /// otherwise null.
    #[schema(required, example = "over")]
    representation: Option<&'static str>,
}

impl From<Enrichment> for EnrichmentAnswer {
    fn from(found: Enrichment) -> Self {
        Self {
            enrichment: found.values.into_iter().map(EnrichmentValue::from).collect(),
            num_values: found.num_values,
            selection: EnrichmentGroup { count: found.num_selected, without_biome: found.num_selected_without_biome },
            background: EnrichmentGroup {
                count: found.num_background,
                without_biome: found.num_background_without_biome,
            },
            exact: found.num_sampled.is_none(),
            num_sampled: found.num_sampled,
        }
    }
}

impl From<Neighbourhood> for NeighbourhoodAnswer {
    fn from(Neighbourhood { enrichment, num_places }: Neighbourhood) -> Self {
        Self {
            neighbourhood: enrichment.values.into_iter().map(EnrichmentValue::from).collect(),
            num_values: enrichment.num_values,
            num_places,
            selection: GeneGroup { count: enrichment.num_selected },
            background: GeneGroup { count: enrichment.num_background },
            exact: enrichment.num_sampled.is_none(),
            num_sampled: enrichment.num_sampled,
        }
    }
}

impl From<EnrichedValue> for EnrichmentValue {
    fn from(value: EnrichedValue) -> Self {
        Self {
            log2_interval: value.log2_interval(),
            value: value.value,
            name: value.name,
            count: value.count,
            background_count: value.background_count,
            expected: value.expected,
            log2_ratio: value.log2_ratio,
            p: value.probability,
            q: value.false_discovery_rate,
            representation: value.is_enriched.map(|is_enriched| if is_enriched { "over" } else { "under" }),
        }
    }
}
