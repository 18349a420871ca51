//! The fields of the form, with their values and problems.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use api_proteins::suggestions::Kind;
use api_proteins::{ParameterProblem, ResultField};
use store::PfamAccession;
use store_proteins::{ProteinGeneration, QueryField};

use super::{FIELDS, hits};
use crate::context::address::{ANY, Pairs};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::completion::{Completion, completions};
use crate::parts::fault_words;
use crate::parts::words::cells;

/// The text parameters: their names, labels and examples.
static INPUTS: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| include_str!("inputs.tsv").lines().map(cells).collect());

/// The maximum number of suggestions for a faulty value.
const SUGGESTIONS_MAX: usize = 4;

/// The other parameters of the form.
const OTHERS: [&str; 3] = ["q", "full_length", "source"];

/// Fields of own data only.
const OWN_DATA_FIELDS: [&str; 3] = ["name", "source", "description"];

pub(crate) struct Form {
    pub(crate) text: String,
    pub(crate) text_problems: Vec<String>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) full_length: String,
    pub(crate) source: String,
    /// The names of the selectable sources; empty without own data.
    pub(crate) sources: Vec<String>,
    pub(crate) columns: Vec<Column>,
    /// Problems of parameters without a field.
    pub(crate) problems: Vec<String>,
}

pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) example: &'static str,
    pub(crate) value: String,
    pub(crate) problem: String,
    /// The kinds of names in this field, which can be completed.
    pub(crate) kinds: Vec<Kind>,
    /// Suggestions for a faulty value, and the addresses of the page with each.
    pub(crate) suggestions: Vec<(Completion, String)>,
}

pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) label: String,
    pub(crate) is_chosen: bool,
}

impl Form {
    /// Creates the form for these parameters.
    pub(crate) fn new(pairs: &Pairs, problems: &[ParameterProblem], data: &ProteinGeneration) -> Self {
        let has_own = !data.sources().is_empty();
        let sources: Vec<String> = data.source_names().filter(|_| has_own).map(str::to_owned).collect();
        let is_shown = |name: &str| has_own || !OWN_DATA_FIELDS.contains(&name) || !pairs.value(name).is_empty();
        let name_of = |problem: &ParameterProblem| problem.loc.get(1).map(ToString::to_string).unwrap_or_default();
        let inputs = INPUTS.iter().map(|&[name, label, example]| {
            let found = problems.iter().filter(|problem| name_of(problem) == name);
            let found: Vec<_> = found.map(|problem| fault_words::describe(&problem.msg, pairs.value(name))).collect();
            let kinds = QueryField::named(name).and_then(Kind::of).into_iter().collect();
            let (value, problem) = (pairs.value(name).to_owned(), found.join(" "));
            Input { name, label, example, value, problem, kinds, suggestions: Vec::new() }
        });
        let inputs: Vec<_> = inputs.collect();
        let (of_query, others): (Vec<_>, Vec<_>) = problems
            .iter()
            .filter(|problem| inputs.iter().all(|input| input.name != name_of(problem)))
            .partition(|problem| name_of(problem) == "q");
        let text = pairs.value("q");
        let fields = match pairs.value("fields") {
            "" => FIELDS,
            fields => fields,
        };
        let columns = ResultField::all().filter(|field| is_shown(field.name())).map(|field| {
            let is_chosen = fields.split(',').any(|name| name.trim() == field.name());
            Column { name: field.name(), label: hits::label(field), is_chosen }
        });
        Self {
            text_problems: of_query.into_iter().map(|problem| fault_words::describe(&problem.msg, text)).collect(),
            text: text.to_owned(),
            full_length: pairs.value("full_length").to_owned(),
            columns: columns.collect(),
            problems: others.into_iter().map(|problem| format!("{}: {}", name_of(problem), problem.msg)).collect(),
            inputs: inputs.into_iter().filter(|input| is_shown(input.name)).collect(),
            source: pairs.value("source").to_owned(),
            sources,
        }
    }
}

/// Adds suggestions for faulty values to the fields of a page with these parameters.
pub(crate) fn suggest(
    inputs: &mut [Input],
    context: &PageContext,
    path: &str,
    pairs: &Pairs,
) -> Result<(), PortalProblem> {
    for input in inputs.iter_mut().filter(|input| !input.problem.is_empty()) {
        let found = completions(context, &input.kinds, &input.value)?.into_iter().take(SUGGESTIONS_MAX);
        let address =
            |text: &str| format!("{}/portal/{path}{}", context.root(), pairs.with(input.name, text).to_query());
        input.suggestions = found.map(|found| (found.clone(), address(&found.text))).collect();
        if !input.suggestions.is_empty() {
            input.problem = fault_words::without_suggestions(&input.problem).to_owned();
        }
    }
    Ok(())
}

/// Merges a typed value with the selected alternatives. A single value becomes a plain condition.
pub(super) fn merge_alternatives(pairs: &Pairs) -> Pairs {
    let fields = ["biome", "pfam", "clan"].map(|name| (name, format!("{ANY}{name}")));
    fields.into_iter().fold(pairs.clone(), |pairs, (name, any)| {
        let mut values: Vec<&str> = pairs.values(&any).collect();
        if values.is_empty() {
            return pairs;
        }
        values.extend(pairs.values(name));
        let mut seen = BTreeSet::new();
        values.retain(|value| seen.insert(*value));
        let chosen = if values.len() > 1 { &any } else { name };
        // The order of the other parameters stays.
        values.into_iter().fold(pairs.without(&[name, &any]), |pairs, value| pairs.and(chosen, value))
    })
}

/// Returns the parameters with single biomes, families and clans as alternatives, too, written as
/// in facets.
pub(super) fn as_alternatives(pairs: &Pairs) -> Pairs {
    let family = |text: &str| PfamAccession::parse_short(text).map_or_else(|_| text.to_owned(), |it| it.to_string());
    pairs.iter().fold(Pairs::default(), |pairs, (name, value)| match name.strip_prefix(ANY).unwrap_or(name) {
        "biome" => pairs.and("any_biome", value),
        "pfam" => pairs.and("any_pfam", &family(value)),
        "clan" => pairs.and("any_clan", &value.to_uppercase()),
        _ => pairs.and(name, value),
    })
}

/// Returns whether the form has a field for each condition. Other and repeated conditions are shown
/// as one query.
pub(super) fn fits_form(pairs: &Pairs) -> bool {
    let has_field = |name: &str| OTHERS.contains(&name) || INPUTS.iter().any(|[known, ..]| *known == name);
    let mut seen = BTreeSet::new();
    pairs.iter().all(|(name, _)| match name {
        name if name.starts_with(ANY) => true,
        name if has_field(name) => seen.insert(name),
        name => QueryField::named(name).is_none(),
    })
}
