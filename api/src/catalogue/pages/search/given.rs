//! The values in the body of a search, read one by one: a body that has too many takes no more memory than one that has not.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use crate::http::json_body::BodyFault;

/// The most values of a body, lists and objects included.
pub(super) const VALUES_MAX: usize = 300_000;

pub(super) enum Given {
    /// A text, or a number or truth value as text.
    One(String),
    Null,
    Many(Vec<String>),
    /// Names and what they stand for, in order. No name is there twice.
    Members(Vec<(String, Given)>),
    /// A list or an object where neither means anything.
    Deeper,
    /// The body has more values than [`VALUES_MAX`].
    TooMany,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Place {
    Body,
    Member,
    MemberOfMember,
    Item,
}

struct Reader<'a> {
    place: Place,
    num_left: &'a Cell<usize>,
}

impl Given {
    pub(super) fn read(body: &[u8]) -> Result<Self, BodyFault> {
        let num_left = Cell::new(VALUES_MAX + 1);
        let mut json = serde_json::Deserializer::from_slice(body);
        let read = Reader { place: Place::Body, num_left: &num_left }.deserialize(&mut json);
        match read.and_then(|given| json.end().map(|()| given)) {
            Err(_) if num_left.get() == 0 => Ok(Self::TooMany),
            read => read.map_err(|error| BodyFault::malformed(&error)),
        }
    }
}

impl Reader<'_> {
    fn count<E: Error>(&self) -> Result<(), E> {
        self.num_left.set(self.num_left.get().saturating_sub(1));
        if self.num_left.get() == 0 { Err(E::custom("too many values")) } else { Ok(()) }
    }

    fn below(&self, place: Place) -> Self {
        Self { place, num_left: self.num_left }
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Given;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Given, D::Error> {
        self.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Given, E> {
        Ok(Given::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Given, E> {
        Ok(Given::One(value.to_string()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Given, E> {
        Ok(Given::One(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Given, E> {
        Ok(Given::One(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Given, E> {
        Ok(Given::One(Number::from_f64(value).map_or_else(String::new, |number| number.to_string())))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Given, E> {
        Ok(Given::One(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Given, A::Error> {
        let (mut texts, mut is_deeper) = (Vec::new(), self.place == Place::Item);
        while let Some(item) = items.next_element_seed(self.below(Place::Item))? {
            match item {
                Given::One(text) if !is_deeper => texts.push(text),
                Given::Null if !is_deeper => texts.push(String::new()),
                _ => is_deeper = true,
            }
        }
        Ok(if is_deeper { Given::Deeper } else { Given::Many(texts) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Given, A::Error> {
        let inner = match self.place {
            Place::Body => Place::Member,
            Place::Member => Place::MemberOfMember,
            Place::MemberOfMember | Place::Item => {
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    self.count()?;
                }
                return Ok(Given::Deeper);
            }
        };
        let (mut names, mut read) = (BTreeSet::new(), Vec::new());
        while let Some(name) = members.next_key::<String>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom(format_args!("duplicate key {name:?}")));
            }
            read.push((name, members.next_value_seed(self.below(inner))?));
        }
        Ok(Given::Members(read))
    }
}
