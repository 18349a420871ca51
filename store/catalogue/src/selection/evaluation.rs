//! Evaluating conditions to sets of resources.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use store::Result;

use super::condition::{key_of, merged};
use super::effort::{BITS_PER_UNIT, FIND, LOOK_UP, MATCH};
use super::of_type::OfType;
use super::ordinal_set::OrdinalSet;
use crate::index::columns::{Columns, Coordinates};
use crate::index::key::{Key, parse_number};
use crate::index::key_range::KeyRange;
use crate::index::reader::CatalogueIndex;
use crate::index::schema::KeyField;
use crate::model::lineage_path::is_within;
use crate::model::{CANONICAL_DATE, DOCUMENT_LINEAGE, lineage_path};
use crate::resources::Resources;
use crate::{Area, Bounds, Condition, Coordinate, Effort, Period, TypeContents};

pub(crate) struct Evaluation<'a> {
    pub(crate) types: &'a BTreeMap<String, TypeContents>,
    pub(crate) resources: &'a Resources,
    pub(crate) index: &'a CatalogueIndex,
    pub(crate) columns: &'a Columns,
    /// All sets are incomplete once it has ended.
    pub(crate) effort: &'a Effort,
    /// The results of links, by type and condition: equal conditions are evaluated once.
    pub(crate) linked: RefCell<HashMap<[u64; 2], OrdinalSet>>,
}

/// The bytes of a year.
const YEAR_BYTES: usize = 4;

/// The most words of cached sets, if all are as long as the last one.
const KEPT_WORDS_MAX: usize = 1 << 20;

/// The condition that an entry of a key must satisfy.
struct MetadataFilter<'a> {
    value: Option<&'a str>,
    bounds: Bounds,
    unit: Option<&'a str>,
}

