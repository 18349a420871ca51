//! Facets, enrichment and neighbourhoods: the matches of a query, or the genes beside them, counted
//! by value.

mod answer;

use api_catalogue::Formulas;
use api_http::error::Problem;
use api_http::json::json_answer;
use api_http::limits::Permit;
use serde::Serialize;
use store_proteins::{FacetKind, LONG_BUDGET, ProteinQuery};

use super::given::{number, truth};
use super::neighbours::{GENES_DEFAULT, GENES_MAX};
use super::parameters::{accepted, parse_formulas, parse_seed};
use super::reader::{Reader, resolve_lookups};
use super::repeats::pairs;
use crate::problem::{Missing, ProteinProblem};
use crate::question::{Answer, BudgetedAnswer, Question};
use crate::shared::result_stream::metadata;
use crate::{Names, ResultFormat, write_values};
pub(super) use answer::NeighbourhoodAnswer;
pub use answer::{EnrichmentAnswer, FacetAnswer};

/// The most values of an answer: all families of Pfam, and some thousand more.
pub const TOP_MAX: usize = 30_000;

/// The most studies or assemblies of an answer: the index is read for the letter case of each. Also
/// the most architectures, whose names are long.
pub(super) const ACCESSIONS_TOP_MAX: usize = 1000;

/// The default number of values.
pub(super) const TOP_DEFAULT: usize = 50;

/// The memory for counting. It is limited by the numbers of studies, assemblies and families, and
/// by the number of proteins that are counted by architecture.
const COUNT_BYTES: usize = 16 << 20;

/// The memory of a value of an answer, and of its text.
const VALUE_BYTES: usize = 512;

const ACCESSIONS_TOP: &str = "The number of architectures, studies or assemblies is from 1 to 1000.";

/// The columns of tables.
const FACET_COLUMNS: &str = "value name count interval_low interval_high";
/// The columns of a table of enriched values, separated by spaces.
pub const ENRICHMENT_COLUMNS: &str =
    "value name count background_count expected log2_ratio log2_interval_low log2_interval_high p q representation";

/// The parameters that are not conditions.
const OF_FACETS: &[&str] = &["q", "by", "top", "seed", "format", "safe"];
const OF_ENRICHMENT: &[&str] = &["q", "by", "top", "seed", "format", "safe", "against"];
const OF_NEIGHBOURHOOD: &[&str] = &["q", "by", "top", "seed", "format", "safe", "genes", "same_strand"];

/// The parameters of a request that counts.
struct CountingParameters {
    query: ProteinQuery,
    by: FacetKind,
    top: usize,
    seed: u64,
    against: Option<ProteinQuery>,
    genes: u64,
    same_strand: bool,
    format: ResultFormat,
    formulas: Formulas,
}

impl CountingParameters {
    /// Reads the parameters of an operation that has these ones beside conditions.
    fn read(
        question: &Question,
        others: &'static [&'static str],
        kind: fn(&str) -> Result<FacetKind, String>,
    ) -> Result<Self, ProteinProblem> {
        let release = &question.release;
        let names = Names::new(release);
        let mut read = Reader::new(&names, others);
        let (mut by, mut top, mut seed, mut against) = (None, TOP_DEFAULT, 0, None);
        let (mut genes, mut same_strand) = (GENES_DEFAULT, false);
        let (mut format, mut formulas) = (None, Formulas::Kept);
        for (name, value) in pairs(question.query())? {
            if read.is_full() {
                break;
            }
            match &*name {
                "q" => read.query(&value)?,
                "by" => by = Some(kind(&value)),
                "top" => top = read.problems.value("top", number(&value, 1, TOP_MAX)).unwrap_or(TOP_DEFAULT),
                "seed" => seed = read.problems.value("seed", parse_seed(&value)).unwrap_or_default(),
                "format" => format = read.problems.value("format", ResultFormat::parse(&value, has_values)),
                "safe" => formulas = read.problems.value("safe", parse_formulas(&value)).unwrap_or(formulas),
                name if !others.contains(&name) => read.condition(name, &value)?,
                "genes" => genes = read.problems.value("genes", number(&value, 1, GENES_MAX)).unwrap_or(genes),
                "same_strand" => same_strand = read.problems.value("same_strand", truth(&value)).unwrap_or_default(),
                _ => against = read.parse("against", &value)?,
            }
        }
        let by = read.problems.value("by", by.unwrap_or_else(|| kind("")));
        let has_few = matches!(by, Some(FacetKind::Architecture | FacetKind::Study | FacetKind::Assembly));
        read.problems.refuse("top", ACCESSIONS_TOP, has_few && top > ACCESSIONS_TOP_MAX);
        let format = ResultFormat::choose(format, accepted(&question.parts.headers), has_values)?;
        let query = read.finish()?;
        // A missing kind is one of the problems that `finish` has returned.
        let by = by.ok_or_else(|| ProteinProblem::Parameters(Vec::new()))?;
        let against = against.map(|against| resolve_lookups(against, &release.data)).transpose()?;
        let query = resolve_lookups(query, &release.data)?;
        Ok(Self { query, by, top, seed, against, genes, same_strand, format, formulas })
    }

    /// Answers with an answer as a whole, or with its values in another format.
    fn answer(
        &self,
        question: &Question,
        answer: &impl Serialize,
        name: &str,
        values: &[impl Serialize],
        columns: &str,
    ) -> Answer {
        if self.format == ResultFormat::Json {
            return Ok(json_answer(serde_json::to_vec(answer)?));
        }
        let metadata = metadata(&question.release.data, question.query().to_owned());
        let mut file = Some(write_values(values, columns, self.format, self.formulas, metadata)?);
        Ok(self.format.stream(name, move || Ok(file.take())))
    }
}

