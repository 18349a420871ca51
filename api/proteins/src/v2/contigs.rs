//! A contig with its genes.

use std::sync::Arc;

use api_catalogue::Formulas;
use axum::http::StatusCode;
use serde::Serialize;
use store_proteins::{ContigKey, Contigs, ProteinGeneration};
use utoipa::ToSchema;

use super::gene_files::GeneFile;
use super::genes::{ContigItem, GeneItem, GeneReader};
use super::given::Given;
use super::listing::{linked_page, next_page};
use super::parameters::{accepted, parse_formulas};
use crate::problem::{Missing, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::detail;
use crate::shared::result_format::ResultFormat;

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

/// A contig that was found.
struct Found<'a> {
    contigs: &'a Contigs,
    key: ContigKey,
    item: ContigItem,
}

/// Answers with the genes of a contig: a page in JSON, or a stream of all of them.
pub(crate) fn contig(question: &Question) -> Answer {
    let mut given = Given::new(question.query(), &["after", "assembly", "format", "limit", "safe", "source"])?;
    let problem = |_| "The number of genes to skip must be a whole number.".to_owned();
    let after = given.value("after", |text| text.trim().parse().map_err(problem)).unwrap_or_default();
    let formulas = given.value("safe", parse_formulas).unwrap_or(Formulas::Kept);
    let [assembly, source] = ["assembly", "source"].map(|name| given.value(name, |text| Ok(text.to_owned())));
    let format = given.format(accepted(&question.parts.headers), |format| {
        matches!(format, ResultFormat::Json | ResultFormat::Tsv | ResultFormat::Gff3)
    })?;
    let limit = given.limit(format);
    given.check()?;
    let data = &question.release.data;
    let requested = detail::decoded(&question.segment);
    let Found { contigs, key, item } = find(data, &requested, assembly.as_deref(), source.as_deref())?;
    if format != ResultFormat::Json {
        let file = GeneFile { key, contig: item, formulas, next: after };
        return Ok(file.stream(Arc::clone(data), format, limit));
    }
    let genes = contigs.genes(key, after, usize::try_from(limit).unwrap_or(usize::MAX))?;
    let (num_genes, mut reader, end) = (contigs.num_genes(key)?, GeneReader::new(data), after + genes.len() as u64);
    let next = (end < num_genes).then(|| next_page(question, end));
    let genes = genes.iter().map(|gene| reader.read(gene)).collect::<store::Result<_>>()?;
    let page = ContigPage { contig: item, num_genes, genes, next };
    linked_page(&page, page.next.as_deref())
}

/// Finds a contig by its accession or its name.
fn find<'a>(
    data: &'a ProteinGeneration,
    text: &str,
    wanted_assembly: Option<&str>,
    wanted_source: Option<&str>,
) -> Result<Found<'a>, ProteinProblem> {
    if data.contigs().next().is_none() {
        return Err(ProteinProblem::Missing(Missing::Contigs));
    }
    let mut found: Vec<Found> = Vec::new();
    for (source, contigs) in data.contigs() {
        let assembly = wanted_assembly.map_or(Ok(None), |accession| contigs.find_assembly(accession))?;
        let name = source.map_or("release", |source| &source.name);
        let is_source = wanted_source.is_none_or(|wanted| wanted.eq_ignore_ascii_case(name));
        if !is_source || wanted_assembly.is_some() != assembly.is_some() || found.len() > NAMED_MAX {
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

fn several(text: &str, found: &[Found<'_>]) -> ProteinProblem {
    let place = |Found { item, .. }: &Found<'_>| {
        let assembly = Some(&item.assembly).filter(|assembly| !assembly.is_empty());
        let assembly = assembly.map(|assembly| format!("assembly={assembly}&")).unwrap_or_default();
        format!("{assembly}source={}", item.source.as_deref().unwrap_or("release"))
    };
    let places: Vec<String> = found.iter().take(NAMED_MAX).map(place).collect();
    let more = if found.len() > places.len() { ", …" } else { "" };
    let detail = format!("'{text}' does not identify a single contig: add one of {}{more}.", places.join(", "));
    ProteinProblem::Refused { status: StatusCode::CONFLICT, detail }
}
