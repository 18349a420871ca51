//! The walk through version 2: what hangs on studies, study by study, then what else there is.
//!
//! The lists of all samples, runs, assemblies and analyses lose rows while one walks through them, those below a study hardly.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use indexmap::IndexMap;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::Analyses;
use super::client::Said;
use super::objects::{hash, member};
use super::pages::{self, List, Row, count};
use super::walk::{Listed, Walk, segment};
use super::writer::Kind;
use crate::{Error, Result};

const BIOMES: Kind = kind("biomes", "lineage");
const STUDIES: Kind = kind("studies", "accession");
const SAMPLES: Kind = kind("samples", "accession");
const RUNS: Kind = kind("runs", "accession");
const ASSEMBLIES: Kind = kind("assemblies", "accession");
const ANALYSES: Kind = kind("analyses", "accession");
const PUBLICATIONS: Kind = kind("publications", "pubmed_id");
const CATALOGUES: Kind = kind("genome-catalogues", "catalogue_id");
const GENOMES: Kind = kind("genomes", "accession");
const SUPER_STUDIES: Kind = kind("super-studies", "slug");
const FEATURES: Kind = kind("study-features", "accession");
const MEMBERS: Kind = Kind { adds_up: true, ..kind("study-members", "study") };
const ANALYSIS_ANNOTATIONS: Kind = kind("analysis-annotations", "accession");
const GENOME_ANNOTATIONS: Kind = kind("genome-annotations", "accession");
const PUBLICATION_ANNOTATIONS: Kind = kind("publication-annotations", "pubmed_id");
const GENOME_LINKS: Kind = kind("assembly-genome-links", "assembly");
const CONTAINED_GENOMES: Kind = kind("assembly-additional-contained-genomes", "assembly");
const ASSEMBLY_RUNS: Kind = Kind { adds_up: true, ..kind("assembly-runs", "assembly") };

/// The files of a harvest.
pub(super) const KINDS: &[Kind] = &[
    BIOMES,
    STUDIES,
    SAMPLES,
    RUNS,
    ASSEMBLIES,
    ANALYSES,
    PUBLICATIONS,
    CATALOGUES,
    GENOMES,
    SUPER_STUDIES,
    FEATURES,
    MEMBERS,
    ANALYSIS_ANNOTATIONS,
    GENOME_ANNOTATIONS,
    PUBLICATION_ANNOTATIONS,
    GENOME_LINKS,
    CONTAINED_GENOMES,
    ASSEMBLY_RUNS,
];

/// The stages, in their order.
const BIOMES_STAGE: u8 = 0;
const CATALOGUES_STAGE: u8 = 1;
const SUPER_STUDIES_STAGE: u8 = 2;
const PUBLICATIONS_STAGE: u8 = 3;
const FEATURES_STAGE: u8 = 4;
const STUDIES_STAGE: u8 = 5;
const GENOMES_STAGE: u8 = 6;
const SAMPLES_STAGE: u8 = 7;
const RUNS_STAGE: u8 = 8;
const ASSEMBLIES_STAGE: u8 = 9;

/// The lists whose numbers of rows are asked for at first.
const COUNTED: [&str; 7] = ["studies", "samples", "runs", "assemblies", "analyses", "publications", "genomes"];

/// The pipelines for which studies can be asked. V6.1 means the same as V6, and the older ones are no filter.
const PIPELINES: [&str; 2] = ["V5", "V6"];

/// A line has at most so many members of a study: lines that are loaded may have 4 MiB.
const NUM_MEMBERS_MAX: usize = 10_000;

const fn kind(name: &'static str, id: &'static str) -> Kind {
    Kind { name, id, adds_up: false }
}

fn list<'a>(path: &'a str, query: &'a str, id: fn(&str) -> Option<String>) -> List<'a> {
    List { path, query, id: Some(id) }
}

fn accession(text: &str) -> Option<String> {
    member(text, "accession")
}

fn pubmed_id(text: &str) -> Option<String> {
    member(text, "pubmed_id")
}

fn updated_at(text: &str) -> String {
    member(text, "updated_at").unwrap_or_default()
}

/// Returns a stamp of what has a date, unless it was never told.
fn date_or_fingerprint(text: &str) -> String {
    member(text, "updated_at").unwrap_or_else(|| fingerprint(text))
}

/// Returns a stamp of what has no date.
fn fingerprint(text: &str) -> String {
    format!("{:016x}", hash(text))
}

