use std::collections::BTreeSet;

use super::*;

#[test]
fn every_collection_is_described_with_its_filters() {
    let document = description();
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("an object") {
        let method = if path.ends_with("/search") { "post" } else { "get" };
        assert!(ids.insert(item[method]["operationId"].to_string()), "{path}");
    }
    for collection in COLLECTIONS.iter() {
        let path = format!("{}/{}", paths::CATALOGUE, collection.path);
        let parameters = document["paths"][path]["get"]["parameters"].as_array().expect("a list");
        let names: Vec<_> = parameters.iter().map(|parameter| parameter["name"].as_str().expect("text")).collect();
        for filter in collection.filters() {
            assert!(names.contains(&filter.name), "{} of {}", filter.name, collection.path);
        }
        assert!(["page", "page_size", "format"].iter().all(|name| names.contains(name)), "{names:?}");
        assert_eq!(names.contains(&"ordering"), !collection.orders.is_empty());
    }
}

#[test]
fn described_formats_match_the_streams() {
    let document = description();
    let mut only_json = BTreeSet::new();
    let read = document["paths"].as_object().expect("an object").iter().filter(|(_, item)| item.get("get").is_some());
    for (path, item) in read {
        let responses = item["get"]["responses"].as_object().expect("an object");
        for status in ["304", "404", "405", "406", "414", "500", "503"] {
            assert!(responses.contains_key(status), "{status} of {path}");
        }
        let is_streamed = responses["200"]["content"].get("text/csv").is_some();
        let parameters = item["get"]["parameters"].as_array().expect("a list");
        let format = parameters.iter().find(|parameter| parameter["name"] == "format").expect(path);
        assert_eq!(format["schema"]["enum"].to_string().contains("csv"), is_streamed, "{path}");
        if !is_streamed {
            only_json.insert(path.strip_prefix(paths::CATALOGUE).expect("below the prefix"));
        }
    }
    only_json.retain(|path| !path.ends_with(&format!("/{FACETS}")));
    let expected = ["/", "/biomes/top10", "/samples/metadata-keys"];
    assert_eq!(only_json, BTreeSet::from(expected));
}

#[test]
fn the_parameters_of_pages_are_described() {
    let document = description();
    let recent = &document["paths"][format!("{}/studies/recent", paths::CATALOGUE)]["get"];
    let parameter = |name: &str| {
        let parameters = recent["parameters"].as_array().expect("a list");
        parameters.iter().find(|parameter| parameter["name"] == name).expect("described").clone()
    };
    let page = parameter("page")["schema"]["oneOf"].clone();
    assert_eq!((&page[0]["type"], &page[1]["enum"]), (&json!("integer"), &json!(["last"])));
    assert_eq!(parameter("page_size")["schema"].get("maximum"), None);
    assert!(parameter("include")["description"].to_string().contains("downloads"));
}

#[test]
fn examples_are_resources_of_collections() {
    for (path, example) in examples() {
        let collection = COLLECTIONS.iter().find(|collection| collection.path == path).expect(&path);
        assert_eq!(example["type"], *collection.resource_type);
    }
    // The bundled data have no public rows of these collections.
    let without: Vec<_> = COLLECTIONS.iter().filter(|known| !examples().contains_key(&*known.path)).collect();
    let without: Vec<&str> = without.into_iter().map(|known| &*known.path).collect();
    assert_eq!(without, ["super-studies", "genomes", "genome-catalogues", "genomeset"]);
}
