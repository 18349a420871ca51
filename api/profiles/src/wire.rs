//! The JSON of the service, with the fields of the specification.

use serde::{Serialize, Serializer};
use store::{Owner, UserReference};
use store_profiles::{Attributes, Profile};
use utoipa::ToSchema;

/// The authority of a domain without a name, as the real service writes it.
const AUTHORITY_WITHOUT_NAME: &str = "ROLE_null";

/// The attributes of a user or of a domain: one of `user` and `domain` is there.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Profile)]
pub(super) struct ProfileBody<'a> {
    /// The reference: `prf-` and a uuid.
    #[schema(example = "prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90")]
    reference: String,
    /// The user whose profile it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<UserSummary>,
    /// The domain whose profile it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<DomainSummary<'a>>,
    /// The schema of the attributes as it was given: a JSON Schema of Draft 4, or the URL of one.
    /// Only in profiles of domains that were created with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'a str>,
    /// The attributes, in the order in which they were first given.
    #[serde(serialize_with = "in_order")]
    #[schema(value_type = BTreeMap<String, String>, example = json!({"name": "ajay", "email": "ajay@alibaba.com"}))]
    attributes: &'a Attributes,
}

/// A user.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserSummary {
    /// Always null.
    #[schema(required)]
    user_name: Option<String>,
    /// Always null.
    #[schema(required)]
    email: Option<String>,
    /// The reference: `usr-` and a uuid.
    #[schema(example = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4")]
    user_reference: String,
    /// Always null.
    #[schema(required)]
    full_name: Option<String>,
    /// Always null.
    #[schema(required)]
    domains: Option<Vec<String>>,
    /// False if the directory has locked the user; otherwise true.
    account_non_locked: bool,
}

/// A domain, which is a group of users.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DomainSummary<'a> {
    /// Always null.
    #[schema(required)]
    domain_name: Option<String>,
    /// Always null.
    #[schema(required)]
    domain_desc: Option<String>,
    /// The reference: `dom-` and an id, mostly a uuid.
    #[schema(example = "dom-b38d6175-61e8-4d40-98da-df9188d91c82")]
    domain_reference: &'a str,
    /// Always empty.
    users: [UserSummary; 0],
    /// Always empty.
    managers: [UserSummary; 0],
    /// `ROLE_` and the name of the domain, which is never given.
    #[schema(example = "ROLE_null")]
    authority: &'static str,
}

/// Which service it is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ServiceInfo {
    /// The name that clients expect.
    #[schema(example = "aap-profiles-api")]
    pub(super) name: &'static str,
}

impl<'a> ProfileBody<'a> {
    pub(super) fn new(profile: &'a Profile, is_locked: impl Fn(UserReference) -> bool) -> Self {
        let (user, domain) = match &profile.owner {
            Owner::User(user) => (Some(UserSummary::new(*user, is_locked(*user))), None),
            Owner::Domain(domain) => (None, Some(DomainSummary::new(domain.as_str()))),
        };
        Self {
            reference: profile.reference.to_string(),
            user,
            domain,
            schema: profile.schema.as_ref().map(|schema| schema.given.as_str()),
            attributes: &profile.attributes,
        }
    }
}

impl UserSummary {
    pub(super) fn new(user: UserReference, is_locked: bool) -> Self {
        Self { user_reference: user.to_string(), account_non_locked: !is_locked, ..Self::default() }
    }
}

impl<'a> DomainSummary<'a> {
    fn new(domain_reference: &'a str) -> Self {
        Self { domain_reference, authority: AUTHORITY_WITHOUT_NAME, ..Self::default() }
    }
}

fn in_order<S: Serializer>(attributes: &Attributes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(attributes.iter())
}
