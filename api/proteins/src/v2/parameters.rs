//! The parameters of a search.

use api_catalogue::Formulas;
use api_http::accept::{self, Offer};
use api_http::error::Problem;
use axum::http::HeaderMap;
use store::{AccessionError, ProteinAccession};
use store_proteins::{CHOSEN_MAX, ProteinChoice, ProteinOrder, ProteinQuery, QueryNames};

use super::super::problem::{Problems, ProteinProblem};
use super::super::shared::names::Names;
use super::super::shared::release::Release;
use super::super::shared::result_field::ResultField;
use super::super::shared::result_format::ResultFormat;
use super::super::shared::results::{FastaHeader, ResultWriter};
use super::given::check_limit;
use super::reader::{PROBLEMS_MAX, Reader, resolve_lookups, unknown_parameter};
use super::repeats::pairs;

/// The results of a page in JSON by default.
pub(crate) const LIMIT_DEFAULT: u64 = 50;

/// The most results of a page.
pub(crate) const LIMIT_MAX: u64 = 1000;

const OTHERS: [&str; 11] =
    ["q", "limit", "after", "fields", "format", "header", "safe", "count", "order", "random", "seed"];

pub(super) const FASTA_FIELDS: &str = "FASTA has no fields.";

pub(super) const OTHER_HEADER: &str = "Only FASTA has headers.";

const WHOLE_SAMPLE: &str = "A random sample has neither an order nor pages: random sets its size.";

/// The media types of the formats, in descending order of preference.
const OFFERS: [Offer<ResultFormat>; 11] = [
    ("application", "json", ResultFormat::Json),
    ("application", "x-ndjson", ResultFormat::Ndjson),
    ("application", "ndjson", ResultFormat::Ndjson),
    ("application", "jsonl", ResultFormat::Ndjson),
    ("text", "tab-separated-values", ResultFormat::Tsv),
    ("text", "x-fasta", ResultFormat::Fasta),
    ("application", "x-fasta", ResultFormat::Fasta),
    ("chemical", "seq-aa-fasta", ResultFormat::Fasta),
    ("text", "x-gff3", ResultFormat::Gff3),
    ("application", "vnd.apache.parquet", ResultFormat::Parquet),
    ("application", "vnd.apache.arrow.stream", ResultFormat::Arrow),
];

/// The parameters of a search.
#[derive(Clone, Debug)]
pub struct QueryParameters {
    /// The conditions.
    pub query: ProteinQuery,
    /// The last protein of the page before.
    pub after: Option<ProteinAccession>,
    pub(crate) limit: Option<u64>,
    pub(crate) counts_exactly: bool,
    /// The choice of matches, unless all are returned in ascending order of accession.
    pub choice: Option<ProteinChoice>,
    /// Writes the answer.
    pub writer: ResultWriter,
}

impl QueryParameters {
    /// Reads the query part of a URI for a release.
    ///
    /// # Errors
    ///
    /// * See [`QueryParameters::parse`]; or digests of sequences or clusters cannot be looked up.
    pub fn parse_in(release: &Release, text: &str, accepted: Option<ResultFormat>) -> Result<Self, ProteinProblem> {
        Self::parse(text, accepted, &Names::new(release))?.resolve_lookups(release)
    }

    /// Like [`QueryParameters::parse_in`], or `None` if that would take longer than a moment.
    pub(super) fn parse_quickly(
        release: &Release,
        text: &str,
        accepted: Option<ResultFormat>,
    ) -> Result<Option<Self>, ProteinProblem> {
        match Self::parse(text, accepted, &Names::quick(release)) {
            Err(ProteinProblem::Common(Problem::TooMuchWork)) => Ok(None),
            // Finding near proteins takes longer.
            Ok(read) if read.query.has_near() => Ok(None),
            read => read?.resolve_lookups(release).map(Some),
        }
    }

