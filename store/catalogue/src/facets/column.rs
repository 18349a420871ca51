//! The values of the resources of a type in memory.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::super::index::key::{ascending_bits, number_of_bits};

/// The most memory of different values.
const VALUES_BYTES_MAX: usize = 32 << 20;

/// The memory of one value, in addition to its text.
const VALUE_BYTES: usize = 40;

/// The most values of resources: a total for small types, and a number for each resource.
const PAIRS_MIN: usize = 1 << 20;
const PAIRS_PER_ROW: usize = 16;

/// A value. Texts are before numbers, which are in groups by unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    Text(Box<str>),
    /// The place of the unit, and [`ascending_bits`].
    Number(u32, u64),
}

/// The different values of a column.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    /// In ascending order.
    values: Vec<Value>,
    units: Vec<String>,
    num_bytes: usize,
}

/// The numbers of the values of each resource, which are their places in the dictionary.
#[derive(Debug)]
pub(crate) struct FacetColumn {
    pub(super) dictionary: Arc<Dictionary>,
    /// The ends of the numbers of each resource, by ordinal minus the first of the type.
    ends: Vec<u32>,
    /// Ascending in each resource, and each once.
    numbers: Vec<u32>,
}

impl Dictionary {
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn text(&self, number: usize) -> Option<&str> {
        match self.values.get(number)? {
            Value::Text(text) => Some(text),
            Value::Number(..) => None,
        }
    }

    pub(super) fn number(&self, number: usize) -> Option<f64> {
        match self.values.get(number)? {
            Value::Text(_) => None,
            Value::Number(_, bits) => Some(number_of_bits(*bits)),
        }
    }

    pub(super) fn num_texts(&self) -> usize {
        self.values.partition_point(|value| matches!(value, Value::Text(_)))
    }

    /// Returns the units with the places of their numbers, in the order of the places.
    pub(super) fn units(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let mut start = self.num_texts();
        self.units.iter().zip(0..).map(move |(unit, place)| {
            let is_before = |value: &Value| !matches!(value, Value::Number(other, _) if *other > place);
            let range = start..self.values.partition_point(is_before);
            start = range.end;
            (unit.as_str(), range)
        })
    }
}

impl FacetColumn {
    /// Returns the numbers of the values of the resource in a row.
    pub(super) fn of(&self, row: usize) -> &[u32] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[start as usize..self.ends[row] as usize]
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.dictionary.num_bytes + size_of::<u32>() * (self.ends.len() + self.numbers.len())
    }

    /// Makes a column of pairs of rows and numbers, in any order. Pairs may repeat.
    pub(super) fn from_pairs(dictionary: Arc<Dictionary>, mut pairs: Vec<(u32, u32)>, num_rows: usize) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let (mut ends, mut end) = (Vec::with_capacity(num_rows), 0);
        for row in 0..num_rows {
            end += pairs[end..].iter().take_while(|(of_row, _)| *of_row as usize == row).count();
            // There are at most 16 for each row.
            ends.push(u32::try_from(end).unwrap_or(u32::MAX));
        }
        Self { dictionary, ends, numbers: pairs.into_iter().map(|(_, number)| number).collect() }
    }
}

/// Pairs of rows and the numbers of values, up to the most pairs of a column.
pub(super) struct Pairs {
    pairs: Vec<(u32, u32)>,
    num_max: usize,
}

impl Pairs {
    pub(super) fn new(num_rows: usize) -> Self {
        Self { pairs: Vec::new(), num_max: PAIRS_MIN.max(PAIRS_PER_ROW.saturating_mul(num_rows)) }
    }

    pub(super) fn push(&mut self, row: u32, number: u32) {
        // One more shows that there are too many.
        if self.pairs.len() <= self.num_max {
            self.pairs.push((row, number));
        }
    }

    /// Returns `None` if there are too many pairs.
    pub(super) fn finish(self) -> Option<Vec<(u32, u32)>> {
        let fits = self.pairs.len() <= self.num_max && u32::try_from(self.pairs.len()).is_ok();
        fits.then_some(self.pairs)
    }
}

/// Numbers values in the order of their first use.
#[derive(Default)]
pub(super) struct Numbering {
    numbers: HashMap<Value, u32>,
    units: Vec<String>,
    num_bytes: usize,
}

/// Values beyond the memory have no number.
impl Numbering {
    pub(super) fn text(&mut self, text: &str) -> Option<u32> {
        let (text, num_bytes) = (text.trim(), text.len());
        self.number_of(Value::Text(text.into()), num_bytes)
    }

    pub(super) fn number(&mut self, number: f64) -> Option<u32> {
        let unit = self.units.len().saturating_sub(1);
        self.number_of(Value::Number(u32::try_from(unit).ok()?, ascending_bits(number)), 0)
    }

    /// The following numbers have this unit.
    pub(super) fn begin_unit(&mut self, unit: &str) {
        self.units.push(unit.to_owned());
        self.num_bytes += VALUE_BYTES + unit.len();
    }

    fn number_of(&mut self, value: Value, text_bytes: usize) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&value) {
            return Some(number);
        }
        self.num_bytes += VALUE_BYTES + text_bytes;
        let number = u32::try_from(self.numbers.len()).ok().filter(|_| !self.is_full())?;
        self.numbers.insert(value, number);
        Some(number)
    }

    pub(super) fn is_full(&self) -> bool {
        self.num_bytes > VALUES_BYTES_MAX
    }

    /// Returns the values in ascending order, and the place of each by its number; `None` if there
    /// are too many values.
    pub(super) fn finish(self) -> Option<(Dictionary, Vec<u32>)> {
        if self.is_full() {
            return None;
        }
        let mut sorted: Vec<(Value, u32)> = self.numbers.into_iter().collect();
        sorted.sort_unstable();
        let mut places = vec![0; sorted.len()];
        for (place, (_, number)) in (0..).zip(&sorted) {
            places[*number as usize] = place;
        }
        let values = sorted.into_iter().map(|(value, _)| value).collect();
        Some((Dictionary { values, units: self.units, num_bytes: self.num_bytes }, places))
    }
}
