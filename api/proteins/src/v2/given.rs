//! The parameters of a request, read one by one.

use std::fmt::Display;
use std::str::FromStr;

use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX, positive};
use super::reader::{PROBLEMS_MAX, unknown};
use super::repeats::{Pairs, pairs};
use crate::problem::{ParameterProblem, Problems, ProteinProblem};
use crate::shared::result_format::ResultFormat;

/// The parameters of a request, and the problems of those that were read.
pub(crate) struct Given<'a> {
    pairs: Pairs<'a>,
    pub(crate) problems: Problems,
}

impl<'a> Given<'a> {
    /// Begins to read the query part of an address that may have these parameters.
    pub(crate) fn new(text: &'a str, known: &[&'static str]) -> Result<Self, ProteinProblem> {
        let (pairs, mut problems) = (pairs(text)?, Problems::default());
        let others = pairs.iter().filter(|(name, _)| !known.contains(&&**name));
        for (name, _) in others.take(PROBLEMS_MAX) {
            problems.push(unknown(name, known.iter().copied()));
        }
        Ok(Self { pairs, problems })
    }

    /// Reads a parameter if it is given.
    pub(crate) fn value<T>(&mut self, name: &'static str, read: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let (_, text) = self.pairs.iter().find(|(given, _)| given == name)?;
        self.problems.value(name, read(text))
    }

    /// Reads a parameter that may be repeated, and whose values add up.
    pub(crate) fn values<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(&str) -> Result<Vec<T>, String>,
    ) -> Option<Vec<T>> {
        let mut values = None;
        for (_, text) in self.pairs.iter().filter(|(given, _)| given == name) {
            let some = self.problems.value(name, read(text)).unwrap_or_default();
            values.get_or_insert_with(Vec::new).extend(some);
        }
        values
    }

    /// Reads the format, or returns the accepted one.
    ///
    /// # Errors
    ///
    /// * No format is acceptable.
    pub(crate) fn format(
        &mut self,
        accepted: Option<ResultFormat>,
        is_available: fn(ResultFormat) -> bool,
    ) -> Result<ResultFormat, ProteinProblem> {
        let named = self.value("format", |text| ResultFormat::parse(text, is_available));
        ResultFormat::choose(named, accepted, is_available)
    }

    /// Reads the most results of a page, or of a stream in another format than JSON.
    pub(crate) fn limit(&mut self, format: ResultFormat) -> u64 {
        let limit = self.value("limit", positive);
        check_limit(format, limit, &mut self.problems);
        limit.unwrap_or(if format == ResultFormat::Json { LIMIT_DEFAULT } else { u64::MAX })
    }

    /// Returns all problems, if there are any.
    pub(crate) fn check(self) -> Result<(), ProteinProblem> {
        self.problems.check()
    }
}

/// Refuses too many results of a page.
pub(super) fn check_limit(format: ResultFormat, limit: Option<u64>, problems: &mut Problems) {
    if format == ResultFormat::Json && limit.is_some_and(|limit| limit > LIMIT_MAX) {
        let problem = format!("A page has at most {LIMIT_MAX} results; other formats than json have no limit.");
        problems.push(ParameterProblem::new("less_than_equal", "limit", problem));
    }
}

/// Reads a number within bounds.
pub(super) fn number<N: FromStr + PartialOrd + Display + Copy>(text: &str, least: N, most: N) -> Result<N, String> {
    let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("Enter a whole number from {least} to {most}."))
}

/// Reads `true` or `false`.
pub(super) fn truth(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "Enter true or false.".to_owned())
}
