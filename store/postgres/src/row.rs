//! A profile as a row.

use std::path::PathBuf;

use store::{Error, Owner};
use store_profiles::{Profile, ProfileFault, SearchKey};
use uuid::Uuid;

pub(crate) const BY_REFERENCE: &str = "SELECT reference, line FROM profiles WHERE reference = ANY($1)";

pub(crate) const BY_USER: &str = "SELECT user_id, line FROM profiles WHERE user_id = ANY($1)";

pub(crate) const BY_DOMAIN: &str = "SELECT domain, line FROM profiles WHERE domain = ANY($1)";

pub(crate) const USERS_BY_EMAIL: &str = "SELECT user_id FROM profiles WHERE email = $1 ORDER BY user_id LIMIT $2";

pub(crate) const USERS_BY_NAME: &str = "SELECT user_id FROM profiles WHERE name = $1 ORDER BY user_id LIMIT $2";

/// A statement that writes a profile whose reference is `$1`, and its optional line of the audit
/// log, `$2`. It returns the reference if it has written.
macro_rules! audited {
    ($write:literal) => {
        concat!(
            "WITH written AS (",
            $write,
            " RETURNING reference), audited AS (INSERT INTO profiles_audit (profile, line) \
             SELECT reference, $2 FROM written WHERE $2::text IS NOT NULL) SELECT reference FROM written"
        )
    };
}

/// Nothing is inserted if the owner has a profile.
pub(crate) const INSERT: &str = audited!(
    "INSERT INTO profiles (reference, version, line, email, name, user_id, domain) \
     VALUES ($1, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"
);

/// Nothing is updated if the profile does not have the previous version any more.
pub(crate) const UPDATE: &str = audited!(
    "UPDATE profiles SET version = $3::bigint, line = $4, email = $5, name = $6 \
     WHERE reference = $1 AND version = $3::bigint - 1"
);

/// Likewise for several profiles: each parameter is an array, and references are returned. A row
/// that another session is writing is skipped, so that no change waits for a row.
pub(crate) const UPDATE_ALL: &str = "WITH wanted AS (\
        SELECT profiles.reference, audit, wanted.version, wanted.line, wanted.email, wanted.name \
        FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::bytea[], $6::bytea[]) \
            AS wanted (reference, audit, version, line, email, name) \
        JOIN profiles ON profiles.reference = wanted.reference AND profiles.version = wanted.version - 1 \
        FOR UPDATE OF profiles SKIP LOCKED), \
    written AS (\
        UPDATE profiles SET version = wanted.version, line = wanted.line, email = wanted.email, name = wanted.name \
        FROM wanted WHERE profiles.reference = wanted.reference RETURNING profiles.reference, audit), \
    audited AS (INSERT INTO profiles_audit (profile, line) SELECT reference, audit FROM written WHERE audit IS NOT NULL) \
    SELECT reference FROM written";

/// Nothing is deleted if the profile does not have the version any more.
pub(crate) const DELETE: &str = audited!("DELETE FROM profiles WHERE reference = $1 AND version = $3::bigint");

/// The profiles of a list that have not been erased.
pub(crate) const STILL_THERE: &str = "SELECT reference FROM profiles WHERE reference = ANY($1)";

/// The columns of a profile.
pub(crate) struct Columns {
    pub(crate) reference: Uuid,
    pub(crate) user: Option<Uuid>,
    pub(crate) domain: Option<String>,
    pub(crate) version: i64,
    pub(crate) line: String,
    pub(crate) email: Option<Vec<u8>>,
    pub(crate) name: Option<Vec<u8>>,
}

impl Columns {
    /// Returns the columns of a profile, given its line.
    pub(crate) fn new(profile: &Profile, line: Vec<u8>) -> Self {
        let (user, domain) = match &profile.owner {
            Owner::User(user) => (Some(Uuid::from_bytes(*user.as_bytes())), None),
            Owner::Domain(domain) => (None, Some(domain.as_str().to_owned())),
        };
        let digest = |key: SearchKey| profile.searched_by(key).map(|value| key.digest(value).to_vec());
        Self {
            reference: Uuid::from_bytes(*profile.reference.as_bytes()),
            user,
            domain,
            version: i64::try_from(profile.version).expect("no profile has been changed so often"),
            line: String::from_utf8(line).expect("JSON is UTF-8"),
            email: digest(SearchKey::Email),
            name: digest(SearchKey::Name),
        }
    }
}

/// Reads a profile from its line.
pub(crate) fn profile(line: &str) -> Result<Profile, ProfileFault> {
    serde_json::from_str(line).map_err(|error| unreadable(&format!("a line at column {}", error.column())))
}

pub(crate) fn unreadable(problem: &str) -> ProfileFault {
    Error::Altered { path: PathBuf::from("the table of profiles"), problem: problem.to_owned() }.into()
}
