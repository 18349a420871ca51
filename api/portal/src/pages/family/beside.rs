//! The families of the genes beside those of a family.

use api_proteins::GENES_DEFAULT as GENES;
use store::PfamAccession;
use store_proteins::{FacetKind, Neighbourhood, PAGE_BUDGET, ProteinQuery};

use crate::context::address::{Pairs, segment};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::differences::{Differences, Group};
use crate::parts::facets::{Comparison, SEED};
use crate::parts::number::{Count, Number};
use crate::plots::bars::bars;
use crate::plots::data::PlotData;
use crate::plots::plot::{Plot, PlotNumber};

/// A tenth of the work of the API, so that a tenth of the proteins is examined.
const BUDGET: u64 = 10 * PAGE_BUDGET;

/// The most families that are drawn.
const DRAWN: usize = 10;

/// The name of the section, of its list and of its plot.
const BESIDE: &str = "beside";

pub(super) struct Beside {
    pub(super) families: Differences,
    pub(super) num_places: Number,
}

impl Beside {
    /// Returns `None` without genes beside those of the family on contigs, or if they take too much
    /// work.
    pub(super) fn new(context: &PageContext, family: PfamAccession) -> Result<Option<Self>, PortalProblem> {
        let (data, query) = (context.proteins()?, ProteinQuery::Family(family));
        if data.contigs().next().is_none() {
            return Ok(None);
        }
        let found = data.neighbourhood(&query, FacetKind::Pfam, (GENES, false), usize::MAX, SEED, BUDGET)?;
        let found = found.filter(|found| found.enrichment.num_selected > 0);
        let Some(Neighbourhood { enrichment, num_places }) = found else { return Ok(None) };
        let comparison = Comparison(enrichment);
        let plot = drawn(context, &comparison, family);
        let groups =
            ["Beside it", "Elsewhere"].map(|heading| Group { heading: heading.to_owned(), text: String::new() });
        let (path, none) = (format!("families/{family}"), Pairs::default());
        let families = Differences::new(context, comparison, FacetKind::Pfam, groups, &path, &none, BESIDE);
        let mut families = Differences { plot, whole: "All genes", ..families };
        for row in &mut families.rows {
            let condition =
                row.value.as_ref().map_or_else(|| "NOT has:pfam".to_owned(), |value| format!("pfam:{value}"));
            let near = Pairs::default().with("q", &format!("near({condition}, pfam:{family}, {GENES})"));
            let is_found = row.counts[0].0 > Number(0);
            let href = is_found.then(|| format!("{}/portal/search{}", context.root(), near.to_query()));
            // Other genes are of any other proteins, which no query finds.
            row.hrefs = [href.unwrap_or_default(), String::new()];
        }
        Ok(Some(Self { families, num_places: Number(num_places) }))
    }
}

/// Draws the over-represented families that differ most.
fn drawn(context: &PageContext, comparison: &Comparison, family: PfamAccession) -> Option<Plot> {
    let over = comparison.0.values.iter().filter(|value| value.is_enriched == Some(true));
    let over = over.filter_map(|found| Some((found, found.value.as_deref()?))).take(DRAWN);
    let mut data = PlotData::new(&["value", "name", "genes", "expected"]);
    let mut numbers = Vec::new();
    for (found, value) in over {
        data.add(&[&value, &found.name, &found.count, &found.expected]);
        numbers.push(PlotNumber {
            label: format!("{value} {}", found.name),
            count: Count::from(found.count),
            href: format!("{}/portal/families/{}", context.root(), segment(value)),
        });
    }
    let title = format!("Over-represented families beside {family}");
    // The page has another table of the numbers.
    let is_empty = numbers.is_empty();
    let plot = bars(BESIDE, ["Family", "Genes"], title, numbers, data);
    (!is_empty).then(|| Plot { numbers: Vec::new(), ..plot })
}
