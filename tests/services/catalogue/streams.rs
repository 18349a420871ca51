//! Whole lists as streams: points on a map, and streams that continue an interrupted one.

use axum::http::Method;
use serde_json::{Value, json};

use crate::services::catalogue::real::{ask, get, get_json, ids, resources};
use crate::services::catalogue_v2::asking as v2;

/// Returns the features of a collection of points.
fn features(body: &[u8]) -> Vec<Value> {
    let mut collection: Value = serde_json::from_slice(body).expect("JSON");
    assert_eq!(
        (&collection["type"], collection.as_object().map(serde_json::Map::len)),
        (&json!("FeatureCollection"), Some(2))
    );
    collection["features"].as_array_mut().map(std::mem::take).expect("a list")
}

/// Returns a sample as a point, or `None` if it has no coordinates on earth.
fn point(sample: &Value) -> Option<Value> {
    let attributes = &sample["attributes"];
    let coordinates =
        [attributes["longitude"].as_f64()?, attributes["latitude"].as_f64().filter(|latitude| latitude.abs() <= 90.0)?];
    let geometry = json!({"type": "Point", "coordinates": coordinates});
    Some(json!({"type": "Feature", "id": sample["id"], "geometry": geometry, "properties": attributes}))
}

/// Returns the resources of a stream of lines.
async fn lines(path: &str) -> Vec<Value> {
    get(path).await.checked(200, path).lines()
}

#[tokio::test]
async fn samples_are_points_with_their_attributes() {
    for query in [
        "lineage=root:Engineered",
        "ordering=-accession&latitude_gte=30",
        "lineage=root:Host-associated&ordering=sample_name",
    ] {
        let answer = get(&format!("/samples?{query}&format=geojson")).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/geo+json"));
        assert_eq!(answer.header("content-disposition"), "attachment; filename=\"Sample.geojson\"");
        let samples = lines(&format!("/samples?{query}&format=ndjson")).await;
        let expected: Vec<Value> = samples.iter().filter_map(point).collect();
        assert!(!expected.is_empty() && expected.len() <= samples.len(), "{query}");
        assert_eq!(features(&answer.body), expected, "{query}");
    }
    let all = features(&get("/samples?format=geojson").await.body);
    let located = resources("samples").iter().filter_map(point).count();
    assert_eq!(all.len(), located);
    let accepted = ask(Method::GET, "/studies/MGYS00000257/samples", &[("accept", "application/geo+json")]).await;
    assert!(!features(&accepted.body).is_empty());
    let few = features(&get("/samples?format=geojson&fields=species,latitude&latitude_gte=60").await.body);
    let names =
        |feature: &Value| feature["properties"].as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert!(few.iter().all(|feature| names(feature) == ["latitude", "species"]));
    assert_eq!(features(&get("/samples?format=geojson&search=nosuchword").await.body), [] as [Value; 0]);
    let (located, other) = (&all[0], resources("samples").iter().find(|sample| point(sample).is_none()).expect("one"));
    let path = |id: &Value| format!("/samples/{}?format=geojson", id.as_str().expect("a text"));
    assert_eq!(&features(&get(&path(&located["id"])).await.body), &all[..1]);
    assert_eq!(features(&get(&path(&other["id"])).await.body), [] as [Value; 0]);
}

#[tokio::test]
async fn only_samples_are_points() {
    for path in ["/studies", "/runs/ERR770958", "/samples/ERS074453/runs", "/", "/samples/ERS074453/metadata"] {
        assert_eq!(get(&format!("{path}?format=geojson")).await.status, 404, "{path}");
        assert_eq!(ask(Method::GET, path, &[("accept", "application/geo+json")]).await.status, 406, "{path}");
    }
    let refused = v2::get("/studies/?format=geojson").await;
    assert_eq!(
        (refused.status.as_u16(), refused.json()["detail"][0]["loc"].clone()),
        (422, json!(["query", "format"]))
    );
}

#[tokio::test]
async fn points_of_version_2_have_the_members_of_its_items() {
    let list = "/samples/?biome_lineage=root&latitude_gte=0&order=-updated_at";
    let items = v2::get(&format!("{list}&format=ndjson")).await.lines();
    let answer = v2::get(&format!("{list}&format=geojson")).await;
    assert_eq!(answer.header("content-type"), "application/geo+json");
    let points = features(&answer.body);
    assert!(points.len() > 10);
    let with_coordinates: Vec<&Value> =
        items.iter().filter(|item| points.iter().any(|point| &&point["properties"] == item)).collect();
    assert_eq!(points.iter().map(|point| &point["properties"]).collect::<Vec<_>>(), with_coordinates);
    let documents = v2::documents("samples");
    for point in &points {
        let place = &point["geometry"]["coordinates"];
        let document = documents.iter().find(|sample| sample["accession"] == point["properties"]["accession"]);
        let metadata = &document.expect("a sample")["metadata"];
        for (name, degrees) in [("lon", &place[0]), ("lat", &place[1])] {
            assert_eq!(metadata[name].as_str().and_then(|text| text.parse::<f64>().ok()), degrees.as_f64());
        }
    }
    assert_eq!(features(&v2::get("/samples/?format=geojson&search=nosuchword").await.body), [] as [Value; 0]);
}

