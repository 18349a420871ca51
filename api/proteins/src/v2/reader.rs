//! Reads conditions from parameters, and collects their problems.

use std::ops::RangeInclusive;

use api_http::error::{Problem, shown};
use store::{QUERY_TERMS_MAX, QueryFault, QueryPlace, near_names};
use store_proteins::{ProteinGeneration, ProteinQuery, QueryField, QueryNames};

use crate::problem::{NO_CONTIGS, NO_MEMBERS, ParameterProblem, Problems, ProteinProblem};
use crate::{Names, Release};

/// A function that makes a condition of a range.
type Ranged = fn(RangeInclusive<u64>) -> ProteinQuery;

/// The parameters for the lower and the upper bound of a range.
const RANGES: [([&str; 2], Ranged); 2] = [
    (["min_length", "max_length"], ProteinQuery::Length),
    (["min_cluster_size", "max_cluster_size"], ProteinQuery::ClusterSize),
];

/// A range without bounds.
const ANY: [u64; 2] = [0, u64::MAX];

/// The number of problems after which no further parameters are read.
pub(crate) const PROBLEMS_MAX: usize = 100;

/// Collects conditions and problems.
pub(super) struct Reader<'a, N> {
    names: &'a N,
    /// The names of the parameters that are not conditions.
    others: &'a [&'static str],
    conditions: Vec<ProteinQuery>,
    /// The remaining range for each of [`RANGES`].
    ranges: [[u64; 2]; RANGES.len()],
    pub(super) problems: Problems,
}

