//! Choices that narrow a list: the values of its facets, and its conditions as chips. The chosen
//! values of one facet are alternatives, and all facets must match.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::context::address::{ANY, Pairs};
use crate::context::problem::PortalProblem;
use crate::parts::lineage::{is_lineage, last_first};
use crate::parts::number::Count;
use crate::plots::plot::Plot;

/// The maximum number of values that a facet shows, and of those that "More" opens.
const SHOWN: usize = 10;
const MORE: usize = 100;

/// The number of values to count.
pub(crate) const COUNTED: usize = SHOWN + MORE;

/// The maximum number of chips of a list.
const CHIPS_MAX: usize = 100;

/// The maximum number of conditions removed one by one.
pub(crate) const RELAXED_MAX: usize = 10;

/// A value that can be chosen or removed.
#[derive(Default)]
pub(crate) struct Choice {
    /// The value as in addresses.
    pub(crate) value: String,
    pub(crate) name: String,
    /// The accession; may be empty.
    pub(crate) accession: String,
    /// The number of results, or `None` for a chosen value that was not counted.
    pub(crate) count: Option<Count>,
    pub(crate) href: String,
    pub(crate) is_chosen: bool,
    pub(crate) depth: usize,
    pub(crate) colour: Option<usize>,
}

/// The values of a facet.
#[derive(Default)]
pub(crate) struct Facet {
    pub(crate) heading: &'static str,
    /// The parameter of the chosen values.
    pub(crate) parameter: String,
    pub(crate) shown: Vec<Choice>,
    pub(crate) more: Vec<Choice>,
    /// `true` if there are further values, which can be typed.
    pub(crate) has_others: bool,
    /// The histogram of numbers or years. They are choices only while they are chosen.
    pub(crate) plot: Option<Plot>,
}

/// A condition of a list.
pub(crate) struct Chip {
    pub(crate) label: String,
    pub(crate) text: String,
    /// The list without the condition.
    pub(crate) href: String,
}

/// The conditions of a list.
pub(crate) struct Conditions<'a> {
    pub(crate) pairs: &'a Pairs,
    /// Parameters that are not conditions.
    pub(crate) page_parameters: &'a [&'a str],
    /// Returns the common name of parameters that form one condition.
    pub(crate) group: fn(&str) -> Option<&str>,
    /// Returns the address of the list with parameters.
    pub(crate) address: &'a dyn Fn(&Pairs) -> String,
}

impl Conditions<'_> {
    /// Returns a chip for each of the first conditions with a label and a text.
    pub(crate) fn chips(&self, describe: impl Fn(&Pairs) -> Option<(String, String)>) -> Vec<Chip> {
        let chip = |(condition, others): (Pairs, Pairs)| {
            let (label, text) = describe(&condition)?;
            Some(Chip { label, text, href: (self.address)(&others) })
        };
        self.split(false).filter_map(chip).take(CHIPS_MAX).collect()
    }

    /// Returns the conditions of an empty list whose removal gives results.
    pub(crate) fn relaxed(
        &self,
        text: impl Fn(&Pairs) -> String,
        count: impl Fn(&Pairs) -> Result<Count, PortalProblem>,
    ) -> Result<Vec<Choice>, PortalProblem> {
        let mut relaxed = Vec::new();
        for (condition, others) in self.split(true).take(RELAXED_MAX) {
            if others.without(self.page_parameters) == Pairs::default() {
                continue;
            }
            let (name, count, href) = (text(&condition), count(&others)?, (self.address)(&others));
            if count.value > 0 {
                relaxed.push(Choice { name, count: Some(count), href, ..Choice::default() });
            }
        }
        Ok(relaxed)
    }

    /// Returns each condition and the other parameters. Conditions of several parameters come last.
    fn split(&self, are_alternatives_one: bool) -> impl Iterator<Item = (Pairs, Pairs)> {
        let names = self.pairs.iter().map(|(name, _)| name).enumerate();
        let mut names: Vec<_> = names.filter(|(_, name)| !self.page_parameters.contains(name)).collect();
        names.sort_by_key(|(_, name)| (self.group)(name).is_some());
        let mut known = HashSet::new();
        let keys = names.into_iter().map(move |(place, name)| self.key(place, name, are_alternatives_one));
        keys.filter(move |key| known.insert(*key))
            .map(move |wanted| self.pairs.split(|place, name| self.key(place, name, are_alternatives_one) == wanted))
    }

    /// Returns the same key for all parameters of a condition.
    fn key<'n>(&self, place: usize, name: &'n str, are_alternatives_one: bool) -> (Option<usize>, &'n str) {
        match (self.group)(name) {
            Some(group) => (None, group),
            None if are_alternatives_one && name.starts_with(ANY) => (None, name),
            None => (Some(place), name),
        }
    }
}

