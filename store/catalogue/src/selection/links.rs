//! Conditions on linked resources. Links are read one after another and never collected: there may
//! be millions.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use store::Result;

use super::effort::FIND;
use super::evaluation::{Evaluation, Type};
use super::ordinal_set::OrdinalSet;
use crate::index::key::Key;
use crate::index::key_range::KeyRange;
use crate::index::reader::first_text;
use crate::index::schema::KeyField;
use crate::model::SAMPLES;
use crate::{Condition, Ordinal};

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
        of: Type<'_>,
        (other_type, inner): (&str, &Condition),
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some(contents) = self.types.get(other_type) else { return Ok(()) };
        let naming = self.set((other_type, contents), inner)?;
        self.insert_linked_from(Link::Named, of.0, (other_type, &naming), set)
    }

    /// See [`Condition::SampleOf`].
    pub(super) fn insert_samples_of(
        &self,
        other_type: &str,
        condition: &Condition,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some((name, contents)) = self.types.get_key_value(other_type) else { return Ok(()) };
        self.insert_samples_named_by(&self.set((name, contents), condition)?, set)
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
        of: Type<'_>,
        (other_type, inner): (&str, &Condition),
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some(contents) = self.types.get(other_type) else { return Ok(()) };
        let others = (other_type, &self.set((other_type, contents), inner)?);
        // The column has the samples that resources of other types name. It lacks samples that
        // samples name.
        let is_of_one_type = other_type == of.0;
        if other_type == SAMPLES && !is_of_one_type {
            set.union_with(&self.naming(of.1, others.1)?);
        } else {
            self.insert_linking_to(Link::Named, of.0, others, set)?;
        }
        if of.0 == SAMPLES && !is_of_one_type {
            self.insert_samples_named_by(others.1, set)?;
        } else {
            self.insert_linked_from(Link::Named, of.0, others, set)?;
        }
        self.insert_linking_to(Link::FoundIn, of.0, others, set)?;
        self.insert_linked_from(Link::FoundIn, of.0, others, set)
    }

    /// Inserts the resources of a type with a link to one of others.
    fn insert_linking_to(
        &self,
        link: Link,
        resource_type: &str,
        (other_type, others): (&str, &OrdinalSet),
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
        (other_type, others): (&str, &OrdinalSet),
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
            Self::FoundIn => first_text(rest),
        }
    }
}
