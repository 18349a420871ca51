//! The OpenAPI description agrees with the answers, and its page needs no other server.

use std::collections::BTreeSet;

use api::{Api, ServiceConfig};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::services::proteins::folder_with_replacements;
use support::{PROTEINS, PROTEINS_V2, TestFolder, get, get_protein};

/// Compares a value with a schema of an OpenAPI document: types are right, required keys are
/// present, and all keys are described.
pub(super) fn check_schema(document: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer)).expect(reference);
        return check_schema(document, target, value, at);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fits = choices.iter().any(|choice| check_schema(document, choice, value, at).is_ok());
        return if fits { Ok(()) } else { Err(format!("{at}: {value} does not match any of {schema}")) };
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        other => panic!("{at}: the schema has type {other}: {schema}"),
    };
    let is_of_type = |name: &&str| match *name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: unknown type {other}"),
    };
    if !types.iter().any(is_of_type) {
        return Err(format!("{at}: {value} has none of the types {types:?}"));
    }
    if let Some(object) = value.as_object() {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if let Some(missing) = required.into_iter().find(|key| !object.contains_key(*key)) {
            return Err(format!("{at}: {missing} is missing"));
        }
        for (key, value) in object {
            let described = schema["properties"].get(key).or_else(|| schema.get("additionalProperties"));
            let described = described.ok_or_else(|| format!("{at}: {key} is not described"))?;
            check_schema(document, described, value, &format!("{at}.{key}"))?;
        }
    }
    for (index, entry) in value.as_array().into_iter().flatten().enumerate() {
        check_schema(document, &schema["items"], entry, &format!("{at}[{index}]"))?;
    }
    Ok(())
}

#[tokio::test]
async fn the_description_agrees_with_the_answers() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    let answer = get_protein(&router, "/openapi.json").await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"));
    let document = answer.json();
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")), "{}", document["openapi"]);
    assert_eq!(document["info"]["version"], "1.0");
    let paths: BTreeSet<&str> = document["paths"].as_object().expect("paths").keys().map(String::as_str).collect();
    let (search, record) = (format!("{PROTEINS}/protein/search"), format!("{PROTEINS}/protein/{{mgyp}}"));
    assert_eq!(paths, BTreeSet::from([&*search, &*record]));
    let operation = |path: &str| document["paths"][path]["get"].clone();
    assert_eq!(operation(&search)["operationId"], "search_proteins");
    assert_eq!(operation(&record)["operationId"], "get_protein_detail");

    let names: Vec<Value> = operation(&search)["parameters"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| entry["name"].clone())
        .collect();
    assert_eq!(names, ["biome_id", "biome_lineage", "pfam_accession", "limit"]);
    let limit = &operation(&search)["parameters"][3];
    assert_eq!((&limit["schema"]["minimum"], &limit["schema"]["maximum"]), (&json!(1), &json!(1000)), "{limit}");

    for (path, request) in [
        (&record, "/protein/12"),
        (&record, "/protein/14"),
        (&record, "/protein/15"),
        (&record, "/protein/16"),
        (&record, "/protein/21"),
        (&search, "/protein/search?biome_lineage=root"),
        (&search, "/protein/search?biome_id=100000"),
    ] {
        let answer = get_protein(&router, request).await;
        let status = answer.status.as_str();
        let schema = &operation(path)["responses"][status]["content"]["application/json"]["schema"];
        check_schema(&document, schema, &answer.json(), request).expect(request);
    }
    for name in
        ["ErrorDetail", "ProteinSearchResult", "ProteinDetail", "Biome", "PfamAnnotation", "StudyAssemblyContig"]
    {
        let schema = &document["components"]["schemas"][name];
        let properties: BTreeSet<&str> =
            schema["properties"].as_object().expect(name).keys().map(String::as_str).collect();
        let required: BTreeSet<&str> =
            schema["required"].as_array().expect(name).iter().filter_map(Value::as_str).collect();
        assert_eq!(required, properties, "{name}: every key is always there");
    }
    let described = |path: &str| -> BTreeSet<String> {
        operation(path)["responses"].as_object().expect("responses").keys().cloned().collect()
    };
    let common = ["405", "414", "500", "503"];
    assert!(
        described(&record).is_superset(&["200", "302", "404"].into_iter().chain(common).map(str::to_owned).collect())
    );
    assert!(described(&search).is_superset(&["200", "422"].into_iter().chain(common).map(str::to_owned).collect()));
    let pfam = &operation(&search)["parameters"][2]["schema"];
    assert_eq!(pfam["minimum"], 1, "{pfam}");
}