/// Makes the choices of a facet.
pub(crate) struct Chooser<'a> {
    /// The parameters without the chosen values.
    pub(crate) others: Pairs,
    pub(crate) chosen: Vec<String>,
    parameter: String,
    /// Returns the address of the list with parameters.
    address: &'a dyn Fn(&Pairs) -> String,
}

impl<'a> Chooser<'a> {
    pub(crate) fn new(pairs: &Pairs, name: &str, address: &'a dyn Fn(&Pairs) -> String) -> Self {
        let parameter = format!("{ANY}{name}");
        let others = pairs.without(&[&parameter]);
        Self { chosen: pairs.values(&parameter).map(str::to_owned).collect(), others, parameter, address }
    }

    pub(crate) fn choice(&self, value: &str, count: Option<Count>) -> Choice {
        Choice {
            value: value.to_owned(),
            name: in_words(value),
            count,
            href: (self.address)(&self.toggled(value)),
            is_chosen: self.chosen.iter().any(|chosen| chosen == value),
            ..Choice::default()
        }
    }

    /// Returns the facet with these choices and the chosen values that are not among them. It shows
    /// the chosen and the most frequent values. `num_values` is the number of all values.
    pub(crate) fn facet(&self, heading: &'static str, mut choices: Vec<Choice>, num_values: usize) -> Facet {
        let has_others = num_values > choices.len().min(COUNTED);
        let is_missing = |value: &&String| choices.iter().all(|choice| choice.value != **value);
        let missing = self.chosen.iter().filter(is_missing).take(COUNTED);
        let missing: Vec<_> = missing.map(|value| self.choice(value, None)).collect();
        choices.extend(missing);
        let mut placed: Vec<(usize, Choice)> = choices.into_iter().enumerate().collect();
        placed.sort_by_key(|(_, Choice { is_chosen, count, depth, .. })| (!is_chosen, Reverse(*count), *depth));
        placed.truncate(COUNTED);
        let more = placed.split_off(SHOWN.min(placed.len()));
        let [shown, more] = [placed, more].map(|mut choices| {
            choices.sort_by_key(|(place, _)| *place);
            choices.into_iter().map(|(_, choice)| choice).collect()
        });
        Facet { heading, parameter: self.parameter.clone(), shown, more, has_others, plot: None }
    }

    /// Returns the address of the list with a value in place of the chosen ones.
    pub(crate) fn only(&self, value: &str) -> String {
        (self.address)(&self.others.clone().and(&self.parameter, value))
    }

    /// Returns the parameters with a value added, or removed if it is chosen.
    fn toggled(&self, value: &str) -> Pairs {
        let mut values: Vec<&str> = self.chosen.iter().map(String::as_str).collect();
        if values.contains(&value) {
            values.retain(|chosen| *chosen != value);
        } else {
            values.retain(|chosen| !replaces(value, chosen));
            values.push(value);
        }
        values.into_iter().fold(self.others.clone(), |pairs, value| pairs.and(&self.parameter, value))
    }
}

/// Returns whether a value takes the place of a chosen one: a biome that of biomes above and below
/// it, and a range that of any other.
fn replaces(value: &str, chosen: &str) -> bool {
    let is_below = |value: &str, other: &str| value.strip_prefix(other).is_some_and(|rest| rest.starts_with(':'));
    is_below(value, chosen) || is_below(chosen, value) || is_range(value) || is_range(chosen)
}

/// Returns whether a value is a range in the language of queries.
pub(crate) fn is_range(value: &str) -> bool {
    value.starts_with('[') && value.contains(" TO ")
}

/// Returns a lineage with the last level first, a range without brackets, and other values
/// unchanged.
pub(crate) fn in_words(value: &str) -> String {
    if is_lineage(value) {
        return last_first(value);
    }
    let Some([from, to, unit]) = range_parts(value) else { return value.to_owned() };
    let numbers = match (from, to) {
        ("*", to) => format!("at most {to}"),
        (from, "*") => format!("at least {from}"),
        (from, to) if from == to => from.to_owned(),
        (from, to) => format!("{from} to {to}"),
    };
    if unit.is_empty() { numbers } else { format!("{numbers} {unit}") }
}

/// Returns the ends and the unit of a range in the language of queries.
fn range_parts(value: &str) -> Option<[&str; 3]> {
    let (from, rest) = value.split_once(" TO ").filter(|_| is_range(value))?;
    let (to, unit) = rest.split_once([']', '}']).unwrap_or((rest, ""));
    Some([&from[1..], to, unit.trim_matches(['[', ']'])])
}

