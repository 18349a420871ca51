//! The schemas of the description. Our own words: the names and types of members are facts about the real service.

use serde_json::{Map, Value, json};

/// Members with their types: `text`, `integer`, `number`, `time`, `object`, or a schema; with `?` where it may be null, and in brackets
/// where it is a list.
type Members = &'static str;

const SCHEMAS: [(&str, &str, Members); 34] = [
    ("Biome", "A biome.", "biome_name text, lineage text?"),
    (
        "Study",
        "A study, as lists and other resources have it.",
        "accession text, ena_accessions [text], title text?, biome Biome?, updated_at time?, metadata object",
    ),
    ("StudyDetail", "A study.", "..Study, first_accession text?, downloads [Download]"),
    (
        "Sample",
        "A sample, as lists and other resources have it.",
        "accession text, ena_accessions [text], sample_title text?, biome Biome?, updated_at time?",
    ),
    ("SampleWithMetadata", "A sample, as the list of a study has it.", "..Sample, metadata object"),
    ("SampleDetail", "A sample.", "..SampleWithMetadata, studies [Study]"),
    (
        "Run",
        "A run, as lists and other resources have it.",
        "experiment_type text?, accession text?, sample_accession text?, study_accession text?, instrument_model text?, \
         instrument_platform text?",
    ),
    ("RunDetail", "A run.", "..Run, sample Sample?, study Study?"),
    ("Assembly", "An assembly, as lists and analyses have it.", "accession text?, updated_at time?"),
    (
        "AssemblyDetail",
        "An assembly.",
        "..Assembly, run_accession text?, sample_accession text?, reads_study_accession text?, assembly_study_accession text?, \
         assembler_name text?, assembler_version text?, metadata object?, status object?",
    ),
    (
        "Analysis",
        "An analysis of a run or an assembly, as lists below other resources have it.",
        "experiment_type text?, study_accession text?, accession text, run Run?, sample Sample?, assembly Assembly?, \
         pipeline_version text?",
    ),
    (
        "AnalysisDetail",
        "An analysis of a run or an assembly.",
        "..Analysis, downloads [Download], read_run [Run]?, quality_control_summary object?, results_dir text?, metadata object?",
    ),
    ("AnalysisWithAnnotations", "An analysis with its annotations.", "..AnalysisDetail, annotations object"),
    ("Annotation", "How often an analysis found something.", "count integer?, description text?, organism text?"),
    (
        "Download",
        "A file to download.",
        "file_type text?, download_type text?, download_group text?, short_description text?, long_description text?, alias text?, \
         file_size_bytes integer?, index_files [object]?, index_file object?, url text?",
    ),
    ("Publication", "A publication.", "pubmed_id integer, title text?, published_year integer?, metadata object"),
    ("PublicationDetail", "A publication with its studies.", "..Publication, studies [Study]"),
    (
        "SuperStudy",
        "Studies under one name, as lists have them.",
        "slug text?, title text?, description text?, logo_url text?",
    ),
    (
        "SuperStudyDetail",
        "Studies under one name.",
        "..SuperStudy, flagship_studies [Study], related_studies [Study], genome_catalogues [Catalogue]",
    ),
    (
        "Genome",
        "A genome, as lists have it.",
        "accession text, ena_genome_accession text?, ena_sample_accession text?, ena_study_accession text?, ncbi_genome_accession text?, \
         ncbi_study_accession text?, img_genome_accession text?, patric_genome_accession text?, length integer?, num_contigs integer?, \
         num_genomes_total integer?, n_50 integer?, gc_content number?, type text?, completeness number?, contamination number?, \
         catalogue_id text?, taxon_lineage text?, updated_at time?, geographic_origin text?, geographic_range [text]?, biome Biome?",
    ),
    (
        "GenomeDetail",
        "A genome.",
        "..Genome, rna_5s number?, rna_5_8s number?, rna_16s number?, rna_18s number?, rna_23s number?, rna_28s number?, trnas number?, \
         nc_rnas number?, eggnog_coverage number?, ipr_coverage number?, num_proteins integer?, pangenome_size integer?, \
         pangenome_core_size integer?, pangenome_accessory_size integer?, downloads [Download]?, catalogue Catalogue?",
    ),
    ("GenomeAnnotations", "The annotations of a genome.", "accession text, annotations object"),
    (
        "Catalogue",
        "A catalogue of genomes.",
        "catalogue_id text, version text?, name text?, status text?, description text?, protein_catalogue_name text?, \
         protein_catalogue_description text?, updated_at time?, result_directory text?, genome_count integer?, \
         unclustered_genome_count integer?, ftp_url text?, pipeline_version_tag text?, catalogue_biome_label text?, catalogue_type text?, \
         other_stats object?, biome Biome?, downloads [Download]?",
    ),
    (
        "GenomeLink",
        "A genome that an assembly was linked to.",
        "genome object, species_rep text?, mag_accession text?, updated_at time?",
    ),
    (
        "ContainedGenome",
        "A genome that an assembly contains, beside those it is linked to.",
        "genome object, run_accession text?, containment number?, cani number?, updated_at time?",
    ),
    ("Accession", "The accession of a study.", "accession text"),
    (
        "Facet",
        "The items of a list, counted by their values: the number of all, of those without a value, and of different values that are no \
         numbers; the most frequent of these; and numbers, those of each unit by themselves. An item counts once for each of its values.",
        "by text, total integer, without integer, distinct integer, values [FacetValue], numbers [FacetNumbers]",
    ),
    ("FacetValue", "The number of items that have a value.", "value text, count integer"),
    (
        "FacetNumbers",
        "The items that have numbers of a unit, which is null without one: their number, and that of different numbers.",
        "unit text?, count integer, distinct integer, minimum number, maximum number, ranges [FacetRange]",
    ),
    (
        "FacetRange",
        "The number of items that have a number in a range. Its end belongs to the next range, and to this one if there is none.",
        "from number, to number, count integer",
    ),
    (
        "MetadataKey",
        "A key of the metadata of samples, and the number of samples that have it.",
        "key text, samples integer, units [MetadataUnit]",
    ),
    (
        "MetadataUnit",
        "A unit of the values of a key, null of those without one, with the number of samples that have such a value, and the least and the \
         greatest number.",
        "unit text?, samples integer, minimum number?, maximum number?",
    ),
    ("Object", "An object of no fixed form.", ""),
    ("Error", "What is wrong: a text, or of parameters a list with an entry for each.", "detail any"),
];