    /// Looks up the digests of sequences, and clusters.
    fn resolve_lookups(self, release: &Release) -> Result<Self, ProteinProblem> {
        Ok(Self { query: resolve_lookups(self.query, &release.data)?, ..self })
    }

    /// Reads the query part of a URI. Conditions may be repeated; all of them must be met.
    ///
    /// # Errors
    ///
    /// * Some parameters cannot be used or are unknown: up to about a hundred are listed.
    /// * All conditions together have too many terms.
    /// * No format is acceptable.
    /// * A name cannot be looked up.
    pub fn parse(
        text: &str,
        accepted: Option<ResultFormat>,
        names: &impl QueryNames<Failure: Into<Problem>>,
    ) -> Result<Self, ProteinProblem> {
        let mut read = Reader::new(names, &OTHERS);
        let (mut after, mut limit, mut counts_exactly, mut format, mut fields) = (None, None, false, None, None);
        let (mut order, mut random, mut seed, mut formulas) = (None, None, None, Formulas::Kept);
        let mut header = None;
        for (name, value) in pairs(text)? {
            if read.is_full() {
                break;
            }
            match &*name {
                "q" => read.query(&value)?,
                "after" => {
                    after =
                        read.problems.value("after", value.parse().map_err(|error: AccessionError| error.to_string()));
                }
                "limit" => limit = read.problems.value("limit", positive(&value)),
                "count" => counts_exactly |= read.problems.value("count", parse_count(&value)).is_some(),
                "format" => format = read.problems.value("format", ResultFormat::parse(&value, is_for_proteins)),
                "fields" => {
                    let some = read.problems.value("fields", parse_fields(&value)).unwrap_or_default();
                    fields.get_or_insert_with(Vec::new).extend(some);
                }
                "header" => header = read.problems.value("header", value.parse::<FastaHeader>()),
                "safe" => formulas = read.problems.value("safe", parse_formulas(&value)).unwrap_or(formulas),
                "order" => order = read.problems.value("order", value.parse::<ProteinOrder>()),
                "random" => random = read.problems.value("random", parse_sample_size(&value)),
                "seed" => seed = read.problems.value("seed", parse_seed(&value)),
                name => read.condition(name, &value)?,
            }
        }
        let choice = random
            .map(|num_wanted| ProteinChoice::Random { num_wanted, seed: seed.unwrap_or_default() })
            .or(order.map(ProteinChoice::First));
        let format = ResultFormat::choose(format, accepted, is_for_proteins)?;
        let is_sample = random.is_some();
        read.problems.refuse("order", WHOLE_SAMPLE, is_sample && order.is_some());
        read.problems.refuse("after", WHOLE_SAMPLE, is_sample && after.is_some());
        read.problems.refuse("limit", WHOLE_SAMPLE, is_sample && limit.is_some());
        read.problems.refuse("seed", "Only a random sample has a seed.", !is_sample && seed.is_some());
        check_limit(format, limit, &mut read.problems);
        read.problems.refuse("fields", FASTA_FIELDS, format == ResultFormat::Fasta && fields.is_some());
        read.problems.refuse("header", OTHER_HEADER, format != ResultFormat::Fasta && header.is_some());
        let is_stream = format != ResultFormat::Json;
        read.problems.refuse(
            "count",
            "Only format=json can be counted; a stream has no total.",
            is_stream && counts_exactly,
        );
        let query = read.finish()?;
        let fields: Vec<ResultField> = fields.unwrap_or_else(|| ResultField::DEFAULT.to_vec());
        let writer = ResultWriter::new(format, &fields).with_header(header.unwrap_or_default()).with_formulas(formulas);
        Ok(Self { query, after, limit, counts_exactly, choice, writer })
    }

    /// Returns the most results of a page, or `None` for a stream.
    pub fn page_limit(&self) -> Option<usize> {
        let limit = match self.choice {
            Some(ProteinChoice::Random { num_wanted, .. }) => num_wanted as u64,
            _ => self.limit.unwrap_or(LIMIT_DEFAULT).min(LIMIT_MAX),
        };
        (self.writer.format() == ResultFormat::Json).then(|| usize::try_from(limit).unwrap_or(usize::MAX))
    }
}

