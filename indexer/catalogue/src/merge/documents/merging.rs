//! Merging documents of a resource into one of its rows.

use std::sync::atomic::Ordering;

use indexer::{Result, counted};
use serde_json::{Value, json};
use store_catalogue::model::{ASSEMBLIES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES};

use super::super::take_over::is_empty;
use super::{Documents, Place, derived, row};
use crate::read::objects::{owner, updated_at};
use crate::read::{Examples, Identity, Members, Resource};

/// The attribute of a row with the accession that a sample has in version 2.
const BIOSAMPLE: &str = "biosample";

/// The relation of a run or an analysis to its sample.
const SAMPLE: &str = "sample";

/// A source of documents: a harvest, or the present generation.
pub(crate) trait Source: Sync {
    /// Returns the id of the sample with an accession, if it differs.
    fn id_of_sample(&self, accession: &str) -> Result<Option<String>>;

    /// Returns the resource that the documents describe for a row.
    fn documented(&self, resource: &Resource) -> Result<Option<Resource>>;
}

/// Replaces the ids in a row by those of a source, and merges the source's documents of the
/// resource into it. Returns whether anything changed.
pub(crate) fn apply(source: &dyn Source, resource: &mut Resource) -> Result<bool> {
    let mut renamed = Vec::new();
    let samples = resource.references().filter(|reference| reference.resource_type == SAMPLES).map(|it| it.id);
    for id in samples.chain((resource.kind == SAMPLES).then_some(&*resource.id)) {
        renamed.extend(source.id_of_sample(id)?.map(|other| (id.to_owned(), other)));
    }
    let new_id =
        |kind: &str, id: &str| renamed.iter().find(|(old, _)| kind == SAMPLES && old == id).map(|(_, new)| new.clone());
    resource.id = new_id(&resource.kind, &resource.id).unwrap_or(std::mem::take(&mut resource.id));
    resource.rename_references(new_id);
    let documented = source.documented(resource)?;
    let is_changed = documented.is_some() || !renamed.is_empty();
    if let Some(documented) = documented {
        merge(resource, documented);
    }
    Ok(is_changed)
}

impl Source for Documents {
    fn id_of_sample(&self, accession: &str) -> Result<Option<String>> {
        let id = if self.names.is_empty() { None } else { self.sample(accession) };
        Ok(id.filter(|id| *id != accession).map(str::to_owned))
    }

    fn documented(&self, resource: &Resource) -> Result<Option<Resource>> {
        let place = match &*resource.kind {
            SAMPLES => {
                let named = |name: &str| self.names.get(&self.identify(SAMPLES, name));
                let position = named(&resource.id).or_else(|| named(resource.text(BIOSAMPLE)?));
                position.map(|position| &self.found[*position])
            }
            // The ids of rows are numbers.
            SUPER_STUDIES => {
                resource.text("url-slug").and_then(|slug| self.found.get(&self.identify(SUPER_STUDIES, slug)))
            }
            kind => self.found.get(&self.identify(kind, &resource.id)),
        };
        let Some(place) = place else { return Ok(self.extra_facts(resource)) };
        place.is_merged.store(true, Ordering::Relaxed);
        let mut documented = self.resource(place, &resource.id)?;
        // A document names a sample by its accession if that is all it has; the row has an id of
        // version 1 for it.
        let sample =
            |resource: &Resource| resource.references().find(|it| it.relation == SAMPLE).map(|it| it.id.to_owned());
        let is_unknown = |id: &str| self.sample(id).is_none();
        if sample(resource).is_some_and(|id| is_unknown(&id))
            && sample(&documented).is_some_and(|id| id.starts_with("SAM"))
        {
            documented.relationships.as_mut().map(|relationships| relationships.shift_remove(SAMPLE));
        }
        Ok(Some(documented))
    }
}

