//! A contig with its genes.

use std::sync::Arc;

use api_catalogue::Formulas;
use api_http::json::json_answer;
use axum::http::StatusCode;
use serde::Serialize;
use store_proteins::{ContigKey, Contigs, ProteinGeneration, SourceEntry};
use utoipa::ToSchema;

use super::gene_files::{GeneFile, stream};
use super::genes::{ContigItem, GeneItem, GeneReader};
use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX, accepted, parse_formulas, positive};
use super::reader::unknown;
use super::repeats::pairs;
use super::search::{link_next, next_url};
use crate::problem::{Missing, ParameterProblem, Problems, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::detail;
use crate::shared::result_format::ResultFormat;

const PARAMETERS: [&str; 6] = ["after", "assembly", "format", "limit", "safe", "source"];

/// The most contigs that a 409 lists.
const NAMED_MAX: usize = 10;

/// A contig with some of its genes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ContigPage {
    /// The contig.
    contig: ContigItem,
    /// The number of all genes on it.
    num_genes: u64,
    /// Genes by start.
    genes: Vec<GeneItem>,
    /// The address of the next page; null after the last one.
    #[schema(required)]
    next: Option<String>,
}

struct Parameters {
    format: ResultFormat,
    /// The number of genes before the first one.
    after: u64,
    limit: Option<u64>,
    assembly: Option<String>,
    source: Option<String>,
    formulas: Formulas,
}

impl Parameters {
    fn parse(text: &str, accepted: Option<ResultFormat>) -> Result<Self, ProteinProblem> {
        let mut problems = Problems::default();
        let (mut format, mut after, mut limit, mut formulas) = (None, None, None, None);
        let (mut assembly, mut source) = (None, None);
        for (name, value) in pairs(text)? {
            match &*name {
                "format" => format = problems.value("format", ResultFormat::parse(&value, is_available)),
                "after" => {
                    let problem = |_| "The number of genes to skip must be a whole number.".to_owned();
                    after = problems.value("after", value.trim().parse().map_err(problem));
                }
                "limit" => limit = problems.value("limit", positive(&value)),
                "safe" => formulas = problems.value("safe", parse_formulas(&value)),
                "assembly" => assembly = Some(value.into_owned()),
                "source" => source = Some(value.into_owned()),
                name => problems.push(unknown(name, PARAMETERS.into_iter())),
            }
        }
        let format = ResultFormat::choose(format, accepted, is_available)?;
        check_limit(format == ResultFormat::Json, limit, &mut problems);
        problems.check()?;
        let (after, formulas) = (after.unwrap_or_default(), formulas.unwrap_or(Formulas::Kept));
        Ok(Self { format, after, limit, assembly, source, formulas })
    }
}

fn is_available(format: ResultFormat) -> bool {
    matches!(format, ResultFormat::Json | ResultFormat::Tsv | ResultFormat::Gff3)
}

pub(super) fn check_limit(is_page: bool, limit: Option<u64>, problems: &mut Problems) {
    if is_page && limit.is_some_and(|limit| limit > LIMIT_MAX) {
        let problem = format!("A page has at most {LIMIT_MAX} results; other formats than json have no limit.");
        problems.push(ParameterProblem::new("less_than_equal", "limit", problem));
    }
}

pub(super) fn page_limit(limit: Option<u64>) -> usize {
    usize::try_from(limit.unwrap_or(LIMIT_DEFAULT)).unwrap_or(usize::MAX)
}

/// A contig that was found.
struct Found<'a> {
    contigs: &'a Contigs,
    key: ContigKey,
    item: ContigItem,
}

/// Answers with the genes of a contig: a page in JSON, or a stream of all of them.
pub(crate) fn contig(question: &Question) -> Answer {
    let parameters = Parameters::parse(question.query(), accepted(&question.parts.headers))?;
    let data = &question.release.data;
    let Found { contigs, key, item } = find(data, &detail::decoded(&question.segment), &parameters)?;
    let Parameters { format, after, limit, formulas, .. } = parameters;
    if format != ResultFormat::Json {
        let num_left = limit.unwrap_or(u64::MAX);
        let file = GeneFile { key, contig: item, formulas, next: after, num_left };
        return Ok(stream(Arc::clone(data), format, file));
    }
    let limit = page_limit(limit);
    let genes = contigs.genes(key, after, limit)?;
    let (num_genes, mut reader, end) = (contigs.num_genes(key)?, GeneReader::new(data), after + genes.len() as u64);
    let next = (end < num_genes).then(|| next_url(&question.url(), question.query(), &end.to_string()));
    let genes = genes.iter().map(|gene| reader.read(gene)).collect::<store::Result<_>>()?;
    let page = ContigPage { contig: item, num_genes, genes, next };
    let mut response = json_answer(serde_json::to_vec(&page)?);
    link_next(&mut response, page.next.as_deref());
    Ok(response)
}

/// Finds a contig by its accession or its name.
fn find<'a>(data: &'a ProteinGeneration, text: &str, wanted: &Parameters) -> Result<Found<'a>, ProteinProblem> {
    if data.contigs().next().is_none() {
        return Err(ProteinProblem::Missing(Missing::Contigs));
    }
    let mut found: Vec<Found> = Vec::new();
    for (source, contigs) in data.contigs() {
        let assembly = match &wanted.assembly {
            Some(accession) => contigs.find_assembly(accession)?,
            None => None,
        };
        let is_wanted = wanted.assembly.is_some() == assembly.is_some()
            && wanted.source.as_ref().is_none_or(|name| is_source(name, source));
        if !is_wanted || found.len() > NAMED_MAX {
            continue;
        }
        let number = accession_number(text).filter(|_| source.is_none());
        let mut keys = number.map_or_else(|| Ok(Vec::new()), |number| contigs.find(number))?;
        if keys.is_empty() {
            keys = contigs.find_name(text, assembly)?;
        }
        keys.retain(|key| assembly.is_none_or(|position| position == key.assembly()));
        for key in keys {
            found.push(Found { contigs, key, item: ContigItem::new(source, contigs.describe(key)?) });
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(ProteinProblem::Missing(Missing::Contig { requested: text.to_owned() })),
        _ => Err(several(text, &found)),
    }
}

/// Returns the number of the accession of a contig.
fn accession_number(text: &str) -> Option<u64> {
    let digits = text.get(..4).filter(|prefix| prefix.eq_ignore_ascii_case("MGYC")).map_or(text, |_| &text[4..]);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

fn is_source(name: &str, source: Option<&SourceEntry>) -> bool {
    name.eq_ignore_ascii_case(source.map_or("release", |source| &source.name))
}

fn several(text: &str, found: &[Found<'_>]) -> ProteinProblem {
    let place = |item: &ContigItem| {
        let source = item.source.as_deref().unwrap_or("release");
        if item.assembly.is_empty() {
            format!("source={source}")
        } else {
            format!("assembly={}&source={source}", item.assembly)
        }
    };
    let places: Vec<String> = found.iter().take(NAMED_MAX).map(|found| place(&found.item)).collect();
    let more = if found.len() > places.len() { ", …" } else { "" };
    let detail = format!("'{text}' does not identify a single contig: add one of {}{more}.", places.join(", "));
    ProteinProblem::Refused { status: StatusCode::CONFLICT, detail }
}
