//! From the value of a field to a condition.

use std::ops::RangeInclusive;

use store::{Bound, PfamAccession, ProteinAccession, QueryFault, QueryPlace};

use crate::DigestAlgorithm;

use super::ProteinQuery;
use super::field::QueryField;
use super::names::QueryNames;
use crate::own::is_protein_name;

/// Returns the condition that a field without ranges has a value.
pub(super) fn text_condition(
    field: QueryField,
    value: &str,
    place: QueryPlace<'_>,
    names: &impl QueryNames,
) -> Result<ProteinQuery, QueryFault> {
    let fault = |problem| place.fault(problem, field.understood());
    match field {
        QueryField::Biome | QueryField::BiomeExact => {
            let biomes = names.biomes();
            let lineages = || biomes.iter().map(|biome| &*biome.lineage);
            let no_lineage = || fault("no biome has this lineage").suggest(lineages(), value);
            let found = match value.parse() {
                Ok(id) => biomes.find_id(id).ok_or_else(|| fault("no biome has this id"))?,
                Err(_) => biomes.find_lineage(value).ok_or_else(no_lineage)?,
            };
            Ok(if field == QueryField::Biome { ProteinQuery::Biome(found) } else { ProteinQuery::BiomeExact(found) })
        }
        QueryField::Family if value == "*" => Ok(ProteinQuery::AnyFamily),
        QueryField::Family => {
            let family = PfamAccession::parse_short(value);
            family.map(ProteinQuery::Family).map_err(|_| fault("this is not the accession of a family"))
        }
        QueryField::Clan => {
            let digits = value.get(2..).filter(|_| value[..2].eq_ignore_ascii_case("CL")).unwrap_or_default();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(fault("this is not the accession of a clan"));
            }
            // Clans have four digits, families five.
            Ok(ProteinQuery::Clan(format!("CL{:0>4}", digits.trim_start_matches('0'))))
        }
        QueryField::FullLength => match &*value.to_ascii_lowercase() {
            "true" => Ok(ProteinQuery::FullLength(true)),
            "false" => Ok(ProteinQuery::FullLength(false)),
            other => Err(fault("this is neither true nor false").suggest(["true", "false"].into_iter(), other)),
        },
        QueryField::Name if value == "*" => Ok(ProteinQuery::Accession(ProteinAccession::of_own())),
        QueryField::Name if is_protein_name(value) => Ok(ProteinQuery::Name(value.to_owned())),
        QueryField::Name => Err(fault("no protein can have this name")),
        QueryField::Source => {
            let accessions = names.source(value).ok_or_else(|| fault("no source has this name"))?;
            Ok(ProteinQuery::Accession(accessions))
        }
        QueryField::Md5 | QueryField::Sha512t24u => {
            let is_md5 = field == QueryField::Md5;
            let algorithm = if is_md5 { DigestAlgorithm::Md5 } else { DigestAlgorithm::Sha512t24u };
            algorithm.parse(value).map(ProteinQuery::Digest).map_err(|_| fault("this is not a digest of this kind"))
        }
        QueryField::Cluster => {
            value.parse().map(ProteinQuery::Cluster).map_err(|_| fault("this is not the accession of a protein"))
        }
        QueryField::Has if value.eq_ignore_ascii_case("pfam") => Ok(ProteinQuery::AnyFamily),
        _ => Err(fault("proteins have no such property").suggest(["pfam"].into_iter(), value)),
    }
}

/// Returns the condition that a field has a value between two.
pub(super) fn range_condition(
    field: QueryField,
    bounds: &[Option<Bound>; 2],
    place: QueryPlace<'_>,
) -> Result<ProteinQuery, QueryFault> {
    let fault = |place: QueryPlace<'_>, problem| place.fault(problem, field.understood());
    let numbers = |from_text: fn(&str) -> Option<u64>, all: RangeInclusive<u64>| {
        let mut ends = [*all.start(), *all.end()];
        for (end, (bound, outwards)) in ends.iter_mut().zip(bounds.iter().zip([1, -1])) {
            let Some(bound) = bound else { continue };
            let no_number = || fault(place.at(&bound.place), "this is not a value of the field");
            let number = from_text(&bound.text).ok_or_else(no_number)?;
            let number = if bound.is_included { Some(number) } else { number.checked_add_signed(outwards) };
            *end = number.ok_or_else(|| fault(place, "the range is empty"))?;
        }
        if ends[0] <= ends[1] { Ok(ends[0]..=ends[1]) } else { Err(fault(place, "the range is empty")) }
    };
    let natural = |text: &str| text.parse().ok();
    match field {
        // An unknown size is not in a range with an open end.
        QueryField::ClusterSize => numbers(natural, 1..=u64::MAX).map(ProteinQuery::ClusterSize),
        QueryField::Length => numbers(natural, 0..=u64::MAX).map(ProteinQuery::Length),
        _ => {
            let number = |text: &str| text.parse().ok().map(ProteinAccession::number);
            let range = numbers(number, ProteinAccession::MIN.number()..=ProteinAccession::MAX.number())?;
            // An excluded bound is moved inside by one, so that the bounds are accessions.
            let [low, high] = [*range.start(), *range.end()].map(ProteinAccession::of_number);
            Ok(ProteinQuery::Accession(low..=high))
        }
    }
}
