//! The options, which are the same in every build.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};

use super::DatabaseAddress;
use crate::confidential::Confidential;
use crate::data_folder::{DataFolder, Kind};
use crate::duration;
use crate::size::Size;

/// The limits of the pause between two looks at the object store, each of which costs something.
const INTERVAL_MIN: Duration = Duration::from_millis(100);
const INTERVAL_MAX: Duration = Duration::from_hours(24);

#[derive(Debug, Args)]
pub(crate) struct PublishArguments {
    #[command(flatten)]
    pub(super) data: DataFolder,
    /// Object store to publish to: `s3://BUCKET/PATH`, `gs://BUCKET/PATH`, `az://CONTAINER/PATH`,
    /// or a folder
    #[arg(long, env = "MGDEX_PUBLISH_TO", hide_env_values = true, value_name = "URL")]
    pub(super) to: String,
    /// The data to publish [default: all that have a current generation]
    #[arg(long, env = "MGDEX_KINDS", value_name = "KIND", value_enum, value_delimiter = ',', num_args = 1..)]
    pub(super) kinds: Vec<Kind>,
    /// Number of generations to keep in the store for each kind of data, including the current one
    #[arg(long, env = "MGDEX_KEEP", value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(1..))]
    pub(super) keep: u32,
    /// Time to keep older generations, and objects that no generation needs any longer
    #[arg(long, env = "MGDEX_GRACE", value_name = "TIME", default_value = "1day", value_parser = humantime::parse_duration)]
    pub(super) grace: Duration,
    /// Maximum upload rate, in bytes per second
    #[arg(long, env = "MGDEX_RATE", value_name = "SIZE")]
    pub(super) rate: Option<Size>,
    /// Sign what is published with this key, Ed25519 as PKCS#8 in PEM, so that replicas with
    /// `--verify-key` follow it
    #[arg(long, env = "MGDEX_SIGN", value_name = "FILE")]
    pub(super) sign: Option<PathBuf>,
    /// Promise that no other process publishes to this store. Stores without conditional puts are
    /// refused otherwise
    #[arg(long, env = "MGDEX_SINGLE_PUBLISHER", value_parser = clap::builder::FalseyValueParser::new())]
    pub(super) single_publisher: bool,
    /// Report what would be uploaded and removed, and change nothing
    #[arg(long, env = "MGDEX_DRY_RUN", value_parser = clap::builder::FalseyValueParser::new())]
    pub(super) dry_run: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Replicas")]
pub(crate) struct FollowArguments {
    /// Follow an object store that `mgdex publish` publishes to: fetch and serve what is published
    /// there. https:// URLs of such a store are accepted too
    #[arg(long, env = "MGDEX_FOLLOW", hide_env_values = true, value_name = "URL")]
    pub(super) follow: Option<String>,
    /// Follow only what `mgdex publish --sign` signed with one of these keys: Ed25519 as SPKI in
    /// PEM [default: follow everything]
    #[arg(long, env = "MGDEX_VERIFY_KEY", value_name = "FILE", num_args = 1.., value_delimiter = ',', requires = "follow")]
    pub(super) verify_key: Vec<PathBuf>,
    /// Time between two checks of the object store
    #[arg(long, env = "MGDEX_FOLLOW_INTERVAL", value_name = "TIME", default_value = "5s", value_parser = duration::between(INTERVAL_MIN, INTERVAL_MAX))]
    pub(super) follow_interval: Duration,
    /// Maximum download rate of each kind of data, in bytes per second
    #[arg(long, env = "MGDEX_FOLLOW_RATE", value_name = "SIZE")]
    pub(super) follow_rate: Option<Size>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct DatabaseArguments {
    /// A PostgreSQL database for the profiles, such as
    /// `postgres://mgdex@db1,db2,db3/mgdex?sslmode=require`, which several servers may share
    /// [default: the data folder]
    #[arg(long = "profiles", env = "MGDEX_PROFILES", hide_env_values = true, value_name = "URL", value_parser = Confidential::<DatabaseAddress>::new())]
    pub(crate) address: Option<DatabaseAddress>,
    /// Certificates of the authorities that are trusted for the database's servers, in PEM
    /// [default: those of the system]
    #[arg(long = "profiles-ca", env = "MGDEX_PROFILES_CA", value_name = "FILE", requires = "address")]
    pub(super) authorities: Option<PathBuf>,
}