/// Harvests a server.
pub(super) fn harvest(walk: &mut Walk) -> Result<()> {
    for name in COUNTED {
        if let Said::Json(text) = walk.answers.ask(&format!("{name}/?page=1&page_size=1"))? {
            walk.report.listed.extend(count(&text).map(|count| (name.to_owned(), count)));
        }
    }
    walk.expect(left(walk, BIOMES_STAGE, 1, 1));
    walk.whole_stage(BIOMES_STAGE, |walk| {
        // Some of its rows are there twice.
        walk.list(List { path: "biomes/", query: "", id: None }, |writer, row| {
            writer.line(BIOMES.name, &member(row.text, BIOMES.id).unwrap_or_default(), row.text)
        })?;
        Ok(())
    })?;
    walk.whole_stage(CATALOGUES_STAGE, |walk| {
        let catalogues = list("genomes/catalogues/", "", |text| member(text, CATALOGUES.id));
        walk.list(catalogues, |writer, row| writer.line(CATALOGUES.name, &row.id, row.text))?;
        Ok(())
    })?;
    walk.whole_stage(SUPER_STUDIES_STAGE, super_studies)?;
    let publications = walk.listed(PUBLICATIONS_STAGE, list("publications/", "", pubmed_id), fingerprint)?;
    walk.stage(PUBLICATIONS_STAGE, publications, publication)?;

    let studies = walk.listed(STUDIES_STAGE, list("studies/", "order=accession", accession), date_or_fingerprint)?;
    if studies.is_empty() {
        let problem = format!("{} lists no studies: is it the base of version 2, or broken?", walk.report.request.from);
        return Err(Error::Refused { problem });
    }
    walk.whole_stage(FEATURES_STAGE, |walk| features(walk, &studies))?;
    let known = walk.stamps(STUDIES_STAGE)?;
    let num_changed = studies.iter().filter(|(id, listed)| known.get(*id) != Some(&listed.stamp)).count() as u64;
    walk.expect(left(walk, STUDIES_STAGE, num_changed, studies.len() as u64));
    walk.stage(STUDIES_STAGE, studies, study)?;

    walk.expect(left(walk, GENOMES_STAGE, 0, 1));
    let genomes = walk.listed(GENOMES_STAGE, list("genomes/", "order=accession", accession), date_or_fingerprint)?;
    walk.stage(GENOMES_STAGE, genomes, genome)?;

    walk.expect(left(walk, SAMPLES_STAGE, 0, 1));
    let samples = other_samples(walk)?;
    walk.stage(SAMPLES_STAGE, samples, |walk, id, text| {
        detail(walk, &format!("samples/{}", segment(id)), SAMPLES, (id, text)).map(drop)
    })?;
    if walk.analyses >= Analyses::Details {
        walk.expect(left(walk, RUNS_STAGE, 0, 1));
        let mut runs = walk.listed(RUNS_STAGE, list("runs/", "", accession), fingerprint)?;
        let objects = &walk.writer.objects;
        runs.retain(|id, _| !objects.has_run(id));
        walk.stage(RUNS_STAGE, runs, |walk, id, text| {
            detail(walk, &format!("runs/{}", segment(id)), RUNS, (id, text)).map(drop)
        })?;

        walk.expect(left(walk, ASSEMBLIES_STAGE, 0, 1));
        let mut assemblies = walk.listed(ASSEMBLIES_STAGE, list("assemblies/", "", accession), date_or_fingerprint)?;
        let analysed = std::mem::take(&mut walk.writer.objects.assemblies);
        for (id, stamp) in &analysed {
            assemblies.entry(id.clone()).or_insert_with(|| Listed { stamp: stamp.clone(), text: String::new() });
        }
        walk.stage(ASSEMBLIES_STAGE, assemblies, |walk, id, row| assembly(walk, id, row, analysed.contains_key(id)))?;
    }
    Ok(())
}

/// Asks for an object, and writes it; its row of a list if it could not be had. Returns what it wrote, or `None` if the object is not there.
fn detail(walk: &mut Walk, path: &str, kind: Kind, (id, row): (&str, &str)) -> Result<Option<String>> {
    match walk.object(path, Some((kind.id, id)))? {
        Said::Json(text) => walk.writer.line(kind.name, id, &text).map(|()| Some(text)),
        Said::Missing => Ok(None),
        Said::Fault(_) => {
            if !row.is_empty() {
                walk.writer.poor_line(kind.name, id, row);
            }
            Ok(Some(row.to_owned()))
        }
    }
}

