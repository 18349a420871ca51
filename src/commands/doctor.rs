//! `mgdex doctor`: the first checks of an operator.

mod locks;
mod writing;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use indexer::{Check, counted};
use rustix::process::{Resource, getrlimit};
use store::{GenerationName, available_bytes};
use tokio::runtime::Runtime;

use crate::commands::generations::{Description, rfc_3339};
use crate::commands::index::print_checks;
use crate::commands::serve::CONNECTIONS_MAX;
use crate::commands::serve::descriptors::RESERVED;
use crate::data_folder::{DataFolder, Kind};
use crate::distributed::{DatabaseArguments, ReachedDatabase, published};
use crate::engine_user::EngineUser;
use crate::failure::Failure;
use crate::output::Output;
use crate::size::megabytes;
use crate::token_audience::TokenAudience;

/// The descriptors that a server needs for its connections, without the files of generations.
const DESCRIPTORS_MIN: u64 = CONNECTIONS_MAX as u64 + RESERVED;

/// The largest error of the clock with which tokens are still accepted.
const CLOCK_TOLERANCE: Duration = Duration::from_mins(1);

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Object store that this server follows
    #[arg(long, env = "MGDEX_FOLLOW", hide_env_values = true, value_name = "URL")]
    follow: Option<String>,
    /// Object store that is published to from here
    #[arg(long, env = "MGDEX_PUBLISH_TO", hide_env_values = true, value_name = "URL")]
    to: Option<String>,
    #[command(flatten)]
    database: DatabaseArguments,
    #[command(flatten)]
    engine_user: EngineUser,
    #[command(flatten)]
    audience: TokenAudience,
}

/// The current generation of a kind, if there is one.
type Current = Option<(GenerationName, Description)>;

/// Prints a line for each check, and fails if one fails. Nothing is changed, and no file is read
/// completely: `mgdex verify` does that.
pub(crate) fn run(arguments: &DoctorArguments) -> Result<(), Failure> {
    let mut checks = Vec::new();
    let mut add = |what: &str, found| checks.push(Check { what: what.to_owned(), found });
    let folder = &arguments.data.path;
    let opened = folder.read_dir().map(|_| folder.display().to_string());
    add("data folder", opened.map_err(|error| format!("{}: {error}", folder.display())));
    let mut generations = Vec::new();
    for kind in Kind::ALL {
        let current = current(&arguments.data, kind);
        let mut found = current.as_ref().map(described).map_err(Clone::clone);
        if let (Kind::Catalogue, Ok(Some((name, _)))) = (kind, &current) {
            let generation = arguments.data.generations(kind).path(*name);
            found = found.and_then(|text| writing::try_generation(&generation).map(|()| text));
        }
        add(kind.name(), found);
        generations.extend(current.ok().flatten().map(|(_, description)| (kind, description)));
    }
    let profiles = arguments.data.profiles();
    if profiles.is_dir() {
        add("profiles", writing::try_all(&profiles).map(|()| "the store can be written".to_owned()));
    }
    add("stores in use", locks::lock_holders(folder).map_err(|error| error.to_string()));
    add("free room", room(folder, &generations));
    add("limits of processes", descriptors());
    let engine = arguments.engine_user.find(&arguments.data);
    add("similarity", Ok(engine.map_or_else(|none| none.to_string(), |engine| engine.to_string())));
    let runtime = Runtime::new()?;
    for (what, url) in [("store followed", &arguments.follow), ("store published to", &arguments.to)] {
        if let Some(url) = url {
            add(what, runtime.block_on(published(url)));
        }
    }
    if arguments.database.address.is_some() {
        let reached = ReachedDatabase::reach(&arguments.database);
        add("database", reached.map(|_| "it answers".to_owned()).map_err(|failure| failure.text().to_owned()));
    }
    add("tokens", Ok(arguments.audience.to_string()));
    add("clock", clock(folder, &generations));
    let num_broken = checks.iter().filter(|check| check.found.is_err()).count();
    let mut output = Output::new();
    print_checks(&checks, &mut output)?;
    output.finish()?;
    match num_broken {
        0 => Ok(()),
        _ => Err(Failure::Message(format!("{} found", counted(num_broken as u64, "problem")))),
    }
}

fn current(data: &DataFolder, kind: Kind) -> Result<Current, String> {
    let current = || {
        let generations = data.generations(kind);
        let Some(name) = generations.current()? else { return Ok(None) };
        Ok(Some((name, kind.describe(&generations, name)?)))
    };
    match data.lost_current(kind) {
        Ok(Some(lost)) => Err(lost),
        Ok(None) => current().map_err(|error: store::Error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn described(current: &Current) -> String {
    match current {
        Some((name, description)) => format!("{name}: {description}"),
        None => "nothing is loaded".to_owned(),
    }
}

/// Compares the free space with the largest generation, since a run builds a new one beside the
/// current one.
fn room(folder: &Path, generations: &[(Kind, Description)]) -> Result<String, String> {
    let free = available_bytes(folder).map_err(|error| error.to_string())?;
    let found = format!("{} free", megabytes(free));
    match generations.iter().max_by_key(|(_, description)| description.num_bytes) {
        Some((kind, Description { num_bytes, .. })) if free < *num_bytes => {
            let (kind, needed) = (kind.name(), megabytes(*num_bytes));
            Err(format!("{found}, but a new generation of {kind} needs {needed} beside the present one"))
        }
        _ => Ok(found),
    }
}

fn descriptors() -> Result<String, String> {
    match getrlimit(Resource::Nofile).maximum {
        Some(most) if most < DESCRIPTORS_MIN => Err(format!(
            "{most} descriptors, and a server with {CONNECTIONS_MAX} connections needs {DESCRIPTORS_MIN}: raise `ulimit -Hn`, or LimitNOFILE= of its unit"
        )),
        Some(most) => Ok(counted(most, "descriptor")),
        None => Ok("any number of descriptors".to_owned()),
    }
}

/// Compares the clock with the times of generations, which cannot be later, and with the clock of
/// the disk, which may be on another machine.
fn clock(folder: &Path, generations: &[(Kind, Description)]) -> Result<String, String> {
    let now = SystemTime::now();
    let now_s = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let time = rfc_3339(now_s);
    let is_later =
        |(_, description): &&(Kind, Description)| description.finished_unix_s > now_s + CLOCK_TOLERANCE.as_secs();
    if let Some((kind, description)) = generations.iter().find(is_later) {
        let built = rfc_3339(description.finished_unix_s);
        return Err(format!("it is {time} here, and the {} were built at {built}", kind.name()));
    }
    let written = tempfile::tempfile_in(folder).and_then(|file| file.metadata()?.modified());
    let apart = written.ok().map(|written| written.duration_since(now).unwrap_or_else(|error| error.duration()));
    if apart.is_some_and(|apart| apart > CLOCK_TOLERANCE) {
        return Err(format!("it is {time} here, but the data folder's file system has a different time"));
    }
    Ok(time)
}
