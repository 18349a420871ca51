//! Pages of Pfam families.

use askama::Template;
use axum::response::Response;
use store::{PfamAccession, ProteinQuery};

use super::biome_tree::BiomeTree;
use super::histogram::{self, Bar};
use super::layout::Layout;
use super::number::{Count, Number};
use super::problem::PortalProblem;
use super::visit::{Visit, page};
use crate::paths;

pub(super) const DEPTH: usize = 3;

const LISTED: usize = 100;

#[derive(Template)]
#[template(path = "family.html")]
struct FamilyPage {
    layout: Layout,
    accession: String,
    name: String,
    clan: Option<String>,
    clan_name: String,
    count: Count,
    biomes: BiomeTree,
    lengths: Vec<Bar>,
    sizes: Vec<Bar>,
}

#[derive(Template)]
#[template(path = "families.html")]
struct FamiliesPage {
    layout: Layout,
    text: String,
    num_found: Number,
    families: Vec<FamilyRow>,
}

pub(super) struct FamilyRow {
    pub(super) accession: String,
    pub(super) name: String,
    pub(super) clan: Option<String>,
    pub(super) count: Number,
}

pub(super) fn answer(visit: &Visit, asked: &str) -> Result<Response, PortalProblem> {
    let accession = PfamAccession::parse_short(asked).map_err(|_| {
        PortalProblem::NotFound(format!("“{}” is no accession of a Pfam family.", crate::http::error::shown(asked)))
    })?;
    let data = visit.proteins()?;
    let of_family = ProteinQuery::Family(accession);
    let biomes = BiomeTree::new(data, &of_family, None, DEPTH)?.compared(data, &of_family)?;
    let count = biomes.total;
    let family = data.families().get(accession);
    if family.is_none() && count.value == 0 {
        return Err(PortalProblem::NotFound(format!("There is no family {accession} in this release.")));
    }
    let lengths = histogram::lengths(data, &of_family)?;
    let sizes = histogram::sizes(data, &of_family)?;
    let query = format!("{}/proteins?pfam={accession}", paths::PROTEINS_V2);
    let layout = visit
        .layout(format!("{accession} {}", family.map_or("", |family| &family.name)))
        .section("families")
        .call("Its proteins", visit.base(), &query)
        .facet_calls("Its biomes", visit.base(), &format!("pfam:{accession}"), "biome")
        .call("Those of one biome", visit.base(), &format!("{query}&biome=root:Environmental&count=exact"))
        .protein_downloads(&query, &count.proteins());
    page(&FamilyPage {
        layout,
        accession: accession.to_string(),
        name: family.map(|family| family.name.to_string()).unwrap_or_default(),
        clan_name: family
            .and_then(|family| data.families().clan_name(family.clan.as_deref()?))
            .unwrap_or_default()
            .replace('_', " "),
        clan: family.and_then(|family| family.clan.as_deref().map(str::to_owned)),
        count,
        biomes,
        lengths,
        sizes,
    })
}

/// Answers with the families that a text is part of, those with the most proteins first.
pub(super) fn list(visit: &Visit) -> Result<Response, PortalProblem> {
    let text = visit.parameter("text");
    let wanted = text.to_lowercase();
    let counts = visit.family_counts()?;
    let data = visit.proteins()?;
    let mut families = Vec::new();
    for &(accession, count) in counts.iter().filter(|(_, count)| *count > 0) {
        let family = data.families().get(accession);
        let (name, accession) = (family.map_or("", |family| &family.name), accession.to_string());
        if accession.to_lowercase().contains(&wanted) || name.to_lowercase().contains(&wanted) {
            let clan = family.and_then(|family| family.clan.as_deref().map(str::to_owned));
            families.push(FamilyRow { name: name.to_owned(), accession, clan, count: Number(count) });
        }
    }
    let num_found = Number::of(families.len());
    families.truncate(LISTED);
    page(&FamiliesPage { layout: visit.layout("Pfam families").section("families"), text, num_found, families })
}
