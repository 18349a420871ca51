//! What a single parameter asks for, checked against the data.

use store::model::{BIOMES, RUNS};
use store::{Condition, Known, LinkStyle};

use super::super::collection::Collection;
use super::super::filter::{FilterKind, OfWhat};
use super::super::linked;
use super::super::problem::CatalogueProblem;
use super::super::resource::Resource;
use super::super::snapshot::Snapshot;
use super::text;

/// The experiment types of the real service: it knows them whether it has such runs or not.
const EXPERIMENT_TYPES: [&str; 8] = [
    "metatranscriptomic",
    "metagenomic",
    "amplicon",
    "assembly",
    "metabarcoding",
    "unknown",
    "hybrid_assembly",
    "long_reads_assembly",
];

pub(super) struct Asked<'a> {
    pub(super) collection: &'a Collection,
    pub(super) parameter: &'static str,
    pub(super) snapshot: &'a Snapshot,
}

impl Asked<'_> {
    /// Returns the condition of a parameter that is one by itself.
    pub(super) fn condition(&self, kind: FilterKind, value: &str) -> Result<Option<Condition>, CatalogueProblem> {
        let pattern = || text::pattern(self.parameter, value);
        let condition = match kind {
            FilterKind::Lineage(of) => {
                self.check_lineage(value)?;
                of.look_at(Condition::Lineage(value.to_owned()))
            }
            FilterKind::LineagePattern => Condition::LineagePattern(pattern()?),
            FilterKind::Pattern(attribute, of) => of.look_at(Condition::AttributePattern(attribute.into(), pattern()?)),
            FilterKind::Attribute(attribute) => Condition::Attribute(attribute.into(), value.to_owned()),
            FilterKind::OfRuns(attribute) => {
                self.check_runs(attribute)?;
                let mut choices = Vec::new();
                for item in text::items(value) {
                    self.check_value_of_runs(attribute, item)?;
                    choices.push(Condition::Attribute(attribute.into(), item.to_owned()));
                }
                Condition::SampleOf(RUNS.into(), Box::new(Condition::AnyOf(choices)))
            }
            FilterKind::OfRunsPattern(attribute) => {
                self.check_runs(attribute)?;
                let condition = Condition::AttributePattern(attribute.into(), pattern()?);
                Condition::SampleOf(RUNS.into(), Box::new(condition))
            }
            FilterKind::Linked(resource_type) => self.linked(resource_type, value)?,
            FilterKind::Text => Condition::Text(value.to_owned()),
            _ => return Ok(None),
        };
        Ok(Some(condition))
    }

    pub(super) fn check_main_identifiers(&self, identifiers: &[String]) -> Result<(), CatalogueProblem> {
        let mut ordinals = Vec::with_capacity(identifiers.len());
        for identifier in identifiers {
            let found = self.snapshot.find(&self.collection.resource_type, identifier)?;
            ordinals.push(found.ok_or_else(|| text::no_choice(self.parameter, identifier))?);
        }
        for (identifier, body) in identifiers.iter().zip(self.snapshot.resources(&ordinals)?) {
            if body.key().is_none_or(|(_, id)| id != *identifier) {
                return Err(text::no_choice(self.parameter, identifier));
            }
        }
        Ok(())
    }

    pub(super) fn check_metadata_key(&self, key: &str) -> Result<(), CatalogueProblem> {
        let is_known = self.snapshot.knows(&Known::MetadataKey(key.to_owned()))?;
        if is_known { Ok(()) } else { Err(text::no_choice(self.parameter, key)) }
    }

    /// Refuses a lineage that is neither that of a biome nor that of anything else.
    fn check_lineage(&self, lineage: &str) -> Result<(), CatalogueProblem> {
        if self.snapshot.find(BIOMES, lineage)?.is_some() {
            return Ok(());
        }
        for resource_type in self.snapshot.contents().types.keys() {
            if self.snapshot.knows(&Known::Lineage(resource_type.clone(), lineage.to_owned()))? {
                return Ok(());
            }
        }
        // The real service names the lineage in no case.
        Err(text::no_choice(self.parameter, "That choice"))
    }

    fn check_runs(&self, attribute: &str) -> Result<(), CatalogueProblem> {
        if self.snapshot.knows(&Known::Attribute(RUNS.into(), attribute.into()))? {
            return Ok(());
        }
        let detail = "This filter looks at the runs of samples, and no runs were loaded here: it cannot be answered.";
        Err(text::invalid(self.parameter, detail))
    }

    fn check_value_of_runs(&self, attribute: &str, value: &str) -> Result<(), CatalogueProblem> {
        if attribute == "experiment_type" && EXPERIMENT_TYPES.contains(&value) {
            return Ok(());
        }
        let known = Known::AttributeValue(RUNS.into(), attribute.into(), value.into());
        if self.snapshot.knows(&known)? { Ok(()) } else { Err(text::no_choice(self.parameter, value)) }
    }

    /// Returns what the resources of the collection satisfy that hang on another resource. One that was never loaded may be named
    /// all the same.
    fn linked(&self, resource_type: &str, identifier: &str) -> Result<Condition, CatalogueProblem> {
        let relation = &self.collection.path;
        let Some(ordinal) = self.snapshot.find(resource_type, identifier)? else {
            return Ok(linked::condition_of_missing(resource_type, identifier, relation));
        };
        let resource = Resource::render(&*self.snapshot.resource(ordinal)?, &LinkStyle::default())?;
        Ok(linked::condition(&resource, &self.collection.resource_type, relation)?)
    }
}

impl OfWhat {
    fn look_at(self, condition: Condition) -> Condition {
        match self {
            Self::Itself => condition,
            Self::Samples => Condition::OfSamples(Box::new(condition)),
        }
    }
}
