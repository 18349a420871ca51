//! `mgdex doctor`: what an operator looks at first.

mod locks;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use indexer::{Check, counted};
use mirror::Remote;
use rustix::process::{Resource, getrlimit};
use similarity::Engine;
use store::{GenerationName, available_bytes};
use tokio::runtime::Runtime;

use crate::commands::generations::rfc_3339;
use crate::commands::index::print_checks;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::Output;
use crate::profile_database::ProfileDatabase;
use crate::size::megabytes;

/// Descriptors with which a server has room for its connections and files.
const DESCRIPTORS_MIN: u64 = 4096 + 256;

/// How far a clock may be off before tokens are refused.
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
    database: ProfileDatabase,
}

/// Prints a line for each thing that was looked at, and fails if one is broken. Nothing is changed, and no file is read whole: `mgdex verify` does that.
pub(crate) fn run(arguments: &DoctorArguments) -> Result<(), Failure> {
    let mut checks = Vec::new();
    let mut add = |what: &str, found| checks.push(Check { what: what.to_owned(), found });
    let folder = &arguments.data.path;
    match folder.metadata() {
        Ok(metadata) if metadata.is_dir() => add("data folder", Ok(folder.display().to_string())),
        Ok(_) => add("data folder", Err(format!("{} is no folder", folder.display()))),
        Err(error) => add("data folder", Err(format!("{}: {error}", folder.display()))),
    }
    for kind in Kind::ALL {
        add(kind.name(), generation(&arguments.data, kind));
    }
    add("stores in use", locks::held(folder).map_err(|error| error.to_string()));
    add("free room", room(&arguments.data));
    add("limits of processes", descriptors());
    add("similarity", Ok(Engine::find().map_or_else(|none| format!("{none}"), |engine| engine.version().to_owned())));
    let runtime = Runtime::new()?;
    for (what, url) in [("store followed", &arguments.follow), ("store published to", &arguments.to)] {
        if let Some(url) = url {
            add(what, runtime.block_on(published(url)));
        }
    }
    if arguments.database.address.is_some() {
        let reached = arguments.database.reach();
        add("database", reached.map(|_| "it answers".to_owned()).map_err(|failure| failure.text().to_owned()));
    }
    add("clock", clock(&arguments.data));
    let num_broken = checks.iter().filter(|check| check.found.is_err()).count();
    let mut output = Output::new();
    print_checks(&checks, &mut output)?;
    output.finish()?;
    match num_broken {
        0 => Ok(()),
        _ => Err(Failure::Message(format!("{} broken", counted(num_broken as u64, "thing")))),
    }
}

/// Describes the current generation of a kind.
fn generation(data: &DataFolder, kind: Kind) -> Result<String, String> {
    if let Some(lost) = data.lost_current(kind).map_err(|error| error.to_string())? {
        return Err(lost);
    }
    let generations = data.generations(kind);
    let Some(name) = generations.current().map_err(|error| error.to_string())? else {
        return Ok("nothing is loaded".to_owned());
    };
    let (contents, _) = kind.describe(&generations, name).map_err(|error| error.to_string())?;
    Ok(format!("{name}: {contents}"))
}

/// Compares the free room with the largest kind of data, which a run builds anew beside the present one.
fn room(data: &DataFolder) -> Result<String, String> {
    let free = available_bytes(&data.path).map_err(|error| error.to_string())?;
    let sizes = Kind::ALL.into_iter().map(|kind| {
        let generations = data.generations(kind);
        let current = generations.current().ok().flatten();
        (current.map_or(0, |name| folder_bytes(&generations.path(name))), kind.name())
    });
    let (needed, kind) = sizes.max().unwrap_or_default();
    let found = format!("{} free", megabytes(free));
    if free < needed {
        let needed = megabytes(needed);
        return Err(format!("{found}, and a new generation of {kind} takes {needed} beside the present one"));
    }
    Ok(found)
}

fn folder_bytes(folder: &Path) -> u64 {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => folder_bytes(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

fn descriptors() -> Result<String, String> {
    match getrlimit(Resource::Nofile).maximum {
        Some(most) if most < DESCRIPTORS_MIN => Err(format!(
            "{most} descriptors, and a server with 4,096 connections needs {DESCRIPTORS_MIN}: raise `ulimit -Hn`, or LimitNOFILE= of its unit"
        )),
        Some(most) => Ok(counted(most, "descriptor")),
        None => Ok("any number of descriptors".to_owned()),
    }
}

/// Says what was last published to an object store.
async fn published(url: &str) -> Result<String, String> {
    let remote = Remote::open(url).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for kind in Kind::ALL.map(Kind::name) {
        let published: Option<(GenerationName, u64)> =
            remote.published(kind).await.map_err(|error| error.to_string())?;
        found.extend(published.map(|(name, sequence)| format!("{kind}/{name}, number {sequence}")));
    }
    let found = if found.is_empty() { "nothing was published".to_owned() } else { found.join("; ") };
    Ok(format!("{}: {found}", remote.url()))
}

/// Compares the clock with the times of generations, which cannot be later, and with that of the disk, which may be on another machine.
fn clock(data: &DataFolder) -> Result<String, String> {
    let now = SystemTime::now();
    let now_s = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let time = rfc_3339(now_s);
    for kind in Kind::ALL {
        let generations = data.generations(kind);
        let built = generations.current().ok().flatten().and_then(|name| kind.built(&generations, name).ok());
        if let Some(built) = built.filter(|&built| built > now_s + CLOCK_TOLERANCE.as_secs()) {
            return Err(format!("it is {time}, and the {} were built at {}", kind.name(), rfc_3339(built)));
        }
    }
    let written = tempfile::tempfile_in(&data.path).and_then(|file| file.metadata()?.modified());
    let apart = written.ok().map(|written| written.duration_since(now).unwrap_or_else(|error| error.duration()));
    if apart.is_some_and(|apart| apart > CLOCK_TOLERANCE) {
        return Err(format!("it is {time} here, and another time where the data folder is"));
    }
    Ok(time)
}