/// Returns all schemas by name. No member is required, since `fields` leaves any out.
pub(super) fn schemas() -> Map<String, Value> {
    SCHEMAS.iter().map(|(name, text, members)| ((*name).to_owned(), object(text, members))).collect()
}

/// Returns the name of a schema, if there is one of that name.
pub(super) fn name(of: &str) -> Option<&'static str> {
    SCHEMAS.iter().map(|(name, ..)| *name).find(|name| *name == of)
}

fn object(text: &str, members: &str) -> Value {
    let (mut properties, mut others) = (Map::new(), Vec::new());
    for member in members.split(',').map(str::trim) {
        if let Some(other) = member.strip_prefix("..") {
            others.push(reference(other));
        } else if let Some((name, of)) = member.split_once(' ') {
            properties.insert(name.to_owned(), schema(of));
        }
    }
    if others.is_empty() {
        return json!({"description": text, "type": "object", "properties": properties});
    }
    others.push(json!({"type": "object", "properties": properties}));
    json!({"description": text, "allOf": others})
}

fn schema(of: &str) -> Value {
    if let Some(of) = of.strip_suffix('?') {
        let schema = schema(of);
        return match schema["type"].as_str() {
            Some(simple) if simple != "array" => {
                let mut nullable = schema.clone();
                nullable["type"] = json!([simple, "null"]);
                nullable
            }
            _ => json!({"oneOf": [schema, {"type": "null"}]}),
        };
    }
    match of {
        "text" => json!({"type": "string"}),
        "time" => json!({"type": "string", "format": "date-time"}),
        "integer" | "number" | "object" => json!({"type": of}),
        "any" => json!({}),
        _ => match of.strip_prefix('[').and_then(|of| of.strip_suffix(']')) {
            Some(of) => json!({"type": "array", "items": schema(of)}),
            None => reference(of),
        },
    }
}

pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Returns the schema of a page of a list. What the next page is behind is there if `after` asks for it.
pub(super) fn page_of(name: &str) -> Value {
    json!({
        "type": "object",
        "properties": {
            "count": {"type": "integer", "description": "How many items the list has."},
            "items": {"type": "array", "items": reference(name)},
            "next": {"type": ["string", "null"], "description": "With `after`: what the next page is behind."},
        },
        "required": ["count", "items"],
    })
}

#[cfg(test)]
mod tests {
    use store_catalogue::model::{RESOURCE_TYPES, document_members, num_listed_members};

    use super::*;

    #[test]
    fn members_are_those_of_documents_in_their_order() {
        let all = schemas();
        let members = |name: &str| all[name]["properties"].as_object().expect(name).keys().cloned().collect::<Vec<_>>();
        for (resource_type, listed, others) in [
            ("biomes", "Biome", None),
            ("studies", "Study", Some("StudyDetail")),
            ("samples", "Sample", Some("SampleWithMetadata")),
            ("runs", "Run", None),
            ("assemblies", "Assembly", Some("AssemblyDetail")),
            ("analysis-jobs", "Analysis", Some("AnalysisDetail")),
            ("publications", "Publication", None),
            ("super-studies", "SuperStudy", Some("SuperStudyDetail")),
            ("genomes", "Genome", Some("GenomeDetail")),
            ("genome-catalogues", "Catalogue", None),
        ] {
            assert!(RESOURCE_TYPES.iter().any(|known| known.name == resource_type));
            let (listed_names, other_names) =
                document_members(resource_type).split_at(num_listed_members(resource_type));
            assert_eq!(members(listed), listed_names, "{listed}");
            let own = others.map_or_else(Vec::new, |name| {
                let own = all[name]["allOf"][1]["properties"].as_object().expect(name);
                own.keys().filter(|name| *name != "catalogue").cloned().collect()
            });
            assert_eq!(own, other_names, "{others:?}");
        }
    }

    #[test]
    fn types_are_read_from_their_short_form() {
        assert_eq!(
            schema("[text]?"),
            json!({"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
        );
        assert_eq!(schema("time?"), json!({"type": ["string", "null"], "format": "date-time"}));
        assert_eq!(schema("Biome?"), json!({"oneOf": [reference("Biome"), {"type": "null"}]}));
    }
}
