//! Numbers of matches, and suggestions.

use super::super::facets::{EnrichmentAnswer, FacetAnswer, TOP_DEFAULT, TOP_MAX};
use super::super::suggest::Suggestions;
use crate::problem::UnprocessableDetail;
use crate::shared::suggestions::SUGGESTED_MAX;

const _: () = assert!(TOP_MAX == 1000 && TOP_DEFAULT == 50, "the description below says so");

/// Count proteins by value
///
/// Returns how many matches of a query have each biome, family, clan, study, assembly, completeness, size of cluster or length, the most
/// frequent value first. All conditions of `GET /proteins` can be given as parameters, too. A biome has the proteins of all biomes below it,
/// and a protein counts once for each of its values, so that numbers can add up to more than the total. Sizes and lengths are in ranges of
/// powers of two.
///
/// The numbers of all proteins and of single biomes, families and clans are known. Others are exact up to a million matches (20,000 by study
/// or assembly), and beyond that estimates from a systematic sample of a million proteins, each with its interval of 95 %.
#[utoipa::path(
    get,
    path = "/facets",
    operation_id = "get_facets",
    tag = "numbers",
    params(
        ("q" = Option<String>, Query, description = "A query. Without it, all proteins are counted.", example = "pfam:PF00005"),
        (
            "by" = String, Query, example = "biome", pattern = "^(biome|pfam|clan|study|assembly|full_length|cluster_size|length)$",
            description = "biome, pfam, clan, study, assembly, full_length, cluster_size or length.",
        ),
        ("top" = Option<u64>, Query, minimum = 1, maximum = 1000, description = "The most values; without it, 50.", example = 5),
        ("seed" = Option<u64>, Query, format = "uint64", description = "Another seed takes another sample for estimates. Without it, 0."),
    ),
    responses(
        (status = 200, description = "The numbers.", body = FacetAnswer),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 422, description = "All parameters that cannot be used.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn get_facets() {}

/// Compare proteins with others
///
/// Returns the families, clans or biomes that are more or less frequent among the matches of a query than in a background: all other
/// proteins, or the matches of `against` that are not among the selection. Only proteins with a recorded biome are compared: families are
/// known more often of proteins whose biome is not, and the answer says how many were left out.
///
/// The probabilities are those of the G-test, or of Fisher's exact test where fewer than ten are expected, and `q` is the false discovery rate
/// by Benjamini and Hochberg over all values. Nothing of which fewer than ten are expected is called over- or under-represented. Where the
/// groups are too large to be counted (as for facets), all numbers are those of a systematic sample of them.
#[utoipa::path(
    get,
    path = "/enrichment",
    operation_id = "get_enrichment",
    tag = "numbers",
    params(
        (
            "q" = Option<String>, Query, description = "The query of the selection.",
            example = "biome:\"root:Engineered:Wastewater\"",
        ),
        ("by" = String, Query, pattern = "^(biome|pfam|clan)$", description = "biome, pfam or clan.", example = "pfam"),
        ("against" = Option<String>, Query, description = "The query of the background. Without it, all proteins.", example = "biome:\"root:Environmental\""),
        ("top" = Option<u64>, Query, minimum = 1, maximum = 1000, description = "The most values; without it, 50.", example = 5),
        ("seed" = Option<u64>, Query, format = "uint64", description = "Another seed takes another sample. Without it, 0."),
    ),
    responses(
        (status = 200, description = "The comparison.", body = EnrichmentAnswer),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 422, description = "All parameters that cannot be used.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn get_enrichment() {}

const _: () = assert!(SUGGESTED_MAX == 100, "the description below says so");

/// Suggest values for queries
///
/// Finds biomes, families, clans or studies by words anywhere in their lineages, names and accessions, in any letter case. Each word must be
/// there. Whole names and levels of lineages come before whole words, these before beginnings of words, and these before other parts of words.
/// Of those that fit alike, those with the most proteins come first.
/// Studies are found by all texts that a loaded catalogue has of them, and by the beginnings of the accessions of proteins' studies.
#[utoipa::path(
    get,
    path = "/suggest",
    operation_id = "suggest",
    tag = "proteins",
    params(
        ("kind" = String, Query, description = "biome, family, clan or study.", example = "biome", pattern = "^(biome|family|clan|study)$"),
        ("text" = String, Query, description = "Words, at most 64.", example = "marine sediment"),
        ("limit" = Option<u64>, Query, minimum = 1, maximum = 100, description = "The most suggestions, 20 unless it is given.", example = 5),
    ),
    responses(
        (status = 200, description = "The suggestions.", body = Suggestions),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 422, description = "All parameters that cannot be used or are missing.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn suggest() {}
