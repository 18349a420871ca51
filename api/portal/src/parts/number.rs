//! Formatted numbers.

use std::fmt;

use store::grouped;
use store_proteins::{FacetCount, Relation, Total};

/// A whole number with thousands separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Number(pub(crate) u64);

impl Number {
    pub(crate) fn of(number: usize) -> Self {
        Self(number as u64)
    }

    /// Returns the number with its unit, the name of a collection such as `studies`.
    pub(crate) fn counted(self, collection: &str) -> String {
        let one = match collection {
            "studies" => "study",
            "analyses" => "analysis",
            "assemblies" => "assembly",
            collection => collection.strip_suffix('s').unwrap_or(collection),
        };
        format!("{self} {}", if self.0 == 1 { one } else { collection })
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&grouped(self.0))
    }
}

/// A number of proteins, marked if it is an estimate or a lower bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Count {
    pub(crate) value: u64,
    /// The word before the number.
    certainty: &'static str,
}

impl Count {
    /// Returns the number with its unit, the name of a collection such as `studies`.
    pub(crate) fn counted(self, collection: &str) -> String {
        format!("{}{}", self.certainty, Number(self.value).counted(collection))
    }

    /// Returns the count without others. It is a lower bound, because others may overlap.
    pub(crate) fn without(self, others: u64) -> Self {
        let certainty = if self.certainty.is_empty() { "at least " } else { self.certainty };
        Self { value: self.value.saturating_sub(others), certainty }
    }

    /// Returns a word for tables.
    pub(crate) fn precision(self) -> &'static str {
        if self.certainty.is_empty() { "exact" } else { self.certainty.trim_end() }
    }
}

impl From<u64> for Count {
    fn from(value: u64) -> Self {
        Self { value, certainty: "" }
    }
}

impl From<FacetCount> for Count {
    fn from(FacetCount { value, low, high }: FacetCount) -> Self {
        Self { value, certainty: if low == high { "" } else { "about " } }
    }
}

impl From<Total> for Count {
    fn from(Total { value, relation }: Total) -> Self {
        Self { value, certainty: if relation == Relation::Eq { "" } else { "at least " } }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.certainty, Number(self.value))
    }
}

/// A number of bytes, in the unit that leaves at most three digits before the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    #[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
        if self.0 < 1000 {
            return write!(f, "{} bytes", self.0);
        }
        let (mut value, mut unit) = (self.0 as f64 / 1000.0, 0);
        while value >= 999.5 && unit + 1 < UNITS.len() {
            (value, unit) = (value / 1000.0, unit + 1);
        }
        if value < 9.95 { write!(f, "{value:.1} {}", UNITS[unit]) } else { write!(f, "{value:.0} {}", UNITS[unit]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1 << 32, "4,294,967,296")]
        {
            assert_eq!(Number(number).to_string(), expected);
        }
    }

    #[test]
    fn one_is_singular() {
        let counted = [(1, "studies"), (2, "studies"), (1, "analyses"), (1, "samples")];
        let texts = counted.map(|(number, what)| Number(number).counted(what));
        assert_eq!(texts, ["1 study", "2 studies", "1 analysis", "1 sample"]);
    }

    #[test]
    fn estimates_are_marked() {
        let count = |low, high| Count::from(FacetCount { value: 1234, low, high }).to_string();
        assert_eq!([count(1234, 1234), count(1200, 1300)], ["1,234", "about 1,234"]);
        assert_eq!(Count::from(1234).without(200).to_string(), "at least 1,034");
    }

    #[test]
    fn bytes_have_units() {
        for (number, expected) in
            [(0, "0 bytes"), (999, "999 bytes"), (1234, "1.2 kB"), (999_600, "1.0 MB"), (45_600_000, "46 MB")]
        {
            assert_eq!(Bytes(number).to_string(), expected);
        }
    }
}
