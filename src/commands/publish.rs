//! `mgdex publish`: uploading the current generations to an object store, for replicas.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, value_parser};
use mirror::{PublishConfig, Published, Remote, Report, SigningKey};
use tokio::runtime;

use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::interruption;
use crate::output::Output;
use crate::size::{Size, megabytes};

#[derive(Debug, Args)]
pub(crate) struct PublishArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Object store to publish to: `s3://BUCKET/PATH`, `gs://BUCKET/PATH`, `az://CONTAINER/PATH`, or a folder
    #[arg(long, env = "MGDEX_PUBLISH_TO", hide_env_values = true, value_name = "URL")]
    to: String,
    /// The data to publish [default: all that have a current generation]
    #[arg(long, env = "MGDEX_KINDS", value_name = "KIND", value_enum, value_delimiter = ',', num_args = 1..)]
    kinds: Vec<Kind>,
    /// Number of generations that are kept in the store for each kind of data, the current one included
    #[arg(long, env = "MGDEX_KEEP", value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(1..))]
    keep: u32,
    /// For how long older generations, and objects that no generation needs, are kept all the same
    #[arg(long, env = "MGDEX_GRACE", value_name = "TIME", default_value = "1day", value_parser = humantime::parse_duration)]
    grace: Duration,
    /// Upload at most so many bytes a second
    #[arg(long, env = "MGDEX_RATE", value_name = "SIZE")]
    rate: Option<Size>,
    /// Sign what is published with this key, Ed25519 as PKCS#8 in PEM, so that replicas with `--verify-key` follow it
    #[arg(long, env = "MGDEX_SIGN", value_name = "FILE")]
    sign: Option<PathBuf>,
    /// Say what would be uploaded and removed, and change nothing
    #[arg(long, env = "MGDEX_DRY_RUN", value_parser = clap::builder::FalseyValueParser::new())]
    dry_run: bool,
}

pub(crate) fn run(arguments: &PublishArguments) -> Result<(), Failure> {
    interruption::announce("nothing that is incomplete was published; the same command goes on")?;
    let remote = Remote::open(&arguments.to).map_err(|error| Failure::Usage(error.to_string()))?;
    let signing_key = arguments.sign.as_deref().map(|file| read_key(file, SigningKey::from_pem)).transpose()?;
    let is_chosen = |kind: &Kind| arguments.kinds.is_empty() || arguments.kinds.contains(kind);
    let locals: Vec<_> = Kind::ALL.into_iter().filter(is_chosen).map(|kind| arguments.data.local(kind)).collect();
    let config = PublishConfig {
        keep: arguments.keep as usize,
        grace: arguments.grace,
        rate: arguments.rate.map(|size| size.0 as u64),
        is_dry_run: arguments.dry_run,
        signing_key,
        ..PublishConfig::default()
    };
    let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = runtime.block_on(mirror::publish(&remote, &locals, &config))?;
    print(&report, &remote, arguments.dry_run)
}

/// Reads a file with a key.
pub(super) fn read_key<T>(file: &Path, read: impl FnOnce(&str) -> mirror::Result<T>) -> Result<T, Failure> {
    let failed = |error: &dyn Display| Failure::Message(format!("{}: {error}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| failed(&error))?;
    read(&text).map_err(|error| failed(&error))
}

fn print(report: &Report, remote: &Remote, is_dry_run: bool) -> Result<(), Failure> {
    let mut output = Output::new();
    let would = if is_dry_run { "would be " } else { "" };
    for Published { kind, generation, sequence, was_current, num_uploaded_objects, uploaded_bytes, size_bytes } in
        &report.published
    {
        let becomes = if *was_current { "is current already" } else { &*format!("{would}published") };
        output.line(format_args!(
            "{kind}/{generation} {becomes}, number {sequence}: {num_uploaded_objects} objects {would}uploaded, {} of {}",
            megabytes(*uploaded_bytes),
            megabytes(*size_bytes)
        ))?;
    }
    for path in &report.removed_generations {
        output.line(format_args!("{path} {would}removed"))?;
    }
    if report.num_removed_objects > 0 {
        let size = megabytes(report.removed_bytes);
        output.line(format_args!("{} objects {would}removed, {size}", report.num_removed_objects))?;
    }
    tracing::info!("published to {}", remote.url());
    output.finish()
}
