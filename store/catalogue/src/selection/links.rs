//! Conditions on linked resources. Links are read one after another and never collected: there may
//! be millions.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use store::Result;

use super::effort::FIND;
use super::evaluation::Evaluation;
use super::of_type::OfType;
use super::ordinal_set::OrdinalSet;
use crate::index::key::Key;
use crate::index::key_range::KeyRange;
use crate::index::reader::split_text;
use crate::index::schema::KeyField;
use crate::model::SAMPLES;
use crate::{Condition, Ordinal, TypeContents};

/// The kind of a link from one resource to another.
#[derive(Clone, Copy)]
enum Link {
    /// Its relationships name it.
    Named,
    /// It was found in its related collection.
    FoundIn,
}

impl Evaluation<'_> {
    /// See [`Condition::NamedBy`].
    pub(super) fn insert_named_by(
        &self,
        of: OfType<'_>,
        other_type: &str,
        inner: &Condition,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some(contents) = self.types.get(other_type) else { return Ok(()) };
        let naming = self.set(OfType { name: other_type, contents }, inner)?;
        self.insert_linked_from(Link::Named, of.name, other_type, &naming, set)
    }

    /// See [`Condition::OfSamples`].
    pub(super) fn insert_of_samples(&self, of: OfType<'_>, inner: &Condition, set: &mut OrdinalSet) -> Result<()> {
        let Some(samples) = self.types.get(SAMPLES) else { return Ok(()) };
        let samples = self.set(OfType { name: SAMPLES, contents: samples }, inner)?;
        set.union_with(&self.naming(of.contents, &samples)?);
        Ok(())
    }

    pub(super) fn naming(&self, contents: &TypeContents, samples: &OrdinalSet) -> Result<OrdinalSet> {
        self.effort.spend(contents.num_resources.into());
        let links = self.columns.sample_links(self.index)?;
        let is_naming = |ordinal| links.of(ordinal).iter().any(|&sample| samples.contains(sample));
        Ok(OrdinalSet::all_where(contents, is_naming))
    }

    /// See [`Condition::SampleOf`].
    pub(super) fn insert_samples_of(
        &self,
        of: OfType<'_>,
        other_type: &str,
        inner: &Condition,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some(contents) = self.types.get(other_type).filter(|_| of.name == SAMPLES) else { return Ok(()) };
        self.insert_samples_named_by(&self.set(OfType { name: other_type, contents }, inner)?, set)
    }

    fn insert_samples_named_by(&self, naming: &OrdinalSet, set: &mut OrdinalSet) -> Result<()> {
        let links = self.columns.sample_links(self.index)?;
        self.effort.spend(naming.len() as u64);
        for ordinal in naming.iter() {
            links.of(ordinal).iter().for_each(|&sample| set.insert(sample));
        }
        Ok(())
    }

    /// See [`Condition::LinkedWith`].
    pub(super) fn insert_linked(
        &self,
        of: OfType<'_>,
        other_type: &str,
        inner: &Condition,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some(contents) = self.types.get(other_type) else { return Ok(()) };
        let others = self.set(OfType { name: other_type, contents }, inner)?;
        // The column has the samples that resources of other types name. It lacks samples that
        // samples name.
        let is_of_one_type = other_type == of.name;
        if other_type == SAMPLES && !is_of_one_type {
            set.union_with(&self.naming(of.contents, &others)?);
        } else {
            self.insert_linking_to(Link::Named, of.name, other_type, &others, set)?;
        }
        if of.name == SAMPLES && !is_of_one_type {
            self.insert_samples_named_by(&others, set)?;
        } else {
            self.insert_linked_from(Link::Named, of.name, other_type, &others, set)?;
        }
        self.insert_linking_to(Link::FoundIn, of.name, other_type, &others, set)?;
        self.insert_linked_from(Link::FoundIn, of.name, other_type, &others, set)
    }

    /// Inserts the resources of a type with a link to one of others.
    fn insert_linking_to(
        &self,
        link: Link,
        resource_type: &str,
        other_type: &str,
        others: &OrdinalSet,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let prefix = link.prefix(resource_type, other_type);
        let mut failure = None;
        let mut find = |id: &str| {
            self.effort.spend(FIND);
            self.resources.find(other_type, id).unwrap_or_else(|error| failure.replace(error).and(None))
        };
        let is_linked = |term: &[u8]| {
            let found = link.id(&term[prefix.bytes.len()..]).and_then(&mut find);
            found.is_some_and(|ordinal| others.contains(ordinal))
        };
        self.index.insert_range(&KeyRange::prefixed(&prefix), is_linked, self.effort, set)?;
        failure.map_or(Ok(()), Err)
    }

    /// Inserts the resources of a type with a link from one of others.
    fn insert_linked_from(
        &self,
        link: Link,
        resource_type: &str,
        other_type: &str,
        others: &OrdinalSet,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let prefix = link.prefix(other_type, resource_type);
        // The target of the links that are being read, until it is inserted.
        let (id, is_inserted) = (RefCell::new(String::new()), Cell::new(false));
        let begin = |term: &[u8]| {
            let Some(found) = link.id(&term[prefix.bytes.len()..]) else { return ControlFlow::Continue(None) };
            id.replace(found.to_owned());
            is_inserted.set(false);
            ControlFlow::Continue(Some(()))
        };
        let mut failure = None;
        let insert = |(), ordinal: Ordinal| {
            if !is_inserted.get() && others.contains(ordinal) {
                is_inserted.set(true);
                self.effort.spend(FIND);
                match self.resources.find(resource_type, &id.borrow()) {
                    Ok(found) => found.into_iter().for_each(|ordinal| set.insert(ordinal)),
                    Err(error) => failure = Some(error),
                }
            }
        };
        let range = KeyRange::prefixed(&prefix);
        self.index.for_each(&range, others.range(), self.effort, begin, insert)?;
        failure.map_or(Ok(()), Err)
    }
}

impl Link {
    /// Returns the prefix of the terms of all links from resources of a type to those of another.
    fn prefix(self, from: &str, to: &str) -> Key {
        let field = match self {
            Self::Named => KeyField::Named,
            Self::FoundIn => KeyField::FoundIn,
        };
        Key::prefix(field, &[from, to])
    }

    /// Returns the id after the prefix of a term.
    fn id(self, rest: &[u8]) -> Option<&str> {
        match self {
            Self::Named => str::from_utf8(rest).ok(),
            Self::FoundIn => split_text(rest).map(|(id, _)| id),
        }
    }
}
