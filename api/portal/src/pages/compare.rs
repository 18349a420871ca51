//! Lists of proteins: the status of each accession, the first proteins side by side, and downloads.

use std::collections::{BTreeMap, HashSet};

use api_http::error::shown;
use api_http::limits::Permit;
use api_http::posted::VALUE_BYTES;
use api_http::{SourceError, paths};
use api_proteins::{ACCESSIONS_MAX, Batch, BatchItem, BatchParameters, name_release};
use api_tables::push_tsv_text;
use askama::Template;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use store::ProteinAccession;
use store_proteins::{Protein, ProteinGeneration, Successor, known_cluster_size};

use crate::context::address::encoded;
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::pages::protein::is_full_length;
use crate::parts::lineage::as_levels;
use crate::parts::number::Number;
use crate::parts::own::Mark;
use crate::plots;
use crate::plots::heat_map::{Column, HeatMap};
use crate::search::FIELDS;

/// The maximum number of proteins side by side.
const SHOWN_MAX: usize = 100;

/// The maximum number of words listed by a page.
const NAMED_MAX: usize = 20;

/// The kinds of words that are not accessions of proteins.
const OTHERS: [&str; 4] = ["replaced", "represented", "unknown", "malformed"];

/// The levels of a lineage. Deeper biomes count for their ancestors.
const LEVELS: usize = 4;

/// The maps: the directory of the pages of columns, the name of the plot, and its title.
const MAPS: [[&str; 3]; 2] = [
    ["biomes", "biomes-heat", "Biomes: how often each protein was found"],
    ["families", "families-heat", "Families: how many domains each protein has"],
];

/// The memory of a list without its words, as a multiple of its text.
const COPIES: usize = 4;

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    layout: Layout,
    /// The list as given.
    text: String,
    /// `true` if the list is too long for an address.
    has_no_address: bool,
    num_found: Number,
    num_repeated: Number,
    /// The kinds of other words: name, number, and the first words.
    others: Vec<(&'static str, Number, String)>,
    proteins: Vec<Row>,
    /// The counts by biome and by family, without those that no protein has.
    maps: Vec<HeatMap>,
    accessions_max: Number,
}

/// The words of a list by kind.
#[derive(Default)]
struct List {
    /// The accessions of proteins, without repetitions.
    found: Vec<ProteinAccession>,
    num_repeated: u64,
    /// The words of each of [`OTHERS`].
    others: [Vec<OtherWord>; 4],
}

/// A word that is not the accession of a protein.
struct OtherWord {
    word: String,
    /// The accession that answers for it, or an empty text.
    by: String,
}

struct Row {
    accession: String,
    mark: Option<Mark>,
    length: Number,
    full_length: &'static str,
    cluster_size: Option<Number>,
    families: Vec<String>,
}

pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let given = context.given();
    let lists = given.iter().filter(|(name, _)| ["proteins", "file"].contains(name)).map(|(_, value)| value.trim());
    let lists: Vec<&str> = lists.filter(|list| !list.is_empty()).collect();
    of_list(context, &lists.join("\n"), given.value("format"))
}

/// Answers with the page of a list, or with a file.
pub(crate) fn of_list(context: &PageContext, text: &str, format: &str) -> Result<Response, PortalProblem> {
    let num_words = ProteinAccession::listed(text).take(ACCESSIONS_MAX).count();
    if !Permit::take_memory(text.len() * COPIES + num_words * VALUE_BYTES) {
        return Err(SourceError::Overloaded.into());
    }
    if format.is_empty() && context.is_posted() && ProteinAccession::listed(text).nth(SHOWN_MAX).is_none() {
        return Ok(redirect_to_list(context, text));
    }
    let data = context.proteins()?;
    let list = List::find(text, data)?;
    match format {
        "" => {
            let page = page_of(context, text, &list)?;
            plots::answer(context, &page, page.maps.iter().map(|map| &map.plot))
        }
        "list" => {
            Ok(file("proteins.txt", ProteinAccession::listed(text).flat_map(|word| [word, "\n"]).collect::<String>()))
        }
        "missing" => Ok(file("not-found.tsv", list.not_found())),
        format => {
            let fields = if format == "fasta" { String::new() } else { format!("&fields={FIELDS}") };
            let parameters = BatchParameters::parse(&format!("format={format}{fields}"), None);
            let parameters = parameters.map_err(PortalProblem::of_proteins)?;
            let found: Vec<String> = list.found.iter().map(ToString::to_string).collect();
            let batch = Batch::of_words(found.iter().map(String::as_str)).map_err(PortalProblem::of_proteins)?;
            let answered = batch.answer(data.clone(), parameters, context.base().to_owned());
            let mut response = answered.map_err(PortalProblem::of_proteins)?;
            name_release(&mut response, data, Some(context.base()));
            Ok(response)
        }
    }
}

/// Redirects to the page of a list that fits into an address.
pub(crate) fn redirect_to_list(context: &PageContext, text: &str) -> Response {
    let list = ProteinAccession::listed(text).collect::<Vec<_>>().join(" ");
    context.redirect(&format!("compare?proteins={}", encoded(&list)))
}

