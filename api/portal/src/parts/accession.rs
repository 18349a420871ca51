//! Accessions, and where they lead: to the catalogue, or else to the proteins of what it lacks, and to the archive outside.

use api_catalogue::lookup;
use store_catalogue::model::{ASSEMBLIES, STUDIES};
use store_proteins::{PAGE_BUDGET, ProteinQuery};

use crate::context::address::encoded;
use crate::context::problem::PortalProblem;
use crate::context::visit::Visit;
use crate::parts::attribute::in_archive;
use crate::parts::number::Count;

pub(crate) struct Accession {
    pub(crate) id: String,
    /// The page of the resource, or else the proteins from it.
    pub(crate) href: Option<String>,
    /// The address in the archive, if the catalogue does not have it.
    pub(crate) outside: Option<String>,
}

impl Accession {
    /// Finds out where the accession of a resource leads. An empty one is none.
    pub(crate) fn of(visit: &Visit, resource_type: &str, id: &str) -> Result<Option<Self>, PortalProblem> {
        if id.is_empty() {
            return Ok(None);
        }
        let page = visit.page_of(&lookup::of_type(resource_type).path, id)?;
        let outside = if page.is_some() { None } else { in_archive(id) };
        let href = match page {
            None => proteins_from(visit, resource_type, id)?
                .map(|(_, proteins)| format!("{}/portal/{proteins}", visit.root())),
            page => page,
        };
        Ok(Some(Self { id: id.to_owned(), href, outside }))
    }
}

/// Returns how many proteins come from a study or an assembly, and the path of their search below that of the portal, if there are any.
pub(crate) fn proteins_from(
    visit: &Visit,
    resource_type: &str,
    id: &str,
) -> Result<Option<(Count, String)>, PortalProblem> {
    let (field, query): (_, fn(String) -> ProteinQuery) = match resource_type {
        STUDIES => ("study", ProteinQuery::Study),
        ASSEMBLIES => ("assembly", ProteinQuery::Assembly),
        _ => return Ok(None),
    };
    let Some(data) = visit.proteins.as_ref() else { return Ok(None) };
    let found = Count::from(data.total(&query(id.to_owned()), PAGE_BUDGET)?);
    Ok((found.value > 0).then(|| (found, format!("search?{field}={}", encoded(id)))))
}
