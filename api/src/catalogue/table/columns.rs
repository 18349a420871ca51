//! The columns of a table, and the places of a resource that they come from.

use std::collections::BTreeMap;

use serde_json::Value;
use store::Shape;

/// A column by when it was added, 0-based.
pub(super) type Column = usize;

#[derive(Debug, Default)]
pub(super) struct Columns {
    top: Place,
    names: Vec<String>,
    /// The columns in the order in which they stand.
    order: Vec<Column>,
}

#[derive(Debug, Default)]
struct Place {
    column: Option<Column>,
    members: BTreeMap<String, Place>,
    items: Vec<Place>,
}

impl Columns {
    /// Adds the columns of what stands at a path, under a name and names that begin with it.
    pub(super) fn add(&mut self, path: &[&str], shape: &Shape, name: &str) {
        let place = self.flatten(shape, name.to_owned());
        let mut parent = &mut self.top;
        for member in path {
            parent = parent.members.entry((*member).to_owned()).or_default();
        }
        *parent = place;
    }

    pub(super) fn add_empty(&mut self, name: &str) {
        self.add_column(name);
    }

    pub(super) fn add_column(&mut self, name: impl Into<String>) -> Column {
        self.names.push(name.into());
        self.names.len() - 1
    }

    /// Makes columns of all that a shape has. A value is a column only where there are neither members nor items: what is empty
    /// there is no value.
    fn flatten(&mut self, shape: &Shape, name: String) -> Place {
        let mut place = Place::default();
        for (member, shape) in &shape.members {
            place.members.insert(member.clone(), self.flatten(shape, format!("{name}.{member}")));
        }
        if let Some(items) = &shape.items {
            place.items = (0..shape.num_items_max).map(|item| self.flatten(items, format!("{name}.{item}"))).collect();
        }
        if place.members.is_empty() && place.items.is_empty() {
            place.column = Some(self.add_column(name));
        }
        place
    }

    pub(super) fn sort(&mut self) {
        self.order = (0..self.names.len()).collect();
        self.order.sort_by(|a, b| self.names[*a].cmp(&self.names[*b]));
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|column| self.names[*column].as_str())
    }

    pub(super) fn cells<'a>(&self, resource: &'a Value) -> Vec<Option<&'a Value>> {
        let mut cells = vec![None; self.names.len()];
        self.top.fill(resource, &mut cells);
        cells
    }

    pub(super) fn in_order<'a>(&self, cells: &[Option<&'a Value>]) -> impl Iterator<Item = Option<&'a Value>> {
        self.order.iter().map(|column| cells[*column])
    }
}

impl Place {
    /// Takes the values from here and below. The work is that of the resource's own size, however many columns there are.
    fn fill<'a>(&self, value: &'a Value, cells: &mut [Option<&'a Value>]) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    if let Some(place) = self.members.get(name) {
                        place.fill(value, cells);
                    }
                }
            }
            Value::Array(items) => {
                for (place, item) in self.items.iter().zip(items) {
                    place.fill(item, cells);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                if let Some(column) = self.column {
                    cells[column] = Some(value);
                }
            }
        }
    }
}
