//! Compares the numbers of a new generation with those of the present one.

use std::fmt;

use serde::Serialize;
use store::{Contents, GenerationName, Generations, Manifest};

use crate::words::counted;

/// If a type has fewer resources than this, losing most of them is only a warning.
const RESOURCES_MIN: u64 = 10;

/// The numbers of a new generation, and those of the present one, which it replaces.
#[derive(Clone, Debug, Serialize)]
pub struct Changes {
    /// The name of the generations in messages, such as `directory`.
    #[serde(skip)]
    pub noun: &'static str,
    /// The present generation, or `None` if it is missing or cannot be read.
    pub present: Option<GenerationName>,
    /// All numbers, changed or not.
    pub numbers: Vec<Change>,
}

/// A number of two generations.
///
/// ```
/// let change =
///     indexer::Change { what: "resource", of_type: Some("samples".to_owned()), before: 9159, now: 12, missing: None };
/// assert_eq!(change.to_string(), "resources of type samples: 9159 before, 12 now");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The thing that was counted, such as `user`.
    pub what: &'static str,
    /// The type of the resources, if it was resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_type: Option<String>,
    /// The number in the present generation.
    pub before: u64,
    /// The number in the new one.
    pub now: u64,
    /// The number of those before that are missing from the new one, if that was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<u64>,
}

/// The generation that a new one replaces, and the requested part of it.
pub(crate) type Present<T> = Option<(GenerationName, T)>;

/// Opens the present generation, if possible: a damaged one is fixed by a new one.
pub fn open_present<T>(
    generations: &Generations,
    noun: &str,
    open: impl FnOnce(GenerationName) -> store::Result<T>,
) -> Present<T> {
    let current = generations.current().transpose()?;
    let opened = current.and_then(|name| Ok((name, open(name)?)));
    opened.inspect_err(|error| tracing::warn!("the new {noun} is not compared with the present one: {error}")).ok()
}

/// Reads the contents in the manifest of the present generation, like [`open_present`].
pub fn read_present<C: Contents>(generations: &Generations, noun: &str) -> Present<C> {
    open_present(generations, noun, |name| Ok(Manifest::<C>::read(&generations.path(name))?.contents))
}

impl Changes {
    /// Returns the numbers that differ from those of the present generation, if there is one.
    pub fn differing(&self) -> impl Iterator<Item = &Change> {
        let numbers = self.numbers.iter().filter(|_| self.present.is_some());
        numbers.filter(|change| change.before != change.now || change.has_missing())
    }

    /// Returns a sentence for each loss that is suspicious, but accepted.
    pub fn warnings(&self) -> Vec<String> {
        let is_suspicious =
            |change: &&Change| !change.is_refused() && (change.is_mostly_lost() || change.has_missing());
        self.numbers.iter().filter(is_suspicious).map(|change| change.sentence(self)).collect()
    }
}

impl Change {
    /// Returns a number without a type or missing ones.
    pub const fn new(what: &'static str, before: u64, now: u64) -> Self {
        Self { what, of_type: None, before, now, missing: None }
    }

    /// Returns the name of the counted things, such as `resources of type samples`.
    pub fn name(&self) -> String {
        let of_type = self.of_type.as_ref().map(|name| format!(" of type {name}")).unwrap_or_default();
        format!("{}s{of_type}", self.what)
    }

    /// Returns the numbers, such as `9159 before, 12 now`.
    pub fn counts(&self) -> String {
        let Self { before, now, missing, .. } = self;
        let missing = missing.map(|missing| format!(", {missing} of the previous ones missing")).unwrap_or_default();
        format!("{before} before, {now} now{missing}")
    }

    /// Returns whether so much is lost that the input was most likely cut off.
    pub(super) fn is_refused(&self) -> bool {
        (self.of_type.is_none() || self.before >= RESOURCES_MIN) && self.is_mostly_lost()
    }

    fn is_mostly_lost(&self) -> bool {
        self.missing.unwrap_or_else(|| self.before.saturating_sub(self.now)) > self.before / 2
    }

    fn has_missing(&self) -> bool {
        self.missing.is_some_and(|missing| missing > 0)
    }

    /// Returns a sentence about a loss.
    pub(super) fn sentence(&self, Changes { noun, present, .. }: &Changes) -> String {
        let Self { what, of_type, before, now, missing } = self;
        let present = present.map(|name| name.to_string()).unwrap_or_default();
        if let Some(missing) = missing {
            let accounts = "their accounts would be unlocked";
            return format!(
                "the new {noun} does not have {missing} of the {before} {what}s of the present one, {present}: {accounts}"
            );
        }
        let of_type = of_type.as_ref().map(|name| format!(" of type {name}")).unwrap_or_default();
        let now = counted(*now, what);
        format!("the new {noun} has {now}{of_type}, and the present one, {present}, has {before}: less than half")
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.counts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_of_more_than_half_are_refused() {
        let lost = |before, now| Change::new("user", before, now).is_refused();
        for (before, now, expected) in [(0, 0, false), (1, 1, false), (1, 0, true), (2, 1, false), (7, 4, false)] {
            assert_eq!(lost(before, now), expected, "{before} {now}");
        }
        assert!(lost(7, 3) && !lost(3, 7), "less than half");
        let missing = |before, missing| Change { missing: Some(missing), ..Change::new("locked user", before, 0) };
        for (change, expected) in [(missing(4, 2), false), (missing(4, 3), true), (missing(1, 1), true)] {
            assert_eq!(change.is_refused(), expected, "{change}");
        }
    }

    #[test]
    fn losses_of_few_resources_are_warnings() {
        let resources = |before, now| Change { of_type: Some("cogs".into()), ..Change::new("resource", before, now) };
        assert!(resources(10, 4).is_refused() && !resources(9, 0).is_refused());
        let present: GenerationName = "gen-00000000-0000-0000-0000-000000000007".parse().expect("a name");
        let numbers = vec![resources(9, 0), resources(9, 5), resources(10, 4), resources(7, 7)];
        let changes = Changes { noun: "catalogue", present: Some(present), numbers };
        let expected = format!(
            "the new catalogue has 0 resources of type cogs, and the present one, {present}, has 9: less than half"
        );
        assert_eq!(changes.warnings(), [expected]);
        assert_eq!(changes.differing().count(), 3);
    }
}
