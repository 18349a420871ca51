use std::sync::Arc;

use api_http::SourceError;
use api_http::blocking::in_turns;
use store::{Generations, Origin};
use store_catalogue::{
    Bounds, CatalogueBuilder, CatalogueEntry, CatalogueGeneration, MetadataEntry, Pattern, ResourceBodyWriter,
};
use tempfile::TempDir;

use axum::http::StatusCode;
use axum::response::IntoResponse;

use super::*;
use crate::collections::lookup;

/// Some resources with their identifiers. The main identifier is the first.
const RESOURCES: [(&str, &[&str]); 4] = [
    ("samples", &["ERS1", "SAMEA1"]),
    ("samples", &["ERS2"]),
    ("studies", &["MGYS1", "PRJEB1"]),
    ("biomes", &["root:Soil"]),
];

/// A generation with these resources, some metadata, and optionally a run.
struct Loaded {
    snapshot: Snapshot,
    _folder: TempDir,
}

impl Loaded {
    fn new(has_runs: bool) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("catalogue"));
        let draft = generations.begin().expect("free");
        let mut builder = CatalogueBuilder::create(draft.path(), 1 << 20).expect("new");
        for (resource_type, ids) in RESOURCES {
            let mut entry = entry(resource_type, ids);
            if ids[0] == "ERS1" {
                entry.lineages.push("root:Given".to_owned());
                let (key, value) = ("depth".to_owned(), Some("5".to_owned()));
                entry.metadata.push(MetadataEntry { key, value, unit: String::new() });
            }
            builder.add(&entry, &serde_json::Value::Null).expect("in order");
        }
        if has_runs {
            let mut run = entry("runs", &["ERR1"]);
            for (name, value) in [("experiment_type", "nanopore"), ("instrument_model", "HiSeq")] {
                run.attributes.push((name.to_owned(), value.to_owned()));
            }
            builder.add(&run, &serde_json::Value::Null).expect("in order");
        }
        let contents = builder.finish().expect("sound");
        let report = serde_json::Value::Null;
        let origin = Origin { written_by: "test".into(), finished_unix_s: 0, inputs: Vec::new(), report };
        draft.publish(origin, contents, Vec::new()).expect("published");
        let data = CatalogueGeneration::open_current(&generations).expect("whole").expect("published");
        Self { snapshot: Snapshot::new(Arc::new(data)), _folder: folder }
    }
}

