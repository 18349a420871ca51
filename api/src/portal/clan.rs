//! The page of a clan: families that descend from one ancestor.

use askama::Template;
use axum::response::Response;
use store::{PAGE_BUDGET, ProteinQuery, Relation};

use super::biome_tree::{self, BiomeRow};
use super::family::{DEPTH, FamilyRow};
use super::histogram::{self, Bar};
use super::layout::Layout;
use super::number::Number;
use super::problem::PortalProblem;
use super::visit::{Visit, page};
use crate::http::error::shown;
use crate::paths;

#[derive(Template)]
#[template(path = "clan.html")]
struct ClanPage {
    layout: Layout,
    accession: String,
    count: Number,
    is_at_least: bool,
    families: Vec<FamilyRow>,
    biomes: Vec<BiomeRow>,
    bars: Vec<Bar>,
}

pub(super) fn answer(visit: &Visit, asked: &str) -> Result<Response, PortalProblem> {
    let clan = asked.to_uppercase();
    let data = visit.proteins()?;
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
        return Err(PortalProblem::NotFound(format!("There is no clan {} in this release.", shown(&clan))));
    }
    families.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.accession.cmp(&b.accession)));
    let of_clan = ProteinQuery::Clan(clan.clone());
    let total = data.total(&of_clan, PAGE_BUDGET)?;
    let biomes = biome_tree::count(data, &of_clan, None, DEPTH)?;
    let bars = histogram::count(data, &of_clan)?;
    let query = format!("{}/proteins?clan={clan}", paths::PROTEINS_V2);
    let count = Number(total.value);
    let layout = visit
        .layout(format!("Clan {clan}"))
        .section("families")
        .scripts(&["icicle"])
        .call("Its proteins", visit.base(), &query)
        .protein_downloads(&query, &format!("{count} proteins"));
    let is_at_least = total.relation == Relation::Gte;
    page(&ClanPage { layout, accession: clan, count, is_at_least, families, biomes, bars })
}
