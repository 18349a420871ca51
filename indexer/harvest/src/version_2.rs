//! The walk through version 2: studies with their objects, one by one, then everything else.
//!
//! The lists of all samples, runs, assemblies and analyses lose rows while they are read; those
//! below a study hardly do.

mod assemblies;
mod forecast;
mod samples;
mod studies;

use std::borrow::Cow;

use indexer::{Error, Result};
use indexmap::IndexMap;
use serde_json::json;
use serde_json::value::RawValue;

use super::Analyses;
use super::client::Answer;
use super::objects::{hash, member};
use super::pages::{List, Row, count};
use super::walk::{Listed, Walk, segment};
use super::writer::Kind;

use assemblies::assembly;
use forecast::left;
use samples::other_samples;
use studies::{features, study};

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

/// The lists whose numbers of rows are requested first.
const COUNTED: [&str; 7] = ["studies", "samples", "runs", "assemblies", "analyses", "publications", "genomes"];

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

/// Returns the date of an object, or a fingerprint if it has none.
fn date_or_fingerprint(text: &str) -> String {
    member(text, "updated_at").unwrap_or_else(|| fingerprint(text))
}

/// Returns a stamp for an object without a date.
fn fingerprint(text: &str) -> String {
    format!("{:016x}", hash(text))
}

/// Harvests a server.
pub(super) fn harvest(walk: &mut Walk) -> Result<()> {
    for name in COUNTED {
        if let Answer::Json(text) = walk.answers.ask(&format!("{name}/?page=1&page_size=1"))? {
            walk.report.listed.extend(count(&text).map(|count| (name.to_owned(), count)));
        }
    }
    walk.expect(left(walk, BIOMES_STAGE, 1, 1));
    walk.whole_stage(BIOMES_STAGE, |walk| {
        // Some of its rows are repeated.
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
        detail(walk, &format!("samples/{}", segment(id)), SAMPLES, id, text).map(drop)
    })?;
    if walk.analyses >= Analyses::Details {
        other_runs(walk)?;
        all_assemblies(walk)?;
    }
    Ok(())
}

/// Harvests the runs that are not known from analyses.
fn other_runs(walk: &mut Walk) -> Result<()> {
    walk.expect(left(walk, RUNS_STAGE, 0, 1));
    let mut runs = walk.listed(RUNS_STAGE, list("runs/", "", accession), fingerprint)?;
    let objects = &walk.writer.objects;
    runs.retain(|id, _| !objects.has_run(id));
    walk.stage(RUNS_STAGE, runs, |walk, id, row| {
        detail(walk, &format!("runs/{}", segment(id)), RUNS, id, row).map(drop)
    })
}

/// Harvests the assemblies that are listed or analysed.
fn all_assemblies(walk: &mut Walk) -> Result<()> {
    walk.expect(left(walk, ASSEMBLIES_STAGE, 0, 1));
    let mut assemblies = walk.listed(ASSEMBLIES_STAGE, list("assemblies/", "", accession), date_or_fingerprint)?;
    let analysed = std::mem::take(&mut walk.writer.objects.assemblies);
    for (id, stamp) in &analysed {
        assemblies.entry(id.clone()).or_insert_with(|| Listed { stamp: stamp.clone(), text: String::new() });
    }
    walk.stage(ASSEMBLIES_STAGE, assemblies, |walk, id, row| assembly(walk, id, row, analysed.contains_key(id)))
}

/// Requests an object, and writes it, or its row of a list if the request fails. Returns the
/// written text, or `None` if the object does not exist.
fn detail(walk: &mut Walk, path: &str, kind: Kind, id: &str, row: &str) -> Result<Option<String>> {
    match walk.object(path, kind.id, id)? {
        Answer::Json(text) => walk.writer.line(kind.name, id, &text).map(|()| Some(text)),
        Answer::Missing => Ok(None),
        Answer::Fault(_) => {
            if !row.is_empty() {
                walk.writer.fallback_line(kind.name, id, row);
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
        detail(walk, &format!("super-studies/{}", segment(slug)), SUPER_STUDIES, slug, row).map(drop)
    })
}

fn publication(walk: &mut Walk, id: &str, row: &str) -> Result<()> {
    walk.writer.line(PUBLICATIONS.name, id, row)?;
    if walk.analyses < Analyses::Annotations {
        return Ok(());
    }
    let path = format!("publications/{}/annotations", segment(id));
    match walk.answers.ask(&path)? {
        Answer::Json(text) => {
            let id_text = if id.parse::<u64>().is_ok() { id.to_owned() } else { json!(id).to_string() };
            let mut members = IndexMap::from([(Cow::from(PUBLICATION_ANNOTATIONS.id), raw(&id_text)?)]);
            members.extend(members_of(&text));
            walk.writer.line(PUBLICATION_ANNOTATIONS.name, id, &to_line(&members)?)
        }
        // Most have none.
        Answer::Missing => Ok(()),
        Answer::Fault(why) => {
            walk.writer.mark_incomplete();
            walk.notes.skip(&path, &why)
        }
    }
}

fn genome(walk: &mut Walk, id: &str, row: &str) -> Result<()> {
    let path = format!("genomes/{}", segment(id));
    if detail(walk, &path, GENOMES, id, row)?.is_some() && walk.analyses == Analyses::Annotations {
        detail(walk, &format!("{path}/annotations"), GENOME_ANNOTATIONS, id, "")?;
    }
    Ok(())
}

type Members<'a> = IndexMap<Cow<'a, str>, &'a RawValue>;

/// Returns the members of an object, or nothing if the text is not an object.
fn members_of(text: &str) -> Members<'_> {
    serde_json::from_str(text).unwrap_or_else(|_| Members::new())
}

fn raw(text: &str) -> Result<&RawValue> {
    serde_json::from_str(text).map_err(|_| Error::Internal("an identifier has no JSON"))
}

fn to_line(members: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(members).map_err(|_| Error::Internal("an object has no JSON"))
}