impl<'a, N: QueryNames<Failure: Into<Problem>>> Reader<'a, N> {
    pub(super) fn new(names: &'a N, others: &'a [&'static str]) -> Self {
        Self { names, others, conditions: Vec::new(), ranges: [ANY; RANGES.len()], problems: Problems::default() }
    }

    /// Returns whether there are enough problems, so that no further parameters are read.
    pub(super) fn is_full(&self) -> bool {
        self.problems.0.len() >= PROBLEMS_MAX
    }

    /// Returns a query with all conditions, or all problems.
    pub(super) fn finish(mut self) -> Result<ProteinQuery, ProteinProblem> {
        self.check_ranges();
        self.problems.check()?;
        let query = match self.conditions.len() {
            0 => ProteinQuery::Everything,
            1 => self.conditions.remove(0),
            _ => ProteinQuery::And(self.conditions),
        };
        check_terms(query)
    }

    /// Adds the conditions of a query.
    pub(super) fn query(&mut self, text: &str) -> Result<(), ProteinProblem> {
        let query = self.parse("q", text)?;
        self.conditions.extend(query);
        Ok(())
    }

    /// Reads a query, or adds its faults to the problems of a parameter.
    pub(super) fn parse(&mut self, name: &str, text: &str) -> Result<Option<ProteinQuery>, ProteinProblem> {
        let read = ProteinQuery::read(QueryPlace::whole(text), self.names)?;
        Ok(read.map_err(|faults| self.problems.0.extend(faults.iter().map(|fault| fault_of(name, fault)))).ok())
    }

    pub(super) fn condition(&mut self, name: &str, value: &str) -> Result<(), ProteinProblem> {
        let bound = RANGES
            .iter()
            .zip(&mut self.ranges)
            .find_map(|((names, ranged), range)| Some((names.iter().position(|bound| *bound == name)?, ranged, range)));
        let read = if let Some((end, ranged, range)) = bound {
            let bound = value.trim().parse().map(|bound: u64| {
                range[end] = if end == 0 { range[end].max(bound) } else { range[end].min(bound) };
                // Unknown sizes are stored as 0, and do not match an upper bound.
                if end == 0 { ranged(bound..=u64::MAX) } else { ranged(bound.min(1)..=bound) }
            });
            let problem = || ParameterProblem::new("value_error", name.to_owned(), "The bound must be a whole number.");
            bound.map_err(|_| vec![problem()])
        } else if let Some(field) = QueryField::named(name) {
            ProteinQuery::read_value(field, value, self.names)?
                .map_err(|faults| faults.iter().map(|fault| fault_of(name, fault)).collect())
        } else {
            let bounds = RANGES.iter().flat_map(|(names, _)| *names);
            let fields = QueryField::ALL.iter().map(|field| field.name());
            Err(vec![unknown(name, self.others.iter().copied().chain(bounds).chain(fields))])
        };
        match read {
            Ok(condition) => self.conditions.push(condition),
            Err(problems) => self.problems.0.extend(problems),
        }
        Ok(())
    }

    /// Refuses bounds that leave an empty range, like the range of a query.
    fn check_ranges(&mut self) {
        for (([min, max], _), [low, high]) in RANGES.iter().zip(self.ranges) {
            if low > high {
                let problem = format!("The range is empty: {min} is {low}, and {max} is {high}.");
                self.problems.push(ParameterProblem::new("value_error", *max, problem));
            }
        }
    }
}

/// Reads a query on a release. An empty one matches everything.
///
/// # Errors
///
/// * It has faults, or names, digests of sequences or clusters cannot be looked up.
pub(crate) fn read(release: &Release, text: &str) -> Result<ProteinQuery, ProteinProblem> {
    let names = Names::new(release);
    let mut read = Reader::new(&names, &[]);
    if !text.is_empty() {
        read.query(text)?;
    }
    resolve_lookups(read.finish()?, &release.data)
}

/// Looks up the digests of sequences and the clusters of a query, and narrows its conditions on
/// near proteins.
///
/// # Errors
///
/// * The generation has no index of digests, no members of clusters or no contigs, or too many
///   proteins are found.
pub(super) fn resolve_lookups(query: ProteinQuery, data: &ProteinGeneration) -> Result<ProteinQuery, ProteinProblem> {
    if query.has_digest() {
        data.checksums().ok_or(ProteinProblem::NoChecksums)?;
    }
    if query.has_cluster() {
        data.members().ok_or_else(|| ProteinProblem::of_parameter("cluster", NO_MEMBERS))?;
    }
    if query.has_near() {
        data.contigs().next().ok_or_else(|| ProteinProblem::of_parameter("q", NO_CONTIGS))?;
    }
    check_terms(data.resolve_lookups(query)?)
}

/// Refuses a query with too many terms.
fn check_terms(query: ProteinQuery) -> Result<ProteinQuery, ProteinProblem> {
    if query.num_terms() <= QUERY_TERMS_MAX {
        return Ok(query);
    }
    let problem = format!("All conditions together have more than {QUERY_TERMS_MAX} terms.");
    let problem = ParameterProblem { loc: vec!["query".into()], ..ParameterProblem::new("value_error", "", problem) };
    Err(ProteinProblem::Parameters(vec![problem]))
}

/// Refuses an unknown parameter, and suggests known ones.
pub(crate) fn unknown(name: &str, known: impl Iterator<Item = &'static str>) -> ParameterProblem {
    let similar = near_names(known, name);
    let similar = similar.join("\" or \"");
    let similar = if similar.is_empty() { similar } else { format!(" Did you mean \"{similar}\"?") };
    unknown_parameter(name, &similar)
}

pub(crate) fn unknown_parameter(name: &str, hint: &str) -> ParameterProblem {
    let problem = format!("Unknown parameter \"{}\".{hint}", shown(name));
    ParameterProblem::new("extra_forbidden", shown(name).into_owned(), problem)
}

/// Describes a fault in a text, with its offsets.
fn fault_of(name: &str, fault: &QueryFault) -> ParameterProblem {
    let mut problem = ParameterProblem::new("query_parsing", name.to_owned(), fault.to_string());
    let [start, end] = [fault.place.start, fault.place.end].map(|offset| i64::try_from(offset).unwrap_or(i64::MAX));
    problem.ctx = Some([("start", start), ("end", end)].into());
    problem
}
