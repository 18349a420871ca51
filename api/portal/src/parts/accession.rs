//! Accessions with links: to the catalogue, otherwise to proteins and to the external archive.

use api_catalogue::lookup;
use store_catalogue::model::{ASSEMBLIES, STUDIES};
use store_proteins::{PAGE_BUDGET, ProteinQuery};

use crate::context::address::encoded;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::attribute::archive_url;
use crate::parts::number::Count;

pub(crate) struct Accession {
    pub(crate) id: String,
    /// The page of the resource, or the search for its proteins.
    pub(crate) href: Option<String>,
    /// The address in the external archive, if the catalogue lacks the resource.
    pub(crate) outside: Option<String>,
}

impl Accession {
    /// Finds the links of an accession. Returns `None` if it is empty.
    pub(crate) fn of(context: &PageContext, resource_type: &str, id: &str) -> Result<Option<Self>, PortalProblem> {
        if id.is_empty() {
            return Ok(None);
        }
        let page = context.page_of(&lookup::of_type(resource_type).path, id)?;
        let outside = if page.is_some() { None } else { archive_url(id) };
        let href = match page {
            None => proteins_from(context, resource_type, id)?
                .map(|(_, proteins)| format!("{}/portal/{proteins}", context.root())),
            page => page,
        };
        Ok(Some(Self { id: id.to_owned(), href, outside }))
    }
}

/// Returns the number of proteins of a study or an assembly and the path of their search, or `None`
/// if there are none.
pub(crate) fn proteins_from(
    context: &PageContext,
    resource_type: &str,
    id: &str,
) -> Result<Option<(Count, String)>, PortalProblem> {
    let (field, query): (_, fn(String) -> ProteinQuery) = match resource_type {
        STUDIES => ("study", ProteinQuery::Study),
        ASSEMBLIES => ("assembly", ProteinQuery::Assembly),
        _ => return Ok(None),
    };
    let Some(data) = context.proteins.as_ref() else { return Ok(None) };
    let found = Count::from(data.total(&query(id.to_owned()), PAGE_BUDGET)?);
    Ok((found.value > 0).then(|| (found, format!("search?{field}={}", encoded(id)))))
}
