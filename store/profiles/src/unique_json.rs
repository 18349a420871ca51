//! JSON without duplicate keys in an object, since it would be unclear which of the values is
//! meant.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// A JSON value without duplicate keys at any level, with its keys in order. The reader limits the
/// nesting.
#[derive(Debug)]
pub struct UniqueJson(pub Value);

struct UniqueVisitor;

impl<'de> Deserialize<'de> for UniqueJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(UniqueJson(value)) = entries.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate key {key:?}")));
            }
            let UniqueJson(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8]) -> Result<Value, serde_json::Error> {
        serde_json::from_slice::<UniqueJson>(text).map(|json| json.0)
    }

    #[test]
    fn duplicate_keys_are_rejected_at_any_level() {
        for text in
            [r#"{"a":"1","a":"1"}"#, r#"{"a":1,"\u0061":2}"#, r#"{"x":[{"y":{"a":1,"b":2,"a":3}}]}"#, r#"{"":1,"":1}"#]
        {
            let error = read(text.as_bytes()).expect_err(text);
            assert!(error.to_string().contains("duplicate key"), "{error}");
        }
        assert!(read(br#"{"a":{"a":[{"a":1},{"a":1}]},"A":1}"#).is_ok());
    }

    #[test]
    fn invalid_json_is_rejected() {
        let nested = |num_levels| "[".repeat(num_levels) + &"]".repeat(num_levels);
        assert!(read(nested(100).as_bytes()).is_ok());
        let (deep, unended, objects) = (nested(200), "[".repeat(100_000), r#"{"a":"#.repeat(40_000));
        for text in [
            &b""[..],
            b"{}x",
            b"{} {}",
            b"{\"a\":\"\xff\"}",
            br#"{"a":"\ud800"}"#,
            b"{\"a\":\"\x00\"}",
            b"\xef\xbb\xbf{}",
            b"{'a':1}",
            b"{\"a\":1,}",
            b"NaN",
            deep.as_bytes(),
            unended.as_bytes(),
            objects.as_bytes(),
        ] {
            assert!(read(text).is_err(), "{:?}", String::from_utf8_lossy(&text[..text.len().min(40)]));
        }
    }

    proptest! {
        #[test]
        fn it_reads_the_same_values_as_the_ordinary_reader(text in r#"(\{("[ab]":(0|[1-9][0-9]{0,2}|-1\.5e3|"x\\n"|null|true),){0,3}"c":\[\{\},[0-9]\]\})"#) {
            let ordinary: Value = serde_json::from_str(&text).expect("JSON");
            let num_keys = text.matches("\":").count();
            let is_unique = num_keys == ordinary.as_object().expect("an object").len();
            // The texts also show that the keys are in order.
            let (read, ordinary) = (read(text.as_bytes()).map(|value| value.to_string()), ordinary.to_string());
            prop_assert_eq!(read.ok(), is_unique.then_some(ordinary));
        }
    }
}
