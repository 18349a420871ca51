//! Reading a resource without keeping most of it: of its attributes, those that are only to be known as good JSON make no values.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::resource::Members;

/// The member of which some members are passed over.
const ATTRIBUTES: &str = "attributes";

/// What names begin with that the JSON library keeps for itself. It does not read an object with such a first member as one.
const RESERVED: &str = "$serde_json::private::";

/// Reads the JSON of a resource, and of its attributes only those that are wanted. What is passed over is read by the same rules as
/// what is kept, so that a text that is read without an error is never one that cannot be read whole.
pub(super) fn parse(text: &str, wanted: &[&str]) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Reading { wanted, what: Part::Resource }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Tells whether an object is none to the JSON library.
fn is_reserved(name: &str, is_first: bool) -> bool {
    is_first && name.starts_with(RESERVED)
}

/// Writes the visits of a value that has no parts, all alike.
macro_rules! visit_scalars {
    ($($visit:ident: $kind:ty),*) => {
        $(
            fn $visit<E: Error>(self, _: $kind) -> Result<Self::Value, E> {
                Ok(Default::default())
            }
        )*

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
    };
}

/// A value that was read and forgotten.
#[derive(Default)]
struct Passed;

impl<'de> Deserialize<'de> for Passed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Passed {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visit_scalars!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        let mut is_first = true;
        while let Some(name) = members.next_key_seed(Name)? {
            if is_reserved(&name, is_first) {
                return Err(A::Error::custom(format!("{name:?} is a reserved name")));
            }
            is_first = false;
            members.next_value::<Self>()?;
        }
        Ok(self)
    }
}

/// Reads the name of a member, without a copy where it has no escapes.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }
}

/// Reads a part of a resource that is an object; whatever else it is becomes null.
struct Reading<'a> {
    /// The attributes that are kept.
    wanted: &'a [&'a str],
    /// What is read.
    what: Part,
}

/// A part of a resource that is an object.
#[derive(Clone, Copy)]
enum Part {
    /// The resource itself, whose members are kept.
    Resource,
    /// Its attributes.
    Attributes,
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visit_scalars!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Value, A::Error> {
        Passed.visit_seq(items).map(|_| Value::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut kept = Members::new();
        let mut is_first = true;
        while let Some(name) = members.next_key_seed(Name)? {
            if is_reserved(&name, is_first) {
                return Err(A::Error::custom(format!("{name:?} is a reserved name")));
            }
            is_first = false;
            let value = match self.what {
                Part::Resource if name == ATTRIBUTES => {
                    members.next_value_seed(Reading { wanted: self.wanted, what: Part::Attributes })?
                }
                Part::Attributes if !self.wanted.contains(&&*name) => {
                    members.next_value::<Passed>()?;
                    continue;
                }
                Part::Resource | Part::Attributes => members.next_value()?,
            };
            kept.insert(name.into_owned(), value);
        }
        Ok(Value::Object(kept))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_wanted_attributes_are_kept() {
        let text =
            r#"{"type": "a", "attributes": {"x": [1, {"y": "é\n"}], "k\u0065y": 7, "z": null}, "links": {"x": 1}}"#;
        let value = parse(text, &["key"]).expect("JSON");
        assert_eq!(value.to_string(), r#"{"type":"a","attributes":{"key":7},"links":{"x":1}}"#);
        assert_eq!(parse(r#"{"attributes": [1, {}]}"#, &[]).expect("JSON").to_string(), r#"{"attributes":null}"#);
        assert_eq!(parse(" [{}, 1.5, \"x\"] ", &[]).expect("JSON"), Value::Null);
    }

    #[test]
    fn what_cannot_be_read_whole_is_an_error() {
        let deep = format!(r#"{{"attributes": {{"x": {}{}}}}}"#, "[".repeat(200), "]".repeat(200));
        for text in [
            r#"{"attributes": {"x": 1e999}}"#,
            r#"{"attributes": {"x": "\ud800"}}"#,
            r#"{"attributes": {"x": [1,]}}"#,
            r#"{"attributes": {"x": {"$serde_json::private::RawValue": 5}}}"#,
            r#"{"attributes": {"$serde_json::private::RawValue": 5}}"#,
            r#"{"attributes": {"x": 1}} 2"#,
            r#"{"attributes": {"x": 1}"#,
            &deep,
        ] {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
            assert!(parse(text, &[]).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_good_here_and_bad_as_a_whole(
            inside in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u00e9\"", "\"\\ud83d\\ude00\"", "1", "-0.5e3", "1e400", "null", "true", " ", "\"", "\\",
            ]), 0..12),
        ) {
            let text = format!(r#"{{"attributes": {{"x": {}}}}}"#, inside.concat());
            prop_assert_eq!(parse(&text, &[]).is_ok(), serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
        }
    }
}
