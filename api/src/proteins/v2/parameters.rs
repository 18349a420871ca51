//! The parameters of a search.

use std::ops::RangeInclusive;

use axum::http::HeaderMap;
use store::{
    AccessionError, BiomeTable, CHOSEN_MAX, ProteinAccession, ProteinChoice, ProteinOrder, ProteinQuery,
    QUERY_TERMS_MAX, QueryFault, QueryField, near_names,
};

use super::super::problem::{ParameterProblem, ProteinProblem};
use super::super::shared::results::{ResultField, ResultFormat, ResultWriter};
use crate::http::accept::{self, Offer};
use crate::http::error::shown;

/// The results of a page in JSON unless the request has a limit.
pub(super) const LIMIT_DEFAULT: u64 = 50;

/// The most results of a page.
pub(super) const LIMIT_MAX: u64 = 1000;

/// Makes a condition of a range.
type Ranged = fn(RangeInclusive<u64>) -> ProteinQuery;

/// The parameters that bound a range from below and from above.
const RANGES: [([&str; 2], Ranged); 2] = [
    (["min_length", "max_length"], ProteinQuery::Length),
    (["min_cluster_size", "max_cluster_size"], ProteinQuery::ClusterSize),
];

/// A range that nothing bounds.
const ANY: [u64; 2] = [0, u64::MAX];

/// After so many problems, no further parameters are read.
pub(super) const PROBLEMS_MAX: usize = 100;

const OTHERS: [&str; 9] = ["q", "limit", "after", "fields", "format", "count", "order", "random", "seed"];

pub(super) const FASTA_FIELDS: &str = "FASTA has no fields.";

/// The names of formats.
const FORMATS: [(&str, ResultFormat); 6] = [
    ("json", ResultFormat::Json),
    ("ndjson", ResultFormat::Ndjson),
    ("tsv", ResultFormat::Tsv),
    ("fasta", ResultFormat::Fasta),
    ("parquet", ResultFormat::Parquet),
    ("arrow", ResultFormat::Arrow),
];

/// Their media types, by falling preference of the server.
const OFFERS: [Offer<ResultFormat>; 10] = [
    ("application", "json", ResultFormat::Json),
    ("application", "x-ndjson", ResultFormat::Ndjson),
    ("application", "ndjson", ResultFormat::Ndjson),
    ("application", "jsonl", ResultFormat::Ndjson),
    ("text", "tab-separated-values", ResultFormat::Tsv),
    ("text", "x-fasta", ResultFormat::Fasta),
    ("application", "x-fasta", ResultFormat::Fasta),
    ("chemical", "seq-aa-fasta", ResultFormat::Fasta),
    ("application", "vnd.apache.parquet", ResultFormat::Parquet),
    ("application", "vnd.apache.arrow.stream", ResultFormat::Arrow),
];

/// The parameters of a search.
#[derive(Clone, Debug)]
pub(crate) struct QueryParameters {
    pub(crate) query: ProteinQuery,
    pub(crate) after: Option<ProteinAccession>,
    pub(crate) limit: Option<u64>,
    pub(crate) counts_exactly: bool,
    /// Which of the matches are wanted, if not all in ascending order of accession.
    pub(crate) choice: Option<ProteinChoice>,
    pub(crate) writer: ResultWriter,
}

