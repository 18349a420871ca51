//! `mgdex generations` and `mgdex rollback`: listing generations, and going back to an earlier one.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use api::time_at;
use clap::Args;
use indexer::counted;
use store::{Contents, GenerationName, Generations, InputEntry, Manifest, Origin, grouped};
use store_catalogue::CatalogueContents;
use store_profiles::DirectoryContents;
use store_proteins::ProteinContents;
use time::format_description::well_known::Rfc3339;

use crate::commands::table::print_lines;
use crate::commands::verify::verified;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::{is_terminal, print};

#[derive(Debug, Args)]
pub(crate) struct RollbackArguments {
    /// The data to roll back [default: the only data with an earlier generation]
    #[arg(value_enum)]
    kind: Option<Kind>,
    #[command(flatten)]
    data: DataFolder,
    /// The generation to make current, as listed by `mgdex generations` [default: the previous one]
    #[arg(long, env = "MGDEX_TO", value_name = "GENERATION", requires = "kind")]
    to: Option<GenerationName>,
}

pub(crate) fn list(data: &DataFolder) -> Result<(), Failure> {
    if !data.path.is_dir() {
        return Err(Failure::Message(format!("no such folder: {}", data.path.display())));
    }
    let [before_role, before_text, before_input] =
        if is_terminal() { ["\t", "\t", "\t\t"] } else { ["", ": ", "    "] };
    let mut lines = Vec::new();
    for kind in Kind::ALL {
        let generations = data.generations(kind);
        let (current, retired) = (generations.current()?, generations.retired()?);
        let names: BTreeSet<_> = generations.names()?.into_iter().chain(current).collect();
        if let Some(lost) = data.lost_current(kind)? {
            lines.push(format!("{}{before_role}{before_text}{lost}", kind.name()));
        }
        for name in names {
            let role = match () {
                () if Some(name) == current => " (current)",
                () if Some(name) == retired => " (left by a rollback)",
                () => "",
            };
            let start = format!("{}/{name}{before_role}{role}{before_text}", kind.name());
            match kind.describe(&generations, name) {
                Ok(description) => {
                    lines.push(format!("{start}{description}"));
                    for InputEntry { name, size_bytes, .. } in description.inputs {
                        lines.push(format!("{before_input}from {name} ({})", counted(size_bytes, "byte")));
                    }
                }
                Err(error) => lines.push(format!("{start}BROKEN, {error}")),
            }
        }
    }
    print_lines("generation\t role\tcontents", &lines)
}

/// Makes an earlier generation current, and prints its folder. A running server takes it over like
/// a new one.
pub(crate) fn roll_back(arguments: &RollbackArguments) -> Result<(), Failure> {
    let kind = match arguments.kind {
        Some(kind) => kind,
        None => only_kind(&arguments.data)?,
    };
    let generations = arguments.data.generations(kind);
    let check = |name| {
        let contents = verified(kind, &generations, name)?;
        tracing::info!("{}/{name} is whole: {contents}", kind.name());
        Ok(())
    };
    let (current, left) =
        generations.roll_back(&kind.stored(), arguments.to, check).map_err(|error| match generations.current() {
            Ok(Some(current)) if error.is_damage() => Failure::Message(format!("{current} stays current: {error}")),
            _ => error.into(),
        })?;
    let in_place = left.map(|left| format!(", in place of {left}")).unwrap_or_default();
    tracing::info!("{}/{current} is current{in_place}", kind.name());
    print(generations.path(current).display())
}

fn only_kind(data: &DataFolder) -> Result<Kind, Failure> {
    let mut kinds = Vec::new();
    for kind in Kind::ALL {
        let generations = data.generations(kind);
        let current = generations.current()?;
        if generations.names()?.iter().any(|&name| Some(name) != current) {
            kinds.push(kind);
        }
    }
    match *kinds {
        [kind] => Ok(kind),
        [] => Err(Failure::Message(format!("{} has no earlier generation", data.path.display()))),
        _ => {
            let names: Vec<_> = kinds.into_iter().map(Kind::name).collect();
            Err(Failure::Message(format!("name the data: {} have earlier generations", names.join(" and "))))
        }
    }
}

/// The description of a generation in its manifest.
pub(crate) struct Description {
    counts: String,
    pub(crate) num_bytes: u64,
    pub(crate) finished_unix_s: u64,
    written_by: String,
    inputs: Vec<InputEntry>,
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { counts, num_bytes, finished_unix_s, written_by, .. } = self;
        let (size, built) = (counted(*num_bytes, "byte"), rfc_3339(*finished_unix_s));
        write!(f, "{counts}, {size}, built {built} by {written_by}")
    }
}

impl Kind {
    pub(crate) fn describe(self, generations: &Generations, name: GenerationName) -> store::Result<Description> {
        let path = generations.path(name);
        match self {
            Self::Proteins => describe(&path, |contents: &ProteinContents| {
                let counts = format!(
                    "{}, {} replaced",
                    counted(contents.num_proteins(), "protein"),
                    grouped(contents.num_replacements())
                );
                let own =
                    contents.sources.iter().map(|source| format!("{} {}", grouped(source.num_proteins), source.name));
                let own: Vec<String> = own.collect();
                let own = if own.is_empty() { own.concat() } else { format!(", with own data: {}", own.join(", ")) };
                (format!("{counts}{own}"), 0)
            }),
            Self::Catalogue => describe(&path, |contents: &CatalogueContents| {
                let counts = format!(
                    "{} of {}",
                    counted(contents.num_resources.into(), "resource"),
                    counted(contents.types.len() as u64, "type")
                );
                (counts, contents.resources_file_bytes)
            }),
            Self::Directory => describe(&path, |contents: &DirectoryContents| {
                (format!("{}, {}", counted(contents.num_users, "user"), counted(contents.num_domains, "domain")), 0)
            }),
        }
    }
}

/// Formats a time that is given in seconds since 1970-01-01 UTC.
pub(crate) fn rfc_3339(unix_s: u64) -> String {
    time_at(unix_s).and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default()
}

/// Describes a generation by its manifest. `contents` returns the counts, and the size of files
/// that are missing from the manifest.
fn describe<C: Contents>(path: &Path, contents: impl FnOnce(&C) -> (String, u64)) -> store::Result<Description> {
    let manifest = Manifest::<C>::read(path)?;
    let Origin { written_by, finished_unix_s, inputs, .. } = manifest.origin;
    let (counts, unlisted_bytes) = contents(&manifest.contents);
    let num_bytes = manifest.files.iter().map(|file| file.size_bytes).sum::<u64>() + unlisted_bytes;
    Ok(Description { counts, num_bytes, finished_unix_s, written_by, inputs })
}
