//! Samples as sheets, documents and rows have them.

use std::collections::BTreeSet;
use std::process::Output;

use api::Api;
use serde_json::{Value, json};
use support::machine::Server;
use support::{TestFolder, data, encoded, get, program};
use tempfile::TempDir;

use super::of_catalogue::{MARINE, V1, V2, ask, catalogue, facet, found, matching, sample};

/// A text that readers of TSV treat as a quoted cell unless it is quoted.
const QUOTED: &str = "\"open quote\" at the start";

/// Adds a table of samples.
fn add(folder: &TestFolder, name: &str, table: &str) -> Output {
    let path = folder.path().join(name);
    std::fs::write(&path, table).expect("writable");
    let mut add = program();
    add.args(["catalogue", "add", "--quiet", "--type", "samples", "--table"])
        .arg(path)
        .arg("--data")
        .arg(folder.path());
    add.output().expect("the program")
}

/// Makes a catalogue of documents of version 2.
fn of_documents(file: &str, documents: &str) -> TestFolder {
    let (folder, inputs) = (TestFolder::empty(), TempDir::new().expect("a temporary folder"));
    std::fs::write(inputs.path().join(file), documents).expect("writable");
    folder.publish_harvest(Vec::new(), Some(inputs.path().to_owned()));
    folder
}

fn document(accession: &str, metadata: &Value) -> String {
    json!({"accession": accession, "ena_accessions": [accession], "sample_title": accession, "metadata": metadata})
        .to_string()
}

