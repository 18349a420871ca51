//! Parameters before their values are read, and the check that they are not repeated.

use std::borrow::Cow;
use std::collections::HashSet;

use super::reader::PROBLEMS_MAX;
use crate::problem::{ParameterProblem, Problems, ProteinProblem};

/// The parameters that may be repeated. Their values add up.
const LISTS: [&str; 3] = ["fields", "pfam", "accession"];

pub(crate) type Pairs<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// Returns the parameters of the query part of an address, decoded and in order.
///
/// # Errors
///
/// * A parameter is repeated that may not be.
pub(crate) fn pairs(text: &str) -> Result<Pairs<'_>, ProteinProblem> {
    let pairs: Pairs = form_urlencoded::parse(text.as_bytes()).collect();
    check(pairs.iter().map(|(name, _)| &**name))?;
    Ok(pairs)
}

/// Refuses repeated names.
pub(crate) fn check<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), ProteinProblem> {
    let mut known = HashSet::new();
    let repeated = names.filter(|name| !LISTS.contains(name) && !known.insert(*name));
    let hint = |name: &str| if name == "q" { "combine the conditions with AND." } else { "give it once." };
    let problem = |name: &str| {
        let name = api_http::error::shown(name).into_owned();
        let problem = format!("There is more than one {name}: {}", hint(&name));
        ParameterProblem::new("value_error", name, problem)
    };
    Problems(repeated.take(PROBLEMS_MAX).map(problem).collect()).check()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_may_be_repeated() {
        for (text, num_problems) in
            [("", 0), ("q=a&fields=x&fields=y&pfam=1&pfam=1", 0), ("q=&q=", 1), ("a=1&b=2&a=1&b=&a=3", 3)]
        {
            let num_found = match pairs(text) {
                Ok(_) => 0,
                Err(ProteinProblem::Parameters(problems)) => problems.len(),
                Err(other) => panic!("{other:?}"),
            };
            assert_eq!(num_found, num_problems, "{text}");
        }
        assert!(
            matches!(pairs(&"a&".repeat(1000)), Err(ProteinProblem::Parameters(found)) if found.len() == PROBLEMS_MAX)
        );
    }
}
