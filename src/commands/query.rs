//! Queries of proteins on the command line.

use std::sync::Arc;

use api_proteins::{Names, Release};
use store::{QUERY_TERMS_MAX, QueryPlace};
use store_catalogue::CatalogueGeneration;
use store_proteins::{ProteinGeneration, ProteinQuery, QueryField};

use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;

/// Reads a query, and looks up its digests of sequences and its clusters. Studies and assemblies
/// are resolved by the catalogue of the data folder.
pub(crate) fn parse(
    query: &str,
    proteins: &Arc<ProteinGeneration>,
    data: &DataFolder,
) -> Result<ProteinQuery, Failure> {
    let release = Release::new(Arc::clone(proteins), open_catalogue_for(query, data));
    let query = ProteinQuery::read(QueryPlace::whole(query), &Names::new(&release))?.map_err(|faults| {
        let lines: Vec<_> = faults.iter().map(|fault| format!("\n  {fault}")).collect();
        Failure::Message(format!("the query has faults:{}", lines.concat()))
    })?;
    if let Some(option) = proteins.lacked_option(&query) {
        return Err(Failure::Message(format!(
            "the index was made without `mgdex index {option}`, which the query needs"
        )));
    }
    let query = proteins.resolve_lookups(query)?;
    if query.num_terms() > QUERY_TERMS_MAX {
        return Err(Failure::Message(format!("more than {QUERY_TERMS_MAX} proteins have these digests")));
    }
    Ok(query)
}

/// Opens the catalogue if a query may name studies or assemblies; the error says why it is missing.
/// Only one process at a time can have it open: it is closed as soon as the query is read.
fn open_catalogue_for(query: &str, data: &DataFolder) -> Result<Arc<CatalogueGeneration>, String> {
    let fields = [QueryField::Study, QueryField::Assembly].map(QueryField::name);
    let has_field = fields.iter().any(|field| query.to_ascii_lowercase().contains(field));
    match has_field.then(|| CatalogueGeneration::open_current(&data.generations(Kind::Catalogue))).transpose() {
        Ok(catalogue) => catalogue.flatten().map(Arc::new).ok_or_else(|| "no catalogue is loaded".to_owned()),
        Err(error) => Err(format!("the catalogue cannot be read ({error})")),
    }
}

/// Warns about the families of a query that Pfam does not have.
pub(super) fn warn_of_unknown(query: &ProteinQuery, proteins: &ProteinGeneration) {
    match query {
        ProteinQuery::And(parts) | ProteinQuery::Or(parts) => {
            for part in parts {
                warn_of_unknown(part, proteins);
            }
        }
        ProteinQuery::Not(part) => warn_of_unknown(part, proteins),
        ProteinQuery::Near { of, beside, .. } => {
            warn_of_unknown(of, proteins);
            warn_of_unknown(beside, proteins);
        }
        ProteinQuery::Family(family) if proteins.families().get(*family).is_none() => {
            tracing::warn!("{family} is not among the Pfam families that were loaded");
        }
        _ => {}
    }
}