#[tokio::test]
async fn sheets_of_archives_and_spreadsheets_fill_attributes() {
    let folder = catalogue(&[]);
    for (name, table) in [
        (
            "ena.tsv",
            "accession\tbiome\tsample_alias\tgeographic location (country and/or sea)\tgeographic location (latitude)\t\
             geographic location (longitude)\tgeographic location (depth)\tcollection date\tenvironment (biome)\t\
             broad-scale environmental context\nfjordA\troot:Environmental:Aquatic:Marine\talias-1\tNorway\t69.65\t18.96\t12\t\
             2021-06-03\tmarine biome\tmarine biome [ENVO:00000447]\n",
        ),
        (
            "insdc.tsv",
            "accession\tlatitude\tlongitude\tcollection date\thost tax id\tdepth (m)\n\
             mockA\tmissing: control sample\tmissing: control sample\tnot collected\tnot applicable\tnot collected\n\
             realA\t46.9\t7.4\t2021-06\t9606\t5\n",
        ),
        ("interval.tsv", "accession\tcollection date\nrangeA\t2012-05/2012-07\nrangeB\t2012-05-01/2012-05-03\n"),
        (
            "ncbi.tsv",
            "accession\tlat_lon\tgeo_loc_name\tcollection_date\tdepth\nncbi1\t12.50 N 7.00 W\tUSA: Alaska\tJul-2009\t5 m\n",
        ),
        (
            "excel.txt",
            "accession\tsample name\tgeo loc name\nxl1\t\"meadow, plot 1\"\t\"Switzerland: \"\"Bern\"\", north\"\n\
             xl2\t\"two\nlines\"\tFrance\n",
        ),
    ] {
        let output = add(&folder, name, table);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !message.contains("rejected ("), "{name}: {message}");
    }
    let api = folder.router();
    let attributes = async |id: &str| ask(&api, &format!("{V1}/samples/{id}")).await["data"]["attributes"].clone();
    let fjord = attributes("fjordA").await;
    for (name, expected) in [
        ("latitude", json!(69.65)),
        ("longitude", json!(18.96)),
        ("geo-loc-name", json!("Norway")),
        ("environment-biome", json!("marine biome")),
        ("collection-date", json!("2021-06-03")),
        ("sample-alias", json!("alias-1")),
    ] {
        assert_eq!(fjord[name], expected, "{name}");
    }
    let keys: Vec<&Value> =
        fjord["sample-metadata"].as_array().expect("a list").iter().map(|entry| &entry["key"]).collect();
    let expected = [
        "geographic location (country and/or sea)",
        "geographic location (latitude)",
        "geographic location (longitude)",
        "geographic location (depth)",
        "environment (biome)",
        "broad-scale environmental context",
    ];
    assert_eq!(keys, expected);
    let mock = attributes("mockA").await;
    assert!(
        ["latitude", "longitude", "collection-date", "host-tax-id"].iter().all(|name| mock[*name].is_null()),
        "{mock}"
    );
    assert_eq!(attributes("realA").await["host-tax-id"], 9606);
    let ncbi = attributes("ncbi1").await;
    assert_eq!(
        [&ncbi["latitude"], &ncbi["longitude"], &ncbi["collection-date"]],
        [&json!(12.5), &json!(-7.0), &json!("Jul-2009")]
    );
    assert_eq!(attributes("xl1").await["sample-name"], "meadow, plot 1");
    assert_eq!(attributes("xl1").await["geo-loc-name"], "Switzerland: \"Bern\", north");
    assert_eq!(attributes("xl2").await["sample-name"], "two\nlines");
    assert_eq!(matching(&api, "depth:>4[m]").await, ["ncbi1", "realA"]);
    assert_eq!(matching(&api, "collection_date:[2012-05 TO 2012-07]").await, ["rangeA", "rangeB"]);
    assert_eq!(found(&api, "collection_date_gte=2009&collection_date_lte=2009").await, ["ncbi1"]);
    assert_eq!(matching(&api, "\"geographic location (depth)\":12[]").await, ["fjordA"]);
    // The error message suggests a remedy.
    let output = add(&folder, "semicolons.csv", "accession;latitude\na;1\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("semicolons"));
    let output = add(&folder, "biome.tsv", "accession\tbiome\na\tMarine\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains(&format!("did you mean {MARINE}?")));
}

#[tokio::test]
async fn documents_have_dates_units_and_places_like_rows() {
    let lines = [
        document("SAMEA1", &json!({"collection_date": "2011", "depth": "5 m"})),
        document("SAMEA2", &json!({"collection_date": "2013-06", "depth": "5"})),
        document("SAMEA3", &json!({"collection_date": "2009-03-23/2009-05-27", "temperature": "12.4 \u{b0}C"})),
        document("SAMEA4", &json!({"collection_date": "2011-08-02", "depth": "0-5 cm"})),
        document("SAMEA5", &json!({"collection_date": "19-Aug-2013", "ph": "7", "lat": "12.5 N", "lon": "7 W"})),
        document("SAMEA6", &json!({"collection_date": "12/03/2009", "location": "12.5 S 7 E"})),
    ];
    let api = of_documents("samples.jsonl", &lines.join("\n")).router();
    let years = [("2011", 2), ("2013", 2), ("2009", 1)].map(|(year, count)| (year.to_owned(), count));
    assert_eq!(facet(&api, "year").await, years);
    for (condition, expected) in [
        ("collection_date:2011", &["SAMEA1"][..]),
        ("collection_date:[2011 TO 2011]", &["SAMEA1", "SAMEA4"]),
        ("collection_date:>=2013-06", &["SAMEA2", "SAMEA5"]),
        ("collection_date:>=2013-06-02", &["SAMEA5"]),
        ("collection_date:[2009-03 TO 2009-05]", &["SAMEA3"]),
        ("depth:>3[m]", &["SAMEA1"]),
        ("depth:\"5 m\"", &["SAMEA1"]),
        ("depth:\"0-5 cm\"", &["SAMEA4"]),
        ("temperature:>10[\u{b0}C]", &["SAMEA3"]),
        ("pH:7", &["SAMEA5"]),
        ("latitude:<0", &["SAMEA6"]),
        ("longitude:<0", &["SAMEA5"]),
    ] {
        assert_eq!(matching(&api, condition).await, expected, "{condition}");
    }
    assert_eq!(found(&api, "metadata_key=pH").await, ["SAMEA5"]);
    assert_eq!(found(&api, "metadata_key=depth&metadata_value_gte=5").await, ["SAMEA1", "SAMEA2"]);
    // A page that was saved stands for its items.
    let page = json!({"count": 1, "items": [serde_json::from_str::<Value>(&lines[0]).expect("JSON")]});
    for text in [page.to_string(), format!("{page:#}")] {
        let api = of_documents("samples.json", &text).router();
        assert_eq!(found(&api, "page_size=9").await, ["SAMEA1"]);
    }
}

#[tokio::test]
async fn wide_tables_have_unique_columns_and_can_be_reloaded() {
    let entry = |key: &str, value: &str| json!({"key": key, "value": value, "unit": null});
    let metadata = [entry("latitude", "a"), entry("latitude (metadata)", "b"), entry("species", "c")];
    let api = catalogue(&[sample(
        "W1",
        &json!({"latitude": 1.5, "species": "Mus", "sample-desc": QUOTED, "sample-metadata": metadata}),
    )])
    .router();
    let table = get(&api, &format!("{V1}/samples?format=tsv&metadata=wide")).await;
    let table = table.text();
    assert!(table.contains("\t\"\"\"open quote\"\" at the start\"\t"), "{table}");
    let titles: Vec<&str> = table.lines().next().expect("a header").split('\t').collect();
    assert_eq!(titles.iter().collect::<BTreeSet<_>>().len(), titles.len(), "{titles:?}");
    let again = catalogue(&[]);
    let output = add(&again, "wide.tsv", &table.replace("\nW1\t", "\nown1\t"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let attributes = ask(&again.router(), &format!("{V1}/samples/own1")).await["data"]["attributes"].clone();
    assert_eq!([&attributes["latitude"], &attributes["species"]], [&json!(1.5), &json!("Mus")]);
    assert_eq!(attributes["sample-desc"], QUOTED);
    assert!(attributes["sample-metadata"].as_array().expect("a list").contains(&entry("species", "c")), "{attributes}");
}

/// Harvested samples answer like their source rows. Two rows share a `BioSample`, and are one
/// document.
#[tokio::test]
async fn harvested_samples_answer_like_their_rows() {
    let rows = TestFolder::empty();
    let inputs = ["biomes", "studies", "samples"]
        .map(|name| data(&format!("catalogue/collections/{name}.jsonl.gz")).into_os_string());
    rows.publish_catalogue(inputs.map(Into::into).to_vec());
    let server = Server::start(rows.path());
    let harvest = TempDir::new().expect("a temporary folder");
    let mut command = program();
    command
        .args(["catalogue", "harvest", "--quiet", "--rate", "none", "--analyses", "none", "--to"])
        .arg(harvest.path());
    let output = command.arg("--from").arg(format!("http://{}{V2}", server.address())).output().expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    drop(server);
    let documents = TestFolder::empty();
    documents.publish_harvest(Vec::new(), Some(harvest.path().to_owned()));
    let (rows, documents) = (rows.router(), documents.router());
    let all = async |api: &Api, query: &str| {
        let answer = get(api, &format!("{V1}/samples?format=ndjson&fields[samples]=accession&{query}")).await;
        let samples = answer.checked(200, query).lines();
        samples.iter().map(|sample| sample["id"].as_str().expect("an id").to_owned()).collect::<BTreeSet<String>>()
    };
    let of_shared = &all(&rows, "").await ^ &all(&documents, "").await;
    assert!(of_shared.len() < 5, "{of_shared:?}");
    let by_filters = [
        "metadata_key=temperature&metadata_value_gte=10",
        "metadata_key=pH",
        "collection_date_gte=2011&collection_date_lte=2011",
        "collection_date_gte=2009-03",
    ];
    let by_conditions = [
        "temperature:>10[\u{b0}C]",
        "temperature:*",
        "depth:>3[m]",
        "depth:*",
        "collection_date:2011",
        "collection_date:[2012 TO 2012-05]",
        "geo_loc_name:USA*",
        "geo_loc_name:*",
        "environment_biome:\"marine biome\"",
        "sex:male",
        "latitude:>60",
    ];
    let encode = |condition| format!("where={}", encoded(condition));
    for query in by_filters.map(str::to_owned).into_iter().chain(by_conditions.map(encode)) {
        let expected = &all(&rows, &query).await - &of_shared;
        assert!(expected.len() > 10, "{query}");
        assert_eq!(&all(&documents, &query).await - &of_shared, expected, "{query}");
    }
    for by in ["year", "country", "metadata:temperature"] {
        assert_eq!(facet(&documents, by).await, facet(&rows, by).await, "{by}");
    }
}
