//! What a search is asked to find, and its beginning.

use std::fmt::Display;

use axum::http::StatusCode;
use similarity::{EVALUE_MAX, Job, JobState, Order, Query, Refusal, Scope, SearchSpace, Selection};
use store::{LONG_BUDGET, Relation, Total, near_names};

use super::Served;
use crate::http::error::shown;
use crate::proteins::problem::ParameterProblem;
use crate::proteins::shared::detail;
use crate::proteins::v2::{PROBLEMS_MAX, no_parameter, read_query};
use crate::proteins::{ProteinProblem, Release};

/// The highest E-value of a hit unless the request has one.
pub(crate) const EVALUE_DEFAULT: f64 = 1e-3;

/// The parameters that say what is looked for. A request has one of them.
const QUERIES: [&str; 4] = ["sequence", "fasta", "accession", "hmm"];

const OTHERS: [&str; 3] = ["q", "E", "Z"];

/// Reads the parameters of a search, as the query part of an address has them, and begins it unless it is known already. Returns `None` if counting the
/// selection takes more work than the budget, and a larger one might do.
///
/// # Errors
///
/// * All parameters that cannot be used; nothing is selected, or more than may be.
/// * Too many searches wait, or the disk is full.
pub(crate) fn begin(
    served: &Served,
    release: &Release,
    text: &str,
    client: &str,
    budget: u64,
) -> Result<Option<Job>, ProteinProblem> {
    let order = read(release, served.jobs.engine().version(), text)?;
    // What is known costs nothing more.
    if let Some(job) = served.jobs.find(order.id())?
        && !matches!(job.state, JobState::Failed { .. })
    {
        return Ok(Some(job));
    }
    let query = read_query(release, &order.scope.conditions)?;
    let refused =
        |problem: String| Err(ProteinProblem::Parameters(vec![ParameterProblem::new("value_error", "q", problem)]));
    let Total { value: count, relation } = release.data.total(&query, budget)?;
    let at_least = if relation == Relation::Gte { "at least " } else { "" };
    if count > served.proteins_max {
        return refused(format!(
            "The selection has {at_least}{count} proteins, and a search may have {}: narrow q, for instance by a biome, a family, full_length:true or \
             cluster_size:>=2.",
            served.proteins_max
        ));
    }
    match relation {
        Relation::Gte if budget < LONG_BUDGET => return Ok(None),
        Relation::Gte => {
            return refused("Counting the selection takes more work than a request may do: narrow q.".to_owned());
        }
        Relation::Eq if count == 0 => {
            return refused("No protein meets the conditions: there is nothing to search.".to_owned());
        }
        Relation::Eq => {}
    }
    let selection = Selection { generation: release.data.clone(), query };
    served.jobs.submit(client, order, selection, count).map(Some).map_err(refusal)
}

fn refusal(refusal: Refusal) -> ProteinProblem {
    let status = match refusal {
        Refusal::Failed(error) => return error.into(),
        Refusal::Full(_) | Refusal::FullOfClient(_) => StatusCode::TOO_MANY_REQUESTS,
        Refusal::Ending => StatusCode::CONFLICT,
        Refusal::NoSpace => StatusCode::SERVICE_UNAVAILABLE,
    };
    ProteinProblem::Refused { status, detail: sentence(&refusal) }
}

/// Makes a sentence of a problem that is told within others, too.
fn sentence(problem: &impl Display) -> String {
    let problem = problem.to_string();
    let mut letters = problem.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// Reads all parameters.
fn read(release: &Release, engine: &str, text: &str) -> Result<Order, ProteinProblem> {
    let mut problems = Vec::new();
    let mut num_given = 0;
    let (mut queries, mut conditions, mut evalue, mut space) =
        (Vec::new(), String::new(), EVALUE_DEFAULT, SearchSpace::Selection);
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        if problems.len() >= PROBLEMS_MAX {
            break;
        }
        let read = match &*name {
            _ if QUERIES.contains(&&*name) => {
                num_given += 1;
                match query(release, &name, &value) {
                    Ok(query) => {
                        queries.push(query);
                        Ok(())
                    }
                    Err(ProteinProblem::Refused { detail, .. }) => Err(detail),
                    Err(problem) => return Err(problem),
                }
            }
            "q" if conditions.is_empty() => {
                value.trim().clone_into(&mut conditions);
                Ok(())
            }
            "q" => Err("There is more than one q: put the conditions together by AND.".to_owned()),
            "E" => evalue_of(&value).map(|given| evalue = given),
            "Z" => space_of(&value, release.data.statistics().num_proteins).map(|given| space = given),
            _ => {
                let near = near_names(QUERIES.into_iter().chain(OTHERS), &name);
                let near = near.first().map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
                problems.push(no_parameter(&name, &near));
                Ok(())
            }
        };
        problems.extend(read.err().map(|problem| ParameterProblem::new("value_error", name.into_owned(), problem)));
    }
    if !problems.is_empty()
        && let Err(ProteinProblem::Parameters(of_conditions)) = read_query(release, &conditions)
    {
        problems.extend(of_conditions);
    }
    if num_given == 0 || queries.len() > 1 {
        let names = QUERIES.join(", ");
        let problem = format!("A search looks for one thing, which is given as one of {names}; there are {num_given}.");
        problems.push(ParameterProblem::new("value_error", QUERIES[0], problem));
    }
    match queries.pop() {
        Some(query) if problems.is_empty() => {
            let (generation, engine) = (release.data.name(), engine.to_owned());
            Ok(Order { query, scope: Scope { conditions, evalue, space, generation, engine } })
        }
        _ => Err(ProteinProblem::Parameters(problems)),
    }
}

/// Reads what is looked for.
fn query(release: &Release, name: &str, text: &str) -> Result<Query, ProteinProblem> {
    let read = match name {
        "hmm" => Query::profile(text),
        "accession" => {
            let protein = match detail::find(&release.data, text.trim(), |by| by.to_string()) {
                Ok(protein) => protein,
                Err(ProteinProblem::Common(problem)) => return Err(problem.into()),
                Err(_) => {
                    let detail = format!("There is no single protein '{}'.", shown(text));
                    return Err(ProteinProblem::Refused { status: StatusCode::NOT_FOUND, detail });
                }
            };
            // What stands for any residue keeps the positions.
            Query::sequence(protein.sequence.trim_end_matches('*').replace(['-', '*'], "X"))
        }
        _ => Query::fasta(text).map(|(query, _)| query),
    };
    read.map_err(|fault| ProteinProblem::Refused { status: StatusCode::UNPROCESSABLE_ENTITY, detail: sentence(&fault) })
}

fn evalue_of(text: &str) -> Result<f64, String> {
    let evalue = text.trim().parse().ok().filter(|evalue| *evalue > 0.0 && *evalue <= EVALUE_MAX);
    evalue.ok_or_else(|| format!("E is a number above 0 and up to {EVALUE_MAX}."))
}

fn space_of(text: &str, num_proteins: u64) -> Result<SearchSpace, String> {
    match text.trim() {
        "selection" => Ok(SearchSpace::Selection),
        "release" => Ok(SearchSpace::Number(num_proteins)),
        number => match number.parse() {
            Ok(number @ 1..) => Ok(SearchSpace::Number(number)),
            _ => Err("Z is \"selection\", \"release\" or a number of proteins.".to_owned()),
        },
    }
}
