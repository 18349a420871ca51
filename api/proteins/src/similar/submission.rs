//! The parameters of a search, and its beginning.

use std::fmt::Display;

use api_http::error::{Problem, shown};
use axum::http::StatusCode;
use similarity::{Job, Order, Query, Refusal, Scope, SearchSpace, Selection, parse_evalue};
use store_proteins::{LONG_BUDGET, Relation, Total};

use super::Searches;
use crate::problem::{ParameterProblem, Problems};
use crate::shared::detail;
use crate::v2::{PROBLEMS_MAX, read_query, unknown};
use crate::{ProteinProblem, Release};

/// The highest E-value of a hit by default.
pub const EVALUE_DEFAULT: f64 = 1e-3;

/// The parameters for queries. A request must have exactly one of them.
const QUERIES: [&str; 4] = ["sequence", "fasta", "accession", "hmm"];

const OTHERS: [&str; 3] = ["q", "E", "Z"];

/// Reads the parameters of a search, and begins it or joins an equal one. Parameters other than
/// queries are not repeated. Returns `None` if counting the selection takes more work than the
/// budget, and a larger budget might be enough.
///
/// # Errors
///
/// * Some parameters cannot be used, and all are listed; or no proteins are selected, or too many.
/// * Too many searches wait, or the disk is full.
pub fn begin(
    searches: &Searches,
    release: &Release,
    pairs: &[(String, String)],
    client: &str,
    budget: u64,
) -> Result<Option<Job>, ProteinProblem> {
    let order = read(release, searches.jobs.engine().version(), pairs)?;
    // Joining an equal search needs no counting.
    if let Some(job) = searches.jobs.join(client, &order).map_err(Problem::fault)? {
        return Ok(Some(job));
    }
    let query = read_query(release, &order.scope.conditions)?;
    let refused = |problem: String| Err(ProteinProblem::of_parameter("q", problem));
    let Total { value: count, relation } = release.data.total(&query, budget)?;
    let at_least = if relation == Relation::Gte { "at least " } else { "" };
    if count > searches.proteins_max {
        return refused(format!(
            "The selection has {at_least}{count} proteins, but a search can have at most {}: narrow q, for instance by a biome, a family, full_length:true or \
             cluster_size:>=2.",
            searches.proteins_max
        ));
    }
    match relation {
        Relation::Gte if budget < LONG_BUDGET => return Ok(None),
        Relation::Gte => {
            return refused(
                "Counting the selection takes more work than is allowed for one request: narrow q.".to_owned(),
            );
        }
        Relation::Eq if count == 0 => {
            return refused("No protein meets the conditions: there is nothing to search.".to_owned());
        }
        Relation::Eq => {}
    }
    let selection = Selection { generation: release.data.clone(), query };
    searches.jobs.submit(client, order, selection, count).map(Some).map_err(refusal)
}

fn refusal(refusal: Refusal) -> ProteinProblem {
    let status = match refusal {
        Refusal::Failed(error) => return Problem::fault(error).into(),
        Refusal::Full(_) | Refusal::FullOfClient(_) => StatusCode::TOO_MANY_REQUESTS,
        Refusal::Ending => StatusCode::CONFLICT,
        Refusal::NoSpace => StatusCode::SERVICE_UNAVAILABLE,
        Refusal::Unusable(ref error) => {
            tracing::error!("a search is refused: {error}");
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    ProteinProblem::Refused { status, detail: sentence(&refusal) }
}

/// Makes a sentence of a problem, which is also a part of other messages.
fn sentence(problem: &impl Display) -> String {
    let problem = problem.to_string();
    let mut letters = problem.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// Reads all parameters.
fn read(release: &Release, engine: &str, pairs: &[(String, String)]) -> Result<Order, ProteinProblem> {
    let mut problems = Problems::default();
    // If there are several queries, none is looked up.
    let num_given = pairs.iter().filter(|(name, _)| QUERIES.contains(&&**name)).count();
    let (mut sought, mut conditions, mut evalue, mut space) = (None, String::new(), EVALUE_DEFAULT, None);
    for (name, value) in pairs {
        if problems.0.len() >= PROBLEMS_MAX {
            break;
        }
        match &**name {
            text if QUERIES.contains(&text) => {
                if num_given == 1 {
                    sought = problems.value(name.clone(), query(release, text, value)?);
                }
            }
            "q" => value.trim().clone_into(&mut conditions),
            "E" => {
                let given = parse_evalue(value).map_err(|expected| format!("E is {expected}."));
                evalue = problems.value("E", given).unwrap_or(evalue);
            }
            "Z" => {
                let given = value.parse::<SearchSpace>().map_err(|expected| format!("Z is {expected}."));
                space = problems.value("Z", given).and_then(|given| given.number(&release.data));
            }
            _ => problems.push(unknown(name, QUERIES.into_iter().chain(OTHERS))),
        }
    }
    if !problems.0.is_empty()
        && let Err(ProteinProblem::Parameters(of_conditions)) = read_query(release, &conditions)
    {
        problems.0.extend(of_conditions);
    }
    if num_given != 1 {
        let names = QUERIES.join(", ");
        let problem = format!("A search needs exactly one of {names}, not {num_given}.");
        problems.push(ParameterProblem::new("value_error", QUERIES[0], problem));
    }
    match sought {
        Some((query, name)) if problems.0.is_empty() => {
            let (generation, engine) = (release.data.name(), engine.to_owned());
            Ok(Order { query, name, scope: Scope { conditions, evalue, space, generation, engine } })
        }
        _ => Err(ProteinProblem::Parameters(problems.0)),
    }
}

/// Reads the query, and its name or an empty text. The inner error is a sentence.
fn query(release: &Release, name: &str, text: &str) -> Result<Result<(Query, String), String>, Problem> {
    let read = match name {
        "hmm" => Query::profile(text).map(|query| {
            let name = text.lines().find_map(|line| line.strip_prefix("NAME ")?.split_ascii_whitespace().next());
            (query, name.unwrap_or_default().to_owned())
        }),
        "accession" => match detail::find(&release.data, text.trim(), |by| by.to_string()) {
            // Characters that stand for any residue become `X`, so that positions stay the same.
            Ok(protein) => Query::sequence(protein.sequence.trim_end_matches('*').replace(['-', '*'], "X"))
                .map(|query| (query, protein.accession.to_string())),
            Err(ProteinProblem::Common(problem)) => return Err(problem),
            Err(_) => return Ok(Err(format!("'{}' does not identify a single protein.", shown(text)))),
        },
        _ => Query::fasta(text),
    };
    Ok(read.map_err(|fault| sentence(&fault)))
}