fn super_studies(walk: &mut Walk) -> Result<()> {
    let mut listed = Vec::new();
    walk.list(list("super-studies/", "", |text| member(text, SUPER_STUDIES.id)), |_, Row { id, text }| {
        listed.push((id, text.to_owned()));
        Ok(())
    })?;
    let mut each = listed.iter();
    each.try_for_each(|(slug, row)| {
        detail(walk, &format!("super-studies/{}", segment(slug)), SUPER_STUDIES, (slug, row)).map(drop)
    })
}

fn publication(walk: &mut Walk, id: &str, row: &str) -> Result<()> {
    walk.writer.line(PUBLICATIONS.name, id, row)?;
    if walk.analyses < Analyses::Annotations {
        return Ok(());
    }
    let path = format!("publications/{}/annotations", segment(id));
    match walk.answers.ask(&path)? {
        Said::Json(text) => {
            let id_text = if id.parse::<u64>().is_ok() { id.to_owned() } else { json!(id).to_string() };
            let mut members = IndexMap::from([(Cow::from(PUBLICATION_ANNOTATIONS.id), raw(&id_text)?)]);
            members.extend(members_of(&text));
            walk.writer.line(PUBLICATION_ANNOTATIONS.name, id, &to_line(&members)?)
        }
        // Most have none.
        Said::Missing => Ok(()),
        Said::Fault(why) => {
            walk.writer.is_not_whole();
            walk.notes.skip(&path, &why)
        }
    }
}

/// Finds out which studies are found for which pipelines, which nothing else tells.
fn features(walk: &mut Walk, studies: &BTreeMap<String, Listed>) -> Result<()> {
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
            walk.writer.poor_line(FEATURES.name, id, &line);
        }
    }
    Ok(())
}

/// Harvests a study and what hangs on it.
fn study(walk: &mut Walk, id: &str, row: &str) -> Result<()> {
    let path = format!("studies/{}", segment(id));
    if detail(walk, &path, STUDIES, (id, row))?.is_none() {
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
        match walk.object(&format!("{path}/annotations"), Some((ANALYSES.id, id)))? {
            Said::Json(text) => {
                // The answer is the analysis, and its annotations behind all else.
                let mut members = members_of(&text);
                let annotations = members.shift_remove("annotations");
                walk.writer.line(ANALYSES.name, id, &to_line(&members)?)?;
                let Some(annotations) = annotations else { return Ok(()) };
                let accession = json!(id).to_string();
                let members = IndexMap::from([("accession", raw(&accession)?), ("annotations", annotations)]);
                return walk.writer.line(ANALYSIS_ANNOTATIONS.name, id, &to_line(&members)?);
            }
            Said::Missing => return Ok(()),
            Said::Fault(_) => {}
        }
    }
    detail(walk, &path, ANALYSES, (id, row))?;
    Ok(())
}

fn genome(walk: &mut Walk, id: &str, row: &str) -> Result<()> {
    let path = format!("genomes/{}", segment(id));
    if detail(walk, &path, GENOMES, (id, row))?.is_some() && walk.analyses == Analyses::Annotations {
        detail(walk, &format!("{path}/annotations"), GENOME_ANNOTATIONS, (id, ""))?;
    }
    Ok(())
}

/// Finds the samples that hang on no study, and those that were changed without their studies.
fn other_samples(walk: &mut Walk) -> Result<BTreeMap<String, Listed>> {
    let known: BTreeMap<_, _> = walk.stamps(SAMPLES_STAGE)?;
    let count = walk.report.listed.get("samples").copied().unwrap_or_default();
    let all = walk.analyses >= Analyses::Details;
    if walk.since.is_none() && !all && count <= walk.writer.objects.total(SAMPLES.name) {
        return Ok(BTreeMap::new());
    }
    // The newest first, up to those that are known as they are.
    let until_known = walk.since.is_some() && !all;
    let found = walk_samples(walk, &known, until_known)?;
    let is_other = |id: &&String| !walk.writer.objects.has(SAMPLES.name, id);
    if until_known && walk.writer.objects.total(SAMPLES.name) + (found.keys().filter(is_other).count() as u64) < count {
        // There are more than that would explain.
        return walk_samples(walk, &known, false);
    }
    Ok(found)
}

/// Walks through the list of all samples, and returns those that are to be asked for or carried over.
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
            // A sample that has come with its study is no reason to stop: others may lie behind it.
            let is_unknown =
                known.get(&row.id) != Some(&stamp) && (is_news || objects.has_fresh(SAMPLES.name, &row.id));
            if is_news {
                found.insert(row.id, Listed { stamp, text: row.text.to_owned() });
            }
            Ok(is_unknown)
        })?;
    for (id, stamp) in known {
        let may_be_there = until_known || !seen.is_whole || listed.contains(&hash(id));
        let is_better = !objects.has_fresh(SAMPLES.name, id) && !objects.has_sample(id, stamp);
        if may_be_there && is_better {
            found.entry(id.clone()).or_insert(Listed { stamp: stamp.clone(), text: String::new() });
        }
    }
    Ok(found)
}