impl QueryParameters {
    /// Reads the query part of a URI. Conditions may be repeated, and all of them must be met.
    ///
    /// # Errors
    ///
    /// * All parameters that cannot be used, unknown ones included, up to about a hundred.
    /// * All conditions together have too many terms.
    /// * No format is acceptable.
    pub(crate) fn parse(
        text: &str,
        accepted: Option<ResultFormat>,
        biomes: &BiomeTable,
    ) -> Result<Self, ProteinProblem> {
        let mut read = Reader::new(biomes, &OTHERS);
        let (mut after, mut limit, mut counts_exactly, mut format, mut fields) = (None, None, false, None, None);
        let (mut order, mut random, mut seed) = (None, None, None);
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            if read.has_enough() {
                break;
            }
            match &*name {
                "q" => read.query(&value),
                "after" => {
                    after = read.value("after", value.parse().map_err(|error: AccessionError| error.to_string()));
                }
                "limit" => limit = read.value("limit", positive(&value)),
                "count" => counts_exactly |= read.value("count", exact(&value)).is_some(),
                "format" => format = read.value("format", format_named(&value)),
                "fields" => fields = read.value("fields", fields_named(&value)),
                "order" => order = read.value("order", value.parse::<ProteinOrder>()),
                "random" => random = read.value("random", num_chosen(&value)),
                "seed" => seed = read.value("seed", seed_number(&value)),
                name => read.condition(name, &value),
            }
        }
        let mut refuse = |name, problem: &str| {
            read.problems.push(ParameterProblem::new("value_error", name, problem.to_owned()));
        };
        if random.is_some() {
            for (name, is_given) in [("order", order.is_some()), ("after", after.is_some()), ("limit", limit.is_some())]
            {
                if is_given {
                    refuse(
                        name,
                        "A random sample has neither an order nor pages: random says how many proteins it has.",
                    );
                }
            }
        } else if seed.is_some() {
            refuse("seed", "Only a random sample has a seed.");
        }
        let choice = random
            .map(|num_wanted| ProteinChoice::Random { num_wanted, seed: seed.unwrap_or_default() })
            .or(order.map(ProteinChoice::First));
        let format = match format {
            Some(format) => format,
            None => accepted.ok_or(ProteinProblem::NoFormat)?,
        };
        if format == ResultFormat::Json && limit.is_some_and(|limit| limit > LIMIT_MAX) {
            let problem = format!("A page has at most {LIMIT_MAX} results; all formats but json have no limit.");
            read.problems.push(ParameterProblem::new("less_than_equal", "limit", problem));
        }
        if format == ResultFormat::Fasta && fields.is_some() {
            read.problems.push(ParameterProblem::new("value_error", "fields", FASTA_FIELDS));
        }
        if format != ResultFormat::Json && counts_exactly {
            read.problems.push(ParameterProblem::new(
                "value_error",
                "count",
                "Only format=json counts; a stream has no total.",
            ));
        }
        let query = read.finish()?;
        let fields: Vec<ResultField> = fields.unwrap_or_else(|| ResultField::DEFAULT.to_vec());
        Ok(Self { query, after, limit, counts_exactly, choice, writer: ResultWriter::new(format, &fields) })
    }

    /// Returns how many results a page has, or `None` of a stream.
    pub(crate) fn page_limit(&self) -> Option<usize> {
        let limit = match self.choice {
            Some(ProteinChoice::Random { num_wanted, .. }) => num_wanted as u64,
            _ => self.limit.unwrap_or(LIMIT_DEFAULT).min(LIMIT_MAX),
        };
        (self.writer.format() == ResultFormat::Json).then(|| usize::try_from(limit).unwrap_or(usize::MAX))
    }
}

/// Collects conditions and problems.
pub(super) struct Reader<'a> {
    biomes: &'a BiomeTable,
    /// The names of the parameters that are no conditions.
    others: &'a [&'static str],
    conditions: Vec<ProteinQuery>,
    /// The range that is left of each of [`RANGES`].
    ranges: [[u64; 2]; RANGES.len()],
    problems: Vec<ParameterProblem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(biomes: &'a BiomeTable, others: &'a [&'static str]) -> Self {
        Self { biomes, others, conditions: Vec::new(), ranges: [ANY; RANGES.len()], problems: Vec::new() }
    }

    /// Returns whether no further parameters are read.
    pub(super) fn has_enough(&self) -> bool {
        self.problems.len() >= PROBLEMS_MAX
    }

    /// Returns the query that has all conditions, or all problems.
    pub(super) fn finish(mut self) -> Result<ProteinQuery, ProteinProblem> {
        self.check_ranges();
        if !self.problems.is_empty() {
            return Err(ProteinProblem::Parameters(self.problems));
        }
        let query = match self.conditions.len() {
            0 => ProteinQuery::Everything,
            1 => self.conditions.remove(0),
            _ => ProteinQuery::And(self.conditions),
        };
        if query.num_terms() > QUERY_TERMS_MAX {
            let problem = format!("All conditions together have more than {QUERY_TERMS_MAX} terms.");
            let problem =
                ParameterProblem { loc: vec!["query".into()], ..ParameterProblem::new("value_error", "", problem) };
            return Err(ProteinProblem::Parameters(vec![problem]));
        }
        Ok(query)
    }

    /// Adds the conditions of a query.
    pub(super) fn query(&mut self, text: &str) {
        let query = self.parse("q", text);
        self.conditions.extend(query);
    }

    /// Reads a query, or notes its faults as those of a parameter.
    pub(super) fn parse(&mut self, name: &str, text: &str) -> Option<ProteinQuery> {
        let parsed = ProteinQuery::parse(text, self.biomes);
        parsed.map_err(|faults| self.problems.extend(faults.iter().map(|fault| fault_of(name, fault)))).ok()
    }

    pub(super) fn condition(&mut self, name: &str, value: &str) {
        let bound = RANGES
            .iter()
            .zip(&mut self.ranges)
            .find_map(|((names, ranged), range)| Some((names.iter().position(|bound| *bound == name)?, ranged, range)));
        let read = if let Some((end, ranged, range)) = bound {
            let bound = value.trim().parse().map(|bound: u64| {
                range[end] = if end == 0 { range[end].max(bound) } else { range[end].min(bound) };
                if end == 0 { ranged(bound..=u64::MAX) } else { ranged(0..=bound) }
            });
            bound.map_err(|_| ParameterProblem::new("value_error", name.to_owned(), "The bound is a whole number."))
        } else if let Some(field) = QueryField::named(name) {
            ProteinQuery::parse_value(field, value, self.biomes).map_err(|fault| fault_of(name, &fault))
        } else {
            Err(unknown(name, self.others))
        };
        match read {
            Ok(condition) => self.conditions.push(condition),
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Refuses bounds that leave nothing, as the range of a query is refused.
    fn check_ranges(&mut self) {
        for (([min, max], _), [low, high]) in RANGES.iter().zip(self.ranges) {
            if low > high {
                let problem = format!("The range is empty: {min} is {low}, and {max} is {high}.");
                self.problems.push(ParameterProblem::new("value_error", *max, problem));
            }
        }
    }

    pub(super) fn value<T>(&mut self, name: &'static str, read: Result<T, String>) -> Option<T> {
        read.map_err(|problem| self.problems.push(ParameterProblem::new("value_error", name, problem))).ok()
    }
}

/// Refuses an unknown parameter, and suggests known ones.
fn unknown(name: &str, others: &[&'static str]) -> ParameterProblem {
    let bounds = RANGES.iter().flat_map(|(names, _)| *names);
    let near = near_names(others.iter().copied().chain(bounds).chain(QueryField::ALL.map(QueryField::name)), name);
    let near = near.join("\" or \"");
    let near = if near.is_empty() { near } else { format!(" Did you mean \"{near}\"?") };
    no_parameter(name, &near)
}

pub(super) fn no_parameter(name: &str, hint: &str) -> ParameterProblem {
    let problem = format!("There is no parameter \"{}\".{hint}", shown(name));
    ParameterProblem::new("extra_forbidden", shown(name).into_owned(), problem)
}

/// Checks that the query part of the address of a protein is empty: it has no parameters.
pub(in crate::proteins) fn none_allowed(text: &str) -> Result<(), ProteinProblem> {
    let hint = " A protein has none: its record is whole, and `.fasta` behind its address gives the sequence.";
    let given = form_urlencoded::parse(text.as_bytes()).take(PROBLEMS_MAX);
    let problems: Vec<_> = given.map(|(name, _)| no_parameter(&name, hint)).collect();
    if problems.is_empty() { Ok(()) } else { Err(ProteinProblem::Parameters(problems)) }
}

/// Describes a fault in a text, and its place.
fn fault_of(name: &str, fault: &QueryFault) -> ParameterProblem {
    let mut problem = ParameterProblem::new("query_parsing", name.to_owned(), fault.to_string());
    let [start, end] = [fault.place.start, fault.place.end].map(|offset| i64::try_from(offset).unwrap_or(i64::MAX));
    problem.ctx = Some([("start", start), ("end", end)].into());
    problem
}

fn positive(text: &str) -> Result<u64, String> {
    let number = text.trim().parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "The limit is a whole number above 0.".to_owned())
}

fn num_chosen(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=CHOSEN_MAX).contains(number));
    number.ok_or_else(|| format!("A sample has from 1 to {CHOSEN_MAX} proteins."))
}

