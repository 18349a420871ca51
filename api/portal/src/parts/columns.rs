//! Columns and cells of lists of resources.

use std::collections::BTreeSet;

use api_catalogue::Collection;
use serde_json::Value;

use crate::context::document::{Resource, as_text};
use crate::parts::attribute::{HIDDEN, as_date};
use crate::parts::words;

/// The attribute with the accession, which the first column has.
const ACCESSION: &str = "accession";

/// The number of columns of collections without default columns: their first attributes.
const NUM_OTHERS: usize = 5;

/// The maximum number of chosen columns. Unknown and repeated ones are ignored.
const COLUMNS_MAX: usize = 30;

/// The maximum mean memory of a cell.
const CELL_BYTES: usize = 400;

/// The characters of a cell. Longer texts are cut.
const CELL_CHARS: usize = 160;

/// Longer texts get a wide cell.
const LONG_CHARS: usize = 60;

pub(crate) struct Columns {
    pub(crate) shown: Vec<String>,
    /// The shown columns with numbers.
    pub(crate) numbers: Vec<String>,
    /// All attributes of the resources on the page.
    pub(crate) all: Vec<String>,
}

pub(crate) struct Cell {
    pub(crate) text: String,
    /// Its class in the style sheet; empty for short texts.
    pub(crate) class: &'static str,
}

impl Columns {
    /// Returns the columns of a list: the chosen ones, separated by commas, or the default ones.
    pub(crate) fn of(resources: &[Resource], collection: &Collection, chosen: &str) -> Self {
        let mut known = BTreeSet::new();
        let names = resources.iter().flat_map(|resource| resource.attributes.keys());
        let names = names.filter(|name| !HIDDEN.contains(&name.as_str()) && *name != ACCESSION);
        let mut all: Vec<String> = names.filter(|name| known.insert(*name)).cloned().collect();
        words::sort(&mut all, |name| name);
        let shown: Vec<String> = match (chosen, collection.columns) {
            ("", []) => all.iter().take(NUM_OTHERS).cloned().collect(),
            ("", usual) => usual.iter().map(|name| (*name).to_owned()).filter(|name| all.contains(name)).collect(),
            (chosen, _) => {
                let mut chosen_once = BTreeSet::new();
                let names = chosen.split(',').filter(|name| all.iter().any(|known| known == name));
                let names = names.filter(|name| chosen_once.insert(*name));
                names.take(COLUMNS_MAX).map(str::to_owned).collect()
            }
        };
        let numbers = shown.iter().filter(|name| is_number(resources, name)).cloned().collect();
        Self { shown, numbers, all }
    }

    /// Returns whether the chosen columns are the default ones of a collection.
    pub(crate) fn are_usual(collection: &Collection, chosen: &str) -> bool {
        let (usual, chosen): (BTreeSet<_>, BTreeSet<_>) =
            (collection.columns.iter().copied().collect(), chosen.split(',').collect());
        usual == chosen
    }

    /// Returns the memory of a page with this number of rows and these columns.
    pub(crate) fn size_bytes(&self, num_rows: usize) -> usize {
        num_rows * (self.shown.len() + 1) * CELL_BYTES
    }

    pub(crate) fn cells(&self, resource: &Resource) -> Vec<Cell> {
        self.shown.iter().map(|name| Cell::of(resource.attributes.get(name).unwrap_or(&Value::Null))).collect()
    }
}

impl Cell {
    fn of(value: &Value) -> Self {
        let text = as_text(value);
        if value.is_number() {
            return Self { text, class: "number" };
        }
        if let Some(text) = as_date(&text) {
            return Self { text, class: "date" };
        }
        let class = if text.chars().count() > LONG_CHARS { "long" } else { "" };
        match text.char_indices().nth(CELL_CHARS) {
            Some((end, _)) => Self { text: format!("{}…", &text[..end]), class },
            None => Self { text, class },
        }
    }
}

/// Returns whether all values of an attribute are numbers.
fn is_number(resources: &[Resource], name: &str) -> bool {
    let values = resources.iter().filter_map(|resource| resource.attributes.get(name));
    let mut values = values.filter(|value| !value.is_null()).peekable();
    values.peek().is_some() && values.all(Value::is_number)
}

#[cfg(test)]
mod tests {
    use api_catalogue::lookup;
    use serde_json::json;

    use super::*;

    #[test]
    fn cells_have_a_text_and_a_class() {
        for (value, text, class) in [
            (json!(null), "", ""),
            (json!("marine"), "marine", ""),
            (json!(33.8832), "33.8832", "number"),
            (json!(true), "yes", ""),
            (json!("2017-11-27T14:44:36"), "2017-11-27 14:44", "date"),
            (json!("2017-09-19T00:00:00"), "2017-09-19", "date"),
            (json!("&quot;saline &deg;C"), "\"saline °C", ""),
            (json!("TARA_X"), "TARA_X", ""),
            (json!(["a", 1]), "a, 1", ""),
            (json!("a word or two ".repeat(5)), &*"a word or two ".repeat(5), "long"),
        ] {
            let cell = Cell::of(&value);
            assert_eq!((&*cell.text, cell.class), (text, class), "{value}");
        }
        assert_eq!(Cell::of(&json!("é".repeat(500))).text.chars().count(), CELL_CHARS + 1);
    }

    #[test]
    fn columns_come_from_the_resources() {
        let resource = |attributes: Value| -> Resource {
            serde_json::from_value(json!({"type": "samples", "id": "1", "attributes": attributes})).expect("a resource")
        };
        let resources =
            [resource(json!({"x": "a", "latitude": 1})), resource(json!({"latitude": null, "sample-name": "b"}))];
        let columns = Columns::of(&resources, &lookup::of_type("samples"), "");
        assert_eq!(
            (columns.shown, columns.numbers),
            (vec!["sample-name".into(), "latitude".into()], vec!["latitude".into()])
        );
        assert_eq!(Columns::of(&resources, &lookup::of_type("samples"), "nope,x,latitude,x").shown, ["x", "latitude"]);
        let (runs, other) = (lookup::of_type("runs"), lookup::of_type("nope"));
        assert!(Columns::are_usual(&runs, "instrument-model,experiment-type,instrument-platform"));
        assert!(!Columns::are_usual(&runs, "experiment-type") && !Columns::are_usual(&other, ""));
    }
}
