//! The form of a list of resources: a few fields, conditions on metadata, a query, and all other
//! fields in groups.

use api_catalogue::{Collection, WHERE};

use crate::context::address::Pairs;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::fault_words;
use crate::parts::metadata_rows::{self, MetadataRow};
use crate::parts::words::{Word, grouped, word};

/// The maximum number of fields that are shown first.
const FIRST_MAX: usize = 4;

/// The prefix of the filters that rows replace.
const METADATA: &str = "metadata_";

pub(crate) struct ResourceForm {
    pub(crate) first: Vec<Input>,
    /// Conditions on metadata; empty for resources without metadata.
    pub(crate) rows: Vec<MetadataRow>,
    /// The field for conditions of all kinds, below all others.
    pub(crate) query: Input,
    /// The other fields, in groups with headings.
    pub(crate) more: Vec<(&'static str, Vec<Input>)>,
    /// `true` if the other fields are shown at once.
    pub(crate) is_open: bool,
    /// Problems of parameters without a field.
    pub(crate) problems: Vec<String>,
}

pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) word: &'static Word,
    pub(crate) value: String,
    pub(crate) problem: String,
}

impl ResourceForm {
    /// Creates the form of a list, which has this path in the API, for these parameters.
    pub(crate) fn new(
        context: &PageContext,
        members: &Collection,
        path: &str,
        pairs: &Pairs,
        problems: &[(String, String)],
    ) -> Result<Self, PortalProblem> {
        let has_metadata = members.filters().any(|filter| filter.name.starts_with(METADATA));
        let rows =
            if has_metadata { metadata_rows::of_form(context, path, pairs, !problems.is_empty())? } else { Vec::new() };
        let is_row_refused = rows.iter().any(|row| !row.problem.is_empty());
        let input = |name: &'static str| {
            let own = problems.iter().filter(|(of, _)| of == name && !(name == WHERE && is_row_refused));
            let value = pairs.value(name).to_owned();
            let problem = own.map(|(_, problem)| fault_words::describe(problem, &value)).collect();
            Input { name, word: word(name), value, problem }
        };
        let names: Vec<_> = members.filters().map(|filter| filter.name).collect();
        let without_field = problems.iter().filter(|(name, _)| name != WHERE && !names.contains(&&**name));
        let problems = without_field.map(|(_, problem)| problem.clone()).collect();
        let is_shown = |name: &&str| !name.starts_with(METADATA) || !pairs.value(name).is_empty();
        let (mut first, mut others): (Vec<_>, Vec<_>) =
            names.into_iter().filter(is_shown).map(input).partition(|input| !input.word.first.is_empty());
        first.sort_by_key(|input| input.word.first);
        others.extend(first.split_off(first.len().min(FIRST_MAX)));
        let is_open = others.iter().any(|input| !input.value.is_empty() || !input.problem.is_empty());
        let query = input(WHERE);
        Ok(Self { first, rows, query, more: grouped(others, |input| input.name), is_open, problems })
    }
}
