//! Random combinations of filters, orders and pages compared with a model that reads the documents
//! one by one.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use support::machine::rounds;

use super::asking::{documents, each, get_json};

/// A list with its filters and orders.
struct List {
    path: &'static str,
    file: &'static str,
    key: &'static str,
    filters: &'static [Filter],
    orders: &'static [&'static str],
}

#[derive(Clone, Copy)]
enum Filter {
    Lineage,
    Search(Option<&'static str>, &'static [&'static str]),
    Title,
    After,
    Before,
    Experiment,
    Pipeline,
    Depth,
}

const LISTS: [List; 7] = [
    List {
        path: "studies",
        file: "studies",
        key: "accession",
        filters: &[Filter::Lineage, Filter::Search(Some("accession"), &["title", "ena_accessions"]), Filter::Pipeline],
        orders: &["accession", "updated_at"],
    },
    List {
        path: "samples",
        file: "samples",
        key: "accession",
        filters: &[Filter::Lineage, Filter::Search(None, &["sample_title", "ena_accessions"])],
        orders: &["sample_title", "updated_at"],
    },
    List { path: "runs", file: "runs", key: "accession", filters: &[Filter::Experiment], orders: &[] },
    List { path: "analyses", file: "analyses", key: "accession", filters: &[], orders: &[] },
    List {
        path: "publications",
        file: "publications",
        key: "pubmed_id",
        filters: &[Filter::Title, Filter::After, Filter::Before],
        orders: &["published_year"],
    },
    List {
        path: "genomes",
        file: "genomes",
        key: "accession",
        filters: &[Filter::Lineage, Filter::Search(Some("accession"), &["taxon_lineage", "catalogue_id"])],
        orders: &["accession", "length", "completeness", "contamination", "num_genomes_total"],
    },
    List { path: "biomes", file: "biomes", key: "lineage", filters: &[Filter::Lineage, Filter::Depth], orders: &[] },
];

/// Returns the form of a lineage that is compared: lower-case levels of letters, digits and
/// underscores.
fn normalised(lineage: &str) -> Vec<String> {
    let level = |level: &str| {
        let replaced = level.to_ascii_lowercase().replace([' ', '(', ')', '-'], "_").replace("__", "_");
        let kept: String = replaced.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        kept.trim_matches('_').to_owned()
    };
    lineage.trim_matches([' ', ':']).split(':').map(level).collect()
}

fn lineage_of<'a>(list: &List, document: &'a Value) -> Option<&'a str> {
    if list.path == "biomes" { document["lineage"].as_str() } else { document["biome"]["lineage"].as_str() }
}

/// Returns the searched text of a list, as the database of the real program writes it.
fn searched(document: &Value, member: &str) -> String {
    match &document[member] {
        Value::Array(items) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            format!("{{{}}}", items.join(","))
        }
        value => value.as_str().unwrap_or_default().to_owned(),
    }
}

impl Filter {
    /// Returns a random value of the filter, often one of a document.
    fn value(self, list: &List, document: &Value, random: &mut StdRng) -> (&'static str, String) {
        let part = |text: &str, random: &mut StdRng| {
            let chars: Vec<char> = text.chars().collect();
            let start = random.random_range(0..=chars.len());
            let end = random.random_range(start..=chars.len().min(start + 8));
            chars[start..end].iter().collect::<String>()
        };
        match self {
            Self::Lineage => {
                let lineage = lineage_of(list, document).unwrap_or("root:Nowhere").to_owned();
                let levels: Vec<&str> = lineage.split(':').collect();
                let lineage = levels[..random.random_range(1..=levels.len())].join(":");
                ("biome_lineage", if random.random() { lineage.to_uppercase() } else { lineage })
            }
            Self::Search(is, has) => {
                let member = has[random.random_range(0..has.len())];
                let text = match is {
                    Some(is) if random.random_bool(0.2) => document[is].as_str().unwrap_or_default().to_owned(),
                    _ => part(&searched(document, member), random),
                };
                ("search", if random.random() { text } else { text.to_lowercase() })
            }
            Self::Title => ("title", part(document["title"].as_str().unwrap_or_default(), random)),
            Self::After => ("published_after", random.random_range(1970..2020).to_string()),
            Self::Before => ("published_before", random.random_range(1970..2020).to_string()),
            Self::Experiment => (
                "has_experiment_type",
                ["METAG", "AMPLI", "METAT", "UNKNO", "ASSEM"][random.random_range(0..5)].to_owned(),
            ),
            Self::Pipeline => {
                ("has_analyses_from_pipeline", ["V5", "V6", "V6.1", "V2"][random.random_range(0..4)].to_owned())
            }
            Self::Depth => ("max_depth", random.random_range(1..8).to_string()),
        }
    }