#[tokio::test]
async fn references_of_the_description_resolve() {
    for prefix in [PROTEINS, PROTEINS_V2] {
        let document = get(&TestFolder::empty().router(), &format!("{prefix}/openapi.json")).await.json();
        assert_references(&document);
    }
}

fn assert_references(document: &Value) {
    let mut open = vec![document];
    let mut num_references = 0;
    while let Some(value) = open.pop() {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            assert!(reference.strip_prefix('#').is_some_and(|at| document.pointer(at).is_some()), "{reference}");
            num_references += 1;
        }
        open.extend(value.as_array().into_iter().flatten());
        open.extend(value.as_object().into_iter().flat_map(|object| object.values()));
    }
    assert!(num_references > 5);
}

/// Returns the values of `src` and `href` in a page, and the texts in double quotes that look like
/// paths of files.
fn assets_of(text: &str) -> BTreeSet<String> {
    let parts: Vec<&str> = text.split('"').collect();
    let quoted = parts.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    quoted
        .filter(|(before, part)| {
            ["src=", "href="].iter().any(|name| before.ends_with(name))
                || part.starts_with('/')
                || part.starts_with("./")
                || part.starts_with("../")
        })
        .map(|(_, part)| part.to_owned())
        .collect()
}

#[tokio::test]
async fn the_documentation_page_has_all_it_needs_on_this_server() {
    let router = TestFolder::empty().router();
    for prefix in [PROTEINS, PROTEINS_V2] {
        check_page(&router, prefix).await;
    }
}

async fn check_page(router: &Api, prefix: &str) {
    let docs = format!("{prefix}/docs/");
    let redirect = get(router, docs.trim_end_matches('/')).await;
    assert!(redirect.status.is_redirection());
    assert_eq!(
        redirect.header("location"),
        "docs/",
        "relative, as all links here: a proxy may have put a path before ours"
    );

    let page = get(router, &docs).await;
    assert_eq!((page.status, page.header("content-type")), (StatusCode::OK, "text/html"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!((page.header("x-frame-options"), page.header("x-content-type-options")), ("DENY", "nosniff"));
    let initializer = get(router, &format!("{docs}swagger-initializer.js")).await;
    let mut assets = BTreeSet::new();
    for answer in [&page, &initializer] {
        let text = String::from_utf8(answer.body.clone()).expect("text");
        for scheme in ["http://", "https://", "\"//", "'//"] {
            assert!(!text.contains(scheme), "an asset of another host: {text}");
        }
        assets.extend(assets_of(&text));
    }
    assert!(assets.len() >= 6, "{assets:?}");
    assert!(assets.contains("../openapi.json"), "{assets:?}");
    for asset in assets {
        let num_up = asset.matches("../").count();
        let folder = docs.trim_end_matches('/').rsplitn(num_up + 1, '/').last().expect("a folder");
        let path = format!("{folder}/{}", asset.trim_start_matches("../").trim_start_matches("./"));
        let answer = get(router, &path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert!(!answer.body.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn the_page_links_to_what_is_served() {
    let links = async |config: &ServiceConfig| {
        let page = get(&TestFolder::empty().router_with(config), "/metagenomics/proteins/refget/docs/").await;
        let text = String::from_utf8(page.body).expect("text");
        assert!(text.contains("<title>Refget · mgdex API</title>"), "{text}");
        assert!(
            text.contains(
                "<a href=\"../../../../metagenomics/proteins/refget/docs/\" aria-current=\"page\">Refget</a>"
            ),
            "{text}"
        );
        ["/portal/\"", "/docs/manual/\"", "/profiles/docs/\""].map(|link| text.contains(link))
    };
    assert_eq!(links(&ServiceConfig::default()).await, [true; 3]);
    let config = ServiceConfig { has_portal: false, has_profiles: false, ..ServiceConfig::default() };
    assert_eq!(links(&config).await, [false, true, false]);
}

#[tokio::test]
async fn the_description_names_the_public_address() {
    let config = ServiceConfig { base_url: "https://a.org/mgdex/".parse().ok(), ..ServiceConfig::default() };
    let router = TestFolder::empty().router_with(&config);
    let path = format!("{PROTEINS}/openapi.json");
    assert_eq!(get(&router, &path).await.json()["servers"], json!([{"url": "https://a.org/mgdex"}]));
}
