//! A fixed choice of biomes, those with the most samples first.

use axum::response::Response;
use serde_json::Value;
use store::Condition;

use super::collection::Collection;
use super::context::Context;
use super::derived::num_samples;
use super::document;
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

/// Answers with those of the biomes that were loaded. Their number of samples is that of the samples in them or below them.
///
/// # Errors
///
/// * The engine fails.
pub(super) async fn answer(context: &Context, biomes: &Collection) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let mut found = Vec::new();
    for lineage in LINEAGES {
        let Some(ordinal) = context.snapshot.find(&biomes.resource_type, lineage).await? else { continue };
        let num_samples = num_samples(context, vec![Condition::Lineage(lineage.to_owned())]).await?;
        let mut biome: Value = serde_json::from_slice(&context.rendered(ordinal).await?)?;
        if let Some(attributes) = biome["attributes"].as_object_mut() {
            attributes.insert("samples-count".to_owned(), num_samples.into());
        }
        found.push((num_samples, biome));
    }
    found.sort_by_key(|(num_samples, _)| std::cmp::Reverse(*num_samples));
    let (fields, mut data) = (context.fields(), Vec::new());
    for (_, biome) in found {
        data.push(fields.apply(&biomes.resource_type, &serde_json::to_vec(&biome)?)?);
    }
    let list = [b"[".as_slice(), &document::join(&data), b"]"].concat();
    Ok(document::response(context.format, document::single(&list, None)))
}