/// Returns whether a chosen value is a range that includes another range.
pub(crate) fn includes(chosen: &str, value: &str) -> bool {
    let (Some([low, high, unit]), Some([from, to, of_unit])) = (range_parts(chosen), range_parts(value)) else {
        return false;
    };
    let is_at_most = |low: &str, high: &str| match (low.parse::<f64>(), high.parse::<f64>()) {
        (Ok(low), Ok(high)) => low <= high,
        _ => low == "*" || high == "*",
    };
    unit == of_unit && is_at_most(low, from) && is_at_most(to, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the parameters after a value is clicked.
    fn clicked(query: &str, name: &str, value: &str) -> String {
        let address = |pairs: &Pairs| pairs.to_query();
        let query = Chooser::new(&Pairs::parse(query), name, &address).choice(value, None).href;
        query.replace("%3A", ":").replace('+', " ").replace("%5B", "[").replace("%5D", "]").replace("%7D", "}")
    }

    #[test]
    fn values_narrow_widen_or_are_alternatives() {
        for (query, name, value, expected) in [
            ("", "biome", "root:A", "?any_biome=root:A"),
            ("any_biome=root:A&q=x", "biome", "root:A:B", "?q=x&any_biome=root:A:B"),
            (
                "any_biome=root:A:B&any_biome=root:A:C&any_biome=root:D",
                "biome",
                "root:A",
                "?any_biome=root:D&any_biome=root:A",
            ),
            ("any_biome=root:A:B", "biome", "root:A:C", "?any_biome=root:A:B&any_biome=root:A:C"),
            ("any_biome=root:A:B", "biome", "root:A:Bc", "?any_biome=root:A:B&any_biome=root:A:Bc"),
            ("any_biome=root:A:B&any_biome=root:C", "biome", "root:A:B", "?any_biome=root:C"),
            ("any_species=a&species=b", "species", "[c] TO", "?species=b&any_species=a&any_species=[c] TO"),
            ("any_depth=[0 TO 5}[m]", "depth", "[5 TO 10][m]", "?any_depth=[5 TO 10][m]"),
            ("any_depth=[0 TO 5}[m]", "depth", "[0 TO 5}[m]", ""),
        ] {
            assert_eq!(clicked(query, name, value), expected, "{query} {value}");
        }
    }

    #[test]
    fn facets_show_chosen_and_frequent_values_in_their_order() {
        let address = |pairs: &Pairs| pairs.to_query();
        let chooser = Chooser::new(&Pairs::parse("any_x=12&any_x=none"), "x", &address);
        let count = |value: u64| Some(Count::from(value));
        let choices = (0..COUNTED as u64 + 5).map(|value| chooser.choice(&value.to_string(), count(value / 2)));
        let facet = chooser.facet("X", choices.collect(), 500);
        let values = |choices: &[Choice]| choices.iter().map(|choice| choice.value.clone()).collect::<Vec<_>>();
        assert_eq!(values(&facet.shown), ["12", "106", "108", "109", "110", "111", "112", "113", "114", "none"]);
        assert_eq!((facet.more.len(), facet.has_others), (MORE, true));
        assert!(facet.more.iter().all(|choice| !choice.is_chosen));
        assert!(!chooser.facet("X", Vec::new(), 0).has_others);
    }

    #[test]
    fn wide_ranges_include_narrow_ones_of_their_unit() {
        for (chosen, value, expected) in [
            ("[0 TO 5}[°C]", "[0 TO 2.5}[°C]", true),
            ("[0 TO 5}[°C]", "[2.5 TO 5}[°C]", true),
            ("[0 TO 5}[°C]", "[2.5 TO 10}[°C]", false),
            ("[0 TO 5}[°C]", "[0 TO 2.5}[]", false),
            ("[2010 TO *]", "[2014 TO 2014]", true),
            ("[* TO 2010]", "[2014 TO 2014]", false),
            ("2014", "[2014 TO 2014]", false),
        ] {
            assert_eq!(includes(chosen, value), expected, "{chosen} {value}");
        }
    }

    #[test]
    fn values_are_shown_in_words() {
        for (value, expected) in [
            ("root:Host-associated:Human:Digestive system:Fecal", "Fecal · Human › Digestive system"),
            ("[-2.5 TO 0}[°C]", "-2.5 to 0 °C"),
            ("[3 TO 3][]", "3"),
            ("[90 TO 100]", "90 to 100"),
            ("[90 TO *]", "at least 90"),
            ("[* TO 9]", "at most 9"),
            ("[Clostridium] difficile", "[Clostridium] difficile"),
            ("Brazil", "Brazil"),
        ] {
            assert_eq!(in_words(value), expected);
        }
    }
}
