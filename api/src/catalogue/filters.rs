//! Filters: what parameters ask for.

mod asked;
mod combined;
mod text;

use std::collections::BTreeSet;

use store::{Condition, Coordinate};

use self::asked::Asked;
use self::combined::Combined;
use super::collection::Collection;
use super::problem::CatalogueProblem;
use super::query::Query;
use super::source::CatalogueSnapshot;

/// A filter of a collection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    /// The name of the parameter.
    pub(super) name: &'static str,
    /// What it does.
    pub(super) kind: FilterKind,
    /// What the documentation says of it.
    pub(super) description: &'static str,
}

/// What a filter looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfWhat {
    /// The resource itself.
    Itself,
    /// The samples that it names.
    Samples,
}

/// What a filter does with its value. Patterns are regular expressions, without regard to case, not anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterKind {
    /// A comma list of identifiers of any kind, repeatable; unknown ones match nothing.
    AnyIdentifier,
    /// A comma list of main identifiers, repeatable; an unknown one is refused.
    MainIdentifier,
    /// The lineage of a known biome, with all below it; an unknown one is refused.
    Lineage(OfWhat),
    /// A pattern on the full lineage.
    LineagePattern,
    /// A pattern on an attribute.
    Pattern(&'static str, OfWhat),
    /// An attribute, in full.
    Attribute(&'static str),
    /// A comma list of values of an attribute of the sample's runs; an unknown one is refused.
    OfRuns(&'static str),
    /// A pattern on an attribute of the sample's runs.
    OfRunsPattern(&'static str),
    /// The least value of a coordinate.
    CoordinateMin(Coordinate),
    /// The greatest value of a coordinate.
    CoordinateMax(Coordinate),
    /// A known key of the metadata; an unknown one is refused.
    MetadataKey(OfWhat),
    /// A value of the metadata.
    MetadataValue(OfWhat),
    /// The least value of the metadata.
    MetadataMin(OfWhat),
    /// The greatest value of the metadata.
    MetadataMax(OfWhat),
    /// An identifier of a resource of that type, which the resource and that one name each other by; an unknown one matches nothing.
    Linked(&'static str),
    /// Words.
    Text,
}

impl Filter {
    /// Makes a filter.
    pub(super) const fn new(name: &'static str, kind: FilterKind, description: &'static str) -> Self {
        Self { name, kind, description }
    }
}

/// Returns what the query asks of the resources of a collection. A filter with an empty value is none.
///
/// # Errors
///
/// * A value is refused.
/// * The engine failed.
pub(super) async fn conditions(
    collection: &Collection,
    query: &Query,
    snapshot: &dyn CatalogueSnapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let mut conditions = Vec::new();
    let mut combined = Combined::default();
    for filter in collection.filters {
        let asked = Asked { collection, parameter: filter.name, snapshot };
        match filter.kind {
            FilterKind::AnyIdentifier | FilterKind::MainIdentifier => {
                let mut seen = BTreeSet::new();
                let items = query.all(filter.name).flat_map(text::items).filter(|item| seen.insert(*item));
                let identifiers: Vec<_> = items.map(str::to_owned).collect();
                if filter.kind == FilterKind::MainIdentifier {
                    asked.check_main_identifiers(&identifiers).await?;
                }
                // No identifier at all is no filter.
                if !identifiers.is_empty() {
                    conditions.push(Condition::Identified(identifiers));
                }
            }
            kind => {
                let Some(value) = query.filled(filter.name) else { continue };
                if matches!(kind, FilterKind::MetadataKey(_)) {
                    asked.check_metadata_key(value).await?;
                }
                combined.take(filter, value)?;
                conditions.extend(asked.condition(kind, value).await?);
            }
        }
    }
    conditions.extend(combined.into_conditions());
    Ok(conditions)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use async_trait::async_trait;
    use store::{
        Bounds, CatalogueContents, Known, Listing, Ordinal, Pattern, Place, ResourceBody, ResourceBodyWriter,
        Selection, Shape, TypeContents,
    };

    use super::super::collection::COLLECTIONS;
    use super::*;
    use crate::SourceError;

    /// Some resources: identifiers, the main one first, and what stands in `relationships`.
    const RESOURCES: [(&str, &[&str], &str); 4] = [
        ("samples", &["ERS1", "SAMEA1"], r#"{"studies":{"data":[{"type":"studies","id":"MGYS1"}]}}"#),
        ("samples", &["ERS2"], "{}"),
        ("studies", &["MGYS1", "PRJEB1"], r#"{"samples":{"data":[{"type":"samples","id":"ERS2"}]}}"#),
        ("biomes", &["root:Soil"], "{}"),
    ];

    /// A state of the data that has these resources, some metadata, and runs if it says so.
    struct Fake {
        contents: CatalogueContents,
        has_runs: bool,
    }

    impl Fake {
        fn new(has_runs: bool) -> Self {
            let of_type = || TypeContents { first: 0, num_resources: 1, shape: Shape::default(), orders: Vec::new() };
            let types = RESOURCES.iter().map(|(name, ..)| ((*name).to_owned(), of_type())).collect::<BTreeMap<_, _>>();
            let contents = CatalogueContents { types, num_resources: 4, resources_crc32: 0, resources_file_bytes: 0 };
            Self { contents, has_runs }
        }
    }

    #[async_trait]
    impl CatalogueSnapshot for Fake {
        fn generation(&self) -> &'static str {
            "fake"
        }

        fn contents(&self) -> &CatalogueContents {
            &self.contents
        }

        async fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>, SourceError> {
            let is_asked = |(name, ids, _): &(&str, &[&str], &str)| *name == resource_type && ids.contains(&identifier);
            Ok(RESOURCES.iter().position(is_asked).map(|position| u32::try_from(position).unwrap()))
        }

        async fn resources(&self, ordinals: Vec<Ordinal>) -> Result<Vec<ResourceBody>, SourceError> {
            let bodies = ordinals.into_iter().map(|ordinal| {
                let (name, ids, relationships) = RESOURCES[ordinal as usize];
                let mut writer = ResourceBodyWriter::default();
                let json = format!(r#"{{"type":"{name}","id":"{}","relationships":{relationships}}}"#, ids[0]);
                writer.json(json.as_bytes());
                writer.finish()
            });
            Ok(bodies.collect())
        }

        async fn select(&self, _selection: Selection) -> Result<Arc<Listing>, SourceError> {
            unimplemented!("filters select nothing")
        }

        async fn knows(&self, what: Known) -> Result<bool, SourceError> {
            Ok(match what {
                Known::Lineage(name, lineage) => name == "samples" && lineage == "root:Given",
                Known::MetadataKey(key) => key == "depth",
                Known::Attribute(name, _) => name == "runs" && self.has_runs,
                Known::AttributeValue(name, _, value) => name == "runs" && self.has_runs && value == "nanopore",
            })
        }

        async fn places(&self, _listing: Arc<Listing>) -> Result<Vec<Place>, SourceError> {
            unimplemented!("filters look at no places")
        }
    }

    async fn of(path: &str, query: &str, has_runs: bool) -> Result<Vec<Condition>, CatalogueProblem> {
        let collection = COLLECTIONS.iter().find(|collection| collection.path == path).unwrap();
        conditions(collection, &Query::parse(query), &Fake::new(has_runs)).await
    }

    /// Checks what a query asks for.
    async fn asks(path: &str, query: &str, expected: &[Condition]) {
        assert_eq!(of(path, query, true).await.unwrap(), expected, "{query}");
    }

    /// Returns why a query is refused: parameter, code and detail.
    async fn refusal(path: &str, query: &str) -> (String, &'static str, String) {
        match of(path, query, false).await {
            Err(CatalogueProblem::Parameter { name, detail, code }) => (name.into_owned(), code, detail),
            other => panic!("{query} gives {other:?}"),
        }
    }

    fn identified(ids: &[&str]) -> Condition {
        Condition::Identified(ids.iter().map(|id| (*id).to_owned()).collect())
    }

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(text).unwrap()
    }

    fn metadata(key: Option<&str>, value: Option<&str>, min: Option<f64>, max: Option<f64>) -> Condition {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Condition::Metadata { key: owned(key), value: owned(value), bounds: Bounds { min, max } }
    }

    #[tokio::test]
    async fn what_is_not_asked_or_unknown_asks_nothing() {
        for query in
            ["", "accession=&lineage=&search=", "biome=root&environment_biome=x&page=2&filter[x]=1", "accession=,"]
        {
            asks("samples", query, &[]).await;
        }
        asks("cogs", "search=x&accession=A", &[]).await;
    }

    #[tokio::test]
    async fn identifiers_are_collected_from_lists_and_repetitions() {
        asks("samples", "accession=ERS1,ERS2", &[identified(&["ERS1", "ERS2"])]).await;
        asks("samples", "accession=ERS1,ERS2,ERS1&accession=ERS2", &[identified(&["ERS1", "ERS2"])]).await;
        asks("samples", "accession=ERS2&accession=ERS1", &[identified(&["ERS2", "ERS1"])]).await;
        asks("studies", "accession=PRJEB1&accession=nope", &[identified(&["PRJEB1", "nope"])]).await;
    }

    #[tokio::test]
    async fn only_main_identifiers_of_samples_are_accepted() {
        for (query, value) in [("accession=ERS1,nope", "nope"), ("accession=SAMEA1", "SAMEA1")] {
            let detail = format!("Select a valid choice. {value} is not one of the available choices.");
            assert_eq!(refusal("samples", query).await, ("accession".to_owned(), "invalid_choice", detail));
        }
    }

    #[tokio::test]
    async fn lineages_are_those_of_biomes_or_data() {
        asks("samples", "lineage=root:Soil", &[Condition::Lineage("root:Soil".to_owned())]).await;
        let of_samples = Condition::OfSamples(Box::new(Condition::Lineage("root:Given".to_owned())));
        asks("assemblies", "lineage=root:Given", &[of_samples]).await;
        let detail = "Select a valid choice. That choice is not one of the available choices.".to_owned();
        assert_eq!(refusal("studies", "lineage=root:Nope").await, ("lineage".to_owned(), "invalid_choice", detail));
    }

    #[tokio::test]
    async fn the_last_value_of_other_parameters_counts() {
        asks("samples", "biome_name=[&biome_name=soil", &[Condition::LineagePattern(pattern("soil"))]).await;
        asks("biomes", "filter[depth]=3", &[Condition::Attribute("depth".to_owned(), "3".to_owned())]).await;
        let species = Condition::AttributePattern("species".to_owned(), pattern("homo"));
        asks("samples", "species=homo", std::slice::from_ref(&species)).await;
        let search = Condition::Text("a b".to_owned());
        asks("assemblies", "search=a+b&species=homo", &[Condition::OfSamples(Box::new(species)), search]).await;
    }

    #[tokio::test]
    async fn patterns_and_numbers_are_checked() {
        let (name, code, detail) = refusal("studies", "biome_name=[").await;
        assert_eq!((name.as_str(), code), ("biome_name", "invalid"));
        assert!(detail.starts_with("Enter a valid regular expression: "));
        let expected = ("metadata_value_gte".to_owned(), "invalid", "Enter a number.".to_owned());
        assert_eq!(refusal("samples", "metadata_key=depth&metadata_value_gte=deep").await, expected);
        assert_eq!(refusal("samples", "longitude_lte=nan").await.0, "longitude_lte");
    }

    #[tokio::test]
    async fn coordinates_are_combined() {
        let bounds = |min, max| Bounds { min, max };
        let expected = [
            Condition::Coordinate(Coordinate::Latitude, bounds(Some(-1.5), Some(100.0))),
            Condition::Coordinate(Coordinate::Longitude, bounds(None, Some(3.0))),
        ];
        asks("samples", "longitude_lte=+3+&latitude_lte=1e2&latitude_gte=-1.5", &expected).await;
    }

    #[tokio::test]
    async fn metadata_are_one_entry() {
        asks(
            "samples",
            "metadata_value_lte=9&metadata_key=depth&metadata_value_gte=1",
            &[metadata(Some("depth"), None, Some(1.0), Some(9.0))],
        )
        .await;
        let of_samples = Condition::OfSamples(Box::new(metadata(None, Some("mud"), None, None)));
        asks("assemblies", "metadata_value=mud", &[of_samples]).await;
        let detail = "Select a valid choice. deep is not one of the available choices.".to_owned();
        let expected = ("metadata_key".to_owned(), "invalid_choice", detail);
        assert_eq!(refusal("samples", "metadata_key=deep").await, expected);
    }

    #[tokio::test]
    async fn runs_are_looked_at_where_there_are_any() {
        let of_runs = |condition| Condition::SampleOf("runs".to_owned(), Box::new(condition));
        let is = |value: &str| Condition::Attribute("experiment_type".to_owned(), value.to_owned());
        let types = of_runs(Condition::AnyOf(vec![is("amplicon"), is("nanopore")]));
        asks("samples", "experiment_type=amplicon,nanopore", &[types]).await;
        let model = of_runs(Condition::AttributePattern("instrument_model".to_owned(), pattern("hiseq")));
        asks("samples", "instrument_model=hiseq", &[model]).await;
        let Err(CatalogueProblem::Parameter { code, detail, .. }) = of("samples", "experiment_type=x", true).await
        else {
            panic!("x is accepted")
        };
        let expected = "Select a valid choice. x is not one of the available choices.";
        assert_eq!((code, detail.as_str()), ("invalid_choice", expected));
        for query in ["experiment_type=amplicon", "instrument_platform=illumina"] {
            let (_, code, detail) = refusal("samples", query).await;
            assert_eq!(code, "invalid");
            assert!(detail.contains("no runs were loaded"), "{detail}");
        }
    }

    #[tokio::test]
    async fn linked_resources_are_found_by_any_identifier() {
        let pair = |id: &str| (String::from("studies"), id.to_owned());
        let naming = |(name, id): (String, String)| {
            let found_in = Condition::FoundIn(name.clone(), id.clone(), "samples".to_owned());
            vec![Condition::Names(name, id), found_in]
        };
        let mut known = naming(pair("MGYS1"));
        known.extend(naming(pair("1")));
        known.push(identified(&["ERS2"]));
        asks("samples", "study_accession=PRJEB1", &[Condition::AnyOf(known)]).await;
        asks("samples", "study_accession=nope", &[Condition::AnyOf(naming(pair("nope")))]).await;
    }
}
