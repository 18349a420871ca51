//! The file of the audit log of profiles.

use std::path::Path;
use std::time::Duration;

use api::profiles::{AuditLimits, AuditLog};

use crate::data_folder::DataFolder;
use crate::failure::Failure;

/// Inside the data folder.
const FILE: &str = "profiles-audit.jsonl";

/// How long the audit log may take to write its last lines.
pub(crate) const AUDIT_PATIENCE: Duration = Duration::from_secs(3);

/// Opens the audit log in a file, `-` for standard output, or else in the data folder.
pub(crate) fn open(data: &DataFolder, file: Option<&Path>, limits: AuditLimits) -> Result<AuditLog, Failure> {
    let path = match file {
        Some(file) if file.as_os_str() == "-" => return Ok(AuditLog::to_stdout()?),
        Some(file) => file.to_owned(),
        None => data.path.join(FILE),
    };
    AuditLog::to_file(path.clone(), limits)
        .map_err(|error| Failure::Message(format!("cannot write the audit log {}: {error}", path.display())))
}
