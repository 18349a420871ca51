//! Queries of proteins, as they are typed.

use std::sync::Arc;

use api::proteins::{Names, Release};
use store::{CatalogueGeneration, ProteinGeneration, ProteinQuery, QueryField};

use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;

/// Reads a query. Studies and assemblies are resolved by the catalogue of the data folder.
pub(crate) fn parse(
    query: &str,
    proteins: &Arc<ProteinGeneration>,
    data: &DataFolder,
) -> Result<ProteinQuery, Failure> {
    let release = Release::new(Arc::clone(proteins), catalogue_of(query, data));
    Names::with(&release, |names| {
        ProteinQuery::parse(query, names).map_err(|faults| {
            let lines: Vec<_> = faults.iter().map(|fault| format!("\n  {fault}")).collect();
            Failure::Message(format!("the query has faults:{}", lines.concat()))
        })
    })
}

/// Opens the catalogue if a query may name what it knows, or says why there is none. Only one process at a time can have it open: it is closed as
/// soon as the query is read.
fn catalogue_of(query: &str, data: &DataFolder) -> Result<Arc<CatalogueGeneration>, String> {
    let fields = [QueryField::Study, QueryField::Assembly].map(QueryField::name);
    let has_field = fields.iter().any(|field| query.to_ascii_lowercase().contains(field));
    match has_field.then(|| CatalogueGeneration::open_current(&data.generations(Kind::Catalogue))).transpose() {
        Ok(catalogue) => catalogue.flatten().map(Arc::new).ok_or_else(|| "no catalogue is loaded".to_owned()),
        Err(error) => Err(format!("the catalogue cannot be asked ({error})")),
    }
}
