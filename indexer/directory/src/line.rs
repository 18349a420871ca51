//! Lines of a directory. Errors never quote a bad line, because it has personal data.

use indexer::run::{Reason, Rejection};
use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;
use store::{DomainReference, UserReference};

use super::key::{IS_LOCKED, IS_MANAGER, IS_MEMBER, Subject};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// A user, and whether the account is locked.
    User(UserReference, bool),
    /// A domain with its members and managers.
    Domain(DomainReference, Vec<UserReference>, Vec<UserReference>),
}

impl Entry {
    pub(super) fn for_each_fact<E>(self, mut visit: impl FnMut(Subject, u8) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::User(user, is_locked) => visit(Subject::User(user), u8::from(is_locked) * IS_LOCKED),
            Self::Domain(domain, members, managers) => {
                visit(Subject::Domain(domain.clone()), 0)?;
                visit(Subject::UsersOf(domain.clone()), 0)?;
                let members = members.into_iter().map(|user| (user, IS_MEMBER));
                let mut users = members.chain(managers.into_iter().map(|user| (user, IS_MANAGER)));
                users.try_for_each(|(user, flags)| visit(Subject::UserOf(domain.clone(), user), flags))
            }
        }
    }
}

/// The known fields of a line, unparsed. A field that is null counts as absent. Only the
/// references, and `accountNonLocked` of a user, are required.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields<R> {
    r#type: Option<R>,
    user_reference: Option<R>,
    // Names are checked, but not stored.
    user_name: Option<R>,
    email: Option<R>,
    full_name: Option<R>,
    account_non_locked: Option<R>,
    domain_reference: Option<R>,
    domain_name: Option<R>,
    domain_desc: Option<R>,
    users: Option<R>,
    managers: Option<R>,
}

/// Reads a line that is not blank.
pub(super) fn read_line(line: &[u8]) -> Result<Entry, Rejection> {
    let unreadable = |detail: &str| Rejection::new(Reason::UnreadableJson, detail);
    let text = str::from_utf8(line).map_err(|_| unreadable("it is not UTF-8"))?;
    // Serde would also read the fields from a list with enough items.
    if !text.trim_ascii_start().starts_with('{') {
        return Err(match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => Rejection::new(Reason::NotAnObject, "it is not an object"),
            Err(error) => unreadable(&error.to_string()),
        });
    }
    let fields: Fields<&RawValue> = serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => Rejection::new(Reason::BadField, error.to_string()),
        _ => unreadable(&error.to_string()),
    })?;
    match string(fields.r#type).as_deref() {
        Some("user") => fields.user(),
        Some("domain") => fields.domain(),
        _ => Err(Rejection::new(Reason::BadType, "type is neither \"user\" nor \"domain\"")),
    }
}

impl Fields<&RawValue> {
    fn user(&self) -> Result<Entry, Rejection> {
        let user = string(self.user_reference).and_then(|text| text.parse().ok());
        let user = user.ok_or_else(|| bad_reference("userReference is missing or not of the form usr-<uuid>"))?;
        require_strings([("userName", self.user_name), ("email", self.email), ("fullName", self.full_name)])?;
        let is_locked = match self.account_non_locked.map(RawValue::get) {
            Some("true") => false,
            Some("false") => true,
            None => return Err(bad_field("accountNonLocked is missing or null")),
            Some(_) => return Err(bad_field("accountNonLocked is neither true nor false")),
        };
        Ok(Entry::User(user, is_locked))
    }

    fn domain(&self) -> Result<Entry, Rejection> {
        let domain = string(self.domain_reference).and_then(|text| text.parse().ok());
        let domain = domain.ok_or_else(|| bad_reference("domainReference is missing or not of the form dom-<id>"))?;
        require_strings([("domainName", self.domain_name), ("domainDesc", self.domain_desc)])?;
        Ok(Entry::Domain(domain, users("users", self.users)?, users("managers", self.managers)?))
    }
}

/// Returns the value of a string, or `None` if it is absent or not a string.
fn string(value: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(value?.get()).ok()
}

/// Checks that fields are strings if they are present.
fn require_strings<const N: usize>(fields: [(&str, Option<&RawValue>); N]) -> Result<(), Rejection> {
    let other = fields.into_iter().find(|(_, value)| value.is_some_and(|value| !value.get().starts_with('"')));
    other.map_or(Ok(()), |(name, _)| Err(bad_field(format!("{name} is not a string"))))
}

fn users(name: &str, value: Option<&RawValue>) -> Result<Vec<UserReference>, Rejection> {
    let Some(list) = value.map(RawValue::get) else { return Ok(Vec::new()) };
    if !list.starts_with('[') {
        return Err(bad_field(format!("{name} is not a list")));
    }
    serde_json::from_str(list)
        .map_err(|_| bad_reference(format!("{name} has an item that is not of the form usr-<uuid>")))
}

fn bad_reference(detail: impl Into<String>) -> Rejection {
    Rejection::new(Reason::BadReference, detail)
}

