//! Listing generations, and going back to an earlier one.

use std::collections::BTreeSet;

use store::{
    CatalogueContents, Contents, DirectoryContents, GenerationName, Generations, InputEntry, Manifest, Origin,
    ProteinContents,
};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::arguments::{DataFolder, Kind, RollbackArguments};
use crate::commands::{
    CATALOGUE, DIRECTORY, PROTEINS, catalogue_generations, directory_generations, protein_generations,
};
use crate::failure::Failure;
use crate::output::Output;

/// Prints every generation: its name, what it is to those who are served, what is in it, when it was built, and from what.
pub(crate) fn list(data: &DataFolder) -> Result<(), Failure> {
    let mut output = Output::new();
    for kind in Kind::ALL {
        let generations = kind.generations(data);
        let (current, retired) = (generations.current()?, generations.retired()?);
        let names: BTreeSet<_> = generations.names()?.into_iter().chain(current).collect();
        if current.is_none() && !names.is_empty() {
            output.line(format_args!("{}: {}", kind.name(), missing_current(&generations)))?;
        }
        for name in names {
            let role = match () {
                () if Some(name) == current => " (current)",
                () if Some(name) == retired => " (left by a rollback)",
                () => "",
            };
            match kind.describe(&generations, name) {
                Ok(lines) => {
                    output.line(format_args!("{}/{name}{role}: {}", kind.name(), lines.contents))?;
                    for line in lines.inputs {
                        output.line(format_args!("    {line}"))?;
                    }
                }
                Err(error) => output.line(format_args!("{}/{name}{role}: BROKEN, {error}", kind.name()))?,
            }
        }
    }
    output.finish()
}

/// Makes an earlier generation current, and prints its folder. A running server takes it over like a new one.
pub(crate) fn roll_back(arguments: &RollbackArguments) -> Result<(), Failure> {
    let kind = match arguments.kind {
        Some(kind) => kind,
        None => only_kind(&arguments.data)?,
    };
    let generations = kind.generations(&arguments.data);
    let (current, left) = match kind {
        Kind::Proteins => generations.roll_back::<ProteinContents>(arguments.to),
        Kind::Catalogue => generations.roll_back::<CatalogueContents>(arguments.to),
        Kind::Directory => generations.roll_back::<DirectoryContents>(arguments.to),
    }?;
    let in_place = left.map(|left| format!(", in place of {left}")).unwrap_or_default();
    tracing::info!("{}/{current} is current{in_place}", kind.name());
    let mut output = Output::new();
    output.line(generations.path(current).display())?;
    output.finish()
}

/// Says that generations are there and none of them is current.
pub(crate) fn missing_current(generations: &Generations) -> String {
    format!(
        "CURRENT is missing in {}, so that none of its generations is served: `mgdex rollback` makes one current",
        generations.root().display()
    )
}

/// Returns the only kind of data that has more than one generation.
fn only_kind(data: &DataFolder) -> Result<Kind, Failure> {
    let mut kinds = Vec::new();
    for kind in Kind::ALL {
        let generations = kind.generations(data);
        if generations.names()?.into_iter().chain(generations.current()?).collect::<BTreeSet<_>>().len() > 1 {
            kinds.push(kind);
        }
    }
    match *kinds {
        [kind] => Ok(kind),
        [] => Err(Failure::Message(format!("there is nothing to go back to in {}", data.path.display()))),
        _ => {
            let names: Vec<_> = kinds.into_iter().map(Kind::name).collect();
            Err(Failure::Message(format!("say which data: {} have earlier generations", names.join(" and "))))
        }
    }
}

/// What is said of a generation.
struct Description {
    /// What is in it, when it was built and by what.
    contents: String,
    /// What it was built from.
    inputs: Vec<String>,
}

impl Kind {
    /// All kinds.
    const ALL: [Self; 3] = [Self::Proteins, Self::Catalogue, Self::Directory];

    /// Returns the name of the folder.
    fn name(self) -> &'static str {
        match self {
            Self::Proteins => PROTEINS,
            Self::Catalogue => CATALOGUE,
            Self::Directory => DIRECTORY,
        }
    }

    /// Returns the generations of a data folder.
    fn generations(self, data: &DataFolder) -> Generations {
        match self {
            Self::Proteins => protein_generations(data),
            Self::Catalogue => catalogue_generations(data),
            Self::Directory => directory_generations(data),
        }
    }

    /// Reads what a generation says of itself.
    fn describe(self, generations: &Generations, name: GenerationName) -> store::Result<Description> {
        let path = generations.path(name);
        match self {
            Self::Proteins => Manifest::read(&path).map(|manifest| {
                describe(&manifest, |contents: &ProteinContents| {
                    (format!("{} proteins, {} replaced", contents.num_proteins(), contents.num_replacements()), 0)
                })
            }),
            Self::Catalogue => Manifest::read(&path).map(|manifest| {
                describe(&manifest, |contents: &CatalogueContents| {
                    let counts = format!("{} resources of {} types", contents.num_resources, contents.types.len());
                    (counts, contents.resources_file_bytes)
                })
            }),
            Self::Directory => Manifest::read(&path).map(|manifest| {
                describe(&manifest, |contents: &DirectoryContents| {
                    (format!("{} users, {} domains", contents.num_users, contents.num_domains), 0)
                })
            }),
        }
    }
}

/// Says what a manifest has, given what to say of its contents, and how many bytes they have beside the files that it lists.
fn describe<C: Contents>(manifest: &Manifest<C>, contents: impl FnOnce(&C) -> (String, u64)) -> Description {
    let Origin { written_by, finished_unix_s, inputs, .. } = &manifest.origin;
    let built = i64::try_from(*finished_unix_s).ok().and_then(|time| OffsetDateTime::from_unix_timestamp(time).ok());
    let built = built.and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default();
    let (counts, unlisted_bytes) = contents(&manifest.contents);
    let num_bytes = manifest.files.iter().map(|file| file.size_bytes).sum::<u64>() + unlisted_bytes;
    let contents = format!("{counts}, {num_bytes} bytes, built {built} by {written_by}");
    let input = |input: &InputEntry| format!("from {} ({} bytes)", input.name, input.size_bytes);
    Description { contents, inputs: inputs.iter().map(input).collect() }
}
