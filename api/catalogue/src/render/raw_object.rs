//! JSON objects whose members can be removed, added and skipped while all other text is copied
//! unchanged.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// A JSON object: its members in their order, their values as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawObject<'a>(Vec<(Cow<'a, str>, Cow<'a, RawValue>)>);

/// The name of a member; it borrows from the text unless something in it is escaped.
#[derive(Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

impl<'a> RawObject<'a> {
    pub(crate) fn parse(json: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(json)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// Returns the members, their values as text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.get()))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_ref())
    }

    /// Returns the value of a member, or null if it does not exist.
    pub(crate) fn value(&self, name: &str) -> Value {
        self.get(name).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
    }

    /// Returns a member as an object, or an empty object if it is not one.
    pub(crate) fn object(&self, name: &str) -> RawObject<'_> {
        self.get(name).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
    }

    /// Returns the items of a member, or nothing if it is not a list.
    pub(crate) fn items(&self, name: &str) -> Vec<&RawValue> {
        self.get(name).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
    }

    pub(crate) fn set(&mut self, name: &'a str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        let value = Cow::Owned(to_raw_value(value)?);
        match self.0.iter_mut().find(|(given, _)| given == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((Cow::Borrowed(name), value)),
        }
        Ok(())
    }

    pub(crate) fn retain(&mut self, mut is_wanted: impl FnMut(&str) -> bool) {
        self.0.retain(|(name, _)| is_wanted(name));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for RawObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value.as_ref())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawObject<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = RawObject<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
            members.push((name, Cow::Borrowed(value)));
        }
        Ok(RawObject(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_copied_unchanged() {
        let text = r#"{"b":1.50,"a":"ä & ä","c":{"x":[ 1e2 ]},"q\"":null}"#;
        let object = RawObject::parse(text.as_bytes()).unwrap();
        assert_eq!(object.get("q\"").unwrap().get(), "null");
        assert_eq!(serde_json::to_string(&object).unwrap(), text);
        assert!(RawObject::parse(b"[1]").is_err());
    }

    #[test]
    fn members_are_set_in_place_or_at_the_end() {
        let mut object = RawObject::parse(br#"{"a":1,"b":{"c":2}}"#).unwrap();
        assert!(object.object("a").is_empty(), "1 is not an object");
        assert_eq!(object.object("b").get("c").unwrap().get(), "2");
        object.set("a", &9).unwrap();
        object.set("z", &9).unwrap();
        object.retain(|name| name != "b");
        assert_eq!(serde_json::to_string(&object).unwrap(), r#"{"a":9,"z":9}"#);
    }
}
