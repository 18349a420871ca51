//! Pages of Pfam families.

mod beside;

use api_http::paths;
use api_proteins::{TOP_MAX, Words};
use askama::Template;
use axum::response::Response;
use store::PfamAccession;
use store_proteins::ProteinQuery;

use crate::context::address::{Pairs, encoded};
use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, render};
use crate::context::problem::PortalProblem;
use crate::parts::biome_tree::BiomeTree;
use crate::parts::histogram::{Counted, LENGTHS, NumberRange, SIZES};
use crate::parts::number::Number;
use crate::plots::plot::Plot;
use crate::plots::{self, WIDE};
use beside::Beside;

/// The levels of the biome tree below the root.
const DEPTH: usize = 3;

const LISTED: usize = 100;

#[derive(Template)]
#[template(path = "family.html")]
struct FamilyPage {
    layout: Layout,
    accession: String,
    name: String,
    clan: Option<String>,
    clan_name: String,
    members: Members,
    beside: Option<Beside>,
}

/// The proteins of a family or a clan: by biome, compared with others, by length and by cluster
/// size.
pub(crate) struct Members {
    /// The parameter that selects them, such as `pfam=PF00005`.
    pub(crate) condition: String,
    pub(crate) biomes: BiomeTree,
    pub(crate) lengths: Plot,
    pub(crate) sizes: Plot,
    /// The biomes that differ from those of other proteins.
    pub(crate) volcano: Option<Plot>,
}

#[derive(Template)]
#[template(path = "families.html")]
struct FamiliesPage {
    layout: Layout,
    text: String,
    num_found: Number,
    families: Vec<FamilyRow>,
    /// The ranks of the first and last shown family, 1-based.
    ranks: (Number, Number),
    previous: Option<String>,
    next: Option<String>,
}

pub(crate) struct FamilyRow {
    pub(crate) accession: String,
    pub(crate) name: String,
    pub(crate) clan: Option<String>,
    pub(crate) count: Number,
}

pub(crate) fn answer(context: &PageContext, requested: &str) -> Result<Response, PortalProblem> {
    let accession = PfamAccession::parse_short(requested).map_err(|_| {
        PortalProblem::NotFound(format!("“{}” is not a Pfam accession.", api_http::error::shown(requested)))
    })?;
    let data = context.proteins()?;
    let members = Members::new(context, &ProteinQuery::Family(accession), "pfam", &accession.to_string())?;
    let family = data.families().get(accession);
    if family.is_none() && members.biomes.total.value == 0 {
        return Err(PortalProblem::NotFound(format!("This release has no family {accession}.")));
    }
    let mut layout = members.layout(context, format!("{accession} {}", family.map_or("", |family| &family.name)));
    let beside = Beside::new(context, accession)?;
    if beside.is_some() {
        let path = format!("{}?q=pfam:{accession}&by=pfam&top={TOP_MAX}", paths::NEIGHBOURHOOD_ROUTE);
        layout = layout.call("The families beside it", &path);
        layout = layout.download("Families beside it (TSV)", &format!("{path}&format=tsv"), "");
    }
    let page = FamilyPage {
        layout,
        accession: accession.to_string(),
        name: family.map(|family| family.name.to_string()).unwrap_or_default(),
        clan_name: family
            .and_then(|family| data.families().clan_name(family.clan.as_deref()?))
            .unwrap_or_default()
            .to_owned(),
        clan: family.and_then(|family| family.clan.as_deref().map(str::to_owned)),
        members,
        beside,
    };
    let beside = page.beside.iter().filter_map(|beside| beside.families.plot.as_ref());
    plots::answer(context, &page, page.members.plots().chain(beside))
}