impl Documents {
    /// Returns facts from lines that are not documents about a resource without a document.
    fn extra_facts(&self, resource: &Resource) -> Option<Resource> {
        let identity = self.identify(&resource.kind, &resource.id);
        let mut documented = Resource { kind: resource.kind.clone(), id: resource.id.clone(), ..Resource::default() };
        match &*resource.kind {
            STUDIES => {
                let pipelines = self.pipelines.get(&identity)?.clone();
                documented.document = Some(Members::from_iter([("@pipelines".to_owned(), pipelines.into())]));
            }
            ASSEMBLIES => {
                let runs = row::members(RUNS, self.runs_of_assemblies.get(&identity)?);
                documented.relationships = Some(Members::from_iter([("runs".to_owned(), json!({"data": runs}))]));
            }
            SAMPLES | PUBLICATIONS => {
                let biosample = resource.text(BIOSAMPLE).map(|accession| self.identify(SAMPLES, accession));
                let member = self.members.get(&identity).or_else(|| self.members.get(&biosample?))?;
                member.is_merged.store(true, Ordering::Relaxed);
                let studies: Vec<String> = self.studies_at(&member.studies).map(str::to_owned).collect();
                if resource.kind == SAMPLES {
                    let studies = row::members(STUDIES, &studies);
                    documented.relationships =
                        Some(Members::from_iter([("studies".to_owned(), json!({"data": studies}))]));
                } else {
                    documented.origin.linked = row::linked_studies(studies);
                }
            }
            _ => return None,
        }
        Some(documented)
    }
}

/// Merges the resource of a document into a row. Members of the document win unless they are null;
/// missing ones stay as the row has them. If the row is an export with a newer document, the newer
/// document wins.
fn merge(resource: &mut Resource, mut documented: Resource) {
    // The biome of a sample is only guessed if its document has none.
    let says_biome =
        documented.document.as_ref().is_some_and(|document| document.get("biome").is_some_and(Value::is_object));
    if !says_biome && resource.references().any(|reference| reference.relation == "biome") {
        documented.relationships.as_mut().map(|relationships| relationships.shift_remove("biome"));
    }
    let came = resource.document.take();
    let new = documented.document.as_ref().map(updated_at).unwrap_or_default();
    let is_newer = came.as_ref().is_some_and(|came| updated_at(came) > new);
    let known = came.or_else(|| derived(resource)).unwrap_or_default();
    let guessed = row::guessed(&resource.kind);
    resource.take_over(documented, |name| is_newer || guessed.contains(&name));
    let documented = resource.document.take().unwrap_or_default();
    let (mut best, other) = if is_newer { (known, documented) } else { (documented, known) };
    fill(&mut best, other);
    resource.document = Some(best);
}

/// Adds the members that a document lacks from another one.
fn fill(document: &mut Members, other: Members) {
    for (name, value) in other {
        match (document.get_mut(&name), value) {
            (Some(Value::Object(known)), Value::Object(members)) => fill(known, members),
            (Some(known), value) if is_empty(known) && !is_empty(&value) => *known = value,
            (Some(_), _) => {}
            (None, value) => _ = document.insert(name, value),
        }
    }
}

/// Objects of documents that belong to no resource of the load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unplaced {
    /// Lines about a resource that is not in the input.
    pub(super) lines: Examples,
    /// Samples and publications that a study lists, but that are not in the input.
    pub(super) members: Examples,
    /// Embedded objects without an accession.
    pub(super) nameless: Examples,
}

impl Unplaced {
    pub(crate) fn num_lines(&self) -> u64 {
        self.lines.number
    }

    /// Adds an object if it is a part of a resource that has no document and for which `exists`
    /// is false. Returns whether it was added.
    pub(crate) fn add_part(&mut self, documents: &Documents, place: &Place, exists: impl Fn(Identity) -> bool) -> bool {
        let Some(kind) = owner(place.resource_type) else { return false };
        let owner = documents.identify(kind, &place.id);
        let is_part = !documents.found.contains_key(&owner) && !exists(owner);
        if is_part {
            self.lines.add(format!("{kind} {}", place.id));
        }
        is_part
    }

    /// Returns sentences that count and name it.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = String> {
        let lines = (&self.lines, "document", "of resources that were not loaded");
        let members = (&self.members, "reference", "from studies to resources that were not loaded");
        let nameless = (&self.nameless, "embedded object", "without an accession");
        let all = [lines, members, nameless].into_iter().filter(|(left_out, ..)| left_out.number > 0);
        all.map(|(Examples { number, names }, noun, what)| {
            format!("left out: {} {what}, such as {}", counted(*number, noun), names.join(", "))
        })
    }
}
