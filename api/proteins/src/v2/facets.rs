//! Facets and enrichment: the matches of a query, counted by value.

use api_catalogue::Formulas;
use api_http::error::Problem;
use api_http::json::json_answer;
use api_http::limits::Permit;
use serde::Serialize;
use store_proteins::{EnrichedValue, Enrichment, Facet, FacetCount, FacetKind, Facets, LONG_BUDGET, ProteinQuery};
use utoipa::ToSchema;

use super::parameters::{accepted, parse_format, parse_formulas, parse_seed};
use super::reader::{Reader, resolve_digests};
use super::repeats::pairs;
use super::search::stream;
use crate::problem::{ParameterProblem, ProteinProblem};
use crate::question::{Answer, BudgetedAnswer, Question};
use crate::shared::result_stream::metadata;
use crate::{Names, ResultFormat, write_values};

/// The most values of an answer: all families of Pfam, and some thousand more.
pub(super) const TOP_MAX: usize = 30_000;

/// The most studies or assemblies of an answer: the index is read for the letter case of each.
pub(super) const ACCESSIONS_TOP_MAX: usize = 1000;

/// The default number of values.
pub(super) const TOP_DEFAULT: usize = 50;

/// The memory for counting. It is limited by the numbers of studies, assemblies and families.
const COUNT_BYTES: usize = 16 << 20;

/// The memory of a value of an answer, and of its text.
const VALUE_BYTES: usize = 512;

const ACCESSIONS_TOP: &str = "The number of studies or assemblies is from 1 to 1000.";

/// The columns of tables.
const FACET_COLUMNS: &str = "value name count interval_low interval_high";
/// The columns of a table of enriched values, separated by spaces.
pub const ENRICHMENT_COLUMNS: &str =
    "value name count background_count expected log2_ratio log2_interval_low log2_interval_high p q representation";

const OTHERS: [&str; 7] = ["q", "by", "top", "seed", "format", "safe", "against"];

/// The parameters of a request that counts.
struct CountingParameters {
    query: ProteinQuery,
    by: FacetKind,
    top: usize,
    seed: u64,
    against: Option<ProteinQuery>,
    format: ResultFormat,
    formulas: Formulas,
}

/// The number of matches of a query with each value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetAnswer {
    /// The most frequent values, the most frequent first.
    pub facets: Vec<FacetValue>,
    /// The number of all values that matches have, with that of no value.
    pub num_values: usize,
    /// The number of all matches.
    pub total: FacetTotal,
    /// True if all matches were counted.
    pub exact: bool,
    /// The number of proteins in the sample if not all matches were counted.
    #[schema(required)]
    pub num_sampled: Option<u64>,
}

/// The number of matches with a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetValue {
    /// The value as a query takes it, such as a lineage; null where none is recorded.
    #[schema(required, example = "PF00005")]
    pub value: Option<String>,
    /// The name for people.
    #[schema(example = "ABC transporter")]
    pub name: String,
    /// The number of matches, or an estimate of it.
    pub count: u64,
    /// The interval of 95 % of an estimate; null of an exact number.
    #[schema(required)]
    pub interval: Option<[u64; 2]>,
}

/// A number of matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetTotal {
    /// The number, or an estimate of it.
    pub value: u64,
    /// The interval of 95 % of an estimate; null of an exact number.
    #[schema(required)]
    pub interval: Option<[u64; 2]>,
}

impl From<Facets> for FacetAnswer {
    fn from(Facets { facets, num_values, total, num_sampled }: Facets) -> Self {
        let interval = |FacetCount { low, high, .. }| num_sampled.map(|_| [low, high]);
        let value =
            |Facet { value, name, count }| FacetValue { value, name, count: count.value, interval: interval(count) };
        Self {
            total: FacetTotal { value: total.value, interval: interval(total) },
            facets: facets.into_iter().map(value).collect(),
            num_values,
            exact: num_sampled.is_none(),
            num_sampled,
        }
    }
}