#[tokio::test]
async fn streams_continue_after_a_resource() {
    for list in [
        "/samples?lineage=root:Engineered",
        "/samples?search=soil&ordering=-sample_name",
        "/biomes?depth=3",
        "/pipeline-tools?page=1",
    ] {
        let whole = lines(&format!("{list}&format=ndjson")).await;
        let csv = get(&format!("{list}&format=csv")).await.body;
        let rows = |csv: &[u8]| {
            String::from_utf8(csv.to_vec()).expect("text").split("\r\n").map(str::to_owned).collect::<Vec<_>>()
        };
        let csv = rows(&csv);
        for position in [0, whole.len() / 2, whole.len() - 1] {
            let mut id = whole[position]["id"].as_str().expect("a text").to_owned();
            if list.starts_with("/pipeline-tools") {
                id = format!("{id}/{}", whole[position]["attributes"]["version"].as_str().expect("a text"));
            }
            let after = form_urlencoded::Serializer::new(String::new()).append_pair("after", &id).finish();
            let rest = lines(&format!("{list}&format=ndjson&{after}")).await;
            assert_eq!(rest, whole[position + 1..], "{list} {id}");
            let rest = rows(&get(&format!("{list}&format=csv&{after}")).await.body);
            assert_eq!(rest[0], csv[0], "the header comes again");
            assert_eq!(rest[1..], csv[position + 2..], "{list} {id}");
        }
    }
    let points = features(&get("/samples?format=geojson&latitude_gte=60").await.body);
    let after = points[1]["id"].as_str().expect("a text");
    assert_eq!(
        features(&get(&format!("/samples?format=geojson&latitude_gte=60&after={after}")).await.body),
        points[2..]
    );
    let points = features(&v2::get("/samples/?format=geojson&latitude_gte=60").await.body);
    let after = points[1]["properties"]["accession"].as_str().expect("a text");
    assert_eq!(
        features(&v2::get(&format!("/samples/?format=geojson&latitude_gte=60&after={after}")).await.body),
        points[2..]
    );
}

#[tokio::test]
async fn streams_continue_only_after_a_resource_of_their_list() {
    let outside = get_json("/samples?lineage=root:Environmental").await;
    for (path, id) in [
        ("/samples?lineage=root:Engineered", ids(&outside)[0]),
        ("/samples?lineage=root:Engineered", "ERS99999999"),
        ("/biomes?depth=3", "root"),
    ] {
        for format in ["ndjson", "csv"] {
            let refused = get(&format!("{path}&format={format}&after={id}")).await;
            assert_eq!(refused.status, 400, "{path} {id}");
            let error = &refused.json()["errors"][0];
            assert_eq!(error["detail"], format!("{id:?} is not in this list."));
            assert_eq!(error["source"]["pointer"], "/data/attributes/after");
        }
    }
    assert_eq!(get("/samples?format=ndjson&strict=1&after=ERS074453").await.status, 200);
    // Pages have numbers.
    assert_eq!(get_json("/samples?after=ERS074453").await["meta"]["ignored"], json!(["after"]));
    assert_eq!(get("/samples?strict=1&after=ERS074453").await.status, 400);
}

/// Returns the header and the rows of a table.
async fn table(path: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let answer = get(path).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "text/csv"), "{path}");
    let mut table = csv::Reader::from_reader(&answer.body[..]);
    let cells = |row: &csv::StringRecord| row.iter().map(str::to_owned).collect::<Vec<_>>();
    let header = cells(table.headers().expect("a header"));
    (header, table.records().map(|row| cells(&row.expect("a row"))).collect())
}

/// Returns an attribute of all resources of a list in the form of a table.
fn column(list: &[Value], name: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace("null", "");
    list.iter().map(|resource| text(&resource["attributes"][name])).collect()
}

#[tokio::test]
async fn derived_collections_are_tables_with_headers() {
    let sample = "/samples/ERS074453/metadata";
    let entries = get_json(&format!("{sample}?page_size=250")).await["data"].as_array().expect("a list").clone();
    let (header, rows) = table(&format!("{sample}?format=csv")).await;
    assert_eq!(header, ["id", "key", "sample", "unit", "value"]);
    for (position, name) in [(1, "key"), (3, "unit"), (4, "value")] {
        assert_eq!(rows.iter().map(|row| row[position].clone()).collect::<Vec<_>>(), column(&entries, name));
    }
    assert_eq!(
        (&*rows[0][0], &*rows[0][2]),
        ("ERS074453/1", "http://mgdex.test/metagenomics/api/v1/samples/ERS074453?format=csv")
    );
    assert_eq!(
        table(&format!("{sample}.csv?after=ERS074453/2&fields=key,value&strict=1")).await.1.len(),
        rows.len() - 2
    );
    assert_eq!(get(&format!("{sample}.csv?after=ERS074453/999")).await.status, 400);

    let study = "/studies/MGYS00000257/geocoordinates";
    let places = get_json(&format!("{study}?page_size=250")).await["data"].as_array().expect("a list").clone();
    let (header, rows) = table(&format!("{study}.csv")).await;
    assert_eq!(header, ["id", "latitude", "longitude", "pk", "samples_count"]);
    assert!(!rows.is_empty());
    for (position, name) in [(1, "latitude"), (2, "longitude"), (3, "pk"), (4, "samples-count")] {
        assert_eq!(rows.iter().map(|row| row[position].clone()).collect::<Vec<_>>(), column(&places, name));
    }
    // The files of bundled rows are unknown.
    for path in ["/studies/MGYS00000257/downloads", "/analyses/MGYA00135572/downloads"] {
        let (header, rows) = table(&format!("{path}.csv")).await;
        assert!(header.len() > 5 && header.iter().any(|name| name == "file_format.name"), "{header:?}");
        assert_eq!((rows.len(), header.last().map(String::as_str)), (0, Some("url")));
    }
    for study in &resources("studies")[..20] {
        let path = format!("/studies/{}/geocoordinates.csv", study["id"].as_str().expect("a text"));
        assert_eq!(table(&path).await.0.len(), 5, "also of nothing");
    }
}
