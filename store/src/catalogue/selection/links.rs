//! Conditions on the resources that one is linked with.

use super::evaluation::{Evaluation, Type};
use super::ordinal_set::OrdinalSet;
use crate::Result;
use crate::catalogue::index::key::Key;
use crate::catalogue::index::reader::{KeyRange, first_text};
use crate::catalogue::index::schema::KeyField;
use crate::catalogue::model::SAMPLES;
use crate::catalogue::{Condition, ResourceSet, TypeContents};

impl Evaluation<'_> {
    /// Inserts the resources that are named by one of another type which satisfies a condition. Each that is named at all is looked at once.
    pub(super) fn insert_named_by(
        &self,
        of: Type<'_>,
        (other_type, inner): (&str, &Condition),
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some(contents) = self.types.get(other_type) else { return Ok(()) };
        let naming = self.set((other_type, contents), inner)?;
        let prefix = Key::prefix(KeyField::Named, &[other_type, of.0]);
        for term in self.index.keys(&KeyRange::prefixed(&prefix))? {
            if self.is_cancelled() {
                break;
            }
            let Ok(id) = str::from_utf8(&term[prefix.bytes.len()..]) else { continue };
            let mut named_by = OrdinalSet::none(contents);
            self.index.insert_key(&Key::term(KeyField::Named, &[other_type, of.0], id), &mut named_by)?;
            named_by.intersect_with(&naming);
            if !named_by.is_empty() {
                self.resources.find(of.0, id)?.into_iter().for_each(|ordinal| set.insert(ordinal));
            }
        }
        Ok(())
    }

    /// Inserts the samples that are named by a resource of another type which satisfies a condition.
    pub(super) fn insert_samples_of(
        &self,
        other_type: &str,
        condition: &Condition,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let Some((name, contents)) = self.types.get_key_value(other_type) else { return Ok(()) };
        let links = self.columns.sample_links(self.index)?;
        for ordinal in self.set((name, contents), condition)?.iter() {
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
        let Some((other_type, contents)) = self.types.get_key_value(other_type) else { return Ok(()) };
        let among = Condition::Among(ResourceSet(self.set((other_type, contents), inner)?));
        let Condition::Among(ResourceSet(others)) = &among else { return Ok(()) };
        // Samples do not name samples in the column.
        let is_of_one_type = other_type == of.0;
        if other_type == SAMPLES && !is_of_one_type {
            set.union_with(&self.naming(of.1, others)?);
        } else {
            self.insert_by_links(KeyField::Named, of.0, (other_type, others), set)?;
        }
        if of.0 == SAMPLES && !is_of_one_type {
            self.insert_samples_of(other_type, &among, set)?;
        } else {
            self.insert_named_by(of, (other_type, &among), set)?;
        }
        self.insert_by_links(KeyField::FoundIn, of.0, (other_type, others), set)?;
        self.insert_parents(of, (other_type, contents, others), set)
    }

    /// Inserts the resources of a type with a link of a kind to one of others.
    fn insert_by_links(
        &self,
        kind: KeyField,
        resource_type: &str,
        (other_type, others): (&str, &OrdinalSet),
        set: &mut OrdinalSet,
    ) -> Result<()> {
        for link in self.links(kind, resource_type, other_type)?.iter().take_while(|_| !self.is_cancelled()) {
            if self.resources.find(other_type, &link.id)?.is_some_and(|ordinal| others.contains(ordinal)) {
                self.index.insert_key(&link.key, set)?;
            }
        }
        Ok(())
    }

    /// Inserts the resources of a type in whose related collections one of others was found.
    fn insert_parents(
        &self,
        of: Type<'_>,
        (other_type, contents, others): (&str, &TypeContents, &OrdinalSet),
        set: &mut OrdinalSet,
    ) -> Result<()> {
        for link in self.links(KeyField::FoundIn, other_type, of.0)?.iter().take_while(|_| !self.is_cancelled()) {
            let mut found = OrdinalSet::none(contents);
            self.index.insert_key(&link.key, &mut found)?;
            found.intersect_with(others);
            if !found.is_empty() {
                self.resources.find(of.0, &link.id)?.into_iter().for_each(|ordinal| set.insert(ordinal));
            }
        }
        Ok(())
    }

    /// Returns all links of a kind from resources of a type to those of another.
    fn links(&self, kind: KeyField, resource_type: &str, other_type: &str) -> Result<Vec<Link>> {
        let prefix = Key::prefix(kind, &[resource_type, other_type]);
        let terms = self.index.keys(&KeyRange::prefixed(&prefix))?;
        let link = |bytes: Vec<u8>| {
            let rest = &bytes[prefix.bytes.len()..];
            let id = if kind == KeyField::FoundIn { first_text(rest)? } else { str::from_utf8(rest).ok()? };
            Some(Link { id: id.to_owned(), key: Key { field: kind, bytes } })
        };
        Ok(terms.into_iter().filter_map(link).collect())
    }
}

struct Link {
    /// Of the resource that the link leads to.
    id: String,
    key: Key,
}
