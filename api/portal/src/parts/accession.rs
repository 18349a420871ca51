//! Accessions with links: to the catalogue, otherwise to proteins and to the external archive.

use api_catalogue::{WHERE, lookup};
use api_proteins::{QueryParameters, ResultFormat};
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, RUNS, SAMPLES, STUDIES};
use store_proteins::PAGE_BUDGET;

use crate::context::address::{Pairs, quoted_name};
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
    let of = |field: &str| Some(Pairs::default().with(field, id));
    let (run, analysis) = (format!("run:{}", quoted_name(id)), format!("analysis:{}", quoted_name(id)));
    let search = match resource_type {
        _ if context.proteins.is_none() => None,
        STUDIES => of("study"),
        ASSEMBLIES => of("assembly"),
        SAMPLES => Some(Pairs::default().with("q", &format!("sample:{}", quoted_name(id)))),
        RUNS => of_assemblies(context, &run),
        // Analyses of reads lead to the assemblies of their runs.
        ANALYSIS_JOBS => {
            of_assemblies(context, &analysis).or_else(|| of_assemblies(context, &format!("run:({analysis})")))
        }
        _ => None,
    };
    let Some(search) = search.map(|search| search.to_query()) else { return Ok(None) };
    let release = context.release()?;
    let read = QueryParameters::parse_in(&release, search.trim_start_matches('?'), Some(ResultFormat::Json));
    let Ok(parameters) = read else { return Ok(None) };
    let found = Count::from(release.data.total(&parameters.query, PAGE_BUDGET)?);
    Ok((found.value > 0).then(|| (found, format!("search{search}"))))
}

/// Returns the search for the proteins of the assemblies that meet a condition, or `None` if there
/// are none.
fn of_assemblies(context: &PageContext, condition: &str) -> Option<Pairs> {
    let query = Pairs::default().with(WHERE, condition).with("page_size", ASSEMBLIES_MAX).to_query();
    let assemblies = context.document("/assemblies", query.trim_start_matches('?')).ok()?.resources();
    match &*assemblies.into_iter().map(|assembly| assembly.id).collect::<Vec<_>>() {
        [] => None,
        [one] => Some(Pairs::default().with("assembly", one)),
        several => Some(Pairs::default().with("q", &format!("assembly:({})", several.join(" OR ")))),
    }
}
