//! Samples and publications of studies, where lines of the studies name them.

use std::sync::atomic::AtomicBool;

use indexer::Result;
use store_catalogue::model::STUDIES;

use super::Documents;
use super::collector::push_new;

/// A sample or a publication that studies list as a member.
pub(super) struct Member {
    pub(super) resource_type: &'static str,
    pub(super) id: Box<str>,
    /// The studies, by position.
    pub(super) studies: Vec<u32>,
    /// Set once it was merged into a row.
    pub(super) is_merged: AtomicBool,
}

impl Documents {
    /// Adds a line with members of a study, after all documents.
    pub(super) fn add_members(&mut self, study: String, members: Vec<(&'static str, String)>) -> Result<()> {
        // A study without a document is a reference only, but its members may have documents.
        let mut described = self.identify(STUDIES, &study);
        let exists = self.found.contains_key(&described);
        let name = study.as_str().into();
        let position = self.study_position(study)?;
        for (resource_type, id) in members {
            let named = self.identify(resource_type, &id);
            let owner = self.names.get(&named).and_then(|owner| self.found.get_index(*owner));
            let identity = owner.map_or(named, |(identity, _)| *identity);
            if !exists && self.found.contains_key(&identity) {
                described = identity;
            }
            let member =
                || Member { resource_type, id: id.into(), studies: Vec::new(), is_merged: AtomicBool::default() };
            self.members.entry(identity).or_insert_with(member).studies.push(position);
        }
        self.extra_lines.push((described, STUDIES, name));
        Ok(())
    }

    /// Adds the studies of members to those that their documents name, in the order of their
    /// accessions. The studies of surrounding objects do not count then.
    pub(super) fn give_members_studies(&mut self) {
        for (identity, mut member) in std::mem::take(&mut self.members) {
            member.studies.sort_unstable_by_key(|study| self.studies.get_index(*study as usize));
            member.studies.dedup();
            let Some(place) = self.found.get_mut(&identity) else {
                self.members.insert(identity, member);
                continue;
            };
            if !std::mem::replace(&mut place.says_studies, true) {
                place.studies.clear();
            }
            member.studies.into_iter().for_each(|study| push_new(&mut place.studies, study));
        }
    }
}
