//! JSON objects whose members are taken out, put in and left away while all other text is copied as it stands.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON object: its members in their order, their values as text.
#[derive(Clone, Debug, Default)]
pub(super) struct RawObject<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// The name of a member; it borrows from the text unless something in it is escaped.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> RawObject<'a> {
    /// Reads an object.
    ///
    /// # Errors
    ///
    /// * The text is no JSON object.
    pub(super) fn parse(json: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(json)
    }

    /// Returns the value of a member.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| *value)
    }

    /// Returns the value of a member that is an object itself, or an empty one if it is none.
    pub(super) fn object(&self, name: &str) -> RawObject<'a> {
        self.get(name).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
    }

    /// Sets the value of a member: in its place, or at the end.
    pub(super) fn set(&mut self, name: &'a str, value: &'a RawValue) {
        match self.0.iter_mut().find(|(given, _)| given == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((Cow::Borrowed(name), value)),
        }
    }

    /// Leaves away the members whose names are not wanted.
    pub(super) fn retain(&mut self, mut is_wanted: impl FnMut(&str) -> bool) {
        self.0.retain(|(name, _)| is_wanted(name));
    }

    /// Tells whether there is no member.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the object as a value.
    ///
    /// # Errors
    ///
    /// * None in practice: all values are JSON.
    pub(super) fn to_value(&self) -> Result<Box<RawValue>, serde_json::Error> {
        serde_json::value::to_raw_value(self)
    }
}

impl Serialize for RawObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawObject<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

/// Collects the members.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = RawObject<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
            members.push((name, value));
        }
        Ok(RawObject(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_copied_as_it_stands() {
        let text = r#"{"b":1.50,"a":"ä & ä","c":{"x":[ 1e2 ]},"q\"":null}"#;
        let object = RawObject::parse(text.as_bytes()).unwrap();
        assert_eq!(object.get("q\"").unwrap().get(), "null");
        assert_eq!(serde_json::to_string(&object).unwrap(), text);
        assert!(RawObject::parse(b"[1]").is_err());
    }

    #[test]
    fn members_are_set_in_place_or_at_the_end() {
        let (nine, text) = (RawValue::from_string("9".into()).unwrap(), r#"{"a":1,"b":{"c":2}}"#);
        let mut object = RawObject::parse(text.as_bytes()).unwrap();
        assert!(object.object("a").is_empty(), "1 is no object");
        assert_eq!(object.object("b").get("c").unwrap().get(), "2");
        object.set("a", &nine);
        object.set("z", &nine);
        object.retain(|name| name != "b");
        assert_eq!(object.to_value().unwrap().get(), r#"{"a":9,"z":9}"#);
    }
}
