//! Resources as a table: the columns and rows of the real service's CSV.
//!
//! A resource is flattened: the members of objects and the items of lists become columns such as `biomes.0.id`. Columns are those
//! that any resource of the type needs, sorted by name. Texts are quoted and on one line, numbers and booleans are bare, and what
//! is missing is `""`.

mod cell;
mod columns;

use serde_json::Value;
use store::Shape;

use crate::catalogue::collections::collection::{Collection, IdForm};
use crate::catalogue::request::fields::SparseFields;
pub(crate) use cell::Formulas;
use columns::{Column, Columns};

#[derive(Debug)]
pub(crate) struct Table {
    columns: Columns,
    /// The column of the id, which some types make of several values.
    id: Option<Column>,
    id_form: IdForm,
    formulas: Formulas,
}

impl Table {
    /// Makes the columns of a collection from the shape of its resources, of the fields that are asked for.
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
                // A single member is its link, where it has one.
                Some(data) if !data.members.is_empty() && related.is_some() => {
                    columns.add(&["relationships", name, "links", "related"], &Shape::default(), &column);
                }
                Some(data) => columns.add(&["relationships", name, "data"], data, &column),
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
        let id = (has_id && fields.shows(resource_type, "id")).then(|| columns.add_column("id"));
        columns.sort();
        Self { columns, id, id_form, formulas }
    }

    pub(crate) fn write_header(&self, csv: &mut Vec<u8>) {
        let names = self.columns.names().map(Value::from).collect::<Vec<_>>();
        if !names.is_empty() {
            cell::write_line(names.iter().map(Some), self.formulas, csv);
        }
    }

    pub(crate) fn write_row(&self, rendered: &[u8], csv: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        let resource: Value = serde_json::from_slice(rendered)?;
        let id = self.id_of(&resource);
        let mut cells = self.columns.cells(&resource);
        if let Some(column) = self.id {
            cells[column] = Some(&id);
        }
        cell::write_line(self.columns.in_order(&cells), self.formulas, csv);
        Ok(())
    }

    fn id_of(&self, resource: &Value) -> Value {
        let id = resource["id"].as_str().unwrap_or_default();
        match self.id_form {
            IdForm::Text => id.into(),
            IdForm::Number => id.parse::<u64>().map_or_else(|_| id.into(), Value::from),
            IdForm::WithVersion => {
                let version = resource["attributes"]["version"].as_str();
                version.map_or_else(|| id.into(), |version| format!("{id}/{version}").into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{BufRead, BufReader};

    use super::*;
    use crate::catalogue::collections::lookup;
    use crate::catalogue::request::query::Query;

    /// Resources of the real service, as it gives them with `format=csv`.
    fn resources(collection: &str) -> Vec<String> {
        let path = format!("{}/../data/catalogue/collections/{collection}.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
        let lines = BufReader::new(flate2::read::MultiGzDecoder::new(File::open(path).unwrap())).lines();
        let rendered = lines.map(|line| {
            let mut resource: Value = serde_json::from_str(&line.unwrap()).unwrap();
            link(&mut resource);
            resource.to_string()
        });
        rendered.collect()
    }

    /// Gives all links of this server their `format`.
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
    fn categories_have_a_number_as_id() {
        let csv = table("cog-cats", &resources("cogs"), "");
        assert!(csv.starts_with(
            "\"description\",\"id\",\"name\"\r\n\"Cytoskeleton\",25,\"Z\"\r\n\"Nuclear structure\",24,\"Y\"\r\n"
        ));
        assert!(csv.ends_with("\"RNA processing and modification\",1,\"A\"\r\n\"\",26,\"-\"\r\n"));
    }

    #[test]
    fn assemblies_are_those_of_the_real_service() {
        let csv = table("assemblies", &resources("assemblies"), "");
        let expected = [
            r#""accession","analyses","coverage","experiment_type","is_private","legacy_accession","min_gap_length","pipelines.0.id","pipelines.0.links.self","pipelines.0.type","runs.0.id","runs.0.links.self","runs.0.type","samples.0.id","samples.0.links.self","samples.0.type","url","wgs_accession""#,
            r#""ERZ477906","","","assembly",False,"GCA_900230545","","4.0","{base_url}/metagenomics/api/v1/pipelines/4.0?format=csv","pipelines","SRR873599","{base_url}/metagenomics/api/v1/runs/SRR873599?format=csv","runs","SRS429584","{base_url}/metagenomics/api/v1/samples/SRS429584?format=csv","samples","{base_url}/metagenomics/api/v1/assemblies/ERZ477906?format=csv","OCVV01""#,
        ];
        assert_eq!(lines(&csv, 2), expected);
        let without_run = r#""ERZ477712","","","assembly",False,"GCA_900217145","","4.0","{base_url}/metagenomics/api/v1/pipelines/4.0?format=csv","pipelines","","","","SRS1743815""#;
        assert!(csv.contains(without_run));
    }

    #[test]
    fn tools_have_their_version_in_the_id() {
        let csv = table("pipeline-tools", &resources("pipeline-tools"), "");
        let header = r#""configuration_file","description","exe_command","id","notes","pipelines.0.id","pipelines.0.links.self","pipelines.0.type","pipelines.1.id","pipelines.1.links.self","pipelines.1.type","pipelines.2.id","pipelines.2.links.self","pipelines.2.type","pipelines.3.id","pipelines.3.links.self","pipelines.3.type","tool_name","url","version","web_link""#;
        let row = r#""","A set of freely available tools for biological computation written in Python.","N/A","Biopython/1.54","","1.0","{base_url}/metagenomics/api/v1/pipelines/1.0?format=csv","pipelines","","","","","","","","","","Biopython","{base_url}/metagenomics/api/v1/pipeline-tools/Biopython/1.54?format=csv","1.54","http://www.biopython.org/""#;
        assert_eq!(lines(&csv, 2), [header, row]);
        assert!(csv.contains(r#""Infernal (""INFERence of RNA ALignment"") is"#));
    }

    #[test]
    fn studies_are_those_of_the_real_service() {
        let csv = table("studies", &resources("studies"), "");
        let header = r#""accession","analyses","biomes.0.id","biomes.0.links.self","biomes.0.type","biomes.1.id","biomes.1.links.self","biomes.1.type","bioproject","centre_name","data_origination","downloads","is_private","last_update","public_release_date","publications","samples","samples_count","secondary_accession","study_abstract","study_name","url""#;
        let without_biome = r#""MGYS00002217","","","","","","","","PRJNA292800","BioProject","HARVESTED","",False,"2018-02-14T14:15:20","","","","","SRP062418","Oral Microbiome Characterization","Oral Microbiome Metagenome","{base_url}/metagenomics/api/v1/studies/MGYS00002217?format=csv""#;
        let rows = lines(&csv, 3);
        assert_eq!((rows[0], rows[2]), (header, without_biome));
        assert_eq!(csv.lines().count(), 126, "no text is on more than one line");
    }

    #[test]
    fn samples_have_their_biome_as_a_link_and_their_metadata_spread() {
        let csv = table("samples", &resources("samples"), "fields[samples]=biome,latitude,sample_metadata,runs");
        let rows = lines(&csv, 2);
        let header = r#""biome","latitude","runs","sample_metadata.0.key","sample_metadata.0.unit","sample_metadata.0.value","sample_metadata.1.key","#;
        assert!(rows[0].starts_with(header) && rows[0].ends_with(r#","url""#));
        let row = r#""{base_url}/metagenomics/api/v1/biomes/root:Environmental:Aquatic:Marine?format=csv",36.5533,"","","","","#;
        assert!(rows[1].starts_with(row), "{}", rows[1]);
    }

    #[test]
    fn biomes_have_no_column_for_what_is_only_a_link() {
        let csv = table("biomes", &resources("biomes"), "");
        let row =
            r#""Engineered","root:Engineered",0,"{base_url}/metagenomics/api/v1/biomes/root:Engineered?format=csv""#;
        assert_eq!(lines(&csv, 2), [r#""biome_name","lineage","samples_count","url""#, row]);
    }

    #[test]
    fn only_fields_that_are_asked_for_are_columns() {
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
    fn lists_that_are_empty_everywhere_are_one_empty_column() {
        let resource =
            r#"{"type":"x","id":"1","attributes":{"tags":[]},"relationships":{"runs":{"data":[]}}}"#.to_owned();
        assert_eq!(table("x", &[resource], ""), "\"id\",\"runs\",\"tags\"\r\n\"1\",\"\",\"\"\r\n");
    }

    #[test]
    fn a_table_of_nothing_is_empty() {
        assert_eq!(table("samples", &[], ""), "");
    }
}
