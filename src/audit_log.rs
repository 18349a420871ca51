//! The file of the audit log of profiles.

use std::path::{Path, PathBuf};
use std::time::Duration;

use api_profiles::{AuditLimits, AuditLog};

use crate::data_folder::DataFolder;
use crate::failure::Failure;

/// The name of the file in the data folder.
const FILE: &str = "profiles-audit.jsonl";

/// The time limit for the last lines of the audit log.
pub(crate) const AUDIT_PATIENCE: Duration = Duration::from_secs(3);

/// Returns the file of the audit log, or `None` if it is standard output.
pub(crate) fn path(data: &DataFolder, file: Option<&Path>) -> Option<PathBuf> {
    match file {
        Some(file) if file.as_os_str() == "-" => None,
        Some(file) => Some(file.to_owned()),
        None => Some(data.path.join(FILE)),
    }
}

/// Opens the audit log in a file, on standard output for `-`, or otherwise in the data folder.
pub(crate) fn open(data: &DataFolder, file: Option<&Path>, limits: AuditLimits) -> Result<AuditLog, Failure> {
    let Some(path) = path(data, file) else { return Ok(AuditLog::to_stdout()?) };
    AuditLog::to_file(path.clone(), limits)
        .map_err(|error| Failure::Message(format!("cannot write the audit log {}: {error}", path.display())))
}