impl Members {
    /// Counts the proteins of a family (`pfam`) or a clan (`clan`).
    pub(crate) fn new(
        context: &PageContext,
        query: &ProteinQuery,
        parameter: &str,
        accession: &str,
    ) -> Result<Self, PortalProblem> {
        let data = context.proteins()?;
        let own = Pairs::default().with(parameter, accession);
        let search = |pairs: &Pairs| format!("{}/portal/search{}", context.root(), pairs.to_query());
        let histogram = |counted: &Counted, by: &str| {
            let place = |range: NumberRange| (search(&range.add_to(&own, counted.field)), false);
            let counts = counted.histogram(data, query, place, String::new())?;
            Ok::<_, PortalProblem>(counts.draw(format!("Proteins of {accession} by {by}"), WIDE))
        };
        let condition = format!("{parameter}={accession}");
        let biomes = BiomeTree::new(data, query, None, DEPTH)?.compared(data, query)?;
        let volcano = biomes.comparison.as_ref().and_then(|comparison| {
            let title = format!("Biomes of {accession}, compared with other proteins");
            comparison.volcano(context, title, [accession, "others"], |lineage| search(&own.with("biome", lineage)))
        });
        Ok(Self {
            volcano,
            biomes: biomes.drawn(format!("Proteins of {accession} by biome"), context.root(), &condition),
            lengths: histogram(&LENGTHS, "length")?,
            sizes: histogram(&SIZES, "cluster size")?,
            condition,
        })
    }

    pub(crate) fn plots(&self) -> impl Iterator<Item = &Plot> {
        [&self.lengths, &self.sizes].into_iter().chain(&self.biomes.picture).chain(&self.volcano)
    }

    /// Returns the layout of their page, with API calls and downloads.
    pub(crate) fn layout(&self, context: &PageContext, title: String) -> Layout {
        let query = format!("{}/proteins?{}", paths::PROTEINS_V2, self.condition);
        let layout = context.layout(title).section("families").call("Its proteins", &query);
        layout
            .facet_calls("Its biomes", &self.condition.replace('=', ":"), "biome")
            .call("Its proteins in one biome", &format!("{query}&biome=root:Environmental&count=exact"))
            .protein_downloads(&query, &self.biomes.total.counted("proteins"))
    }
}

/// Answers with the families whose names contain all words of a text, most proteins first.
pub(crate) fn list(context: &PageContext) -> Result<Response, PortalProblem> {
    let text = context.parameter("text");
    let words = Words::of(&text);
    let (counts, data) = (context.family_counts()?, context.proteins()?);
    let mut families = Vec::new();
    for &(accession, count) in counts.iter().filter(|(_, count)| *count > 0) {
        let family = data.families().get(accession);
        let (name, accession) = (family.map_or("", |family| &family.name), accession.to_string());
        if words.is_empty() || words.fit(&[name, &accession]).is_some() {
            let clan = family.and_then(|family| family.clan.as_deref().map(str::to_owned));
            families.push(FamilyRow { name: name.to_owned(), accession, clan, count: Number(count) });
        }
    }
    let num_found = families.len();
    let last_page = num_found.div_ceil(LISTED).max(1);
    let number = context.parameter("page").parse().unwrap_or(1).clamp(1, last_page);
    let start = (number - 1) * LISTED;
    let shown: Vec<_> = families.into_iter().skip(start).take(LISTED).collect();
    let page_at = |number: usize| {
        let pairs = Pairs::default().with("text", &text).tidied("", &[]).with("page", &number.to_string());
        format!("{}/portal/families{}", context.root(), pairs.to_query())
    };
    let call = if text.is_empty() {
        format!("{}?by=pfam&top=1000", paths::FACETS_ROUTE)
    } else {
        format!("{}?kind=family&text={}", paths::SUGGEST_ROUTE, encoded(&text))
    };
    render(&FamiliesPage {
        layout: context.layout("Pfam families").section("families").call("The families", &call),
        ranks: (Number::of(start + 1), Number::of(start + shown.len())),
        num_found: Number::of(num_found),
        previous: (number > 1).then(|| page_at(number - 1)),
        next: (number < last_page).then(|| page_at(number + 1)),
        families: shown,
        text,
    })
}
