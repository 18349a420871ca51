//! The domain architectures of the proteins that match a query.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use api_http::error::shown;
use api_http::paths::FACETS_ROUTE;
use askama::Template;
use axum::response::Response;
use store_proteins::{
    FacetKind, PAGE_BUDGET, ProteinGeneration, ProteinQuery, RecordParts, architecture, architecture_name,
};

use crate::context::address::Pairs;
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::facets::{SEED, not_counted};
use crate::parts::number::{Count, Number};
use crate::plots;
use crate::plots::bars::bars;
use crate::plots::data::PlotData;
use crate::plots::plot::{Plot, PlotNumber};
use crate::search::{parse, text_of};

/// The number of architectures that are shown.
const SHOWN: usize = 50;

/// The maximum number of proteins whose records are read. Of more, a random sample is counted.
const SAMPLED: usize = 5000;

#[derive(Template)]
#[template(path = "architectures.html")]
struct ArchitecturesPage {
    layout: Layout,
    /// The query, and the address of its results.
    text: String,
    search: String,
    counted: Counted,
    /// The number of all proteins, if only a sample was counted.
    total: Option<Count>,
    num_architectures: Number,
    /// The most frequent ones; `None` if no protein has a domain.
    plot: Option<Plot>,
}

/// The numbers of proteins by architecture, the most frequent first.
struct Counted {
    num_proteins: Number,
    num_without: Number,
    architectures: Vec<(String, u64)>,
}

impl Counted {
    /// Counts all matches of a query, or a sample of many.
    fn new(data: &ProteinGeneration, query: &ProteinQuery) -> Result<Self, PortalProblem> {
        let found = data.sample(query, SAMPLED, SEED, PAGE_BUDGET)?.ok_or_else(not_counted)?;
        let mut records = data.reader(RecordParts::PFAM_HITS);
        let (mut counts, mut num_without) = (BTreeMap::<String, u64>::new(), 0);
        for protein in &found {
            let record = records.fetch(protein.accession)?;
            match record.and_then(|record| architecture(&record.pfam_annotations)) {
                Some(architecture) => *counts.entry(architecture).or_default() += 1,
                None => num_without += 1,
            }
        }
        let mut architectures: Vec<_> = counts.into_iter().collect();
        architectures.sort_by_key(|(_, count)| Reverse(*count));
        Ok(Self { num_proteins: Number::of(found.len()), num_without: Number(num_without), architectures })
    }
}

pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let text = text_of(&Pairs::parse(context.query()).tidied("", &[]));
    let parameters = parse(&context.release()?, &Pairs::default().with("q", &text));
    let query = parameters.map_err(PortalProblem::of_proteins)?.query;
    let data = context.proteins()?;
    let counted = Counted::new(data, &query)?;
    let all = Number::of(SAMPLED);
    let total: Option<Count> =
        if counted.num_proteins == all { Some(data.total(&query, PAGE_BUDGET)?.into()) } else { None };
    let total = total.filter(|total| *total != all.0.into());
    let search = |conditions: &Pairs| format!("{}/portal/search{}", context.root(), conditions.to_query());
    let selection = if text == "*" { Pairs::default() } else { Pairs::default().with("q", &text) };
    let (mut drawn, mut table) = (Vec::new(), PlotData::new(&["architecture", "name", "proteins"]));
    for (architecture, count) in &counted.architectures {
        let name = architecture_name(architecture, data.families());
        table.add(&[architecture, &name, count]);
        if drawn.len() < SHOWN {
            let href = search(&with_families(&selection, architecture));
            let label = format!("{} {name}", architecture.replace('-', "–"));
            drawn.push(PlotNumber { label, href, count: (*count).into() });
        }
    }
    let call = selection.clone().and("by", FacetKind::Architecture.name()).and("top", "1000").to_query();
    let sample = if total.is_some() { format!(", {} sampled proteins", counted.num_proteins) } else { String::new() };
    let title = format!("Domain architectures: {}{sample}", shown(&text));
    let page = ArchitecturesPage {
        layout: context
            .layout("Domain architectures")
            .section("search")
            .call("These architectures", &format!("{FACETS_ROUTE}{call}"))
            .download("TSV", &format!("{FACETS_ROUTE}{call}&format=tsv"), ""),
        num_architectures: Number::of(counted.architectures.len()),
        plot: (!drawn.is_empty()).then(|| bars("architectures", ["Architecture", "Proteins"], title, drawn, table)),
        total,
        search: search(&selection),
        counted,
        text,
    };
    plots::answer(context, &page, &page.plot)
}

/// Returns the conditions for the proteins with all families of an architecture.
fn with_families(selection: &Pairs, architecture: &str) -> Pairs {
    // The last part may stand for further domains.
    let families: BTreeSet<&str> = architecture.split('-').filter(|part| part.starts_with("PF")).collect();
    families.into_iter().fold(selection.clone(), |pairs, family| pairs.and("pfam", family))
}
