//! The hits of a search: a page in JSON, or a stream of all hits.

use std::mem;
use std::sync::Arc;

use api_catalogue::Formulas;
use api_http::SourceError;
use api_http::error::Problem;
use api_http::limits::Permit;
use axum::http::StatusCode;
use similarity::{Found, Hit, Job, JobState};
use store_proteins::{Relation, Total};

use super::hit_writer::{HitWriter, NamedQuery};
use super::state::name_of;
use super::{Similarity, state};
use crate::ProteinProblem;
use crate::question::{Answer, Question};
use crate::shared::citation::name_generation;
use crate::shared::result_field::ResultField;
use crate::shared::result_format::ResultFormat;
use crate::shared::result_stream::with_citation;
use crate::v2::{Given, accepted, next_url, page_answer, parse_fields, parse_formulas};

/// A part of a stream ends when its hits have at least this many bytes.
const PART_BYTES: usize = 256 << 10;

/// The memory of a hit, as a multiple of its bytes: stored, as values, and written.
const COPIES: usize = 4;

/// The parameters of a request for hits.
struct Parameters {
    format: ResultFormat,
    /// The requested fields.
    fields: Option<Vec<ResultField>>,
    formulas: Formulas,
    limit: u64,
    /// The number of hits before the first requested one.
    after: u64,
}

/// Answers with hits.
pub(crate) fn answer(similarity: &Similarity, question: &Question) -> Answer {
    let (data, text) = (&question.release.data, question.query());
    let parameters = Parameters::parse(text, accepted(&question.parts.headers))?;
    let searches = similarity.searches()?;
    let job = searches.find(&question.segment)?;
    let num_kept = found(&job)?.num_kept;
    let generation = Some(data).filter(|data| data.name() == job.scope.generation).map(Arc::clone);
    let is_current = generation.is_some();
    let fields = parameters.fields(&job, is_current)?;
    let respond = |mut response| {
        if !is_current {
            name_generation(&mut response, None, job.scope.generation);
        }
        Ok(response)
    };
    let lost = || SourceError::Fault(format!("search {} has lost its files", job.id).into());
    let query = searches.jobs.query(&job).map_err(Problem::fault)?.ok_or_else(lost)?;
    let mut hits = searches.jobs.hits(&job, parameters.after).map_err(Problem::fault)?.ok_or_else(lost)?;
    let (conditions, name) = (job.scope.conditions.clone(), job.scope.generation.to_string());
    let metadata = [("search", job.id.to_string()), ("query", conditions), ("generation", name)];
    let metadata = with_citation(metadata, generation.as_deref());
    let mut writer =
        HitWriter::new(parameters.format, &fields, generation, metadata)?.with_formulas(parameters.formulas);
    let query_name = parameters.formulas.guard(name_of(&job)).into_owned();
    let named = NamedQuery { name: &query_name, query: &query };
    if parameters.format == ResultFormat::Json {
        let end = num_kept.min(parameters.after.saturating_add(parameters.limit));
        let mut json = b"{\"results\":[".to_vec();
        for (number, hit) in (parameters.after..end).zip(hits) {
            json.extend((number > parameters.after).then_some(b','));
            write_hit(hit.map_err(Problem::fault)?, named, &mut writer, &mut json)?;
        }
        let total = Total { value: num_kept, relation: Relation::Eq };
        let next = (end < num_kept).then(|| next_url(&question.url(), text, &end.to_string()));
        return respond(page_answer(json, total, next.as_deref()));
    }
    let mut left = num_kept.saturating_sub(parameters.after).min(parameters.limit);
    let mut head = Vec::new();
    writer.write_head(&mut head);
    writer.begin(named, &mut head);
    let mut writer = Some(writer);
    respond(parameters.format.stream("hits", move || {
        let Some(open) = &mut writer else { return Ok(None) };
        let (mut text, named) = (mem::take(&mut head), NamedQuery { name: &query_name, query: &query });
        let mut num_read = 0;
        while left > 0 && num_read < PART_BYTES {
            let Some(hit) = hits.next() else { return Err(SourceError::Fault("hits are missing".into())) };
            let (hit, num_bytes) = hit.map_err(|error| SourceError::Fault(error.into()))?;
            num_read += num_bytes;
            open.write(named, &hit, &mut text)?;
            left -= 1;
        }
        if left == 0 {
            writer.take().map_or(Ok(()), |writer| writer.finish(&mut text))?;
        }
        Ok(Some(text))
    }))
}

/// Writes a hit, if there is memory for its copies.
fn write_hit(
    (hit, num_bytes): (Hit, usize),
    named: NamedQuery<'_>,
    writer: &mut HitWriter,
    json: &mut Vec<u8>,
) -> Result<(), ProteinProblem> {
    if !Permit::take_memory(num_bytes * COPIES) {
        return Err(SourceError::Overloaded.into());
    }
    Ok(writer.write(named, &hit, json)?)
}

/// Returns the result of a search.
///
/// # Errors
///
/// * The search has no result: 409.
fn found(job: &Job) -> Result<Found, ProteinProblem> {
    let detail = match &job.state {
        JobState::Done { found, .. } => return Ok(*found),
        JobState::Failed { reason, .. } => state::failure_detail(reason),
        _ => "This search has not ended yet: request its state with `wait=20` to wait for it.".to_owned(),
    };
    Err(ProteinProblem::Refused { status: StatusCode::CONFLICT, detail })
}

impl Parameters {
    fn parse(text: &str, accepted: Option<ResultFormat>) -> Result<Self, ProteinProblem> {
        let mut given = Given::new(text, &["after", "fields", "format", "limit", "safe"])?;
        let fields = given.values("fields", parse_fields);
        let formulas = given.value("safe", parse_formulas).unwrap_or(Formulas::Kept);
        let problem = |_| "The number of hits to skip must be a whole number.".to_owned();
        let after = given.value("after", |text| text.trim().parse().map_err(problem)).unwrap_or_default();
        let format = given.format(accepted, |format| format != ResultFormat::Gff3)?;
        let limit = given.limit(format);
        let has_fields = !matches!(format, ResultFormat::Fasta | ResultFormat::A3m);
        given.problems.refuse("fields", "FASTA and A3M have no fields.", !has_fields && fields.is_some());
        given.check()?;
        Ok(Self { format, fields, formulas, limit, after })
    }

    /// Returns the fields of records to write with each hit.
    ///
    /// # Errors
    ///
    /// * The generation does not exist any more, and fields from it were requested: 409.
    fn fields(&self, job: &Job, is_current: bool) -> Result<Vec<ResultField>, ProteinProblem> {
        let of_hits = [ResultField::Accession, ResultField::Length];
        let is_object = matches!(self.format, ResultFormat::Json | ResultFormat::Ndjson);
        let mut fields = match &self.fields {
            Some(fields) => fields.clone(),
            None if is_object && is_current => ResultField::DEFAULT.to_vec(),
            None if is_object => of_hits.to_vec(),
            None => Vec::new(),
        };
        if is_object && !fields.contains(&ResultField::Accession) {
            fields.insert(0, ResultField::Accession);
        }
        let has_others = self.format == ResultFormat::Fasta || fields.iter().any(|field| !of_hits.contains(field));
        if !is_current && has_others {
            let detail = format!(
                "The proteins of this search ({}) have been replaced, so only the accession and length of its hits are known: search again.",
                job.scope.generation
            );
            return Err(ProteinProblem::Refused { status: StatusCode::CONFLICT, detail });
        }
        Ok(fields)
    }
}
