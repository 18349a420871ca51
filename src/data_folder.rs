//! The folder with all data of mgdex.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use store::{Contents, GenerationKind, Generations, Manifest};
use store_catalogue::CatalogueContents;
use store_profiles::DirectoryContents;
use store_proteins::{ProteinContents, ProteinGeneration};

use crate::failure::Failure;

#[derive(Clone, Debug, Args)]
pub(crate) struct DataFolder {
    /// Folder with all data of mgdex
    #[arg(long = "data", env = "MGDEX_DATA", value_name = "DIR", default_value = "mgdex-data")]
    pub(crate) path: PathBuf,
}

/// Data that are published as generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The index of proteins
    Proteins,
    /// The catalogue of studies, samples and related resources
    Catalogue,
    /// The directory of users and domains
    Directory,
}

impl DataFolder {
    pub(crate) fn generations(&self, kind: Kind) -> Generations {
        let folder = self.path.join(kind.name());
        if kind == Kind::Directory { Generations::private(folder) } else { Generations::new(folder) }
    }

    /// Returns a remedy if generations have lost their `CURRENT`.
    pub(crate) fn lost_current(&self, kind: Kind) -> store::Result<Option<String>> {
        let generations = self.generations(kind);
        if generations.current()?.is_some() || generations.names()?.is_empty() {
            return Ok(None);
        }
        Ok(Some(format!(
            "CURRENT is missing in {}, so none of its generations is served: `mgdex rollback {} --data {}` makes one current",
            generations.root().display(),
            kind.name(),
            self.path.display()
        )))
    }

    /// Reads the contents in the manifest of the current generation of a kind, if there is one.
    pub(crate) fn contents<C: Contents>(&self, kind: Kind) -> store::Result<Option<C>> {
        let generations = self.generations(kind);
        let Some(current) = generations.current()? else { return Ok(None) };
        Ok(Some(Manifest::read(&generations.path(current))?.contents))
    }

    /// Opens the current index of proteins. Without one, the failure names the remedy.
    pub(crate) fn open_proteins(&self) -> Result<ProteinGeneration, Failure> {
        if let Some(proteins) = ProteinGeneration::open_current(&self.generations(Kind::Proteins))? {
            return Ok(proteins);
        }
        let folder = self.path.display();
        let none = || format!("no proteins are loaded in {folder}: run `mgdex index --data {folder} …` first");
        Err(Failure::Message(self.lost_current(Kind::Proteins)?.unwrap_or_else(none)))
    }

    pub(crate) fn profiles(&self) -> PathBuf {
        self.path.join("profiles")
    }
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Proteins, Self::Catalogue, Self::Directory];

    pub(crate) fn stored(self) -> GenerationKind {
        match self {
            Self::Proteins => GenerationKind::of::<ProteinContents>(),
            Self::Catalogue => GenerationKind::of::<CatalogueContents>(),
            Self::Directory => GenerationKind::of::<DirectoryContents>(),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.stored().name()
    }
}
