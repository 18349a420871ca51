//! The columns of a table, and the values of a resource that fill them.

use std::borrow::Cow;
use std::{fmt, mem};

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use store_catalogue::Shape;

use super::cell::Cell;
use crate::render::raw_object::Name;

/// A column: the number of columns that were added before it.
pub(super) type Column = usize;

#[derive(Debug, Default)]
pub(super) struct Columns {
    top: Node,
    names: Vec<String>,
    /// The columns in the order in which they are written, and the position of each column.
    order: Vec<Column>,
    places: Vec<usize>,
}

/// The values of a resource, each with its column.
pub(super) type Cells<'a> = Vec<(Column, Cell<'a>)>;

#[derive(Debug, Default)]
struct Node {
    column: Option<Column>,
    /// Sorted by [`Node::place`].
    members: Vec<(String, Node)>,
    items: Vec<Node>,
}

impl Node {
    /// Finds a member, or the position where to insert it. Most names differ in their lengths, so
    /// these are compared first.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.members.binary_search_by(|(other, _)| (other.len(), other.as_str()).cmp(&(name.len(), name)))
    }

    fn member(&mut self, name: &str) -> &mut Self {
        let place = self.place(name).unwrap_or_else(|place| {
            self.members.insert(place, (name.to_owned(), Self::default()));
            place
        });
        &mut self.members[place].1
    }
}

impl Columns {
    /// Adds the columns of the values at a path, with a name and names that begin with it. Returns
    /// the last column.
    pub(super) fn add(&mut self, path: &[&str], shape: &Shape, name: &str) -> Column {
        let node = self.flatten(shape, name.to_owned());
        let mut parent = &mut self.top;
        for member in path {
            parent = parent.member(member);
        }
        *parent = node;
        self.names.len() - 1
    }

    pub(super) fn add_empty(&mut self, name: &str) {
        self.add_column(name);
    }

    fn add_column(&mut self, name: impl Into<String>) -> Column {
        self.names.push(name.into());
        self.names.len() - 1
    }

    /// Makes columns for all parts of a shape. A value is a column only if it has neither members
    /// nor items, because an empty list or object is not a value there.
    fn flatten(&mut self, shape: &Shape, name: String) -> Node {
        let mut node = Node::default();
        for (member, shape) in &shape.members {
            *node.member(member) = self.flatten(shape, format!("{name}.{member}"));
        }
        if let Some(items) = &shape.items {
            node.items = (0..shape.num_items_max).map(|item| self.flatten(items, format!("{name}.{item}"))).collect();
        }
        if node.members.is_empty() && node.items.is_empty() {
            node.column = Some(self.add_column(name));
        }
        node
    }

    pub(super) fn sort(&mut self) {
        self.order = (0..self.names.len()).collect();
        self.order.sort_by(|a, b| self.names[*a].cmp(&self.names[*b]));
        self.places = vec![0; self.names.len()];
        for (place, column) in self.order.iter().enumerate() {
            self.places[*column] = place;
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|column| self.names[*column].as_str())
    }

    /// Returns the values of a resource, in their order in the resource.
    pub(super) fn cells<'a>(&self, resource: &'a [u8]) -> Result<Cells<'a>, serde_json::Error> {
        let mut cells = Vec::with_capacity(self.names.len());
        let resource = str::from_utf8(resource).map_err(de::Error::custom)?;
        let mut json = serde_json::Deserializer::from_str(resource);
        Walk { node: &self.top, cells: &mut cells }.deserialize(&mut json)?;
        json.end()?;
        Ok(cells)
    }

    /// Returns the values of all columns, in the order of the columns.
    pub(super) fn in_order<'a>(&self, mut cells: Cells<'a>) -> impl Iterator<Item = Cell<'a>> {
        let mut found = vec![usize::MAX; self.order.len()];
        for (place, (column, _)) in cells.iter().enumerate() {
            found[self.places[*column]] = place;
        }
        found.into_iter().map(move |place| cells.get_mut(place).map(|(_, cell)| mem::take(cell)).unwrap_or_default())
    }
}

/// Collects the values of a node and the nodes below it while the JSON is read. The work depends on
/// the size of the resource, not on the number of columns.
struct Walk<'n, 'c, 'de> {
    node: &'n Node,
    cells: &'c mut Cells<'de>,
}

impl<'de> Walk<'_, '_, 'de> {
    fn put(self, cell: Cell<'de>) {
        if let Some(column) = self.node.column {
            self.cells.push((column, cell));
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.put(Cell::Empty);
        Ok(())
    }

    fn visit_bool<E>(self, truth: bool) -> Result<(), E> {
        self.put(Cell::Truth(truth));
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.put(Cell::Number(number.into()));
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.put(Cell::Number(number.into()));
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.put(Number::from_f64(number).map_or(Cell::Empty, Cell::Number));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.put(Cell::Text(Cow::Owned(text.to_owned())));
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.put(Cell::Text(Cow::Borrowed(text)));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = members.next_key()? {
            match self.node.place(&name) {
                Ok(place) => {
                    members.next_value_seed(Walk { node: &self.node.members[place].1, cells: &mut *self.cells })?;
                }
                Err(_) => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for node in &self.node.items {
            if items.next_element_seed(Walk { node, cells: &mut *self.cells })?.is_none() {
                return Ok(());
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
