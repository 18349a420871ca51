//! The interface of `enabled` in a build without the feature. It refuses options that the command
//! line has accepted.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;

use api::DataOrigin;
use store::Error;
use store_profiles::{ExportLine, Imported, ProfileSource, ProfilesConfig};
use tokio::runtime::Runtime;

use super::refused_options::NEEDS;
use super::{DatabaseArguments, FollowArguments, PublishArguments};
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;

pub(crate) type DatabaseAddress = String;

fn refused(what: &str) -> Failure {
    Failure::Usage(format!("{what} {NEEDS}"))
}

pub(crate) fn publish(_: &PublishArguments) -> Result<(), Failure> {
    Err(refused("publish"))
}

pub(crate) async fn published(_: &str) -> Result<String, String> {
    Err(format!("an object store {NEEDS}"))
}

pub(crate) struct Followers;

impl Followers {
    pub(crate) fn prepare(
        arguments: &FollowArguments,
        _: &DataFolder,
        _: &[Kind],
        _: &[(PathBuf, u64)],
    ) -> Result<Self, Failure> {
        if arguments.follow.is_some() { Err(refused("--follow")) } else { Ok(Self) }
    }

    #[expect(clippy::unused_self, reason = "nothing is followed here")]
    pub(crate) fn origin(&self, _: Kind) -> DataOrigin {
        DataOrigin::Loaded
    }

    #[expect(clippy::unused_self, reason = "nothing is followed here")]
    pub(crate) fn follow(self) {}
}

pub(crate) struct Traces(Infallible);

impl Traces {
    pub(crate) fn start(_: &str) -> Result<Self, String> {
        Err(format!("--otlp {NEEDS}"))
    }
}

pub(crate) fn open_database(
    arguments: &DatabaseArguments,
    _: &Runtime,
    _: usize,
    _: u16,
    _: ProfilesConfig,
) -> Result<Option<Arc<dyn ProfileSource>>, Failure> {
    if arguments.address.is_some() { Err(refused("--profiles")) } else { Ok(None) }
}

pub(crate) struct ReachedDatabase(Infallible);

impl ReachedDatabase {
    pub(crate) fn reach(arguments: &DatabaseArguments) -> Result<Option<Self>, Failure> {
        if arguments.address.is_some() { Err(refused("--profiles")) } else { Ok(None) }
    }

    pub(crate) fn profiles(&self) -> &dyn ProfileSource {
        match self.0 {}
    }

    pub(crate) fn block_on<T>(&self, _: impl Future<Output = T>) -> T {
        match self.0 {}
    }

    pub(crate) fn import(
        &self,
        _: impl Iterator<Item = Result<ExportLine, Error>>,
        _: impl FnMut(u64, &str),
    ) -> Result<Imported, Failure> {
        match self.0 {}
    }
}