/// The end of the error for parameters of a single protein.
pub(crate) const NO_PROTEIN_PARAMETERS: &str =
    " A record has no parameters: it is always complete. Append `.fasta` to its address for the sequence.";

/// Checks that the query part of an address without parameters is empty. `hint` is the end of the
/// error.
pub(crate) fn refuse_parameters(text: &str, hint: &str) -> Result<(), ProteinProblem> {
    let given = form_urlencoded::parse(text.as_bytes()).take(PROBLEMS_MAX);
    Problems(given.map(|(name, _)| unknown_parameter(&name, hint)).collect()).check()
}

pub(crate) fn positive(text: &str) -> Result<u64, String> {
    let number = text.trim().parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "The limit must be a whole number above 0.".to_owned())
}

fn parse_sample_size(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=CHOSEN_MAX).contains(number));
    number.ok_or_else(|| format!("A sample must have from 1 to {CHOSEN_MAX} proteins."))
}

pub(super) fn parse_seed(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| "The seed must be a whole number below 2^64.".to_owned())
}

fn parse_count(text: &str) -> Result<(), String> {
    if text == "exact" { Ok(()) } else { Err("The only value is \"exact\".".to_owned()) }
}

/// Returns whether proteins are available in a format. A3M is for alignments, and GFF3 for contigs.
pub(super) fn is_for_proteins(format: ResultFormat) -> bool {
    !matches!(format, ResultFormat::A3m | ResultFormat::Gff3)
}

pub(crate) fn parse_fields(text: &str) -> Result<Vec<ResultField>, String> {
    text.split(',').map(|name| name.trim().parse()).collect()
}

pub(crate) fn parse_formulas(text: &str) -> Result<Formulas, String> {
    if text == "1" { Ok(Formulas::Disarmed) } else { Err("The only value is 1.".to_owned()) }
}

/// Returns the format that the client prefers.
pub(crate) fn accepted(headers: &HeaderMap) -> Option<ResultFormat> {
    accept::preferred(headers, &OFFERS)
}

#[cfg(test)]
mod tests {
    use axum::http::header;
    use store::BiomeTable;

    use super::*;

    fn format_of(accept: &str) -> Option<ResultFormat> {
        accepted(&HeaderMap::from_iter([(header::ACCEPT, accept.parse().expect("printable"))]))
    }

    #[test]
    fn the_best_format_is_chosen() {
        assert_eq!(accepted(&HeaderMap::new()), Some(ResultFormat::Json));
        for (accept, expected) in [
            ("*/*", Some(ResultFormat::Json)),
            ("text/html, */*;q=0.1", Some(ResultFormat::Json)),
            ("application/x-ndjson", Some(ResultFormat::Ndjson)),
            ("text/tab-separated-values;q=0.5, text/x-fasta", Some(ResultFormat::Fasta)),
            ("application/json;q=0, text/x-fasta;q=0.1", Some(ResultFormat::Fasta)),
            ("application/vnd.apache.parquet", Some(ResultFormat::Parquet)),
            ("application/vnd.apache.arrow.stream, */*;q=0.1", Some(ResultFormat::Arrow)),
            ("application/json;q=0, */*;q=0.1", Some(ResultFormat::Ndjson)),
            ("image/png", None),
        ] {
            assert_eq!(format_of(accept), expected, "{accept}");
        }
    }

    #[test]
    fn problems_are_listed_up_to_a_limit() {
        let refused = QueryParameters::parse(&"nope=1&".repeat(300), Some(ResultFormat::Json), &BiomeTable::default());
        assert!(matches!(refused, Err(ProteinProblem::Parameters(problems)) if problems.len() == PROBLEMS_MAX));
    }
}
