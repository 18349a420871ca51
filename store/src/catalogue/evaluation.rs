//! Evaluating conditions to sets of resources.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::columns::Columns;
use super::index::{CatalogueIndex, KeyRange};
use super::key::{Key, parse_number};
use super::model::SAMPLES;
use super::ordinal_set::OrdinalSet;
use super::resources::Resources;
use super::schema::{KeyField, WORD_BYTES_MAX, words};
use super::{Bounds, Condition, Coordinate, Pattern, TypeContents};
use crate::Result;

pub(super) struct Evaluation<'a> {
    pub(super) types: &'a BTreeMap<String, TypeContents>,
    pub(super) resources: &'a Resources,
    pub(super) index: &'a CatalogueIndex,
    pub(super) columns: &'a Columns,
    /// Set when the answer is not wanted any more. All sets are incomplete from then on.
    pub(super) is_cancelled: &'a AtomicBool,
}

type Type<'a> = (&'a str, &'a TypeContents);

impl Evaluation<'_> {
    /// Returns the resources of a type that satisfy all conditions, or `None` if there are no conditions.
    pub(super) fn all(&self, of: Type<'_>, conditions: &[Condition]) -> Result<Option<OrdinalSet>> {
        let Some((first, others)) = conditions.split_first() else { return Ok(None) };
        let mut set = self.set(of, first)?;
        for condition in others {
            set.intersect_with(&self.set(of, condition)?);
        }
        Ok(Some(set))
    }

    fn set(&self, of: Type<'_>, condition: &Condition) -> Result<OrdinalSet> {
        let (resource_type, contents) = of;
        let mut set = OrdinalSet::none(contents);
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Ok(set);
        }
        match condition {
            Condition::Identified(identifiers) => {
                for identifier in identifiers {
                    self.resources.find(resource_type, identifier)?.into_iter().for_each(|ordinal| set.insert(ordinal));
                }
            }
            Condition::Lineage(lineage) => {
                self.index.insert_key(&Key::term(KeyField::Lineage, &[resource_type], lineage), &mut set)?;
            }
            Condition::LineagePattern(pattern) => {
                self.insert_matches(&Key::prefix(KeyField::OwnLineage, &[resource_type]), pattern, &mut set)?;
            }
            Condition::Attribute(name, value) => {
                self.index.insert_key(&Key::term(KeyField::Attribute, &[resource_type, name], value), &mut set)?;
            }
            Condition::AttributePattern(name, pattern) => {
                self.insert_matches(&Key::prefix(KeyField::Attribute, &[resource_type, name]), pattern, &mut set)?;
            }
            Condition::Coordinate(coordinate, bounds) => self.set_located(*coordinate, *bounds, &mut set)?,
            Condition::Metadata { key, value, bounds } => {
                self.insert_metadata(resource_type, (key.as_deref(), value.as_deref(), *bounds), &mut set)?;
            }
            Condition::Names(named_type, id) => {
                self.index.insert_key(&Key::term(KeyField::Named, &[resource_type, named_type], id), &mut set)?;
            }
            Condition::FoundIn(parent_type, id, relation) => {
                let key = Key::term(KeyField::FoundIn, &[resource_type, parent_type, id], relation);
                self.index.insert_key(&key, &mut set)?;
            }
            Condition::Text(text) => return self.with_words(contents, text),
            Condition::OfSamples(inner) => self.set_of_samples(inner, &mut set)?,
            Condition::SampleOf(other_type, inner) if resource_type == SAMPLES => {
                self.insert_samples_of(other_type, inner, &mut set)?;
            }
            Condition::SampleOf(..) => {}
            Condition::AnyOf(conditions) => {
                for condition in conditions {
                    set.union_with(&self.set(of, condition)?);
                }
            }
            Condition::Not(inner) => {
                set = self.set(of, inner)?;
                set.invert();
            }
        }
        Ok(set)
    }

    /// Inserts the resources that have a term whose text after a prefix matches. The pattern runs once for each text of a segment.
    fn insert_matches(&self, prefix: &Key, pattern: &Pattern, set: &mut OrdinalSet) -> Result<()> {
        let is_match =
            |term: &[u8]| std::str::from_utf8(&term[prefix.bytes.len()..]).is_ok_and(|text| pattern.is_match(text));
        self.index.insert_range(&KeyRange::prefixed(prefix), is_match, self.is_cancelled, set)
    }

    fn set_located(&self, coordinate: Coordinate, bounds: Bounds, set: &mut OrdinalSet) -> Result<()> {
        let coordinates = self.columns.coordinates(self.index)?;
        let degrees = match coordinate {
            Coordinate::Latitude => &coordinates.latitudes,
            Coordinate::Longitude => &coordinates.longitudes,
        };
        set.set_where(|ordinal| bounds.contain(degrees[ordinal as usize]));
        Ok(())
    }

    /// See [`Condition::Metadata`].
    fn insert_metadata(
        &self,
        resource_type: &str,
        (key, value, bounds): (Option<&str>, Option<&str>, Bounds),
        set: &mut OrdinalSet,
    ) -> Result<()> {
        if let (Some(value), false) = (value, bounds.are_open())
            && !parse_number(value).is_some_and(|number| bounds.contain(number))
        {
            return Ok(());
        }
        let keys = match key {
            Some(key) => vec![Cow::from(key)],
            // A type has few keys.
            None => self.metadata_keys(resource_type)?,
        };
        for key in keys {
            if self.is_cancelled.load(Ordering::Relaxed) {
                break;
            }
            let texts = &[resource_type, &*key];
            match value {
                Some(value) => self.index.insert_key(&Key::term(KeyField::Metadata, texts, value), set)?,
                None if bounds.are_open() => {
                    self.index.insert_key(&Key::term(KeyField::MetadataKey, &[resource_type], &key), set)?;
                }
                None => {
                    let number = |number| Key::number(KeyField::MetadataNumber, texts, number);
                    let first = number(bounds.min.unwrap_or(f64::NEG_INFINITY));
                    let last = number(bounds.max.unwrap_or(f64::INFINITY));
                    self.index.insert_range(&KeyRange::between(first, last), |_| true, self.is_cancelled, set)?;
                }
            }
        }
        Ok(())
    }

    fn metadata_keys<'a>(&self, resource_type: &str) -> Result<Vec<Cow<'a, str>>> {
        let prefix = Key::prefix(KeyField::MetadataKey, &[resource_type]);
        let terms = self.index.keys(&KeyRange::prefixed(&prefix))?;
        let keys = terms.into_iter().map(|term| String::from_utf8(term[prefix.bytes.len()..].to_vec()));
        Ok(keys.filter_map(|key| key.ok().map(Cow::from)).collect())
    }

    fn with_words(&self, contents: &TypeContents, text: &str) -> Result<OrdinalSet> {
        let mut found = OrdinalSet::all(contents);
        for word in words(text) {
            let mut set = OrdinalSet::none(contents);
            if word.len() <= WORD_BYTES_MAX {
                self.index.insert_word(&word, &mut set)?;
            }
            found.intersect_with(&set);
        }
        Ok(found)
    }

    /// Makes `set` the resources that name a sample which satisfies a condition.
    fn set_of_samples(&self, condition: &Condition, set: &mut OrdinalSet) -> Result<()> {
        let Some(contents) = self.types.get(SAMPLES) else { return Ok(()) };
        let samples = self.set((SAMPLES, contents), condition)?;
        let links = self.columns.sample_links(self.index)?;
        set.set_where(|ordinal| links.of(ordinal).iter().any(|&sample| samples.contains(sample)));
        Ok(())
    }

    /// Inserts the samples that are named by a resource of another type which satisfies a condition.
    fn insert_samples_of(&self, other_type: &str, condition: &Condition, set: &mut OrdinalSet) -> Result<()> {
        let Some((name, contents)) = self.types.get_key_value(other_type) else { return Ok(()) };
        let links = self.columns.sample_links(self.index)?;
        for ordinal in self.set((name, contents), condition)?.iter() {
            links.of(ordinal).iter().for_each(|&sample| set.insert(sample));
        }
        Ok(())
    }
}
