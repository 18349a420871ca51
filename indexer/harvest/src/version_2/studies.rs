//! Studies and their objects.

use std::collections::{BTreeMap, HashSet};

use indexer::Result;
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::{
    ANALYSES, ANALYSIS_ANNOTATIONS, FEATURES, MEMBERS, SAMPLES, STUDIES, accession, detail, list, members_of,
    pubmed_id, raw, to_line,
};
use crate::Analyses;
use crate::client::Answer;
use crate::pages::Row;
use crate::walk::{Listed, Walk, segment};

/// The pipelines by which studies can be filtered. V6.1 means the same as V6, and older ones are
/// not valid filters.
const PIPELINES: [&str; 2] = ["V5", "V6"];

/// The most members of a study on a line: lines that are loaded may have 4 MiB.
const NUM_MEMBERS_MAX: usize = 10_000;

/// Finds the studies of each pipeline, which no other request shows.
pub(super) fn features(walk: &mut Walk, studies: &BTreeMap<String, Listed>) -> Result<()> {
    let (mut found, mut are_whole) = (Vec::<HashSet<String>>::new(), true);
    for pipeline in PIPELINES {
        let mut ids = HashSet::new();
        let query = format!("order=accession&has_analyses_from_pipeline={pipeline}");
        let seen = walk.list(list("studies/", &query, accession), |_, row| {
            ids.insert(row.id);
            Ok(())
        })?;
        are_whole &= seen.is_whole;
        found.push(ids);
    }
    for id in studies.keys() {
        let pipelines: Vec<_> =
            PIPELINES.iter().zip(&found).filter(|(_, ids)| ids.contains(id)).map(|(pipeline, _)| *pipeline).collect();
        let line = json!({"accession": id, "has_analyses_from_pipeline": pipelines}).to_string();
        if are_whole {
            walk.writer.line(FEATURES.name, id, &line)?;
        } else {
            walk.writer.fallback_line(FEATURES.name, id, &line);
        }
    }
    Ok(())
}

/// Harvests a study and its objects.
pub(super) fn study(walk: &mut Walk, id: &str, row: &str) -> Result<()> {
    let path = format!("studies/{}", segment(id));
    if detail(walk, &path, STUDIES, id, row)?.is_none() {
        return Ok(());
    }
    let mut samples = Vec::new();
    walk.list(list(&format!("{path}/samples/"), "", accession), |writer, Row { id, text }| {
        writer.line(SAMPLES.name, &id, text)?;
        samples.push(id);
        Ok(())
    })?;
    let mut publications = Vec::new();
    walk.list(list(&format!("{path}/publications/"), "", pubmed_id), |_, row| {
        publications.extend(serde_json::from_str::<Value>(&row.id));
        Ok(())
    })?;
    if !publications.is_empty() {
        walk.writer.line(MEMBERS.name, id, &json!({"study": id, "publications": publications}).to_string())?;
    }
    for samples in samples.chunks(NUM_MEMBERS_MAX) {
        walk.writer.line(MEMBERS.name, id, &json!({"study": id, "samples": samples}).to_string())?;
    }
    if walk.analyses == Analyses::None {
        return Ok(());
    }
    let has_details = walk.analyses >= Analyses::Details;
    let mut rows = Vec::new();
    walk.list(list(&format!("{path}/analyses/"), "", accession), |writer, Row { id, text }| {
        if has_details {
            rows.push((id, text.to_owned()));
            return Ok(());
        }
        writer.line(ANALYSES.name, &id, text)
    })?;
    rows.iter().try_for_each(|(id, row)| analysis(walk, id, row))
}

fn analysis(walk: &mut Walk, id: &str, row: &str) -> Result<()> {
    let path = format!("analyses/{}", segment(id));
    if walk.analyses == Analyses::Annotations {
        match walk.object(&format!("{path}/annotations"), ANALYSES.id, id)? {
            Answer::Json(text) => {
                // The answer is the analysis itself, and its annotations follow all other members.
                let mut members = members_of(&text);
                let annotations = members.shift_remove("annotations");
                walk.writer.line(ANALYSES.name, id, &to_line(&members)?)?;
                let Some(annotations) = annotations else { return Ok(()) };
                let accession = json!(id).to_string();
                let members = IndexMap::from([("accession", raw(&accession)?), ("annotations", annotations)]);
                return walk.writer.line(ANALYSIS_ANNOTATIONS.name, id, &to_line(&members)?);
            }
            Answer::Missing => return Ok(()),
            Answer::Fault(_) => {}
        }
    }
    detail(walk, &path, ANALYSES, id, row)?;
    Ok(())
}
