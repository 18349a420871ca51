//! A fixed choice of biomes, those with the most samples first.

use std::cmp::Reverse;

use axum::response::Response;
use serde_json::Value;
use store::Condition;
use store::model::SAMPLES;

use super::collection::Collection;
use super::context::Context;
use super::document::{self, Data};
use super::problem::CatalogueProblem;

/// The choice of the real service, by falling number of samples in its own data of 2018.
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

/// Answers with those of the biomes that were loaded. Samples below a biome count as its own.
pub(super) fn answer(context: &Context, biomes: &Collection) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let mut found = Vec::new();
    for lineage in LINEAGES {
        let Some(ordinal) = context.snapshot.find(&biomes.resource_type, lineage)? else { continue };
        let in_lineage = vec![Condition::Lineage(lineage.to_owned())];
        let num_samples = context.snapshot.select(SAMPLES, in_lineage, Vec::new())?.len();
        let mut biome: Value = serde_json::from_slice(&context.resource(ordinal)?.json)?;
        if let Some(attributes) = biome["attributes"].as_object_mut() {
            attributes.insert("samples-count".to_owned(), num_samples.into());
        }
        found.push((num_samples, serde_json::to_vec(&biome)?));
    }
    found.sort_by_key(|(num_samples, _)| Reverse(*num_samples));
    let data = context.fields().join(found.iter().map(|(_, biome)| (&*biomes.resource_type, &**biome)))?;
    let list = Data::Json([b"[".as_slice(), &data, b"]"].concat());
    Ok(document::response(context.format, document::single(&list, None)))
}
