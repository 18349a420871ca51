//! Makes conditions of the values of fields.

use std::ops::Bound as TextBound;

use store::{Bound, QueryPlace, QueryValue};
use store_catalogue::model::{BIOMES, METADATA_ATTRIBUTES, OF_METADATA, ROOT, SAMPLES, same_keys, value_of_version_1};
use store_catalogue::{Bounds, Condition, Known, Pattern, measured, parse_number};

use super::field::{self, Field};
use crate::collections::Collection;
use crate::collections::filter::{Filter, FilterKind, FilterScope};
use crate::problem::CatalogueProblem;
use crate::request::filters::{self, dates};
use crate::snapshot::Snapshot;

/// The last words in the names of date attributes.
const DATES: [&str; 5] = ["date", "update", "completed", "created", "time"];

const ANY: &str = "*";

/// Reads the value of a field.
pub(super) struct Values<'a> {
    pub(super) collection: &'a Collection,
    pub(super) snapshot: &'a Snapshot,
    pub(super) field: &'a Field,
    pub(super) place: QueryPlace<'a>,
}

/// A condition, a fault of its value, or a failed look-up.
type Read = Result<Condition, CatalogueProblem>;

impl Values<'_> {
    pub(super) fn condition(&self, value: QueryValue) -> Read {
        let (text, range, unit) = match value {
            QueryValue::Text(text, unit) => (Some(text), [None, None], unit),
            QueryValue::Range(range, unit) => (None, range, unit),
            QueryValue::Embedded => return Err(self.fault("this field does not accept conditions")),
        };
        if unit.is_some() && !matches!(self.field, Field::Metadata(_)) {
            return Err(self.fault("only values of metadata have units"));
        }
        match (self.field, text) {
            (Field::Attribute(name), Some(text)) => self.attribute(name, &text),
            (Field::Attribute(name), None) => self.range_of_attribute(name, range),
            (Field::Metadata(key), text) => self.metadata(key, text.as_deref(), range, unit),
            (Field::Coordinate(coordinate), text) => {
                Ok(Condition::Coordinate(*coordinate, self.numbers(text.as_deref(), range)?))
            }
            (_, None) => Err(self.fault("this field does not accept ranges")),
            (Field::Biome | Field::BiomeExact, Some(text)) => self.biome(&text),
            (Field::Linked(resource_type), Some(text)) if text == ANY => {
                let any = Box::new(Condition::AllOf(Vec::new()));
                Ok(Condition::LinkedWith((*resource_type).to_owned(), any))
            }
            (Field::Linked(resource_type), Some(text)) => {
                filters::linked(self.collection, resource_type, &text, self.snapshot)
            }
            (Field::Filter(filter), Some(text)) => self.filter(filter, &text),
            (Field::Has, Some(_)) => Err(self.fault("resources have no such property")),
        }
    }

    fn fault(&self, problem: &str) -> CatalogueProblem {
        self.fault_near(problem, &[], "")
    }

    /// Suggests names that are similar to the wanted one.
    fn fault_near(&self, problem: &str, names: &[String], wanted: &str) -> CatalogueProblem {
        let fault = self.place.fault(problem.trim_end_matches('.'), self.field.understood());
        CatalogueProblem::Conditions(vec![fault.suggest(names.iter().map(String::as_str), wanted)])
    }

    fn fault_of(&self, bound: &Bound, problem: &str) -> CatalogueProblem {
        CatalogueProblem::Conditions(vec![self.place.at(&bound.place).fault(problem, self.field.understood())])
    }

    fn biome(&self, lineage: &str) -> Read {
        let scope = self.collection.biome_scope().unwrap_or(FilterScope::Own);
        if lineage == ANY {
            return Ok(scope.apply(Condition::Lineage(ROOT.to_owned())));
        }
        let in_biome = Known::Lineage(self.collection.resource_type.clone().into_owned(), lineage.to_owned());
        if self.snapshot.find(BIOMES, lineage)?.is_none() && !self.snapshot.knows(&in_biome)? {
            return Err(self.fault_near("no biome has this lineage", &self.snapshot.lineages(BIOMES)?, lineage));
        }
        let is_exact = matches!(self.field, Field::BiomeExact);
        let of = if is_exact { Condition::OwnLineage } else { Condition::Lineage };
        Ok(scope.apply(of(lineage.to_owned())))
    }

    /// Letter case counts. A text in quotes matches only itself.
    fn attribute(&self, name: &str, text: &str) -> Read {
        let parts = if self.is_quoted() { vec![text.to_owned()] } else { parts(self.place.part().trim()) };
        let [text] = &*parts else {
            let parts: Vec<String> = parts.iter().map(|part| Pattern::escape(part)).collect();
            let pattern = Pattern::parse(&format!("^(?s-i:{})$", parts.join(".*")));
            let too_long = |_| self.fault("this text is too long");
            let condition =
                |pattern: Pattern| own_or_in_metadata(name, |name| Condition::AttributePattern(name, pattern.clone()));
            return pattern.map(condition).map_err(too_long);
        };
        if !self.is_quoted()
            && field::is_number(name, self.collection, self.snapshot)
            && let Some(number) = parse_number(text)
        {
            let bounds = Bounds { min: Some(number), max: Some(number) };
            return Ok(own_or_in_metadata(name, |name| Condition::AttributeNumber(name, bounds)));
        }
        let text = value_of_version_1(name, text);
        let is_closed = |filter: &&Filter| {
            matches!(filter.kind, FilterKind::Choice(_)) && filter.kind.attribute() == Some((name, FilterScope::Own))
        };
        match self.collection.filters().find(is_closed) {
            Some(filter) => self.filter(filter, &text),
            None => Ok(own_or_in_metadata(name, |name| Condition::Attribute(name, text.clone().into_owned()))),
        }
    }

    fn filter(&self, filter: &Filter, text: &str) -> Read {
        match filters::value_conditions(self.collection, filter, text, self.snapshot) {
            Ok(conditions) => Ok(Condition::AllOf(conditions)),
            Err(CatalogueProblem::Parameter { detail, .. }) => Err(self.fault(&detail)),
            Err(problem) => Err(problem),
        }
    }

    fn is_quoted(&self) -> bool {
        self.place.part().trim_start().starts_with('"')
    }

    fn range_of_attribute(&self, name: &str, range: [Option<Bound>; 2]) -> Read {
        let are_numbers = range.iter().flatten().all(|bound| parse_number(&bound.text).is_some());
        if are_numbers && !DATES.iter().any(|end| name.ends_with(end)) {
            let bounds = self.numbers(None, range)?;
            return Ok(own_or_in_metadata(name, |name| Condition::AttributeNumber(name, bounds)));
        }
        let [low, high] = range;
        let date = |bound: &Bound| {
            dates::date("", &bound.text).map_err(|_| self.fault_of(bound, "this is neither a number nor a date"))
        };
        let mut bounds = dates::DateBounds::default().text_bounds();
        if let Some(low) = low {
            let first = date(&low)?;
            bounds.0 = TextBound::Included(if low.is_included { first } else { dates::end_of_prefix(&first) });
        }
        if let Some(high) = high {
            let last = date(&high)?;
            bounds.1 = TextBound::Excluded(if high.is_included { dates::end_of_prefix(&last) } else { last });
        }
        Ok(Condition::AttributeDated(name.to_owned(), bounds.0, bounds.1))
    }

    /// Numbers are compared as numbers of one unit, everything else as texts.
    fn metadata(&self, key: &str, text: Option<&str>, range: [Option<Bound>; 2], unit: Option<String>) -> Read {
        let scope = self.collection.metadata_scope().unwrap_or(FilterScope::Own);
        let keys: Vec<String> = same_keys(key).into_iter().map(str::to_owned).collect();
        let condition =
            |value, bounds, unit| Ok(scope.apply(Condition::Metadata { keys: keys.clone(), value, bounds, unit }));
        match text {
            Some(ANY) if !self.is_quoted() => return condition(None, Bounds::default(), unit),
            Some(text) if self.is_quoted() || parse_number(text).is_none() => {
                // The index stores a number and its unit separately, even if they were one text.
                let (value, unit) = match measured(text).filter(|_| unit.is_none()) {
                    Some((number, unit)) => (number, Some(unit)),
                    None => (text, unit),
                };
                return condition(Some(value.to_owned()), Bounds::default(), unit);
            }
            _ => {}
        }
        let bounds = self.numbers(text, range)?;
        let units = self.snapshot.units(SAMPLES, key)?;
        let unit = match unit {
            Some(unit) if units.contains(&unit) => unit,
            Some(unit) => {
                let problem = format!("no number under this key has this unit: the units are {}", shown(&units));
                return Err(self.fault_near(&problem, &units, &unit));
            }
            None => {
                // Numbers without a unit are not compared with others, since their unit is unknown.
                let named: Vec<&String> = units.iter().filter(|unit| !unit.is_empty()).collect();
                match *named {
                    [] => String::new(),
                    [unit] => unit.clone(),
                    _ => {
                        let problem = format!("numbers under this key have several units: {}", shown(&units));
                        return Err(self.fault(&problem));
                    }
                }
            }
        };
        condition(None, bounds, Some(unit))
    }

    /// Reads a number or a range of numbers. Without bounds, the range has all numbers.
    fn numbers(&self, text: Option<&str>, [low, high]: [Option<Bound>; 2]) -> Result<Bounds, CatalogueProblem> {
        if let Some(text) = text {
            if text == ANY {
                return Ok(Bounds { min: Some(f64::MIN), max: None });
            }
            let number = parse_number(text).ok_or_else(|| self.fault("this is not a number"))?;
            return Ok(Bounds { min: Some(number), max: Some(number) });
        }
        let read = |bound: Option<Bound>, inwards: fn(f64) -> f64| {
            let Some(bound) = bound else { return Ok::<_, CatalogueProblem>(None) };
            let number = parse_number(&bound.text).ok_or_else(|| self.fault_of(&bound, "this is not a number"))?;
            Ok(Some(if bound.is_included { number } else { inwards(number) }))
        };
        let (min, max) = (read(low, f64::next_up)?, read(high, f64::next_down)?);
        let is_empty = min.zip(max).is_some_and(|(min, max)| min > max);
        if is_empty { Err(self.fault("the range is empty")) } else { Ok(Bounds { min: min.or(Some(f64::MIN)), max }) }
    }
}

