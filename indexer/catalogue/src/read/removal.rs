//! The resources that a removal names.

use std::collections::HashSet;

use indexer::{Error, Result, counted};
use store_catalogue::model::ResourceType;
use store_catalogue::{Ordinal, StoredResources};

use super::examples::Examples;
use super::files::Files;
use super::identity::{Identifier, Identity};
use super::objects::parts_of;
use super::resource::Resource;
use super::rows::{Reader, Row};
use super::stored::damaged;

/// Resources that are named by their accessions.
#[derive(Clone, Debug, Default)]
pub struct Removal {
    /// Identifiers of any kind.
    pub accessions: Vec<String>,
    /// The required type, or the path of its collection, if any.
    pub resource_type: Option<String>,
}

/// The resources of the present generation that are removed.
#[derive(Default)]
pub(crate) struct Removed {
    pub(crate) identities: HashSet<Identity>,
    pub(crate) ordinals: Vec<Ordinal>,
    /// The resources that do not exist.
    unknown: Examples,
}

impl Removed {
    /// Finds the resources of some files, and those with some accessions.
    ///
    /// # Errors
    ///
    /// * None of the resources exists, or an accession belongs to several types.
    pub(crate) fn find(
        removal: &Removal,
        stored: Option<&StoredResources>,
        files: &Files,
        identifier: &Identifier,
        reader: &mut Reader<'_>,
    ) -> Result<Self> {
        let no_catalogue = || Error::Refused { problem: "no catalogue is loaded".to_owned() };
        let stored = stored.ok_or_else(no_catalogue)?;
        let mut removed = Self::default();
        let examine = |row: Row<'_>| {
            let resource = Resource::parse(row.text)?;
            Ok((resource.identity(identifier), resource.identifiers().swap_remove(0), resource.kind))
        };
        reader.read(files, examine, |(identity, name, kind)| {
            let found = identity_of(stored, &kind, &name, identifier)?;
            removed.add(found.filter(|(found, _)| *found == identity), &name);
            Ok(())
        })?;
        for accession in &removal.accessions {
            removed.add(named(stored, accession, removal.resource_type.as_deref(), identifier)?, accession);
        }
        removed.add_parts(stored, identifier)?;
        if removed.identities.is_empty() {
            let unknown = removed.unknown.names.join(", ");
            return Err(Error::Refused { problem: format!("nothing to remove: the catalogue has none of {unknown}") });
        }
        Ok(removed)
    }

    /// Adds the parts of the resources.
    fn add_parts(&mut self, stored: &StoredResources, identifier: &Identifier) -> Result<()> {
        for ordinal in self.ordinals.clone() {
            let (kind, id) = stored.body(ordinal)?.key().ok_or_else(damaged)?;
            for part in parts_of(&kind) {
                if let Some((identity, ordinal)) = identity_of(stored, part, &id, identifier)? {
                    self.identities.insert(identity);
                    self.ordinals.push(ordinal);
                }
            }
        }
        Ok(())
    }

    /// Returns a sentence about the resources that do not exist, if any.
    pub(crate) fn unknown(&self) -> Option<String> {
        let Examples { number, names } = &self.unknown;
        let num = counted(*number, "resource");
        let sentence = || format!("not in the catalogue: {num} to remove, such as {}", names.join(", "));
        (*number > 0).then(sentence)
    }

    fn add(&mut self, found: Option<(Identity, Ordinal)>, name: &str) {
        match found {
            Some((identity, ordinal)) if self.identities.insert(identity) => self.ordinals.push(ordinal),
            Some(_) => {}
            None => self.unknown.add(name.to_owned()),
        }
    }
}

/// Returns the one resource that has an identifier.
fn named(
    stored: &StoredResources,
    accession: &str,
    of_type: Option<&str>,
    identifier: &Identifier,
) -> Result<Option<(Identity, Ordinal)>> {
    let of_type = of_type.map(|name| ResourceType::at_path(name).map_or(name, |known| known.name));
    let types = stored.contents().types.keys().filter(|name| of_type.map_or(!name.starts_with('@'), |it| it == *name));
    let mut found = Vec::new();
    for name in types {
        found.extend(identity_of(stored, name, accession, identifier)?.map(|found| (name, found)));
    }
    if let [(one, _), (other, _), ..] = found[..] {
        let problem = format!("{accession} is an accession of {one} and of {other}: say which with --type");
        return Err(Error::Refused { problem });
    }
    Ok(found.pop().map(|(_, found)| found))
}

/// Returns the resource of a type that has an identifier, unless it was derived.
fn identity_of(
    stored: &StoredResources,
    resource_type: &str,
    name: &str,
    identifier: &Identifier,
) -> Result<Option<(Identity, Ordinal)>> {
    let Some(ordinal) = stored.find(resource_type, name)? else { return Ok(None) };
    let body = stored.body(ordinal)?;
    if body.origin().is_none_or(|origin| origin.is_derived) {
        return Ok(None);
    }
    let resource = str::from_utf8(body.json()).ok().and_then(|text| Resource::parse(text).ok());
    resource.map(|resource| Some((resource.identity(identifier), ordinal))).ok_or_else(damaged)
}
