//! Reads JSON in which no key may be there twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::defects::Defects;

/// Reads an object. Returns `None`, and adds why, if the text is none; adds where keys are there twice.
pub(super) fn read_object(text: &str, defects: &mut Defects) -> Option<Map<String, Value>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Reader { place: "$", defects }.deserialize(&mut deserializer);
    match read.and_then(|value| deserializer.end().map(|()| value)) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) => {
            defects.add("$", "is not a JSON object");
            None
        }
        Err(error) => {
            defects.add("$", format_args!("is not JSON: {error}"));
            None
        }
    }
}

/// Reads one value.
struct Reader<'a> {
    /// Where it is, such as `$.properties`.
    place: &'a str,
    /// Takes the places of keys that are there twice.
    defects: &'a mut Defects,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(element) = elements.next_element_seed(Reader { place: self.place, defects: self.defects })? {
            read.push(element);
        }
        Ok(read.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let place = format!("{}.{key}", self.place);
            if read.contains_key(&key) {
                self.defects.add(&place, "is there twice");
            }
            let value = members.next_value_seed(Reader { place: &place, defects: self.defects })?;
            read.insert(key, value);
        }
        Ok(read.into())
    }
}
