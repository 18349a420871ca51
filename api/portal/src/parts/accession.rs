//! Accessions with links: to the catalogue, otherwise to proteins and to the external archive.

use api_catalogue::{WHERE, lookup};
use api_proteins::{QueryParameters, ResultFormat};
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, RUNS, SAMPLES, STUDIES};
use store_proteins::PAGE_BUDGET;

use crate::context::address::{encoded, quoted_name};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::attribute::archive_url;
use crate::parts::number::Count;

/// The maximum number of assemblies of a run or an analysis whose proteins are counted.
const ASSEMBLIES_MAX: &str = "100";

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

/// Returns the number of proteins of a resource and the path of their search, or `None` if there
/// are none.
pub(crate) fn proteins_from(
    context: &PageContext,
    resource_type: &str,
    id: &str,
) -> Result<Option<(Count, String)>, PortalProblem> {
    let quoted = quoted_name(id);
    let search = match resource_type {
        _ if context.proteins.is_none() => None,
        STUDIES => Some(("study", id.to_owned())),
        ASSEMBLIES => Some(("assembly", id.to_owned())),
        SAMPLES => Some(("q", format!("sample:{quoted}"))),
        RUNS => of_assemblies(context, &format!("run:{quoted}")),
        // An analysis of reads has no assembly, but its run may have some.
        ANALYSIS_JOBS => of_assemblies(context, &format!("analysis:{quoted}"))
            .or_else(|| of_assemblies(context, &format!("run:(analysis:{quoted})"))),
        _ => None,
    };
    let Some((field, value)) = search else { return Ok(None) };
    let search = format!("{field}={}", encoded(&value));
    let release = context.release()?;
    let read = QueryParameters::parse_in(&release, &search, Some(ResultFormat::Json));
    let Ok(parameters) = read else { return Ok(None) };
    let found = Count::from(release.data.total(&parameters.query, PAGE_BUDGET)?);
    Ok((found.value > 0).then(|| (found, format!("search?{search}"))))
}

/// Returns the condition for the proteins of the assemblies that meet another, or `None` if there
/// are none.
fn of_assemblies(context: &PageContext, condition: &str) -> Option<(&'static str, String)> {
    let query = format!("{WHERE}={}&page_size={ASSEMBLIES_MAX}", encoded(condition));
    let assemblies = context.document("/assemblies", &query).ok()?.resources();
    match &*assemblies.into_iter().map(|assembly| assembly.id).collect::<Vec<_>>() {
        [] => None,
        [one] => Some(("assembly", one.clone())),
        several => Some(("q", format!("assembly:({})", several.join(" OR ")))),
    }
}
