//! The page of a clan: families with a common ancestor.

use api_http::error::shown;
use askama::Template;
use axum::response::Response;
use store_proteins::ProteinQuery;

use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::pages::family::{FamilyRow, Members};
use crate::parts::number::Number;
use crate::plots;

#[derive(Template)]
#[template(path = "clan.html")]
struct ClanPage {
    layout: Layout,
    accession: String,
    name: String,
    /// The families with proteins.
    families: Vec<FamilyRow>,
    /// The number of families of the clan without proteins.
    num_without: usize,
    members: Members,
}

pub(crate) fn answer(context: &PageContext, requested: &str) -> Result<Response, PortalProblem> {
    let clan = requested.to_uppercase();
    let data = context.proteins()?;
    let mut families = Vec::new();
    for (accession, family) in data.families().iter().filter(|(_, family)| family.clan.as_deref() == Some(&clan)) {
        families.push(FamilyRow {
            accession: accession.to_string(),
            name: family.name.to_string(),
            clan: None,
            count: Number(data.total(&ProteinQuery::Family(accession), 0)?.value),
        });
    }
    if families.is_empty() {
        return Err(PortalProblem::NotFound(format!("This release has no clan {}.", shown(&clan))));
    }
    let num_all = families.len();
    families.retain(|family| family.count.0 > 0);
    families.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.accession.cmp(&b.accession)));
    let members = Members::new(context, &ProteinQuery::Clan(clan.clone()), "clan", &clan)?;
    let name = data.families().clan_name(&clan).unwrap_or_default().to_owned();
    let layout = members.layout(context, format!("Clan {clan} {name}"));
    let num_without = num_all - families.len();
    let page = ClanPage { layout, accession: clan, name, families, num_without, members };
    plots::answer(context, &page, page.members.plots())
}
