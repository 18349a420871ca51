//! The values of JSON, read one by one: a body with too many values takes no more memory than any
//! other.

use std::cell::Cell;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use serde_json::value::RawValue;

use super::BodyFault;

/// A value of a body.
pub enum Given {
    /// A text.
    Text(String),
    /// A number or a truth value, as written in JSON.
    Plain(String),
    /// Nothing.
    Null,
    /// Texts, numbers and truth values. Null is an empty text.
    Many(Vec<String>),
    /// Names and their values, in order. No name occurs twice.
    Members(Vec<(String, Given)>),
    /// A list or an object that has no meaning at its place.
    Deeper,
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
    /// Reads the JSON of a body that has at most some values.
    pub(super) fn read(body: &[u8], max: (usize, &'static str)) -> Result<Self, BodyFault> {
        let num_left = Cell::new(max.0 + 1);
        let mut json = serde_json::Deserializer::from_slice(body);
        let read = Reader { place: Place::Body, num_left: &num_left }.deserialize(&mut json);
        read.and_then(|given| json.end().map(|()| given)).map_err(|error| match num_left.get() {
            0 => BodyFault::TooMany(max),
            _ => BodyFault::malformed(&error),
        })
    }

    /// Returns a text, number or truth value, or a list of them, as texts, and `None` for anything
    /// else.
    pub fn into_texts(self) -> Option<Vec<String>> {
        match self {
            Self::Text(text) | Self::Plain(text) => Some(vec![text]),
            Self::Many(texts) => Some(texts),
            Self::Null | Self::Members(_) | Self::Deeper => None,
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
        Ok(Given::Plain(value.to_string()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Given, E> {
        Ok(Given::Plain(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Given, E> {
        Ok(Given::Plain(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Given, E> {
        Ok(Given::Plain(Number::from_f64(value).map_or_else(String::new, |number| number.to_string())))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Given, E> {
        Ok(Given::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Given, A::Error> {
        let (mut texts, mut is_deeper) = (Vec::new(), self.place == Place::Item);
        while let Some(item) = items.next_element_seed(self.below(Place::Item))? {
            match item {
                Given::Text(text) | Given::Plain(text) if !is_deeper => texts.push(text),
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
        let mut read: Vec<(String, Given)> = Vec::new();
        while let Some(name) = members.next_key()? {
            read.push((name, members.next_value_seed(self.below(inner))?));
        }
        let mut names: Vec<&str> = read.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(A::Error::custom(format_args!("duplicate key {:?}", pair[0]))),
            None => Ok(Given::Members(read)),
        }
    }
}

/// Reads the items of an array: texts, and the JSON of other values.
pub(super) fn items(body: &[u8], max: (usize, &'static str), each: impl FnMut(&str)) -> Result<(), BodyFault> {
    struct Items<'a, E>(&'a Cell<usize>, E);

    impl<'de, E: FnMut(&str)> Visitor<'de> for Items<'_, E> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
            while let Some(item) = items.next_element::<&RawValue>()? {
                self.0.set(self.0.get() - 1);
                if self.0.get() == 0 {
                    return Err(A::Error::custom("too many items"));
                }
                match serde_json::from_str::<String>(item.get()) {
                    Ok(text) => (self.1)(&text),
                    Err(_) => (self.1)(item.get()),
                }
            }
            Ok(())
        }
    }

    let num_left = Cell::new(max.0 + 1);
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = json.deserialize_seq(Items(&num_left, each)).and_then(|()| json.end());
    read.map_err(|error| if num_left.get() == 0 { BodyFault::TooMany(max) } else { BodyFault::malformed(&error) })
}
