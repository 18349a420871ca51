//! `mgdex profiles erase`

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use api_profiles::{AuditLimits, ErasureByCommand, LocalProfiles};
use clap::Args;
use store::{Owner, ProfileReference, ReferenceError};
use store_profiles::{Precondition, Profile, ProfileSource, ProfileWrite};
use tokio::runtime::Runtime;

use crate::audit_log::{self, AUDIT_PATIENCE};
use crate::data_folder::DataFolder;
use crate::distributed::{DatabaseArguments, ReachedDatabase};
use crate::failure::Failure;
use crate::output::print;

#[derive(Debug, Args)]
pub(crate) struct ProfilesEraseArguments {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArguments,
    /// File that records the erasure; a database records it in its own log instead [default:
    /// DIR/profiles-audit.jsonl]
    #[arg(long, env = "MGDEX_AUDIT_LOG", value_name = "FILE", conflicts_with = "address")]
    audit_log: Option<PathBuf>,
    /// The profile, `prf-…`, or the user or domain that it belongs to, `usr-…` or `dom-…`
    #[arg(value_name = "REFERENCE")]
    subject: Subject,
}

/// The name of a profile.
#[derive(Clone, Debug)]
enum Subject {
    Profile(ProfileReference),
    ProfileOf(Owner),
}

impl FromStr for Subject {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.get(..4) {
            Some("usr-") => Ok(Self::ProfileOf(Owner::User(text.parse()?))),
            Some("dom-") => Ok(Self::ProfileOf(Owner::Domain(text.parse()?))),
            _ => Ok(Self::Profile(text.parse()?)),
        }
    }
}

/// Erases a profile, and records this in the audit log.
pub(super) fn run(arguments: &ProfilesEraseArguments) -> Result<(), Failure> {
    let erased = match ReachedDatabase::reach(&arguments.database)? {
        Some(reached) => reached.block_on(erase(reached.profiles(), &arguments.subject))?,
        None => erase_in_folder(arguments)?,
    };
    print(format_args!("{} erased", erased.reference))
}

fn erase_in_folder(
    ProfilesEraseArguments { data, audit_log, subject, .. }: &ProfilesEraseArguments,
) -> Result<Profile, Failure> {
    let profiles = LocalProfiles::new(Arc::new(super::open(data)?));
    let audit = audit_log::open(data, audit_log.as_deref(), AuditLimits::default())?;
    let erased = Runtime::new()?.block_on(erase(&profiles, subject))?;
    audit.note(ErasureByCommand::line(&erased));
    if !audit.drain(AUDIT_PATIENCE) {
        let problem = format!("{} is erased, but the audit log took too long: its line is missing", erased.reference);
        return Err(Failure::Message(problem));
    }
    Ok(erased)
}

/// Erases a profile, and returns its last version.
async fn erase(profiles: &dyn ProfileSource, subject: &Subject) -> Result<Profile, Failure> {
    let profile = match subject {
        Subject::Profile(reference) => {
            let missing = || Failure::Message(format!("no such profile: {reference}"));
            profiles.get(*reference).await?.ok_or_else(missing)?
        }
        Subject::ProfileOf(owner) => {
            let missing = || Failure::Message(format!("{owner} has no profile"));
            profiles.find(owner.clone()).await?.ok_or_else(missing)?
        }
    };
    let write = ProfileWrite::Erase(profile.reference, Precondition::None);
    Ok(profiles.write(write, Some(profile), Arc::new(ErasureByCommand)).await?)
}
