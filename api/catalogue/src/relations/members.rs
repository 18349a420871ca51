//! Finds the members of related collections.

use store_catalogue::model::{Members, Relation, SAMPLES, STUDIES};
use store_catalogue::{Condition, LinkStyle};

use super::linked;
use crate::problem::CatalogueProblem;
use crate::render::resource::Resource;
use crate::snapshot::Snapshot;

/// The parent that represents every resource of the members' type.
pub(crate) const ALL: &str = "all";

/// Returns the type of the members of a resource in a relation, and their condition. If there are
/// several types, the first one with loaded resources is used. Returns `None` for members that are
/// made from other resources.
pub(crate) fn of(
    snapshot: &Snapshot,
    relation: &Relation,
    parent: &Resource,
) -> Result<Option<(&'static str, Condition)>, CatalogueProblem> {
    let loaded = linked::loaded_type(snapshot, relation.member_types);
    let member_type = loaded.unwrap_or(relation.member_types[0]);
    let id = || parent.id().to_owned();
    let condition = match relation.members {
        Members::Linked | Members::LinkedOrAll => linked::condition(parent, member_type, relation.name)?,
        Members::Naming => Condition::Names(parent.resource_type().to_owned(), id()),
        Members::InLineage | Members::Descendants => Condition::Lineage(id()),
        Members::InBiome => Condition::OwnLineage(id()),
        Members::Having(attribute) => Condition::Attribute(attribute.to_owned(), id()),
        Members::SamplesHaving(resource_type, attribute) => {
            let having = Condition::Attribute(attribute.to_owned(), id());
            Condition::SampleOf(resource_type.to_owned(), Box::new(having))
        }
        Members::OfStudies => study_members(snapshot, parent, member_type)?,
        Members::Places | Members::MetadataEntries => return Ok(None),
    };
    Ok(Some((member_type, condition)))
}

/// Returns the condition for the resources of a type that name a study which is linked with
/// `parent`.
fn study_members(snapshot: &Snapshot, parent: &Resource, member_type: &str) -> Result<Condition, CatalogueProblem> {
    let studies = snapshot.select(STUDIES, vec![linked::condition(parent, STUDIES, STUDIES)?], Vec::new())?;
    snapshot.take_memory(studies.len())?;
    let bodies = snapshot.resources(&studies.ordinals(0..studies.len()))?;
    let conditions = bodies.iter().map(|body| {
        let study = Resource::render(body, &LinkStyle::default())?;
        Ok(linked::condition(&study, member_type, SAMPLES)?)
    });
    snapshot.collect(member_type, conditions, &snapshot.effort)
}
