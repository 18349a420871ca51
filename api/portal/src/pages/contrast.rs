//! Two groups of proteins beside each other: biomes, families or any searches.

use api_http::error::shown;
use api_http::paths::ENRICHMENT_ROUTE;
use api_proteins::suggestions::Kind;
use api_proteins::{NO_CHECKSUMS, ProteinProblem, TOP_MAX, compared_kind};
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use store_proteins::{FacetKind, PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use crate::context::address::Pairs;
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::completion::completions;
use crate::parts::differences::{Differences, Group};
use crate::parts::facets::Comparison;
use crate::parts::fault_words;
use crate::parts::lineage::{last_first, last_level};
use crate::parts::number::Count;
use crate::plots;
use crate::search::{Input, parse, suggest, text_of};

/// The path below the portal.
const PATH: &str = "contrast";

/// The parameter for the list of values.
const LIST: &str = "differences";

/// The kinds of names that stand for a side, with their fields.
const KINDS: [(&str, Kind); 3] = [("biome", Kind::Biome), ("pfam", Kind::Family), ("clan", Kind::Clan)];

#[derive(Template)]
#[template(path = "contrast.html")]
struct ContrastPage {
    layout: Layout,
    inputs: Vec<Input>,
    by: FacetKind,
    /// The differences, and the number of proteins that match both queries.
    found: Option<(Differences, Count)>,
}

/// A side that can be compared.
struct Side {
    query: ProteinQuery,
    text: String,
    name: String,
}

pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let given = Pairs::parse(context.query()).tidied("", &[]);
    let by = compared_kind(given.value("by")).unwrap_or(FacetKind::Pfam);
    let conditions = given.without(&["against", "by", LIST, "page"]);
    let first = if conditions == Pairs::default() { String::new() } else { text_of(&conditions) };
    let typed = Pairs::default().with("q", &first).with("against", given.value("against")).with("by", by.name());
    let (mut inputs, mut sides) = (Vec::new(), Vec::new());
    for (name, label) in [("q", "Proteins"), ("against", "Compared with")] {
        let (value, mut problem) = (typed.value(name).to_owned(), String::new());
        sides.extend(Side::read(context, &value, &mut problem)?);
        let kinds = KINDS.map(|(_, kind)| kind).to_vec();
        let example = "a biome, a family, a clan, or a query";
        inputs.push(Input { name, label, example, value, problem, kinds, suggestions: Vec::new() });
    }
    suggest(&mut inputs, context, PATH, &typed)?;
    let is_good = inputs.iter().all(|input| input.problem.is_empty());
    let status = if is_good { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let layout = context.layout("Compare groups of proteins").section("compare");
    let mut page = ContrastPage { layout, inputs, by, found: None };
    if let Ok(sides) = <[Side; 2]>::try_from(sides) {
        page.compare(context, &sides, &typed)?;
    }
    let plot = page.found.as_ref().and_then(|(differences, _)| differences.plot.as_ref());
    Ok((status, plots::answer(context, &page, plot)?).into_response())
}

impl ContrastPage {
    fn compare(&mut self, context: &PageContext, sides: &[Side; 2], typed: &Pairs) -> Result<(), PortalProblem> {
        let [first, second] = sides;
        let call = typed.with("q", &first.text).with("against", &second.text).with("by", self.by.name());
        let path = |pairs: &Pairs| format!("{ENRICHMENT_ROUTE}{}", pairs.with("top", &TOP_MAX.to_string()).to_query());
        let mut layout = self.layout.clone().call("This comparison", &path(&call));
        for (title, format) in [("TSV", "tsv"), ("NDJSON", "ndjson"), ("Parquet", "parquet")] {
            layout = layout.download(title, &path(&call.with("format", format)), "");
        }
        let title = format!("{}, compared with {}", first.name, second.name);
        self.layout = Layout { title, ..layout };
        let data = context.proteins()?;
        let comparison = Comparison::new(data, &first.query, Some(&second.query), self.by)?;
        for (input, count) in self.inputs.iter_mut().zip([comparison.0.num_selected, comparison.0.num_background]) {
            input.problem = if count == 0 { "No protein is left to compare.".to_owned() } else { String::new() };
        }
        if comparison.is_possible() {
            let not_first = format!("NOT ({})", first.text);
            let groups = [
                Group::new(data, &first.name, &[&first.text]),
                Group::new(data, &second.name, &[&second.text, &not_first]),
            ];
            let in_both = ProteinQuery::And(vec![first.query.clone(), second.query.clone()]);
            let in_both = data.total(&in_both, PAGE_BUDGET)?.into();
            self.found = Some((Differences::new(context, comparison, self.by, groups, PATH, typed, LIST), in_both));
        }
        Ok(())
    }
}

impl Side {
    /// Reads a query, or a name that only one biome, family or clan has. Returns `None` for an
    /// empty text or one with a problem.
    fn read(context: &PageContext, text: &str, problem: &mut String) -> Result<Option<Self>, PortalProblem> {
        if text.is_empty() {
            return Ok(None);
        }
        *problem = match parse(&context.release()?, &Pairs::default().with("q", text)) {
            Ok(parameters) => {
                let (query, text) = (parameters.query, text.to_owned());
                return Ok(Some(Self { name: name_of(&query, context.proteins()?, &text), query, text }));
            }
            Err(ProteinProblem::Parameters(problems)) => {
                problems.first().map(|first| fault_words::describe(&first.msg, text)).unwrap_or_default()
            }
            Err(ProteinProblem::NoChecksums) => NO_CHECKSUMS.to_owned(),
            Err(problem) => return Err(PortalProblem::of_proteins(problem)),
        };
        let is_it = |name: &str| name.eq_ignore_ascii_case(text);
        for (field, kind) in KINDS {
            let found = completions(context, &[kind], text)?;
            let mut exact = found.iter().filter(|name| is_it(&name.text) || is_it(last_level(&name.text)));
            if let (Some(name), None) = (exact.next(), exact.next()) {
                problem.clear();
                return Self::read(context, &text_of(&Pairs::default().with(field, &name.text)), problem);
            }
        }
        Ok(None)
    }
}

/// Returns a name of the proteins that match a query, or the text of the query.
fn name_of(query: &ProteinQuery, data: &ProteinGeneration, text: &str) -> String {
    let families = data.families();
    let name = |query: &ProteinQuery| match query {
        ProteinQuery::Everything => Some("all proteins".to_owned()),
        ProteinQuery::Biome(biome) => Some(last_first(&data.biomes()[*biome].lineage)),
        ProteinQuery::Clan(clan) => Some(format!("{} {clan}", families.clan_name(clan).unwrap_or("Clan"))),
        ProteinQuery::Family(family) => {
            Some(format!("{} {family}", families.get(*family).map_or("Family", |known| &known.name)))
        }
        _ => None,
    };
    let parts = if let ProteinQuery::And(parts) = query { parts } else { std::slice::from_ref(query) };
    let names: Option<Vec<String>> = parts.iter().map(name).collect();
    let name = names.map(|names| names.join(", "));
    shown(name.as_deref().unwrap_or(text)).into_owned()
}
