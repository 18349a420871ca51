//! All rows of the bundled sample in answers of the service, compared with the rows themselves.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use support::{PROTEINS_V2, SAMPLE, TestFolder, data_text, get, get_protein};

/// A row of the sample, read by separate code.
pub(crate) struct Row {
    mgyp: String,
    pub(crate) full_length: Value,
    pub(crate) cluster_size: u64,
    pub(crate) sequence: String,
    pub(crate) metadata: Value,
}

pub(crate) fn rows() -> Vec<Row> {
    let text = data_text(SAMPLE);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<Row> = reader
        .records()
        .map(|record| {
            let record = record.expect("a row");
            Row {
                mgyp: format!("MGYP{:0>12}", &record[0]),
                sequence: record[1].to_owned(),
                full_length: if record[2].is_empty() { Value::Null } else { json!(&record[2] == "true") },
                cluster_size: record[3].parse().expect("a number"),
                metadata: serde_json::from_str(&record[4]).expect("JSON"),
            }
        })
        .collect();
    assert_eq!(rows.len(), 10_000);
    rows
}

/// Returns the lineages by id.
pub(crate) fn lineages() -> BTreeMap<i64, String> {
    let text = data_text("proteins/biomes_id_lineage.tsv");
    text.lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0].parse().expect("a number"), fields[5].to_owned())
        })
        .collect()
}

/// Returns name and clan by family.
pub(crate) fn families() -> BTreeMap<String, (String, Value)> {
    let text = data_text("proteins/Pfam-A.clans.tsv.gz");
    text.lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let clan = if fields[1].is_empty() { Value::Null } else { json!(fields[1]) };
            (fields[0].to_owned(), (fields[4].trim_end().to_owned(), clan))
        })
        .collect()
}

pub(crate) fn list<'a>(metadata: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    metadata[key].as_array().into_iter().flatten()
}

/// Returns the record that the service must answer for a row.
fn expected_record(row: &Row, lineages: &BTreeMap<i64, String>, families: &BTreeMap<String, (String, Value)>) -> Value {
    let mut biomes: Vec<(i64, String, i64)> = list(&row.metadata, "b")
        .map(|entry| {
            let id = entry[0].as_i64().expect("an id");
            (-entry[1].as_i64().expect("a count"), lineages[&id].clone(), id)
        })
        .collect();
    biomes.sort();
    let mut hits: Vec<&Value> = list(&row.metadata, "p").collect();
    hits.sort_by_key(|hit| (hit[3].as_i64(), hit[0].as_str()));
    let mut contigs: Vec<(String, String, i64, i64, i64)> = Vec::new();
    for assembly in list(&row.metadata, "a") {
        for contig in assembly[1].as_array().expect("contigs") {
            let number = |index: usize| contig[index].as_i64().expect("a number");
            let assembly = format!("ERZ{:06}", assembly[0].as_i64().expect("a number"));
            contigs.push((assembly, format!("MGYC{:012}", number(0)), number(1), number(2), number(3)));
        }
    }
    contigs.sort();
    json!({
        "mgyp": row.mgyp,
        "sequence": row.sequence,
        "full_length": row.full_length,
        "cluster_size": row.cluster_size,
        "biomes": biomes.iter().map(|(count, name, id)| json!({"count": -count, "id": id, "name": name})).collect::<Vec<_>>(),
        "pfam_annotations": hits.iter().map(|hit| {
            let accession = hit[0].as_str().expect("an accession");
            let (name, clan) = families.get(accession).cloned().unwrap_or((accession.to_owned(), Value::Null));
            json!({
                "accession": accession, "name": name, "clan": clan, "evalue": hit[1], "bit_score": hit[2],
                "hmm_start": 0, "hmm_end": 0, "env_start": hit[3], "env_end": hit[4],
            })
        }).collect::<Vec<_>>(),
        "study_assembly_contigs": contigs.iter().map(|(assembly, contig, start, end, strand)| json!({
            "study_accession": "", "assembly_accession": assembly, "contig_accession": contig, "contig_name": contig,
            "start": start, "end": end, "strand": if *strand == 1 { "+" } else { "-" },
        })).collect::<Vec<_>>(),
    })
}

#[tokio::test]
async fn records_agree_with_their_rows() {
    let folder = TestFolder::of_sample();
    let router = folder.router();
    let (lineages, families) = (lineages(), families());
    for row in rows() {
        let answer = get_protein(&router, &format!("/protein/{}", row.mgyp)).await;
        assert_eq!(answer.json(), expected_record(&row, &lineages, &families), "{}", row.mgyp);
    }
}

/// Returns the families of the domains of a row along the sequence, with a name for each.
fn architecture(row: &Row, families: &BTreeMap<String, (String, Value)>) -> Option<(String, String)> {
    let number = |number: &Value| number.as_i64().expect("a number");
    let mut domains: Vec<(i64, i64, &str)> = list(&row.metadata, "p")
        .map(|hit| (number(&hit[3]), number(&hit[4]), hit[0].as_str().expect("an accession")))
        .collect();
    domains.sort_unstable();
    let accessions: Vec<&str> = domains.into_iter().map(|(_, _, accession)| accession).collect();
    let names: Vec<&str> =
        accessions.iter().map(|accession| families.get(*accession).map_or(*accession, |(name, _)| name)).collect();
    (!accessions.is_empty()).then(|| (accessions.join("-"), names.join(" – ")))
}

#[tokio::test]
async fn architectures_agree_with_the_rows() {
    let folder = TestFolder::of_sample();
    let router = folder.router();
    let (rows, families) = (rows(), families());
    for (query, family) in [("*", None), ("pfam:PF00005", Some("PF00005"))] {
        let answer = get(&router, &format!("{PROTEINS_V2}/facets?by=architecture&top=1000&q={query}")).await.json();
        let mut expected: HashMap<Value, u64> = HashMap::new();
        let matches = |row: &&Row| family.is_none_or(|family| list(&row.metadata, "p").any(|hit| hit[0] == family));
        for row in rows.iter().filter(matches) {
            let (value, name) = architecture(row, &families).unzip();
            *expected.entry(json!([value, name.as_deref().unwrap_or("no domain")])).or_default() += 1;
        }
        assert_eq!(answer["exact"], true, "{query}");
        assert_eq!(answer["num_values"], expected.len(), "{query}");
        let facets = answer["facets"].as_array().expect("a list");
        assert_eq!(facets.len(), expected.len().min(1000), "{query}");
        for facet in facets {
            assert_eq!(
                expected.remove(&json!([facet["value"], facet["name"]])).map(Value::from),
                Some(facet["count"].clone())
            );
        }
        let least = facets.last().expect("many")["count"].as_u64().expect("a number");
        assert!(expected.values().all(|&count| count <= least), "{query}");
    }
}
