//! Listing generations, and rolling back to an earlier one.

use std::collections::BTreeSet;
use std::path::Path;

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
use crate::output::{Output, print};

/// Prints every generation with its role, contents, date and inputs.
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

/// Makes an earlier generation current, and prints its folder. A running server takes it over as it does a new one.
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
    print(generations.path(current).display())
}

/// Returns the message about generations none of which is current.
pub(crate) fn missing_current(generations: &Generations) -> String {
    format!(
        "CURRENT is missing in {}, so none of its generations is served: `mgdex rollback` makes one current",
        generations.root().display()
    )
}

/// Returns the only kind of data with more than one generation.
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

struct Description {
    /// Counts, size, date, and the program that wrote it.
    contents: String,
    inputs: Vec<String>,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Proteins, Self::Catalogue, Self::Directory];

    fn name(self) -> &'static str {
        match self {
            Self::Proteins => PROTEINS,
            Self::Catalogue => CATALOGUE,
            Self::Directory => DIRECTORY,
        }
    }

    fn generations(self, data: &DataFolder) -> Generations {
        match self {
            Self::Proteins => protein_generations(data),
            Self::Catalogue => catalogue_generations(data),
            Self::Directory => directory_generations(data),
        }
    }

    fn describe(self, generations: &Generations, name: GenerationName) -> store::Result<Description> {
        let path = generations.path(name);
        match self {
            Self::Proteins => describe(&path, |contents: &ProteinContents| {
                (format!("{} proteins, {} replaced", contents.num_proteins(), contents.num_replacements()), 0)
            }),
            Self::Catalogue => describe(&path, |contents: &CatalogueContents| {
                let counts = format!("{} resources of {} types", contents.num_resources, contents.types.len());
                (counts, contents.resources_file_bytes)
            }),
            Self::Directory => describe(&path, |contents: &DirectoryContents| {
                (format!("{} users, {} domains", contents.num_users, contents.num_domains), 0)
            }),
        }
    }
}

/// Describes a generation by its manifest. `contents` returns the counts, and the size of files that the manifest does not list.
fn describe<C: Contents>(path: &Path, contents: impl FnOnce(&C) -> (String, u64)) -> store::Result<Description> {
    let manifest = Manifest::<C>::read(path)?;
    let Origin { written_by, finished_unix_s, inputs, .. } = &manifest.origin;
    let built = i64::try_from(*finished_unix_s).ok().and_then(|time| OffsetDateTime::from_unix_timestamp(time).ok());
    let built = built.and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default();
    let (counts, unlisted_bytes) = contents(&manifest.contents);
    let num_bytes = manifest.files.iter().map(|file| file.size_bytes).sum::<u64>() + unlisted_bytes;
    let contents = format!("{counts}, {num_bytes} bytes, built {built} by {written_by}");
    let input = |input: &InputEntry| format!("from {} ({} bytes)", input.name, input.size_bytes);
    Ok(Description { contents, inputs: inputs.iter().map(input).collect() })
}