    fn holds(self, list: &List, document: &Value, value: &str, features: &[Value]) -> bool {
        let contains = |text: &str| text.to_lowercase().contains(&value.to_lowercase());
        match self {
            Self::Lineage => lineage_of(list, document)
                .is_some_and(|lineage| value.is_empty() || normalised(lineage).starts_with(&normalised(value))),
            Self::Search(is, has) => {
                value.is_empty()
                    || is.is_some_and(|is| document[is] == value)
                    || has.iter().any(|member| contains(&searched(document, member)))
            }
            Self::Title => value.is_empty() || contains(document["title"].as_str().unwrap_or_default()),
            Self::After => {
                document["published_year"].as_i64().is_some_and(|year| year >= value.parse().expect("a year"))
            }
            Self::Before => {
                document["published_year"].as_i64().is_some_and(|year| year <= value.parse().expect("a year"))
            }
            Self::Experiment => {
                let labels = [
                    ("METAG", "Metagenomic"),
                    ("AMPLI", "Amplicon"),
                    ("METAT", "Metatranscriptomic"),
                    ("UNKNO", "Unknown"),
                    ("ASSEM", "Assembly"),
                ];
                labels.iter().any(|(name, label)| *name == value && document["experiment_type"] == *label)
            }
            Self::Pipeline => {
                let listed = features.iter().find(|feature| feature["accession"] == document["accession"]);
                let has = |name: &str| {
                    let listed = listed.and_then(|listed| listed["has_analyses_from_pipeline"].as_array());
                    listed.is_some_and(|listed| listed.iter().any(|known| known == name))
                };
                match value {
                    "V6" | "V6.1" => has("V6"),
                    "V5" => has("V5"),
                    _ => true,
                }
            }
            Self::Depth => {
                document["lineage"].as_str().expect("a lineage").split(':').count() <= value.parse().expect("a depth")
            }
        }
    }
}

/// Orders documents by a member. Null is the greatest value.
fn compare(one: &Value, other: &Value) -> std::cmp::Ordering {
    // Times may have fractions, and end with a Z.
    let text = |value: &'_ Value| {
        let text = value.as_str().unwrap_or_default();
        text.strip_suffix('Z').filter(|time| time.contains('T') && time.contains(':')).unwrap_or(text).to_owned()
    };
    let key = |value: &Value| (value.is_null(), value.as_f64().unwrap_or_default(), text(value));
    key(one).partial_cmp(&key(other)).expect("no NaN")
}

#[tokio::test]
async fn combinations_are_answered_like_the_model() {
    let mut random = StdRng::seed_from_u64(34);
    let features = documents("study-features");
    let mut num_found = 0;
    for list in &LISTS {
        let all = documents(list.file);
        for _ in 0..rounds(40, 120) {
            let mut query = form_urlencoded::Serializer::new(String::new());
            let mut wanted: Vec<&Value> = all.iter().collect();
            for &filter in list.filters {
                if random.random_bool(0.4) {
                    let document = &all[random.random_range(0..all.len())];
                    let (name, value) = filter.value(list, document, &mut random);
                    query.append_pair(name, &value);
                    wanted.retain(|document| filter.holds(list, document, &value, &features));
                }
            }
            if !list.orders.is_empty() && random.random_bool(0.6) {
                let order = list.orders[random.random_range(0..list.orders.len())];
                let is_descending: bool = random.random();
                query.append_pair("order", &format!("{}{order}", if is_descending { "-" } else { "" }));
                wanted.sort_by(|one, other| {
                    let by_order = compare(&one[order], &other[order]);
                    let by_order = if is_descending { by_order.reverse() } else { by_order };
                    by_order.then_with(|| compare(&one[list.key], &other[list.key]))
                });
            }
            let size = random.random_range(1..40_usize);
            let page = random.random_range(1..=wanted.len().div_ceil(size) + 1);
            query.append_pair("page_size", &size.to_string()).append_pair("page", &page.to_string());
            let path = format!("/{}/?{}", list.path, query.finish());
            let answer = get_json(&path).await;
            assert_eq!(answer["count"], wanted.len(), "{path}");
            let keys: Vec<Value> =
                wanted.iter().skip((page - 1) * size).take(size).map(|document| document[list.key].clone()).collect();
            assert_eq!(each(&answer, list.key), keys, "{path}");
            num_found += keys.len();
        }
    }
    assert!(num_found > 2_000, "the questions find something: {num_found}");
}