fn assembly(walk: &mut Walk, id: &str, row: &str, is_analysed: bool) -> Result<()> {
    let path = format!("assemblies/{}", segment(id));
    let Some(assembly) = detail(walk, &path, ASSEMBLIES, (id, row))? else { return Ok(()) };
    for (kind, name) in [(GENOME_LINKS, "genome-links"), (CONTAINED_GENOMES, "additional-contained-genomes")] {
        let mut items = Vec::new();
        walk.list(list(&format!("{path}/{name}"), "", |text| Some(text.to_owned())), |_, row| {
            items.push(row.text.to_owned());
            Ok(())
        })?;
        if !items.is_empty() {
            let (id_text, items) = (json!(id).to_string(), format!("[{}]", items.join(", ")));
            let members = IndexMap::from([(kind.id, raw(&id_text)?), ("items", raw(&items)?)]);
            walk.writer.line(kind.name, id, &to_line(&members)?)?;
        }
    }
    // Its analyses tell the runs of an assembly; it names only the first of them, if any.
    if is_analysed || walk.analyses < Analyses::Annotations {
        return Ok(());
    }
    let sample = member(&assembly, "sample_accession").filter(|sample| walk.writer.objects.has("samples", sample));
    let Some(sample) = sample else { return Ok(()) };
    let (mut candidates, mut runs) = (Vec::new(), Vec::new());
    walk.list(list(&format!("samples/{}/runs/", segment(&sample)), "", accession), |_, row| {
        candidates.push(row.id);
        Ok(())
    })?;
    for run in &candidates {
        walk.list(list(&format!("runs/{}/assemblies/", segment(run)), "", accession), |_, row| {
            runs.extend((row.id == id).then_some(run));
            Ok(())
        })?;
    }
    if runs.is_empty() {
        return Ok(());
    }
    walk.writer.line(ASSEMBLY_RUNS.name, id, &json!({"assembly": id, "runs": runs}).to_string())
}

/// Estimates the number of requests from a stage on, of which so many of all studies are to be asked for.
fn left(walk: &Walk, stage: u8, num_changed: u64, num_studies: u64) -> u64 {
    let number = |name: &str| walk.report.listed.get(name).copied().unwrap_or_default();
    let pages = |name: &str| number(name) / 100 + 1;
    let if_from = |analyses: Analyses, requests: u64| if walk.analyses >= analyses { requests } else { 0 };
    // Of the rest, little is changed from one harvest to the next.
    let if_first = |requests: u64| if walk.since.is_none() { requests } else { 0 };
    let of_studies = 3 * number("studies")
        + number("samples") / 100
        + if_from(Analyses::Lists, number("studies") + number("analyses") / 100)
        + if_from(Analyses::Details, number("analyses"));
    let before = 3 + pages("publications") + 3 * pages("studies");
    let annotations = if_from(Analyses::Annotations, if_first(number("publications")));
    let genomes = pages("genomes") + if_first(number("genomes") * (1 + if_from(Analyses::Annotations, 1)));
    let stages = [
        (BIOMES_STAGE, before + annotations),
        (STUDIES_STAGE, of_studies * num_changed / num_studies.max(1)),
        (GENOMES_STAGE, genomes),
        (SAMPLES_STAGE, if_from(Analyses::Details, pages("samples"))),
        (RUNS_STAGE, if_from(Analyses::Details, pages("runs"))),
        (ASSEMBLIES_STAGE, if_from(Analyses::Details, pages("assemblies") + if_first(3 * number("assemblies")))),
    ];
    stages.iter().filter(|(number, _)| *number >= stage).map(|(_, requests)| requests).sum()
}

type Members<'a> = IndexMap<Cow<'a, str>, &'a RawValue>;

/// Returns the members of an object, or none of what is no object.
fn members_of(text: &str) -> Members<'_> {
    serde_json::from_str(text).unwrap_or_default()
}

fn raw(text: &str) -> Result<&RawValue> {
    serde_json::from_str(text).map_err(|_| Error::Internal("an identifier has no JSON"))
}

fn to_line(members: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(members).map_err(|_| Error::Internal("an object has no JSON"))
}
