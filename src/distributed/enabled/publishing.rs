//! Publishing to an object store, and describing one.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use store_mirror::{LocalGenerations, PublishConfig, Published, Remote, Report, SigningKey};
use tokio::runtime;

use crate::data_folder::{DataFolder, Kind};
use crate::distributed::PublishArguments;
use crate::failure::Failure;
use crate::interruption;
use crate::output::Output;
use crate::size::megabytes;

/// Uploads the current generations, for replicas.
pub(crate) fn publish(arguments: &PublishArguments) -> Result<(), Failure> {
    interruption::announce("nothing incomplete was published; run the same command again to continue")?;
    let remote = Remote::open(&arguments.to).map_err(|error| Failure::Usage(error.to_string()))?;
    let signing_key = arguments.sign.as_deref().map(|file| read_key(file, SigningKey::from_pem)).transpose()?;
    let is_chosen = |kind: &Kind| arguments.kinds.is_empty() || arguments.kinds.contains(kind);
    let locals: Vec<_> = Kind::ALL.into_iter().filter(is_chosen).map(|kind| local(&arguments.data, kind)).collect();
    let config = PublishConfig {
        keep: arguments.keep as usize,
        grace: arguments.grace,
        rate: arguments.rate.map(|size| size.0 as u64),
        is_dry_run: arguments.dry_run,
        signing_key,
        is_single_publisher: arguments.single_publisher,
        ..PublishConfig::default()
    };
    let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = runtime.block_on(store_mirror::publish(&remote, &locals, &config))?;
    print(&report, &remote, arguments.dry_run)
}

/// Describes the generations that were last published to an object store.
pub(crate) async fn published(url: &str) -> Result<String, String> {
    let remote = Remote::open(url).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for kind in Kind::ALL.map(Kind::name) {
        let published = remote.published(kind).await.map_err(|error| error.to_string())?;
        found.extend(published.map(|(name, sequence)| format!("{kind}/{name}, number {sequence}")));
    }
    let found = if found.is_empty() { "nothing was published".to_owned() } else { found.join("; ") };
    Ok(format!("{}: {found}", remote.url()))
}

pub(super) fn local(data: &DataFolder, kind: Kind) -> LocalGenerations {
    LocalGenerations { kind: kind.stored(), generations: data.generations(kind) }
}

/// Reads a file with a key.
pub(super) fn read_key<T>(file: &Path, read: impl FnOnce(&str) -> store_mirror::Result<T>) -> Result<T, Failure> {
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
