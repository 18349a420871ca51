//! Answers that differ on purpose: runs, analyses, publications, pipelines, experiment types and
//! genomes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::decided::{JSON_ALWAYS, SLASH, UNKNOWN_PARENT, list, not_found};
use super::{Difference, Recorded, json_difference};
use support::Answer;

/// Returns the table.
pub(super) fn table() -> Vec<Difference> {
    [paths(), forms(), lists(), repeats()].into_iter().flatten().collect()
}

/// Paths of missing resources, and other spellings of paths.
fn paths() -> Vec<Difference> {
    let unknown_parents = [
        "/analyses/MGYA99999999/downloads",
        "/studies/nope/analyses",
        "/studies/MGYS00000264/analyses",
        "/studies/MGYS00000539/analyses",
        "/studies/MGYS00002066/analyses",
        "/runs/nope/extra-annotations",
        "/runs/ERR1351588/extra-annotations",
        "/genomes/MGYG000000001/downloads",
        "/genome-catalogues/human-gut-v2-0/downloads",
    ];
    let nothing_there = [
        "/analyses/MGYA00135572/downloads/nope.tsv",
        "/publications/nope",
        "/publications/nope/studies",
        "/pipelines/abc",
        "/pipelines/4.0/studies",
        "/samples/ERS074453/analyses",
        "/runs/SRR873599/pipelines",
        "/runs/SRR873599/sample",
    ];
    let not_found = |reason| move |path| Difference::get(path, reason, not_found);
    let mut table: Vec<Difference> = unknown_parents.map(not_found(UNKNOWN_PARENT)).into();
    table.extend(nothing_there.map(not_found(JSON_ALWAYS)));
    for path in [
        "/runs/SRR997122/",
        "/analyses/MGYA00135572/",
        "/publications/21850055/",
        "/pipelines/4.0/",
        "/experiment-types/amplicon/",
    ] {
        table.push(Difference::get(path, SLASH, |recorded, answer| {
            let id = list(answer)["data"]["id"].as_str().expect("a text").to_owned();
            assert!(recorded.path.ends_with(&format!("/{id}/")), "{id}");
        }));
    }
    table.push(Difference::get("/runs/SRR997122.json", "every path may end with a format", |_, answer| {
        assert_eq!(list(answer)["data"]["id"], "SRR997122");
    }));
    table
}

/// Suffixes of paths, and tables.
fn forms() -> Vec<Difference> {
    let mut table = Vec::new();
    for path in ["/runs.json?page_size=2", "/analyses.json?page_size=1"] {
        table.push(Difference::get(path, "all links keep the ending of the path", |recorded, answer| {
            let mut ours = list(answer).to_string();
            let mut recorded = recorded.json.as_ref().expect("JSON").to_string();
            for text in [&mut ours, &mut recorded] {
                *text = text.replace(".json", "");
            }
            let value = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
            assert_eq!(value(&ours), value(&recorded));
        }));
    }
    table.push(Difference {
        method: "GET",
        request: ("/runs?page_size=1", Some("application/vnd.api+json")),
        reason: "JSON:API's own content type is served",
        check: |_, answer| assert_eq!(answer.header("content-type"), "application/vnd.api+json"),
    });
    let csv = "CSV is streamed whole, whatever its length, and `format` wins over what is accepted";
    for (path, accept) in [("/runs?format=csv", None), ("/analyses?format=csv", None), ("/runs", Some("text/csv"))] {
        let request = (path, accept);
        table.push(Difference {
            method: "GET",
            request,
            reason: csv,
            check: |recorded, answer| {
                assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "text/csv"));
                let expected = if recorded.path.contains("runs") { 12_651 } else { 12_638 };
                assert_eq!(csv::Reader::from_reader(&answer.body[..]).records().count(), expected);
            },
        });
    }
    let columns = "columns are those that any resource of the type needs, so that all tables of a type have the same";
    for (path, accept) in [
        ("/runs?study_accession=MGYS00000257&format=csv", None),
        ("/runs.csv?sample_accession=ERS074453", None),
        ("/runs?sample_accession=ERS074453", Some("text/csv")),
        ("/analyses/MGYA00135572?format=csv", None),
    ] {
        table.push(Difference { method: "GET", request: (path, accept), reason: columns, check: same_cells });
    }
    table
}

