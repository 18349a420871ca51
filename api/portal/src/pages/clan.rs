//! The page of a clan: families with a common ancestor.

use api_http::error::shown;
use api_http::paths;
use askama::Template;
use axum::response::Response;
use store_proteins::ProteinQuery;

use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, render};
use crate::context::problem::PortalProblem;
use crate::pages::family::{DEPTH, FamilyRow};
use crate::parts::biome_tree::BiomeTree;
use crate::parts::histogram::{self, Bar};
use crate::parts::number::{Count, Number};

#[derive(Template)]
#[template(path = "clan.html")]
struct ClanPage {
    layout: Layout,
    accession: String,
    name: String,
    count: Count,
    /// The families with proteins.
    families: Vec<FamilyRow>,
    /// The number of families of the clan without proteins.
    num_without: usize,
    biomes: BiomeTree,
    lengths: Vec<Bar>,
    sizes: Vec<Bar>,
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
    let of_clan = ProteinQuery::Clan(clan.clone());
    let biomes = BiomeTree::new(data, &of_clan, None, DEPTH)?.compared(data, &of_clan)?;
    let lengths = histogram::lengths(data, &of_clan)?;
    let sizes = histogram::sizes(data, &of_clan)?;
    let query = format!("{}/proteins?clan={clan}", paths::PROTEINS_V2);
    let count = biomes.total;
    let name = data.families().clan_name(&clan).unwrap_or_default().to_owned();
    let layout = context
        .layout(format!("Clan {clan} {name}"))
        .section("families")
        .call("Its proteins", context.base(), &query)
        .facet_calls("Its biomes", context.base(), &format!("clan:{clan}"), "biome")
        .protein_downloads(&query, &count.proteins());
    let num_without = num_all - families.len();
    render(&ClanPage { layout, accession: clan, name, count, families, num_without, biomes, lengths, sizes })
}
