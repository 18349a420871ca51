//! Resources as a table, with the columns and rows of the real service's CSV.
//!
//! A resource is flattened: the members of objects and the items of lists become columns such as
//! `biomes.0.id`. There is a column for each value that any resource of the type has, sorted by
//! name. Texts are quoted and on one line, numbers and booleans are bare, and a missing value is
//! `""`.

mod cell;
mod columns;

use serde_json::Value;
use store_catalogue::Shape;

use crate::collections::collection::{Collection, IdForm};
use crate::request::fields::SparseFields;
pub use cell::Formulas;
pub(crate) use cell::{Cell, Layout, write_line};
use columns::{Column, Columns};

#[derive(Debug)]
pub(crate) struct Table {
    columns: Columns,
    /// The column of the id. Some types make the id of several values.
    id: Option<Column>,
    id_form: IdForm,
    formulas: Formulas,
}

impl Table {
    /// Makes the columns for the requested fields of a collection from the shape of its resources.
    pub(crate) fn new(collection: &Collection, shape: &Shape, fields: &SparseFields, formulas: Formulas) -> Self {
        let resource_type = &collection.resource_type;
        let mut columns = Columns::default();
        let at = |path: &[&str]| path.iter().try_fold(shape, |place, name| place.members.get(*name));
        let shown = |group: &str| {
            let members = at(&[group]).into_iter().flat_map(|group| &group.members);
            members.filter(|(name, _)| fields.shows(resource_type, name)).collect::<Vec<_>>()
        };
        for (name, attribute) in shown("attributes") {
            columns.add(&["attributes", name], attribute, &name.replace('-', "_"));
        }
        for (name, relationship) in shown("relationships") {
            let column = name.replace('-', "_");
            let related = relationship.members.get("links").and_then(|links| links.members.get("related"));
            match relationship.members.get("data") {
                // If a single member has a link, only the link is a column.
                Some(data) if !data.members.is_empty() && related.is_some() => {
                    columns.add(&["relationships", name, "links", "related"], &Shape::default(), &column);
                }
                Some(data) => {
                    columns.add(&["relationships", name, "data"], data, &column);
                }
                None if collection.links_alone.contains(&name.as_str()) => {}
                None => columns.add_empty(&column),
            }
        }
        let url = at(&["links", "self"]);
        if let Some(url) = url.filter(|_| fields.shows_url()) {
            columns.add(&["links", "self"], url, "url");
        }
        let id_form = collection.id.form;
        // A link identifies its resource, except that of a tool.
        let has_id = at(&["id"]).is_some() && (url.is_none() || id_form == IdForm::WithVersion);
        let id = (has_id && fields.shows(resource_type, "id")).then(|| columns.add(&["id"], &Shape::default(), "id"));
        columns.sort();
        Self { columns, id, id_form, formulas }
    }

    pub(crate) fn write_header(&self, csv: &mut Vec<u8>) {
        let names = self.columns.names().map(Value::from).collect::<Vec<_>>();
        if !names.is_empty() {
            write_line(names.iter().map(Cell::from), Layout::Csv, self.formulas, csv);
        }
    }