/// Contents and orders of lists.
fn lists() -> Vec<Difference> {
    let mut table = vec![
        Difference::get("/runs?page_size=4&accession=SRR873599&accession=ERR1022497", REPEATED, |_, answer| {
            assert_eq!(ids(answer), ["SRR873599", "ERR1022497"]);
        }),
        Difference::get(
            "/runs?page_size=4&sample_accession=ERS074453,ERS025421",
            "every filter by accession takes a list",
            |_, answer| {
                assert_eq!(ids(answer), ["ERR055466", "ERR031114"]);
            },
        ),
        Difference::get(
            "/analyses?page_size=3&accession=MGYA00011851,MGYA00141552",
            "every filter by accession takes a list",
            |_, answer| {
                assert_eq!(ids(answer), ["MGYA00141552", "MGYA00011851"]);
            },
        ),
        Difference::get("/analyses?page_size=3&accession=nope", NO_ACCESSION, nothing),
        Difference::get("/analyses?page_size=3&accession=mgya00011851", NO_ACCESSION, nothing),
        Difference::get("/analyses?page_size=3&ordering=accession", ORDERED, |_, answer| {
            assert_eq!(ids(answer)[0], "MGYA00000003");
        }),
        Difference::get("/analyses?page_size=3&ordering=-accession", ORDERED, |_, answer| {
            assert_eq!(ids(answer)[0], "MGYA00141559");
        }),
        Difference::get("/studies/MGYS00000462/analyses?page_size=2&ordering=job_id", ORDERED, |_, answer| {
            assert!(ids(answer).is_sorted());
        }),
    ];
    for path in ["/analyses?page_size=3&include=downloads", "/genomes?include=catalogue"] {
        let reason = "as JSON:API has it, what was asked to be included is there, though empty";
        table.push(Difference::get(path, reason, |recorded, answer| {
            let mut expected = recorded.json.clone().expect("JSON");
            expected["included"] = json!([]);
            assert_eq!(list(answer), expected);
        }));
    }
    table
}

/// Resources that the real program lists twice, or names by internal keys.
fn repeats() -> Vec<Difference> {
    let mut table = Vec::new();
    for path in [
        "/pipelines/1.0/samples?page_size=3",
        "/pipelines/4.0/samples?page_size=3&lineage=root:Environmental:Aquatic:Marine&ordering=accession",
        "/experiment-types/metabarcoding/samples?page_size=5&ordering=accession",
    ] {
        table.push(Difference::get(path, "no resource is listed twice", |recorded, answer| {
            let (ours, recorded) = (list(answer), recorded.json.as_ref().expect("JSON"));
            let count = |list: &Value| list["meta"]["pagination"]["count"].as_u64().expect("a number");
            assert!(count(&ours) < count(recorded));
            let ids = ids(answer);
            assert!(ids.iter().all(|id| ids.iter().filter(|other| *other == id).count() == 1), "{ids:?}");
        }));
    }
    for path in [
        "/pipelines/1.0/samples?page_size=2&ordering=accession&include=runs",
        "/studies/MGYS00002011?include=analyses",
        "/studies/MGYS00000257?include=publications",
        "/samples/ERS074453?include=runs,biome",
        "/samples?include=runs&page_size=2&ordering=accession",
    ] {
        table.push(Difference::get(path, "what is included is named by its id, not by an internal key", linked));
    }
    table
}

/// The reason for using all values of a repeated parameter.
const REPEATED: &str = "repeated accessions are all asked for";

/// The reason for filtering by a text that is not an accession.
const NO_ACCESSION: &str = "an accession that cannot be read matches nothing, rather than everything";

/// The reason for supporting more orders.
const ORDERED: &str = "every order of a type is followed wherever it is listed";

/// Returns the ids of a list.
fn ids(answer: &Answer) -> Vec<String> {
    let data = list(answer)["data"].as_array().expect("a list").clone();
    data.iter().map(|resource| resource["id"].as_str().expect("a text").to_owned()).collect()
}

/// Checks that the list is empty.
fn nothing(_: &Recorded, answer: &Answer) {
    assert_eq!(list(answer)["meta"]["pagination"], json!({"page": 1, "pages": 1, "count": 0}));
}

/// Checks that every cell of the recorded table is there, in the same order of rows, and that
/// further columns are empty.
fn same_cells(recorded: &Recorded, answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "text/csv"));
    let rows = |text: &[u8]| -> Vec<BTreeMap<String, String>> {
        csv::Reader::from_reader(text).deserialize().map(|row| row.expect("a row")).collect()
    };
    let (ours, theirs) = (rows(&answer.body), rows(recorded.text.as_ref().expect("a table").as_bytes()));
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        for (column, cell) in ours {
            // All links keep the ending of the path.
            let recorded = theirs.get(column).map_or("", String::as_str);
            assert_eq!(cell.replace(".csv", ""), recorded.replace(".csv", ""), "{column}");
        }
        assert!(theirs.keys().all(|column| ours.contains_key(column)));
    }
}

/// Checks that everything but the identifiers in relationships is as recorded, and that all
/// included resources are named there.
fn linked(recorded: &Recorded, answer: &Answer) {
    let mut ours = list(answer);
    let mut recorded = recorded.json.clone().expect("JSON");
    let included: Vec<String> =
        ours["included"].as_array().expect("a list").iter().map(|one| one["id"].to_string()).collect();
    let relationships = ours["data"].to_string();
    assert!(included.iter().all(|id| relationships.contains(id)), "{included:?}");
    for document in [&mut ours, &mut recorded] {
        let resources = match &mut document["data"] {
            Value::Array(resources) => resources.iter_mut().collect::<Vec<_>>(),
            resource => vec![resource],
        };
        for resource in resources {
            // The rows do not say which study was made from which other.
            let unknown = (resource["type"] == "studies").then_some("studies");
            for name in ["runs", "analyses", "publications"].into_iter().chain(unknown) {
                if let Some(relationship) = resource["relationships"].get_mut(name) {
                    relationship["data"].take();
                }
            }
        }
    }
    // The number of pages is lower where no resource is listed twice.
    for member in ["data", "included"] {
        assert_eq!(json_difference(member, &ours[member], &recorded[member]), None);
    }
}
