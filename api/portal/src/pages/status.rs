//! The status page: services, generations, licences.

use api_http::paths;
use api_http::readiness::{Status, seconds_since, time_at};
use api_proteins::Citation;
use askama::Template;
use axum::response::Response;
use store::{FileEntry, InputEntry, Manifest, Origin};
use store_catalogue::Harvest;

use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, render};
use crate::context::problem::PortalProblem;
use crate::parts::number::{Bytes, Number};

/// The most input files that are listed.
const INPUTS_MAX: usize = 100;

#[derive(Template)]
#[template(path = "status.html")]
struct StatusPage {
    layout: Layout,
    version: &'static str,
    services: Vec<ServiceRow>,
    /// The engine that finds similar proteins, or the reason why there is none.
    similarity: String,
    generations: Vec<GenerationRow>,
    citation: Option<Citation>,
    /// The first files from which the proteins were loaded, and the number of others.
    inputs: Vec<InputRow>,
    num_more_inputs: Number,
    harvest: Option<HarvestSentence>,
    /// The collections of the catalogue: paths and numbers of resources.
    collections: Vec<(String, Number)>,
    /// Types of resources that are referred to but not loaded, with their numbers.
    missing: Vec<(String, Number)>,
}

struct ServiceRow {
    name: &'static str,
    status: &'static str,
    generation: String,
    num_records: Option<Number>,
    problem: String,
}

struct GenerationRow {
    what: &'static str,
    name: String,
    format: u32,
    finished: String,
    written_by: String,
    size: Bytes,
    num_files: Number,
}

/// An input file. Its folder is local to this machine.
struct InputRow {
    name: String,
    size: Bytes,
    modified: String,
    md5: String,
}

/// The source of the catalogue, the start of the harvest, and its age.
struct HarvestSentence {
    from: String,
    began: String,
    age: String,
}

pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let readiness = (context.services().readiness)();
    let services = readiness.services().map(|(name, service)| ServiceRow {
        name,
        status: match service.status {
            Status::Ready => "ready",
            Status::NotLoaded => "not loaded",
            Status::Fetching => "fetching",
            Status::NotServed => "not served here",
            Status::Failed => "failed",
        },
        generation: service.generation.clone().unwrap_or_default(),
        num_records: service.num_records.map(Number),
        problem: service.problem.map(str::to_owned).or_else(|| service.progress.clone()).unwrap_or_default(),
    });
    let (mut generations, mut citation, mut inputs, mut num_inputs) = (Vec::new(), None, Vec::new(), 0);
    if let Some(data) = context.proteins.as_ref() {
        let Manifest { format, origin, files, .. } = data.manifest();
        citation = Citation::of(data);
        num_inputs = origin.inputs.len();
        inputs = origin.inputs.iter().take(INPUTS_MAX).map(input).collect();
        generations.push(generation("Proteins", data.name().to_string(), *format, origin, files));
    }
    let (mut harvest, mut collections, mut missing) = (None, Vec::new(), Vec::new());
    if let Some(data) = context.catalogue.as_ref() {
        let contents = data.contents();
        let Manifest { format, origin, files, .. } = data.manifest();
        let mut row = generation("Catalogue", data.name().to_string(), *format, origin, files);
        row.size.0 += contents.resources_file_bytes;
        generations.push(row);
        harvest = contents.harvest.as_ref().map(sentence);
        let of_types = contents.shown_types();
        collections =
            of_types.map(|(name, of_type)| (name.clone(), Number(u64::from(of_type.num_resources)))).collect();
        missing = contents.missing.iter().map(|(name, number)| (name.clone(), Number(*number))).collect();
    }
    let layout = context.layout("Status").section("status").call("Readiness", paths::READY);
    render(&StatusPage {
        layout,
        version: env!("CARGO_PKG_VERSION"),
        services: services.into_iter().collect(),
        similarity: context.services().similarity.describe(),
        generations,
        citation,
        num_more_inputs: Number::of(num_inputs - inputs.len()),
        inputs,
        harvest,
        collections,
        missing,
    })
}

fn input(InputEntry { name, size_bytes, modified_unix_s, md5 }: &InputEntry) -> InputRow {
    InputRow {
        name: name.rsplit('/').next().unwrap_or_default().to_owned(),
        size: Bytes(*size_bytes),
        modified: modified_unix_s.map_or_else(|| "not given".to_owned(), minute),
        md5: md5.clone().unwrap_or_default(),
    }
}

fn generation(what: &'static str, name: String, format: u32, origin: &Origin, files: &[FileEntry]) -> GenerationRow {
    GenerationRow {
        what,
        name,
        format,
        finished: minute(origin.finished_unix_s),
        written_by: origin.written_by.clone(),
        size: Bytes(files.iter().map(|file| file.size_bytes).sum()),
        num_files: Number::of(files.len()),
    }
}

fn sentence(Harvest { from, began_unix_s, .. }: &Harvest) -> HarvestSentence {
    HarvestSentence { from: from.clone(), began: minute(*began_unix_s), age: age(seconds_since(*began_unix_s)) }
}

fn minute(unix_s: u64) -> String {
    let at = time_at(unix_s);
    at.map(|at| format!("{} {:02}:{:02} UTC", at.date(), at.hour(), at.minute())).unwrap_or_default()
}

/// Formats an age in its largest whole unit.
fn age(seconds: u64) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute")].map(|(length, unit)| (seconds / length, unit));
    let (number, unit) = units.into_iter().find(|(number, _)| *number > 0).unwrap_or((0, "minute"));
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_in_whole_units() {
        for (seconds, expected) in [
            (59, "0 minutes"),
            (60, "1 minute"),
            (7_199, "1 hour"),
            (86_399, "23 hours"),
            (86_400, "1 day"),
            (3 * 86_400 + 5, "3 days"),
        ] {
            assert_eq!(age(seconds), expected);
        }
    }
}