/// The values that are more or less frequent in a selection than in a background, of proteins with
/// a recorded biome.
#[derive(Debug, Serialize, ToSchema)]
pub struct EnrichmentAnswer {
    /// The values that differ most, by the statistic of the G-test.
    pub enrichment: Vec<EnrichmentValue>,
    /// The number of all values that were compared.
    num_values: usize,
    selection: EnrichmentGroup,
    background: EnrichmentGroup,
    /// True if all proteins were counted. If not, all numbers are those of a systematic sample.
    exact: bool,
    /// The number of proteins in the sample.
    #[schema(required)]
    num_sampled: Option<u64>,
}

/// A group of proteins.
#[derive(Debug, Serialize, ToSchema)]
struct EnrichmentGroup {
    /// The number of its proteins with a recorded biome. Only these are compared.
    count: u64,
    /// The number of the others.
    without_biome: u64,
}

/// A value in the selection and in the background.
#[derive(Debug, Serialize, ToSchema)]
pub struct EnrichmentValue {
    /// The value as a query takes it; null for proteins without a family or clan.
    #[schema(required, example = "PF00005")]
    value: Option<String>,
    /// The name for people.
    name: String,
    /// The number of proteins of the selection that have it.
    count: u64,
    /// The number of proteins of the background that have it.
    background_count: u64,
    /// The number of the selection that is expected if it is equally frequent in both.
    expected: f64,
    /// The binary logarithm of the ratio of the two frequencies. If no protein of a group has the
    /// value, a half is added to all numbers. Null if a group has no proteins.
    #[schema(required)]
    log2_ratio: Option<f64>,
    /// The 95 % interval of this: all ratios that the G-test does not reject at 5 %, so it leaves
    /// out 0 exactly if `p` is below 0.05. An end is null if it is unbounded, because no protein of
    /// a group has the value. Null if `p` is from Fisher's exact test.
    #[schema(required)]
    log2_interval: Option<[Option<f64>; 2]>,
    /// The probability of such a difference by chance: G-test, or Fisher's exact test if fewer than
    /// ten proteins are expected to have the value, or to lack it, in either group.
    p: f64,
    /// The false discovery rate by Benjamini and Hochberg, over all values that were compared.
    q: f64,
    /// `over` or `under` if `q` is below 0.05 and at least ten proteins are found or expected,
    /// otherwise null.
    #[schema(required, example = "over")]
    representation: Option<&'static str>,
}

impl From<Enrichment> for EnrichmentAnswer {
    fn from(found: Enrichment) -> Self {
        let value = |value: EnrichedValue| EnrichmentValue {
            log2_interval: value.log2_interval(),
            value: value.value,
            name: value.name,
            count: value.count,
            background_count: value.background_count,
            expected: value.expected,
            log2_ratio: value.log2_ratio,
            p: value.probability,
            q: value.false_discovery_rate,
            representation: value.is_enriched.map(|is_enriched| if is_enriched { "over" } else { "under" }),
        };
        Self {
            enrichment: found.values.into_iter().map(value).collect(),
            num_values: found.num_values,
            selection: EnrichmentGroup { count: found.num_selected, without_biome: found.num_selected_without_biome },
            background: EnrichmentGroup {
                count: found.num_background,
                without_biome: found.num_background_without_biome,
            },
            exact: found.num_sampled.is_none(),
            num_sampled: found.num_sampled,
        }
    }
}