pub(super) fn seed_number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| "The seed is a whole number below 2^64.".to_owned())
}

fn exact(text: &str) -> Result<(), String> {
    if text == "exact" { Ok(()) } else { Err("The only value is \"exact\".".to_owned()) }
}

pub(super) fn format_named(text: &str) -> Result<ResultFormat, String> {
    let found = FORMATS.into_iter().find(|(name, _)| *name == text);
    found
        .map(|(_, format)| format)
        .ok_or_else(|| "The formats are json, ndjson, tsv, fasta, parquet and arrow.".to_owned())
}

pub(super) fn fields_named(text: &str) -> Result<Vec<ResultField>, String> {
    text.split(',').map(|name| name.trim().parse()).collect()
}

/// Returns the format that the client likes best.
pub(super) fn accepted(headers: &HeaderMap) -> Option<ResultFormat> {
    accept::preferred(headers, &OFFERS)
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    fn format_of(accept: &str) -> Option<ResultFormat> {
        accepted(&HeaderMap::from_iter([(header::ACCEPT, accept.parse().expect("printable"))]))
    }

    #[test]
    fn the_best_format_is_chosen() {
        assert_eq!(accepted(&HeaderMap::new()), Some(ResultFormat::Json));
        for (accept, expected) in [
            ("*/*", Some(ResultFormat::Json)),
            ("text/html, */*;q=0.1", Some(ResultFormat::Json)),
            ("application/x-ndjson", Some(ResultFormat::Ndjson)),
            ("text/tab-separated-values;q=0.5, text/x-fasta", Some(ResultFormat::Fasta)),
            ("application/json;q=0, text/x-fasta;q=0.1", Some(ResultFormat::Fasta)),
            ("application/vnd.apache.parquet", Some(ResultFormat::Parquet)),
            ("application/vnd.apache.arrow.stream, */*;q=0.1", Some(ResultFormat::Arrow)),
            ("application/json;q=0, */*;q=0.1", Some(ResultFormat::Ndjson)),
            ("image/png", None),
        ] {
            assert_eq!(format_of(accept), expected, "{accept}");
        }
    }

    #[test]
    fn so_many_faults_are_listed() {
        let refused = QueryParameters::parse(&"nope=1&".repeat(300), Some(ResultFormat::Json), &BiomeTable::default());
        assert!(matches!(refused, Err(ProteinProblem::Parameters(problems)) if problems.len() == PROBLEMS_MAX));
    }
}
