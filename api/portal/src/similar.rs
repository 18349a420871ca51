//! The search for similar proteins: the form and the started searches.

mod alignment;
mod hits;
mod scores;
mod search;

use std::sync::Arc;
use std::time::Duration;

use api_http::access::Access;
use api_http::blocking::{ANSWER_PATIENCE, in_turn};
use api_http::paths;
use api_http::posted::Posted;
use api_proteins::{ParameterProblem, ProteinProblem, Release, SIMILAR_BODY, budget, similar};
use askama::Template;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use similarity::Job;

use crate::context::address::Pairs;
use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, redirect, render};
use crate::context::posted;
use crate::context::problem::PortalProblem;
use crate::context::service::PortalService;
use crate::search::{Form, parse, text_of};

/// The time for which a page waits for the end of its search; most searches end sooner.
const PATIENCE: Duration = Duration::from_secs(1);

/// The cookie with the secret of a search, sent only to its page.
const COOKIE: &str = "search-secret";

/// The lifetime of the cookie, longer than most servers keep searches.
const COOKIE_AGE_S: u32 = 30 * 24 * 60 * 60;

/// Form fields other than conditions. The first of the selected `proteins` is the query.
const OWN_FIELDS: [&str; 4] = ["query", "E", "Z", "proteins"];

#[derive(Template)]
#[template(path = "similar.html")]
struct SimilarPage {
    layout: Layout,
    form: SimilarForm,
}

/// The form with its given values.
struct SimilarForm {
    /// The reason why the search is unavailable, or an empty text.
    unavailable: String,
    query: String,
    evalue: String,
    /// `true` if E-values are computed for the whole release.
    is_of_release: bool,
    problems: Vec<String>,
    conditions: Form,
}

/// Answers a request for the form or a search. `POST` starts or removes a search.
pub(crate) async fn answer(
    service: &Arc<PortalService>,
    id: Option<&str>,
    parts: &Parts,
    body: Body,
    access: Access,
) -> Result<Response, PortalProblem> {
    let (similarity, limits) = (&service.services.similarity, &service.front.limits);
    let context = PageContext::new(service, parts, access);
    match (id, parts.method == Method::POST) {
        (None, false) => {
            in_turn(ANSWER_PATIENCE, move || form_page(&context, &Pairs::parse(context.query()), &[])).await?
        }
        (None, true) => {
            let posted = Posted::arrive(limits, &parts.headers, body, SIMILAR_BODY).await;
            let posted = posted.map_err(PortalProblem::of_body)?;
            let (release, client, served) = (context.release()?, limits.client_name(parts), Arc::clone(similarity));
            let begin = move |given: &Pairs, turn| {
                let parameters = api_parameters(&release, given);
                let begun = parameters.and_then(|parameters| {
                    similar::begin(served.searches()?, &release, &parameters, &client, budget(turn))
                });
                match begun {
                    Ok(job) => Ok(job.map(|job| redirect_to_search(&context, &job))),
                    Err(ProteinProblem::Parameters(problems)) => {
                        let form = form_page(&context, given, &problems)?;
                        Ok(Some((StatusCode::UNPROCESSABLE_ENTITY, form).into_response()))
                    }
                    Err(problem) => Err(PortalProblem::of_proteins(problem)),
                }
            };
            posted.in_turns(posted::fields, begin).await
        }
        (Some(id), false) => {
            let job = similar::wait(similarity, limits, id, PATIENCE).await.map_err(PortalProblem::of_proteins)?;
            let is_own = secret(&parts.headers).is_some_and(|secret| job.is_removed_by(secret));
            in_turn(ANSWER_PATIENCE, move || search::page_of(&context, job, is_own)).await?
        }
        (Some(id), true) => {
            let (similarity, id) = (Arc::clone(similarity), id.to_owned());
            let secret = secret(&parts.headers).unwrap_or_default().to_owned();
            in_turn(ANSWER_PATIENCE, move || similar::remove(&similarity, &id, secret.as_bytes()))
                .await?
                .map_err(PortalProblem::of_proteins)?;
            Ok(context.redirect("similar"))
        }
    }
}