fn bad_field(detail: impl Into<String>) -> Rejection {
    Rejection::new(Reason::BadField, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: &str = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4";

    fn reason(line: &str) -> Reason {
        read_line(line.as_bytes()).expect_err(line).reason
    }

    fn user(fields: &str) -> String {
        format!(r#"{{"type":"user","userReference":"{USER}"{fields}}}"#)
    }

    fn domain(fields: &str) -> String {
        format!(r#"{{"domainReference":"dom-a"{fields},"type":"domain"}}"#)
    }

    #[test]
    fn lines_show_locked_users() {
        let of = USER.parse().expect("a reference");
        for (fields, is_locked) in [
            (r#","accountNonLocked": true"#, false),
            (r#","accountNonLocked":false"#, true),
            (
                r#","userName":"a","email":null,"fullName":"\u00e4","domains":[7],"x":{"type":1},"accountNonLocked":false,"x":2"#,
                true,
            ),
            (r#","users":7,"domainName":7,"accountNonLocked":true"#, false),
        ] {
            assert_eq!(read_line(user(fields).as_bytes()), Ok(Entry::User(of, is_locked)), "{fields}");
        }
        let escaped =
            user(r#","accountNonLocked":true"#).replace("user\"", "us\\u0065r\"").replace("usr-e", "\\u0075sr-\\u0065");
        assert_eq!(read_line(escaped.as_bytes()), Ok(Entry::User(of, false)), "{escaped}");
    }

    #[test]
    fn lists_of_a_domain_may_be_absent() {
        let of: DomainReference = "dom-a".parse().expect("a reference");
        let who = USER.parse().expect("a reference");
        for (fields, users, managers) in [
            ("", vec![], vec![]),
            (r#","users":null,"managers":[]"#, vec![], vec![]),
            (&*format!(r#","managers":["{USER}"],"users":["{USER}", "{USER}"]"#), vec![who, who], vec![who]),
            (r#","domainName":null,"domainDesc":"d","authority":"ROLE_a","email":7"#, vec![], vec![]),
        ] {
            let line = domain(fields);
            assert_eq!(read_line(line.as_bytes()), Ok(Entry::Domain(of.clone(), users, managers)), "{fields}");
        }
    }

    #[test]
    fn errors_have_reasons() {
        for line in ["{", "nonsense", "[1", r#"{"type":"user"} x"#, &user(",")] {
            assert_eq!(reason(line), Reason::UnreadableJson, "{line}");
        }
        assert_eq!(read_line(b"{\"type\":\"user\",\"x\":\"\xff\"}").expect_err("bytes").reason, Reason::UnreadableJson);
        for line in ["7", "null", r#""user""#, r#"["user","usr-",1,1,1,1,1,1,1,1,1]"#] {
            assert_eq!(reason(line), Reason::NotAnObject, "{line}");
        }
        for line in ["{}", r#"{"type":null}"#, r#"{"type":"group"}"#, r#"{"type":["user"]}"#, r#"{"type":"User"}"#] {
            assert_eq!(reason(line), Reason::BadType, "{line}");
        }
        for line in [
            r#"{"type":"user"}"#,
            r#"{"type":"user","userReference":7}"#,
            r#"{"type":"user","userReference":"dom-a"}"#,
            &user("")
                .to_uppercase()
                .replace("TYPE\":\"USER", "type\":\"user")
                .replace("USERREF", "userRef")
                .replace("ERENCE", "erence"),
            r#"{"type":"domain","domainReference":"dom-a b"}"#,
            r#"{"type":"domain","userReference":"usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4"}"#,
            &domain(r#","users":["dom-a"]"#),
            &domain(r#","managers":[null]"#),
            &domain(r#","users":[["usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4"]]"#),
        ] {
            assert_eq!(reason(line), Reason::BadReference, "{line}");
        }
        for line in [
            user(""),
            user(r#","accountNonLocked":null"#),
            user(r#","accountnonlocked":true"#),
            user(r#","accountNonLocked":"true""#),
            user(r#","accountNonLocked":0"#),
            user(r#","email":["a"]"#),
            user(r#","userName":7"#),
            user(r#","fullName":{}"#),
            user(r#","type":"user""#),
            user(r#","accountNonLocked":false,"accountNonLocked":false"#),
            user(r#","email":null,"\u0065mail":"a""#),
            domain(r#","domainName":false"#),
            domain(r#","domainDesc":1"#),
            domain(r#","users":"usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4""#),
            domain(r#","managers":{}"#),
            domain(r#","users":[],"users":[]"#),
        ] {
            assert_eq!(reason(&line), Reason::BadField, "{line}");
        }
    }

    #[test]
    fn details_do_not_quote_the_line() {
        for line in [
            user(r#","email":["secret"]"#),
            user(r#","accountNonLocked":"secret""#),
            r#"{"type":"secret"}"#.to_owned(),
            r#"{"type":"user","userReference":"secret"}"#.to_owned(),
            domain(r#","users":["secret"]"#),
            domain(r#","users":"secret""#),
            user(r#","fullName":"secret" secret"#),
            "secret".to_owned(),
        ] {
            let detail = read_line(line.as_bytes()).expect_err(&line).detail;
            assert!(!detail.contains("secret"), "{detail}");
        }
    }
}