fn entry(resource_type: &str, ids: &[&str]) -> CatalogueEntry {
    let mut writer = ResourceBodyWriter::default();
    let json = format!(r#"{{"type":"{resource_type}","id":"{}"}}"#, ids[0]);
    writer.json(json.as_bytes());
    let identifiers = ids.iter().map(|id| (*id).to_owned()).collect();
    CatalogueEntry { identifiers, ..CatalogueEntry::new(resource_type, ids[0], writer.finish()) }
}

fn of(resource_type: &str, query: &str, has_runs: bool) -> Result<Vec<Condition>, CatalogueProblem> {
    let collection = &lookup::of_type(resource_type);
    conditions(collection, &Query::parse(query), &Loaded::new(has_runs).snapshot)
}

fn check_conditions(path: &str, query: &str, expected: &[Condition]) {
    assert_eq!(of(path, query, true).unwrap(), expected, "{query}");
}

/// Returns the problem of a refused query: parameter, code and detail.
fn refusal(path: &str, query: &str) -> (String, &'static str, String) {
    match of(path, query, false) {
        Err(CatalogueProblem::Parameter { name, detail, code }) => (name.into_owned(), code, detail),
        other => panic!("{query} gives {other:?}"),
    }
}

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

#[test]
fn empty_and_unknown_filters_are_ignored() {
    for query in ["", "accession=&lineage=&search=", "biome=root&environment_biome=x&page=2&filter[x]=1"] {
        check_conditions("samples", query, &[]);
    }
    check_conditions("samples", "accession=,", &[Condition::Identified(Vec::new())]);
    check_conditions("cog-cats", "search=x&accession=A", &[]);
}

#[test]
fn only_main_identifiers_of_samples_are_accepted() {
    for (query, value) in [("accession=ERS1,nope", "nope"), ("accession=SAMEA1", "SAMEA1")] {
        let detail = format!("Select a valid choice. {value} is not one of the available choices.");
        assert_eq!(refusal("samples", query), ("accession".to_owned(), "invalid_choice", detail));
    }
}

#[test]
fn lineages_are_those_of_biomes_or_data() {
    check_conditions("samples", "lineage=root:Soil", &[Condition::Lineage("root:Soil".to_owned())]);
    let of_samples = Condition::OfSamples(Box::new(Condition::Lineage("root:Given".to_owned())));
    check_conditions("assemblies", "lineage=root:Given", &[of_samples]);
    let detail = "Select a valid choice. That choice is not one of the available choices.".to_owned();
    assert_eq!(refusal("studies", "lineage=root:Nope"), ("lineage".to_owned(), "invalid_choice", detail));
}

#[test]
fn the_last_value_of_other_parameters_counts() {
    check_conditions("samples", "biome_name=[&biome_name=soil", &[Condition::LineagePattern(pattern("soil"))]);
    check_conditions(
        "biomes",
        "filter[depth]=3",
        &[Condition::AttributeNumber("depth".to_owned(), Bounds { min: Some(3.0), max: Some(3.0) })],
    );
    let species = Condition::AttributePattern("species".to_owned(), pattern("homo"));
    check_conditions("samples", "species=homo", std::slice::from_ref(&species));
    let search = Condition::Text("a b".to_owned());
    check_conditions("assemblies", "search=a+b&species=homo", &[search, Condition::OfSamples(Box::new(species))]);
}

#[test]
fn patterns_and_numbers_are_checked() {
    let (name, code, detail) = refusal("studies", "biome_name=[");
    assert_eq!((name.as_str(), code), ("biome_name", "invalid"));
    assert!(detail.starts_with("Enter a valid regular expression: "));
    let expected = ("metadata_value_gte".to_owned(), "invalid", "Enter a number.".to_owned());
    assert_eq!(refusal("samples", "metadata_key=depth&metadata_value_gte=deep"), expected);
    assert_eq!(refusal("samples", "longitude_lte=nan").0, "longitude_lte");
}

#[test]
fn unknown_metadata_keys_are_rejected() {
    let detail = "Select a valid choice. deep is not one of the available choices.".to_owned();
    let expected = ("metadata_key".to_owned(), "invalid_choice", detail);
    assert_eq!(refusal("samples", "metadata_key=deep"), expected);
}

#[test]
fn runs_are_checked_if_there_are_any() {
    let of_runs = |condition| Condition::SampleOf("runs".to_owned(), Box::new(condition));
    let is = |value: &str| Condition::Attribute("experiment_type".to_owned(), value.to_owned());
    let types = of_runs(Condition::AnyOf(vec![is("amplicon"), is("nanopore")]));
    check_conditions("samples", "experiment_type=amplicon,nanopore", &[types]);
    let model = of_runs(Condition::AttributePattern("instrument_model".to_owned(), pattern("hiseq")));
    check_conditions("samples", "instrument_model=hiseq", &[model]);
    let Err(CatalogueProblem::Parameter { code, detail, .. }) = of("samples", "experiment_type=x", true) else {
        panic!("x is accepted")
    };
    let expected = "Select a valid choice. x is not one of the available choices.";
    assert_eq!((code, detail.as_str()), ("invalid_choice", expected));
    for query in ["experiment_type=amplicon", "instrument_platform=illumina"] {
        let (_, code, detail) = refusal("samples", query);
        assert_eq!(code, "invalid");
        assert!(detail.contains("no runs are loaded"), "{detail}");
    }
}

#[tokio::test]
async fn excess_work_is_retried_in_a_long_turn_and_then_refused() {
    let Loaded { snapshot, _folder } = Loaded::new(true);
    let linked = |number: usize| {
        let inner = Condition::Attribute("experiment_type".to_owned(), number.to_string());
        Condition::LinkedWith("runs".to_owned(), Box::new(inner))
    };
    let select = move |snapshot: &Snapshot, first| {
        let all = (first..first + 10).map(linked).collect();
        snapshot.select("samples", vec![Condition::AllOf(all)], Vec::new()).map(|found| found.len())
    };
    // The first time, something else uses all work.
    let (mut num_made, again) = (0, snapshot.clone());
    let make = move |turn| {
        again.within(turn, || {
            num_made += 1;
            if num_made == 1 {
                again.effort.spend(u64::MAX);
            }
            Ok::<_, SourceError>((num_made, select(&again, 0).ok()))
        })
    };
    assert_eq!(in_turns(make).await.expect("enough"), (2, Some(0)));
    let greedy = snapshot.clone();
    let make = move |turn| {
        greedy.within(turn, || {
            greedy.effort.spend(u64::MAX);
            Ok::<_, SourceError>(())
        })
    };
    assert!(matches!(in_turns(make).await, Err(SourceError::TooMuchWork)));
    // An incomplete answer fails, even if it was kept.
    let Err(problem @ SourceError::TooMuchWork) = select(&snapshot, 0) else { panic!("all work is done") };
    snapshot.effort.renew(1_000);
    let Err(SourceError::TooMuchWork) = select(&snapshot, 1) else { panic!("it takes more") };
    assert_eq!(CatalogueProblem::from(problem).into_response().status(), StatusCode::BAD_REQUEST);
}

#[test]
fn the_length_limit_applies_to_all_conditions_together() {
    let Loaded { snapshot, _folder } = Loaded::new(false);
    let samples = lookup::of_type("samples");
    let of = |text: String| {
        let pairs = vec![("where".to_owned(), text.clone()), ("where".to_owned(), text)];
        super::super::conditions::query_conditions(&samples, &Query::default().with_body(pairs), &snapshot)
    };
    let half = |num_bytes: usize| format!("species:{}", "a".repeat(num_bytes));
    assert!(of(half(100)).is_ok());
    assert!(matches!(of(half(33_000)), Err(CatalogueProblem::Parameter { code: "invalid", .. })));
}
