//! Studies and assemblies that conditions select, for queries on proteins.

use std::sync::Arc;

use api_http::SourceError;
use store::{QueryPlace, Resolved};
use store_catalogue::model::{ASSEMBLIES, SAMPLES};
use store_catalogue::{CatalogueGeneration, Condition, Listing};

use super::collections::lookup;
use super::known::accessions_of;
use super::problem::CatalogueProblem;
use super::request::conditions;
use super::snapshot::Snapshot;

/// Returns all accessions of each selected study, or of each assembly of the selected samples; the
/// main accession is the first.
///
/// # Errors
///
/// * The catalogue cannot be read. The inner error has the faults of the conditions, or says that
///   they select more than `num_max`.
pub fn selected(
    snapshot: &Snapshot,
    resource_type: &'static str,
    place: QueryPlace<'_>,
    num_max: usize,
) -> Resolved<Vec<Vec<String>>, SourceError> {
    let read = conditions::read_within(1, &lookup::of_type(resource_type), snapshot, place);
    let condition = match read.map_err(CatalogueProblem::into_source_error)? {
        Ok(condition) => condition,
        Err(faults) => return Ok(Err(faults)),
    };
    let found = if resource_type == SAMPLES {
        select_assemblies(snapshot, condition)?
    } else {
        snapshot.select(resource_type, vec![condition], Vec::new())?
    };
    if found.len() > num_max {
        let problem = format!("these conditions select {} studies or assemblies", found.len());
        return Ok(Err(vec![place.fault(problem, &format!("conditions that select at most {num_max}"))]));
    }
    let accessions_type = if resource_type == SAMPLES { ASSEMBLIES } else { resource_type };
    accessions_of_all(&snapshot.data, accessions_type, &found).map(Ok)
}

/// Returns all accessions of each assembly of a sample, the main one first, or `None` if the sample
/// does not exist.
pub fn assemblies_of_sample(
    data: &Arc<CatalogueGeneration>,
    accession: &str,
) -> Result<Option<Vec<Vec<String>>>, SourceError> {
    if data.find(SAMPLES, accession)?.is_none() {
        return Ok(None);
    }
    let sample = Condition::Identified(vec![accession.to_owned()]);
    let assemblies = select_assemblies(&Snapshot::new(Arc::clone(data)), sample)?;
    accessions_of_all(data, ASSEMBLIES, &assemblies).map(Some)
}

fn select_assemblies(snapshot: &Snapshot, condition: Condition) -> Result<Arc<Listing>, SourceError> {
    snapshot.select(ASSEMBLIES, vec![Condition::OfSamples(Box::new(condition))], Vec::new())
}

fn accessions_of_all(
    data: &CatalogueGeneration,
    resource_type: &str,
    listing: &Listing,
) -> Result<Vec<Vec<String>>, SourceError> {
    let ordinals = listing.ordinals(0..listing.len());
    ordinals.into_iter().map(|ordinal| accessions_of(data, ordinal, resource_type)).collect()
}
