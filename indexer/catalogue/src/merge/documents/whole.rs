//! Facts that follow only from all documents together.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::Ordering;

use indexer::Result;
use store_catalogue::model::{
    ANALYSIS_JOBS, BIOME_REPEATS, BIOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
};

use super::context::StudyFacts;
use super::members::Member;
use super::{Documents, Place, Unplaced, row};
use crate::read::{Identity, Resource};

impl Documents {
    /// Computes the facts that depend on all documents.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.versions.sort_unstable();
        self.versions.dedup();
        self.give_ids_once()?;
        let mut slugs: Vec<_> = self.of_type(SUPER_STUDIES).collect();
        slugs.sort_unstable_by_key(|(_, place)| &place.id);
        self.ranks = slugs.into_iter().map(|(identity, _)| *identity).zip(1..).collect();
        let facts = self.of_type(STUDIES).map(|(study, place)| Ok((*study, StudyFacts::of(&self.document(place)?))));
        self.facts = facts.collect::<Result<_>>()?;
        self.give_members_studies();
        self.num_samples = self.count_samples();
        Ok(())
    }

    /// Counts the lines about an object that has a document or for which `exists` is true. The
    /// other lines, and members of studies that were not merged into a row, are added to
    /// `unplaced`.
    pub(crate) fn place_extra_lines(&self, unplaced: &mut Unplaced, exists: impl Fn(Identity) -> bool) -> u64 {
        let mut num_placed = 0;
        for (identity, resource_type, id) in &self.extra_lines {
            if self.found.contains_key(identity) || exists(*identity) {
                num_placed += 1;
            } else {
                unplaced.lines.add(format!("{resource_type} {id}"));
            }
        }
        let is_merged = |member: &Member| member.is_merged.load(Ordering::Relaxed);
        for member in self.members.values().filter(|member| !is_merged(member)) {
            unplaced.members.add(format!("{} {}", member.resource_type, member.id));
        }
        num_placed
    }

    /// Uses the accessions of samples as ids if their ids of version 1 belong to others.
    fn give_ids_once(&mut self) -> Result<()> {
        let samples = self.found.values().enumerate().filter(|(_, place)| place.resource_type == SAMPLES);
        let shared =
            samples.filter(|(position, place)| self.names.get(&self.identify(SAMPLES, &place.id)) != Some(position));
        for position in shared.map(|(position, _)| position).collect::<Vec<_>>() {
            let document = self.found.get_index(position).map(|(_, place)| self.document(place)).transpose()?;
            let accession = document.as_ref().and_then(|document| document.get("accession")?.as_str());
            if let (Some(accession), Some((_, place))) = (accession, self.found.get_index_mut(position)) {
                place.id = accession.into();
            }
        }
        Ok(())
    }

    fn word_of(&self, place: &Place) -> Option<&str> {
        self.words.get_index(place.word?.into()).map(|word| &**word)
    }

    /// Returns the number of samples of each study and publication, and of each biome without its
    /// descendants.
    fn count_samples(&self) -> HashMap<Identity, u64> {
        let mut publications: HashMap<u32, Vec<Identity>> = HashMap::new();
        for (identity, place) in self.of_type(PUBLICATIONS) {
            place.studies.iter().for_each(|study| publications.entry(*study).or_default().push(*identity));
        }
        let mut counts: HashMap<Identity, u64> = HashMap::new();
        for (_, place) in self.of_type(SAMPLES) {
            let mut counted: Vec<Identity> =
                self.studies_at(&place.studies).map(|id| self.identify(STUDIES, id)).collect();
            let study_lineage = || counted.iter().find_map(|study| self.facts.get(study)?.lineage.as_deref());
            let lineage = self.word_of(place).or_else(study_lineage).map(|lineage| self.identify(BIOMES, lineage));
            counted.extend(lineage);
            counted.extend(place.studies.iter().filter_map(|study| publications.get(study)).flatten());
            counted.sort_unstable();
            counted.dedup();
            for identity in counted {
                *counts.entry(identity).or_default() += 1;
            }
        }
        counts
    }

    /// Returns resources that have no document of their own: experiment types, and biomes whose
    /// lineage occurs again. Each is returned with whether it is derived.
    pub(crate) fn without_document(&self) -> impl Iterator<Item = (Resource, bool)> {
        let mut types: BTreeMap<&str, u64> = BTreeMap::new();
        for place in self.found.values().filter(|place| [RUNS, ANALYSIS_JOBS].contains(&place.resource_type)) {
            if let Some(name) = self.word_of(place) {
                *types.entry(name).or_default() += u64::from(place.resource_type == RUNS);
            }
        }
        let types = types.into_iter().map(|(name, num_runs)| (row::experiment_type_row(name, num_runs), true));
        types.chain(self.repeats.iter().map(|(rank, document)| {
            let mut resource =
                Resource { kind: BIOME_REPEATS.to_owned(), id: format!("{rank:08}"), ..Resource::default() };
            resource.document = Some(document.clone());
            (resource, false)
        }))
    }
}
