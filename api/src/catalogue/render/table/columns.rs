//! The columns of a table, and the values of a resource that fill them.

use std::collections::BTreeMap;

use serde_json::Value;
use store::Shape;

/// A column by when it was added, 0-based.
pub(super) type Column = usize;

#[derive(Debug, Default)]
pub(super) struct Columns {
    top: Node,
    names: Vec<String>,
    /// The columns in the order in which they stand.
    order: Vec<Column>,
}

#[derive(Debug, Default)]
struct Node {
    column: Option<Column>,
    members: BTreeMap<String, Node>,
    items: Vec<Node>,
}

impl Columns {
    /// Adds the columns of what stands at a path, under a name and names that begin with it.
    pub(super) fn add(&mut self, path: &[&str], shape: &Shape, name: &str) {
        let node = self.flatten(shape, name.to_owned());
        let mut parent = &mut self.top;
        for member in path {
            parent = parent.members.entry((*member).to_owned()).or_default();
        }
        *parent = node;
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
    fn flatten(&mut self, shape: &Shape, name: String) -> Node {
        let mut node = Node::default();
        for (member, shape) in &shape.members {
            node.members.insert(member.clone(), self.flatten(shape, format!("{name}.{member}")));
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

impl Node {
    /// Takes the values from here and below. The work is that of the resource's own size, however many columns there are.
    fn fill<'a>(&self, value: &'a Value, cells: &mut [Option<&'a Value>]) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    if let Some(node) = self.members.get(name) {
                        node.fill(value, cells);
                    }
                }
            }
            Value::Array(items) => {
                for (node, item) in self.items.iter().zip(items) {
                    node.fill(item, cells);
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