fn file(name: &str, text: impl IntoResponse) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CONTENT_DISPOSITION, &*disposition)], text)
        .into_response()
}

fn page_of(context: &PageContext, text: &str, list: &List) -> Result<ComparePage, PortalProblem> {
    let data = context.proteins()?;
    let first = list.found.iter().take(SHOWN_MAX).map(|&accession| data.fetch(accession));
    let proteins: Vec<Protein> = first.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let mut layout = context.layout("Compare proteins").section("compare");
    if !proteins.is_empty() {
        let path = format!("{}/proteins/batch?fields={FIELDS}", paths::PROTEINS_V2);
        layout =
            layout.posted_call("These proteins", &path, "-H 'Content-Type: text/plain' --data-binary @proteins.txt");
    }
    let maps = MAPS.into_iter().zip([biomes, families]).map(|(names, counts)| {
        let rows: Vec<_> = proteins.iter().map(|protein| (protein.accession.to_string(), counts(protein))).collect();
        HeatMap::new(names, &format!("{}/portal", context.root()), &rows)
    });
    Ok(ComparePage {
        layout,
        text: text.to_owned(),
        has_no_address: context.is_posted(),
        num_found: Number::of(list.found.len()),
        num_repeated: Number(list.num_repeated),
        others: list.others(),
        maps: maps.filter(|map| !map.columns.is_empty()).collect(),
        proteins: proteins.iter().map(row).collect(),
        accessions_max: Number::of(ACCESSIONS_MAX),
    })
}

impl List {
    fn find(text: &str, data: &ProteinGeneration) -> Result<Self, PortalProblem> {
        let items = Batch::of_words(ProteinAccession::listed(text)).and_then(|batch| batch.find(data));
        let (mut list, mut known, mut words) = (Self::default(), HashSet::new(), HashSet::new());
        let [replaced, represented, unknown, malformed] = &mut list.others;
        let other = |word: String| OtherWord { word, by: String::new() };
        for (word, item) in ProteinAccession::listed(text).zip(items.map_err(PortalProblem::of_proteins)?) {
            if !words.insert(word) {
                list.num_repeated += 1;
                continue;
            }
            let accession = match item {
                BatchItem::Found(found) => found.accession,
                BatchItem::Elsewhere(accession, successor) => {
                    let by = successor.accession();
                    let is_member = matches!(successor, Successor::Representative(_));
                    let others = if is_member { &mut *represented } else { &mut *replaced };
                    others.push(OtherWord { word: accession.to_string(), by: by.to_string() });
                    by
                }
                BatchItem::Missing(accession) => {
                    unknown.push(other(accession.to_string()));
                    continue;
                }
                BatchItem::NoSingle(..) => {
                    malformed.push(other(word.to_owned()));
                    continue;
                }
            };
            if known.insert(accession) {
                list.found.push(accession);
            } else {
                list.num_repeated += 1;
            }
        }
        Ok(list)
    }

    /// Returns the kinds of other words: name, number, and the first words.
    fn others(&self) -> Vec<(&'static str, Number, String)> {
        let kinds = OTHERS.into_iter().zip(&self.others).filter(|(_, words)| !words.is_empty());
        let text = |OtherWord { word, by }: &OtherWord| match &**by {
            "" => shown(word).into_owned(),
            by => format!("{word} → {by}"),
        };
        let row = |(kind, words): (_, &Vec<OtherWord>)| {
            let first: Vec<_> = words.iter().take(NAMED_MAX).map(text).collect();
            let more = if words.len() > NAMED_MAX { " …" } else { "" };
            (kind, Number::of(words.len()), format!("{}{more}", first.join(", ")))
        };
        kinds.map(row).collect()
    }

    /// Returns the other words as a TSV table.
    fn not_found(&self) -> Vec<u8> {
        let mut text = b"word\twhat\tby\n".to_vec();
        for (kind, words) in OTHERS.into_iter().zip(&self.others) {
            for OtherWord { word, by } in words {
                push_tsv_text(word, &mut text);
                text.extend(format!("\t{kind}\t{by}\n").into_bytes());
            }
        }
        text
    }
}

fn biomes(protein: &Protein) -> BTreeMap<Column, u64> {
    let mut counts = BTreeMap::new();
    for biome in &protein.biomes {
        let levels: Vec<_> = biome.lineage.split(':').take(LEVELS).collect();
        let value = levels.join(":");
        *counts.entry(Column { name: as_levels(&value), value }).or_default() += biome.count;
    }
    counts
}

fn families(protein: &Protein) -> BTreeMap<Column, u64> {
    let mut counts = BTreeMap::new();
    for found in &protein.pfam_annotations {
        let column = Column { value: found.hit.family.to_string(), name: found.name.to_string() };
        *counts.entry(column).or_default() += 1;
    }
    counts
}

fn row(protein: &Protein) -> Row {
    let mut families: Vec<_> = protein.pfam_annotations.iter().map(|found| found.hit.family.to_string()).collect();
    families.dedup();
    Row {
        accession: protein.accession.to_string(),
        mark: Mark::of(protein),
        length: Number::of(protein.sequence.len()),
        full_length: is_full_length(protein),
        cluster_size: known_cluster_size(protein.cluster_size).map(Number),
        families,
    }
}