/// Returns the condition on an attribute or, for some attributes, also on the metadata of a sample.
fn own_or_in_metadata(name: &str, condition: impl Fn(String) -> Condition) -> Condition {
    let of_metadata = METADATA_ATTRIBUTES.iter().any(|(_, known)| known.replace('-', "_") == name);
    let own = condition(name.to_owned());
    if of_metadata { Condition::AnyOf(vec![own, condition(format!("{OF_METADATA}{name}"))]) } else { own }
}

/// Returns the parts of a text between its stars. A star after a backslash is a character of its
/// part.
fn parts(written: &str) -> Vec<String> {
    let (mut parts, mut part, mut is_escaped) = (Vec::new(), String::new(), false);
    for letter in written.chars() {
        match (letter, is_escaped) {
            ('\\', false) => is_escaped = true,
            ('*', false) => parts.push(std::mem::take(&mut part)),
            (letter, _) => {
                is_escaped = false;
                part.push(letter);
            }
        }
    }
    parts.push(part);
    parts
}

/// Returns units in the form of queries: `[] for none, [cm], [m]`.
fn shown(units: &[String]) -> String {
    let shown = units.iter().map(|unit| if unit.is_empty() { "[] for none".to_owned() } else { format!("[{unit}]") });
    shown.collect::<Vec<_>>().join(", ")
}
