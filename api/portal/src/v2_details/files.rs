//! The files of a resource, and lists of their URLs.

use api_catalogue::urls::{UrlList as Urls, files, is_url};
use axum::response::Response;
use serde_json::Value;

use super::path;
use crate::context::address::segment;
use crate::context::document::{as_text, refusal};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::number::{Bytes, Number};
use crate::parts::table::{Cell, Column, Table};

/// The maximum number of shown files, not counting their indexes.
const FILES_MAX: usize = 100;

/// The number of members examined for files before a list of all their files is offered.
const MEMBERS_CHECKED: usize = 100;

const COLUMNS: [Column; 5] =
    [("File", "long"), ("Description", "long"), ("Type", ""), ("Format", ""), ("Size", "number")];

/// Collections whose resources have members with files, and the names of the members.
const MEMBERS: [(&str, &str); 2] = [("studies", "analyses"), ("genome-catalogues", "genomes")];

/// A list of URLs for download programs.
pub(crate) struct UrlList {
    pub(crate) title: String,
    pub(crate) href: String,
    /// Shell commands.
    pub(crate) lines: [String; 2],
}

/// Returns the table of the files of a document, which is at `address`.
pub(super) fn table(document: &Value, address: String) -> Option<Table> {
    let rows: Vec<_> = files(document).take(FILES_MAX).filter(|file| file.is_object()).map(row).collect();
    let table = Table::new("Files", &COLUMNS, rows).link_to_all(files(document).count(), "files", address);
    table.non_empty()
}

fn row(file: &Value) -> Vec<Cell> {
    let [url, alias, short, long] =
        ["url", "alias", "short_description", "long_description"].map(|member| as_text(&file[member]));
    let index = as_text(&file["index_type"]);
    let name = if alias.is_empty() { url.rsplit('/').next().unwrap_or_default().to_owned() } else { alias };
    let what = match (short.is_empty(), index.is_empty()) {
        (true, false) => Cell::text("Index of the file above"),
        (true, true) => Cell::text(long),
        _ => Cell { note: if long == short { String::new() } else { long }, ..Cell::text(short) },
    };
    let format = if index.is_empty() { as_text(&file["file_type"]) } else { index };
    let size = &file["file_size_bytes"];
    vec![
        Cell::text(name).linked(is_url(&url).then_some(url)),
        what,
        Cell::text(as_text(&file["download_type"])),
        Cell::text(format),
        Cell::text(size.as_u64().map_or_else(|| as_text(size), |size| Bytes(size).to_string())),
    ]
}

/// Returns the lists for the page of a resource: its own files, and those of all its members.
pub(super) fn lists(
    context: &PageContext,
    collection: &str,
    id: &str,
    document: &Value,
) -> Result<Vec<UrlList>, PortalProblem> {
    let mut lists = Vec::new();
    let below = format!("/{collection}/{}", segment(id));
    let num_urls = files(document).filter(|file| file["url"].as_str().is_some_and(is_url)).count();
    if num_urls > 0 {
        let plural = if num_urls == 1 { "file" } else { "files" };
        lists.push(UrlList::new(context, format!("{} {plural} of {id}", Number::of(num_urls)), &below));
    }
    if let Some((_, members)) = MEMBERS.iter().find(|(known, _)| *known == collection)
        && find(context, "", collection, id, members)?.has_any(MEMBERS_CHECKED)?
    {
        lists.push(UrlList::new(context, format!("The files of all {members} of {id}"), &format!("{below}/{members}")));
    }
    Ok(lists)
}

impl UrlList {
    fn new(context: &PageContext, title: String, below: &str) -> Self {
        let path = format!("/portal{below}/downloads.txt");
        let fetch = format!("curl '{}{}'", context.base(), path.replace('\'', "%27"));
        let lines = ["wget --force-directories --input-file=-", "aria2c --input-file=-"];
        Self { title, href: format!("{}{path}", context.root()), lines: lines.map(|line| format!("{fetch} | {line}")) }
    }
}

/// Finds the files of a resource, or of the members selected by a query.
fn find(context: &PageContext, query: &str, collection: &str, id: &str, members: &str) -> Result<Urls, PortalProblem> {
    let path = path(collection, id).ok_or_else(PortalProblem::no_page)?;
    let path = if members.is_empty() { path } else { format!("{path}/{members}") };
    Urls::at(context.catalogue()?, &path, query).map_err(|(status, json)| refusal(status, &json))
}

/// Answers with a list of URLs, one per line.
pub(crate) fn answer(
    context: &PageContext,
    collection: &str,
    id: &str,
    members: &str,
) -> Result<Response, PortalProblem> {
    let letters = id.chars().filter(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(*letter));
    let parts = [letters.collect(), members.replace('/', "-"), "downloads.txt".to_owned()];
    let name: Vec<_> = parts.into_iter().filter(|part: &String| !part.is_empty()).collect();
    Ok(find(context, context.query(), collection, id, members)?.respond(name.join("-"))?)
}
