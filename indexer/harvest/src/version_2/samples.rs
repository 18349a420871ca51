//! Samples that were not harvested with any study.

use std::collections::{BTreeMap, HashSet};

use indexer::Result;

use super::{SAMPLES, SAMPLES_STAGE, accession, list, updated_at};
use crate::Analyses;
use crate::objects::hash;
use crate::pages;
use crate::walk::{Listed, Walk};

/// Finds the samples that belong to no study, and those that were changed without their studies.
pub(super) fn other_samples(walk: &mut Walk) -> Result<BTreeMap<String, Listed>> {
    let known: BTreeMap<_, _> = walk.stamps(SAMPLES_STAGE)?;
    let count = walk.report.listed.get("samples").copied().unwrap_or_default();
    let all = walk.analyses >= Analyses::Details;
    if walk.since.is_none() && !all && count <= walk.writer.objects.total(SAMPLES.name) {
        return Ok(BTreeMap::new());
    }
    // The newest first, up to those that are already known.
    let until_known = walk.since.is_some() && !all;
    let found = walk_samples(walk, &known, until_known)?;
    let is_other = |id: &&String| !walk.writer.objects.has(SAMPLES.name, id);
    if until_known && walk.writer.objects.total(SAMPLES.name) + (found.keys().filter(is_other).count() as u64) < count {
        // There are more than these samples could explain.
        return walk_samples(walk, &known, false);
    }
    Ok(found)
}

/// Reads the list of all samples, and returns those that must be requested or reused.
fn walk_samples(
    walk: &mut Walk,
    known: &BTreeMap<String, String>,
    until_known: bool,
) -> Result<BTreeMap<String, Listed>> {
    let query = if until_known { "order=-updated_at" } else { "order=updated_at" };
    let mut found = BTreeMap::new();
    let mut listed = HashSet::new();
    let objects = &walk.writer.objects;
    let seen =
        pages::read(&mut walk.answers, &mut walk.notes, list("samples/", query, accession), until_known, &mut |row| {
            let stamp = updated_at(row.text);
            listed.insert(hash(&row.id));
            let is_news = !objects.has_sample(&row.id, &stamp);
            // A sample that was harvested with its study does not end the walk: unknown ones may
            // follow.
            let is_unknown =
                known.get(&row.id) != Some(&stamp) && (is_news || objects.has_fresh(SAMPLES.name, &row.id));
            if is_news {
                found.insert(row.id, Listed { stamp, text: row.text.to_owned() });
            }
            Ok(is_unknown)
        })?;
    for (id, stamp) in known {
        let may_exist = until_known || !seen.is_whole || listed.contains(&hash(id));
        let is_better = !objects.has_fresh(SAMPLES.name, id) && !objects.has_sample(id, stamp);
        if may_exist && is_better {
            found.entry(id.clone()).or_insert(Listed { stamp: stamp.clone(), text: String::new() });
        }
    }
    Ok(found)
}