fn has_values(format: ResultFormat) -> bool {
    !matches!(format, ResultFormat::Fasta | ResultFormat::A3m | ResultFormat::Gff3 | ResultFormat::Arrow)
}

/// Reads a property by which proteins are compared.
///
/// # Errors
///
/// * Proteins are not compared by it.
pub fn compared_kind(text: &str) -> Result<FacetKind, String> {
    let kind = text.parse().ok().filter(|kind| matches!(kind, FacetKind::Biome | FacetKind::Pfam | FacetKind::Clan));
    kind.ok_or_else(|| "Proteins can be compared by biome, pfam or clan.".to_owned())
}

/// Reads a property by which the genes beside proteins are compared.
fn gene_kind(text: &str) -> Result<FacetKind, String> {
    let kind = text.parse().ok().filter(|kind| matches!(kind, FacetKind::Pfam | FacetKind::Clan));
    kind.ok_or_else(|| "Genes can be compared by pfam or clan.".to_owned())
}

/// Answers with facets, or with `None` if they would be estimates and a larger budget might count
/// all matches.
pub(crate) fn facets(question: &Question, budget: u64) -> BudgetedAnswer {
    let parameters = CountingParameters::read(question, OF_FACETS, str::parse)?;
    let CountingParameters { query, by, top, seed, .. } = &parameters;
    let count = |budget| question.release.data.facets(query, *by, *top, *seed, budget);
    let Some(found) = count_within(budget, *top, count, |found| found.num_sampled)? else { return Ok(None) };
    let answer = FacetAnswer::from(found);
    parameters.answer(question, &answer, "facets", &answer.facets, FACET_COLUMNS).map(Some)
}

/// Answers with the enrichment, or with `None` like [`facets`].
pub(crate) fn enrichment(question: &Question, budget: u64) -> BudgetedAnswer {
    let parameters = CountingParameters::read(question, OF_ENRICHMENT, compared_kind)?;
    let CountingParameters { query, by, top, seed, against, .. } = &parameters;
    let compare = |budget| question.release.data.enrichment(query, against.as_ref(), *by, *top, *seed, budget);
    let Some(found) = count_within(budget, *top, compare, |found| found.num_sampled)? else { return Ok(None) };
    let answer = EnrichmentAnswer::from(found);
    parameters.answer(question, &answer, "enrichment", &answer.enrichment, ENRICHMENT_COLUMNS).map(Some)
}

/// Answers with the families or clans of the genes beside the matches, or with `None` like
/// [`facets`].
pub(crate) fn neighbourhood(question: &Question, budget: u64) -> BudgetedAnswer {
    let data = &question.release.data;
    data.contigs().next().ok_or(ProteinProblem::Missing(Missing::Contigs))?;
    let parameters = CountingParameters::read(question, OF_NEIGHBOURHOOD, gene_kind)?;
    let CountingParameters { query, by, genes, same_strand, top, seed, .. } = &parameters;
    let compare = |budget| data.neighbourhood(query, *by, (*genes, *same_strand), *top, *seed, budget);
    let Some(found) = count_within(budget, *top, compare, |found| found.enrichment.num_sampled)? else {
        return Ok(None);
    };
    let answer = NeighbourhoodAnswer::from(found);
    parameters.answer(question, &answer, "neighbourhood", &answer.neighbourhood, ENRICHMENT_COLUMNS).map(Some)
}

fn count_within<T>(
    budget: u64,
    top: usize,
    count: impl Fn(u64) -> store::Result<Option<T>>,
    num_sampled: fn(&T) -> Option<u64>,
) -> Result<Option<T>, ProteinProblem> {
    // The memory is reserved only once, however often the answer is tried.
    if budget < LONG_BUDGET && !Permit::take_memory(COUNT_BYTES + top * VALUE_BYTES) {
        return Err(Problem::Overloaded.into());
    }
    let found = count(budget)?;
    if budget < LONG_BUDGET {
        return Ok(found.filter(|found| num_sampled(found).is_none()));
    }
    let problem = "Counting the matches takes more work than is allowed for one request: use a simpler query.";
    let problem = || ProteinProblem::of_parameter("q", problem);
    found.map(Some).ok_or_else(problem)
}
