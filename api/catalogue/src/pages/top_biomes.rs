//! A fixed list of biomes, in descending order of their numbers of samples.

use std::cmp::Reverse;

use axum::response::Response;
use store_catalogue::model::SAMPLES;

use super::biome_counts;
use crate::collections::collection::Collection;
use crate::problem::CatalogueProblem;
use crate::render::document::{self, Data};
use crate::request::context::Context;

/// The list of the real service, in descending order of the numbers of samples in its data of 2018.
const LINEAGES: [&str; 10] = [
    "root:Host-associated:Plants",
    "root:Host-associated:Human",
    "root:Host-associated:Human:Skin",
    "root:Environmental:Terrestrial:Soil",
    "root:Host-associated:Mammals:Digestive system",
    "root:Engineered:Food production",
    "root:Environmental:Aquatic",
    "root:Environmental:Aquatic:Marine",
    "root:Host-associated:Human:Digestive system",
    "root:Engineered:Wastewater",
];

/// Answers with the biomes that were loaded. Samples below a biome are also counted.
pub(crate) fn answer(context: &Context, biomes: &Collection) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let mut found = Vec::new();
    for lineage in LINEAGES {
        let Some(ordinal) = context.snapshot.find(&biomes.resource_type, lineage)? else { continue };
        let num_samples = biome_counts::in_lineage(&context.snapshot, SAMPLES, lineage)?;
        let mut biome = context.resource(ordinal)?;
        biome.add_attribute("samples-count", &num_samples)?;
        found.push((num_samples, biome.json));
    }
    found.sort_by_key(|(num_samples, _)| Reverse(*num_samples));
    let data = context.fields().join(found.iter().map(|(_, biome)| (&*biomes.resource_type, &**biome)))?;
    let list = Data::Json([b"[".as_slice(), &data, b"]"].concat());
    Ok(document::response(context.format, document::single(&list, None, &context.ignored)?))
}