impl CountingParameters {
    fn read(question: &Question, is_comparison: bool) -> Result<Self, ProteinProblem> {
        let release = &question.release;
        let kind: fn(&str) -> Result<FacetKind, String> = if is_comparison { compared_kind } else { str::parse };
        let names = Names::new(release);
        let others = if is_comparison { &OTHERS[..] } else { &OTHERS[..OTHERS.len() - 1] };
        let mut read = Reader::new(&names, others);
        let (mut by, mut top, mut seed, mut against) = (None, TOP_DEFAULT, 0, None);
        let (mut format, mut formulas) = (None, Formulas::Kept);
        for (name, value) in pairs(question.query())? {
            if read.is_full() {
                break;
            }
            match &*name {
                "q" => read.query(&value)?,
                "by" => by = Some(kind(&value)),
                "top" => top = read.value("top", parse_top(&value)).unwrap_or(TOP_DEFAULT),
                "seed" => seed = read.value("seed", parse_seed(&value)).unwrap_or_default(),
                "format" => format = read.value("format", parse_value_format(&value)),
                "safe" => formulas = read.value("safe", parse_formulas(&value)).unwrap_or(formulas),
                "against" if is_comparison => against = read.parse("against", &value)?,
                name => read.condition(name, &value)?,
            }
        }
        let by = read.value("by", by.unwrap_or_else(|| kind("")));
        let has_accessions = matches!(by, Some(FacetKind::Study | FacetKind::Assembly));
        read.refuse("top", ACCESSIONS_TOP, has_accessions && top > ACCESSIONS_TOP_MAX);
        let accepted = || accepted(&question.parts.headers).filter(|format| has_values(*format));
        let format = format.or_else(accepted).ok_or(ProteinProblem::NoFormat)?;
        let query = read.finish()?;
        // A missing kind is one of the problems that `finish` has returned.
        let by = by.ok_or_else(|| ProteinProblem::Parameters(Vec::new()))?;
        let against = against.map(|against| resolve_digests(against, &release.data)).transpose()?;
        Ok(Self { query: resolve_digests(query, &release.data)?, by, top, seed, against, format, formulas })
    }

    /// Answers with an answer as a whole, or with its values in another format.
    fn answer(
        &self,
        question: &Question,
        answer: &impl Serialize,
        (name, values, columns): (&str, &[impl Serialize], &str),
    ) -> Answer {
        if self.format == ResultFormat::Json {
            return Ok(json_answer(serde_json::to_vec(answer)?));
        }
        let metadata = metadata(&question.release.data, question.query().to_owned());
        let mut file = Some(write_values(values, columns, (self.format, self.formulas), metadata)?);
        Ok(stream(name, self.format, move || Ok(file.take())))
    }
}

fn has_values(format: ResultFormat) -> bool {
    !matches!(format, ResultFormat::Fasta | ResultFormat::Arrow)
}

fn parse_value_format(text: &str) -> Result<ResultFormat, String> {
    let format = parse_format(text).ok().filter(|format| has_values(*format));
    format.ok_or_else(|| "The formats are json, ndjson, tsv and parquet.".to_owned())
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

fn parse_top(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=TOP_MAX).contains(number));
    number.ok_or_else(|| format!("The number of values must be from 1 to {TOP_MAX}."))
}

/// Answers with facets, or with `None` if they would be estimates and a larger budget might count
/// all matches.
pub(crate) fn facets(question: &Question, budget: u64) -> BudgetedAnswer {
    let parameters = CountingParameters::read(question, false)?;
    let CountingParameters { query, by, top, seed, .. } = &parameters;
    let count = |budget| question.release.data.facets(query, *by, *top, *seed, budget);
    let Some(found) = count_within(budget, *top, count, |found| found.num_sampled)? else { return Ok(None) };
    let answer = FacetAnswer::from(found);
    parameters.answer(question, &answer, ("facets", &answer.facets, FACET_COLUMNS)).map(Some)
}

/// Answers with the enrichment, or with `None` like [`facets`].
pub(crate) fn enrichment(question: &Question, budget: u64) -> BudgetedAnswer {
    let parameters = CountingParameters::read(question, true)?;
    let CountingParameters { query, by, top, seed, against, .. } = &parameters;
    let compare = |budget| question.release.data.enrichment(query, against.as_ref(), *by, *top, *seed, budget);
    let Some(found) = count_within(budget, *top, compare, |found| found.num_sampled)? else { return Ok(None) };
    let answer = EnrichmentAnswer::from(found);
    parameters.answer(question, &answer, ("enrichment", &answer.enrichment, ENRICHMENT_COLUMNS)).map(Some)
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
    let problem = || ProteinProblem::Parameters(vec![ParameterProblem::new("value_error", "q", problem)]);
    found.map(Some).ok_or_else(problem)
}