/// Redirects to the page of a started search, with its secret in a cookie for that page.
fn redirect_to_search(context: &PageContext, job: &Job) -> Response {
    let path = format!("{}/portal/similar/{}", context.root(), job.id);
    let is_secure = if context.base().starts_with("https:") { "; Secure" } else { "" };
    let secret = job.secret.as_deref().unwrap_or_default();
    let cookie =
        format!("{COOKIE}={secret}; Path={path}; Max-Age={COOKIE_AGE_S}; HttpOnly; SameSite=Strict{is_secure}");
    ([(header::SET_COOKIE, cookie)], redirect(&path)).into_response()
}

/// Returns the secret of the requested search.
fn secret(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split("; ")).filter_map(|cookie| cookie.split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

/// Converts the form into parameters of the API.
///
/// # Errors
///
/// * The conditions have faults.
fn api_parameters(release: &Release, pairs: &Pairs) -> Result<Vec<(String, String)>, ProteinProblem> {
    let pairs = pairs.tidied("", &[]);
    let conditions = pairs.without(&OWN_FIELDS);
    // Checks the conditions here, so that each fault belongs to a field.
    parse(release, &conditions)?;
    let query = pairs.value("query");
    let is_word = !query.starts_with('>') && !query.contains(char::is_whitespace);
    let name = match query {
        _ if query.starts_with("HMMER3/") => "hmm",
        // Sequences have no digits.
        _ if is_word && query.contains(|letter: char| letter.is_ascii_digit()) => "accession",
        _ => "sequence",
    };
    let mut parameters = Pairs::default().and(name, query);
    if conditions != Pairs::default() {
        parameters = parameters.and("q", &text_of(&conditions));
    }
    let others = pairs.filtered(|name| ["E", "Z"].contains(&name));
    Ok(others.iter().fold(parameters, |parameters, (name, value)| parameters.and(name, value)).into())
}

fn form_page(context: &PageContext, pairs: &Pairs, problems: &[ParameterProblem]) -> Result<Response, PortalProblem> {
    let layout = context.layout("Find similar proteins").section("search");
    let layout =
        layout.posted_call("This search", paths::SEARCHES_ROUTE, "--data-urlencode fasta@query.fasta -d E=1e-3");
    render(&SimilarPage { layout, form: SimilarForm::new(context, pairs, problems)? })
}

impl SimilarForm {
    fn new(context: &PageContext, pairs: &Pairs, problems: &[ParameterProblem]) -> Result<Self, PortalProblem> {
        let of_query =
            |problem: &&ParameterProblem| problem.loc.get(1).is_some_and(|name| QUERY_NAMES.contains(&&**name));
        let (own, of_conditions): (Vec<_>, Vec<_>) = problems.iter().partition(of_query);
        let of_conditions: Vec<_> = of_conditions.into_iter().cloned().collect();
        let evalue = pairs.value("E");
        let query = match pairs.value("query") {
            "" => pairs.value("proteins"),
            query => query,
        };
        Ok(Self {
            unavailable: context.services().similarity.engine().err().unwrap_or_default().to_owned(),
            query: query.to_owned(),
            evalue: if evalue.is_empty() { format!("{:e}", similar::EVALUE_DEFAULT) } else { evalue.to_owned() },
            is_of_release: pairs.value("Z") == "release",
            problems: own.into_iter().map(|problem| problem.msg.to_string()).collect(),
            conditions: Form::new(&pairs.without(&OWN_FIELDS), &of_conditions, context.proteins()?),
        })
    }
}

/// Parameters of the API that stand for the first field of the form.
const QUERY_NAMES: [&str; 5] = ["sequence", "accession", "hmm", "E", "Z"];