    pub(crate) fn write_row(&self, rendered: &[u8], csv: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        let mut cells = self.columns.cells(rendered)?;
        let id = cells.iter_mut().find(|(column, _)| self.id == Some(*column));
        if let Some((_, id)) = id {
            match (self.id_form, &*id) {
                (IdForm::Number, Cell::Text(text)) => {
                    if let Ok(number) = text.parse::<u64>() {
                        *id = Cell::Number(number.into());
                    }
                }
                (IdForm::WithVersion, Cell::Text(name)) => {
                    let resource: Value = serde_json::from_slice(rendered)?;
                    if let Some(version) = resource["attributes"]["version"].as_str() {
                        *id = Cell::Text(format!("{name}/{version}").into());
                    }
                }
                _ => {}
            }
        }
        write_line(self.columns.in_order(cells), Layout::Csv, self.formulas, csv);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{BufRead, BufReader};

    use super::*;
    use crate::collections::lookup;
    use crate::request::query::Query;

    /// Resources of the real service, in the form that `format=csv` uses.
    fn resources(collection: &str) -> Vec<String> {
        let path = format!("{}/../../data/catalogue/collections/{collection}.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
        let lines = BufReader::new(flate2::read::MultiGzDecoder::new(File::open(path).unwrap())).lines();
        let rendered = lines.map(|line| {
            let mut resource: Value = serde_json::from_str(&line.unwrap()).unwrap();
            link(&mut resource);
            resource.to_string()
        });
        rendered.collect()
    }

    /// Adds `format` to all links to this server.
    fn link(value: &mut Value) {
        match value {
            Value::String(text) if text.starts_with("{base_url}/") => text.push_str("?format=csv"),
            Value::Array(items) => items.iter_mut().for_each(link),
            Value::Object(members) => members.values_mut().for_each(link),
            _ => {}
        }
    }

    fn shape(resources: &[String]) -> Shape {
        let mut shape = Shape::default();
        for resource in resources {
            shape.observe(&serde_json::from_str(resource).unwrap());
        }
        shape
    }

    fn table(resource_type: &str, resources: &[String], query: &str) -> String {
        let (collection, fields) = (lookup::of_type(resource_type), SparseFields::parse(&Query::parse(query)));
        let table = Table::new(&collection, &shape(resources), &fields, Formulas::Kept);
        let mut csv = Vec::new();
        table.write_header(&mut csv);
        for resource in resources {
            table.write_row(resource.as_bytes(), &mut csv).unwrap();
        }
        String::from_utf8(csv).unwrap()
    }

    /// The first lines of a table.
    fn lines(csv: &str, num_lines: usize) -> Vec<&str> {
        csv.split("\r\n").take(num_lines).collect()
    }

    #[test]
    fn names_of_columns_are_disarmed_like_texts() {
        let resource = r#"{"type":"samples","id":"1","attributes":{"=1+1":"x"}}"#.to_owned();
        let shape = shape(&[resource]);
        for (formulas, name) in [(Formulas::Disarmed, "\"'=1+1\""), (Formulas::Kept, "\"=1+1\"")] {
            let mut csv = Vec::new();
            Table::new(&lookup::of_type("samples"), &shape, &SparseFields::default(), formulas).write_header(&mut csv);
            let header = String::from_utf8(csv).unwrap();
            assert!(header.starts_with(name), "{header}");
        }
    }

    #[test]
    fn samples_have_a_biome_link_and_metadata_columns() {
        let csv = table("samples", &resources("samples"), "fields[samples]=biome,latitude,sample_metadata,runs");
        let rows = lines(&csv, 2);
        let header = r#""biome","latitude","runs","sample_metadata.0.key","sample_metadata.0.unit","sample_metadata.0.value","sample_metadata.1.key","#;
        assert!(rows[0].starts_with(header) && rows[0].ends_with(r#","url""#));
        let row = r#""{base_url}/metagenomics/api/v1/biomes/root:Environmental:Aquatic:Marine?format=csv",36.5533,"","","","","#;
        assert!(rows[1].starts_with(row), "{}", rows[1]);
    }

    #[test]
    fn biomes_have_no_columns_for_links_alone() {
        let csv = table("biomes", &resources("biomes"), "");
        let row =
            r#""Engineered","root:Engineered",0,"{base_url}/metagenomics/api/v1/biomes/root:Engineered?format=csv""#;
        assert_eq!(lines(&csv, 2), [r#""biome_name","lineage","samples_count","url""#, row]);
    }

    #[test]
    fn only_requested_fields_are_columns() {
        let assemblies = &resources("assemblies")[..1];
        let first = |query| table("assemblies", assemblies, query).split("\r\n").next().unwrap().to_owned();
        assert_eq!(first("fields[assemblies]=accession,analyses"), r#""accession","analyses","url""#);
        assert_eq!(first("fields=accession"), r#""accession""#);
        assert_eq!(first("fields=accession,url"), r#""accession","url""#);
        let cogs = &resources("cogs")[..1];
        assert_eq!(table("cog-cats", cogs, "fields=name"), "\"name\"\r\n\"Z\"\r\n");
        assert_eq!(table("cog-cats", cogs, "fields[cog-cats]=id,name"), "\"id\",\"name\"\r\n25,\"Z\"\r\n");
    }

    #[test]
    fn lists_that_are_always_empty_are_one_empty_column() {
        let resource =
            r#"{"type":"x","id":"1","attributes":{"tags":[]},"relationships":{"runs":{"data":[]}}}"#.to_owned();
        assert_eq!(table("x", &[resource], ""), "\"id\",\"runs\",\"tags\"\r\n\"1\",\"\",\"\"\r\n");
    }

    #[test]
    fn a_table_of_nothing_is_empty() {
        assert_eq!(table("samples", &[], ""), "");
    }
}