impl Evaluation<'_> {
    /// Returns the resources of a type that satisfy all conditions, or `None` if there are no
    /// conditions.
    pub(crate) fn all(&self, of: OfType<'_>, conditions: &[Condition]) -> Result<Option<OrdinalSet>> {
        let Some((first, others)) = conditions.split_first() else { return Ok(None) };
        let mut set = self.set(of, first)?;
        for condition in others {
            set.intersect_with(&self.set(of, condition)?);
        }
        Ok(Some(set))
    }

    pub(super) fn set(&self, of: OfType<'_>, condition: &Condition) -> Result<OrdinalSet> {
        self.effort.spend(LOOK_UP + u64::from(of.contents.num_resources) / BITS_PER_UNIT);
        let mut set = OrdinalSet::none(of.contents);
        self.insert(of, condition, &mut set)?;
        Ok(set)
    }

    /// Inserts the resources of a type that satisfy a condition into a set of that type. Conditions
    /// on links are evaluated once.
    pub(crate) fn insert(&self, of: OfType<'_>, condition: &Condition, set: &mut OrdinalSet) -> Result<()> {
        if !matches!(condition, Condition::SampleOf(..) | Condition::NamedBy(..) | Condition::LinkedWith(..)) {
            return self.insert_evaluated(of, condition, set);
        }
        let key = key_of(&(of.name, condition));
        if let Some(kept) = self.linked.borrow().get(&key) {
            set.union_with(kept);
            return Ok(());
        }
        let mut found = OrdinalSet::none(of.contents);
        self.insert_evaluated(of, condition, &mut found)?;
        set.union_with(&found);
        let mut linked = self.linked.borrow_mut();
        if linked.len() * found.words().len() < KEPT_WORDS_MAX {
            linked.insert(key, found);
        }
        Ok(())
    }

    fn insert_evaluated(&self, of: OfType<'_>, condition: &Condition, set: &mut OrdinalSet) -> Result<()> {
        let OfType { name: resource_type, contents } = of;
        if !self.effort.may_continue() {
            return Ok(());
        }
        match condition {
            Condition::Identified(identifiers) => self.insert_identified(resource_type, identifiers, set)?,
            Condition::Lineage(lineage) => self.insert_term(KeyField::Lineage, &[resource_type], lineage, set)?,
            Condition::OwnLineage(lineage) => self.insert_term(KeyField::OwnLineage, &[resource_type], lineage, set)?,
            Condition::LineagePattern(pattern) => {
                let prefix = Key::prefix(KeyField::OwnLineage, &[resource_type]);
                self.insert_texts(&prefix, |text| pattern.is_match(text), set)?;
            }
            Condition::LineagePath(path) => {
                let prefix = Key::prefix(KeyField::Attribute, &[resource_type, DOCUMENT_LINEAGE]);
                self.insert_texts(&prefix, |text| is_within(&lineage_path(text), path), set)?;
            }
            Condition::Attribute(name, value) => {
                self.insert_term(KeyField::Attribute, &[resource_type, name], value.trim(), set)?;
            }
            Condition::AttributePattern(name, pattern) => {
                let prefix = Key::prefix(KeyField::Attribute, &[resource_type, name]);
                self.insert_texts(&prefix, |text| pattern.is_match(text), set)?;
            }
            Condition::AttributeNumber(name, bounds) => {
                let is_within = |text: &str| parse_number(text).is_some_and(|number| bounds.contain(number));
                let prefix = Key::prefix(KeyField::Attribute, &[resource_type, name]);
                self.insert_texts(&prefix, is_within, set)?;
            }
            Condition::AttributeDated(name, from, to) => self.insert_dated(resource_type, name, from, to, set)?,
            Condition::Coordinate(axis, bounds) => set.union_with(&self.located(contents, *axis, *bounds)?),
            Condition::Within(area) => set.union_with(&self.within(contents, *area)?),
            Condition::Metadata { keys, value, bounds, unit } => {
                let filter = MetadataFilter { value: value.as_deref(), bounds: *bounds, unit: unit.as_deref() };
                self.insert_metadata(resource_type, keys, &filter, set)?;
            }
            Condition::Names(named_type, id) => {
                self.insert_term(KeyField::Named, &[resource_type, named_type], id, set)?;
            }
            Condition::FoundIn(parent_type, id, relation) => {
                self.insert_term(KeyField::FoundIn, &[resource_type, parent_type, id], relation, set)?;
            }
            Condition::Text(text) => set.union_with(&self.with_text(contents, text, false)?),
            Condition::TextOrSamples(text) => set.union_with(&self.with_text(contents, text, true)?),
            Condition::OfSamples(inner) => self.insert_of_samples(of, inner, set)?,
            Condition::SampleOf(other_type, inner) => self.insert_samples_of(of, other_type, inner, set)?,
            Condition::NamedBy(other_type, inner) => self.insert_named_by(of, other_type, inner, set)?,
            Condition::LinkedWith(other_type, inner) => self.insert_linked(of, other_type, inner, set)?,
            Condition::AllOf(conditions) => {
                let found = self.all(of, conditions)?;
                set.union_with(&found.unwrap_or_else(|| OrdinalSet::all(contents)));
            }
            Condition::AnyOf(conditions) => {
                merged(conditions).iter().try_for_each(|condition| self.insert(of, condition, set))?;
            }
            Condition::Among(collected) => set.union_with(&collected.0),
            Condition::Not(inner) => set.union_with(&self.set(of, inner)?.inverted()),
        }
        Ok(())
    }

    fn insert_identified(&self, resource_type: &str, identifiers: &[String], set: &mut OrdinalSet) -> Result<()> {
        for identifier in identifiers.iter().take_while(|_| self.effort.may_continue()) {
            self.effort.spend(FIND);
            self.resources.find(resource_type, identifier)?.into_iter().for_each(|ordinal| set.insert(ordinal));
        }
        Ok(())
    }

    fn insert_dated(
        &self,
        resource_type: &str,
        name: &str,
        from: &Bound<String>,
        to: &Bound<String>,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let [from, to] = [from, to].map(|bound| bound.as_ref().map(String::as_str));
        // A partial date may sort before a range in which it lies. It has the year of the range.
        let first = match from {
            Bound::Included(text) | Bound::Excluded(text) => {
                Bound::Included(&text[..text.floor_char_boundary(YEAR_BYTES)])
            }
            Bound::Unbounded => Bound::Unbounded,
        };
        for name in [name, &format!("{CANONICAL_DATE}{name}")] {
            let prefix = Key::prefix(KeyField::Attribute, &[resource_type, name]);
            let is_within = |term: &[u8]| {
                std::str::from_utf8(&term[prefix.bytes.len()..]).is_ok_and(|text| Period::is_within(text, (from, to)))
            };
            self.index.insert_range(&KeyRange::with_texts(&prefix, first, to), is_within, self.effort, set)?;
        }
        Ok(())
    }

    fn insert_term(&self, field: KeyField, texts: &[&str], last: &str, set: &mut OrdinalSet) -> Result<()> {
        self.index.insert_key(&Key::term(field, texts, last), self.effort, set)
    }

    /// Inserts the resources that have a term whose text after a prefix is wanted. Each text of a
    /// segment is compared once.
    fn insert_texts(&self, prefix: &Key, is_wanted: impl Fn(&str) -> bool, set: &mut OrdinalSet) -> Result<()> {
        let is_match = |term: &[u8]| {
            self.effort.spend(MATCH);
            std::str::from_utf8(&term[prefix.bytes.len()..]).is_ok_and(&is_wanted)
        };
        self.index.insert_range(&KeyRange::prefixed(prefix), is_match, self.effort, set)
    }

    fn located(&self, contents: &TypeContents, coordinate: Coordinate, bounds: Bounds) -> Result<OrdinalSet> {
        self.effort.spend(contents.num_resources.into());
        let coordinates = self.columns.coordinates(self.index)?;
        let degrees = match coordinate {
            Coordinate::Latitude => &coordinates.latitudes,
            Coordinate::Longitude => &coordinates.longitudes,
        };
        Ok(OrdinalSet::all_where(contents, |ordinal| bounds.contain(degrees[ordinal as usize])))
    }

    fn within(&self, contents: &TypeContents, area: Area) -> Result<OrdinalSet> {
        self.effort.spend(contents.num_resources.into());
        let Coordinates { latitudes, longitudes } = self.columns.coordinates(self.index)?;
        Ok(OrdinalSet::all_where(contents, |ordinal| {
            area.contains(latitudes[ordinal as usize], longitudes[ordinal as usize])
        }))
    }

    /// See [`Condition::Metadata`].
    fn insert_metadata(
        &self,
        resource_type: &str,
        keys: &[String],
        filter: &MetadataFilter<'_>,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        if let (Some(value), false) = (filter.value, filter.bounds.are_open())
            && !parse_number(value).is_some_and(|number| filter.bounds.contain(number))
        {
            return Ok(());
        }
        let keys = match keys {
            // A type has few keys.
            [] => self.index.last_texts(KeyField::MetadataKey, &[resource_type])?,
            keys => keys.to_vec(),
        };
        for key in keys.iter().take_while(|_| self.effort.may_continue()) {
            if filter.value.is_none() && filter.unit.is_none() && filter.bounds.are_open() {
                self.insert_term(KeyField::MetadataKey, &[resource_type], key, set)?;
                continue;
            }
            let units = match filter.unit {
                Some(unit) => vec![unit.to_owned()],
                // A key has few units.
                None => self.index.last_texts(KeyField::MetadataUnit, &[resource_type, key])?,
            };
            for unit in &units {
                self.insert_with_unit(&[resource_type, key, unit], filter, set)?;
            }
        }
        Ok(())
    }

    fn insert_with_unit(&self, texts: &[&str; 3], filter: &MetadataFilter<'_>, set: &mut OrdinalSet) -> Result<()> {
        let [resource_type, key, unit] = texts;
        match filter.value {
            Some(value) => self.insert_term(KeyField::Metadata, texts, value.trim(), set),
            None if filter.bounds.are_open() => {
                self.insert_term(KeyField::MetadataUnit, &[resource_type, key], unit, set)
            }
            None => {
                let number = |number| Key::number(KeyField::MetadataNumber, texts, number);
                let first = number(filter.bounds.min.unwrap_or(f64::NEG_INFINITY));
                let last = number(filter.bounds.max.unwrap_or(f64::INFINITY));
                self.index.insert_range(&KeyRange::between(first, last), |_| true, self.effort, set)
            }
        }
    }
}
