//! Profiles in the demo: a small directory, and a token for one of its users.

use std::path::PathBuf;
use std::time::Duration;

use api_profiles::tokens::NewToken;
use store::UserReference;

use super::{MEMORY_BYTES, is_empty, keys};
use crate::bundled;
use crate::commands::serve::ServeArguments;
use crate::commands::{summary, token};
use crate::data_folder::Kind;
use crate::failure::Failure;

const TOKEN_TTL: Duration = Duration::from_hours(12);

/// The user of the token, who manages the domain of the bundled directory.
const USER: &str = "usr-7d1c5b0e-92a4-4c7b-8f3e-5a60c1d2e3f4";

/// Loads the directory if it is missing, makes keys, and writes a token into a file beside them.
/// Users who specify their own keys already have tokens.
pub(super) fn prepare(arguments: &ServeArguments) -> Result<(ServeArguments, Option<PathBuf>), Failure> {
    let mut arguments = arguments.clone();
    if !arguments.profiles.jwt_key.is_empty() {
        return Ok((arguments, None));
    }
    let generations = arguments.data.generations(Kind::Directory);
    if is_empty(&arguments.data, Kind::Directory)? {
        let plan = indexer_directory::DirectoryPlan {
            generations: generations.root().to_owned(),
            input: bundled::DIRECTORY,
            memory_bytes: MEMORY_BYTES,
            max_rejects: 0,
            acceptance: indexer::Acceptance::default(),
        };
        summary::log_directory(&plan.run()?);
    }
    let keys = keys::in_folder(&arguments.data)?;
    let user: UserReference = USER.parse()?;
    let token = NewToken {
        user,
        name: Some("Demo User".to_owned()),
        email: Some("demo@example.org".to_owned()),
        groups: vec![arguments.profiles.search_group.clone()],
        issuer: arguments.profiles.jwt_issuer.clone(),
        audience: arguments.profiles.audience.names.first().cloned(),
        ttl: TOKEN_TTL,
    };
    let token = keys.write_token(&token::sign(&token, &keys.private)?)?;
    arguments.profiles.jwt_key = vec![keys.public];
    Ok((arguments, Some(token)))
}
