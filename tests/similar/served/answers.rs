//! The hits of a search, compared with those of the command and of the engine run by hand, in each
//! format, in pages and as a whole.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::tables::read_table;
use support::{PROTEINS_V2, TestFolder};

use support::similarity::alike;
use support::similarity::client::{Client, id};
use support::similarity::command::{json_lines, sequences, sequences_of};
use support::similarity::engine::{AT_ONCE, profile};
use support::similarity::proteins::{QUERY, data};
use support::similarity::site::Site;

/// Returns the residues of a protein of the sample. Many other proteins begin with the same ones.
fn residues(site: &Site) -> String {
    sequences_of(&site.data, "pfam:PF00005").swap_remove(0).1
}

/// The number of hits of [`QUERY`] in [`data`].
const NUM_HITS: u64 = 300;

#[test]
fn hits_agree_with_the_command() {
    // Each is at least a hit of itself.
    assert!(alike::hits_are_those_of_the_command(&Site::with_engine(TestFolder::of_sample(), AT_ONCE)) > 5);
}

#[test]
fn hits_of_a_profile_agree_with_the_engine() {
    let site = Site::with_engine(TestFolder::of_sample(), AT_ONCE);
    alike::hits_of_a_profile_are_those_of_the_engine(&site, &profile(&residues(&site)));
}

#[test]
fn pages_together_equal_the_stream() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "sequence": QUERY, "E": 1 }));
    let all = json_lines(&client.text(&id, "format=ndjson"));
    assert_eq!(all.len() as u64, NUM_HITS);
    for (limit, parameters) in [(50, ""), (1, "limit=1"), (64, "limit=64"), (299, "limit=299"), (1000, "limit=1000")] {
        // Pages of a single hit take long, so only some of them are requested.
        let (mut pages, mut url) = (Vec::new(), format!("{PROTEINS_V2}/searches/{id}/hits?{parameters}"));
        loop {
            let answer = client.ask(Method::GET, &url, &[], "");
            let page = answer.json();
            assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"));
            assert_eq!(page["total"], json!({ "value": NUM_HITS, "relation": "eq" }));
            let results = page["results"].as_array().expect("a list");
            assert_eq!(results.len(), limit.min(all.len() - pages.len()));
            pages.extend(results.iter().cloned());
            let Some(next) = page["next"].as_str() else {
                assert_eq!(answer.header("link"), "");
                break;
            };
            assert_eq!(answer.header("link"), format!("<{next}>; rel=\"next\""));
            url = next.strip_prefix("http://mgdex.test").expect("the host of the request").to_owned();
            if limit == 1 && pages.len() == 20 {
                break;
            }
        }
        assert_eq!(pages, all[..pages.len()], "{limit}");
        assert!(limit == 1 || pages.len() == all.len(), "{limit}");
    }
    // A page may begin anywhere, even after the last hit.
    for after in [0, 1, 63, 64, 65, 299, 300, 301, 1_000_000] {
        let rest = &all[after.min(all.len())..];
        let page = client.hits(&id, &format!("after={after}"));
        assert_eq!(page.status, StatusCode::OK, "{after}: {page:?}");
        let page = page.json();
        assert_eq!(page["results"].as_array().expect("a list"), &rest[..rest.len().min(50)], "{after}");
        assert_eq!(page["next"].is_null(), rest.len() <= 50, "{after}");
        assert_eq!(json_lines(&client.text(&id, &format!("format=ndjson&after={after}"))), rest, "{after}");
        let few = client.text(&id, &format!("format=ndjson&after={after}&limit=70"));
        assert_eq!(json_lines(&few), rest[..rest.len().min(70)], "{after}");
        let rows = client.text(&id, &format!("format=tsv&after={after}"));
        assert_eq!(rows.lines().count(), 1 + num_rows(rest), "{after}");
        for format in ["parquet", "arrow"] {
            let table = client.hits(&id, &format!("format={format}&after={after}"));
            assert_eq!(read_table(&table.body).rows.len(), num_rows(rest), "{format} {after}");
        }
    }
    for (parameters, part) in [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("after=18446744073709551616", "after"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("format=json&limit=1001", "limit"),
        ("format=xml", "format"),
        ("fields=colour", "fields"),
        ("format=fasta&fields=accession", "fields"),
        ("format=a3m&fields=accession", "fields"),
        ("page=2", "page"),
    ] {
        let answer = client.hits(&id, parameters);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{parameters}");
        assert_eq!(answer.json()["detail"][0]["loc"], json!(["query", part]), "{parameters}");
    }
    let answer = client.hits(&id, "after=x&limit=y&format=z&fields=a&b=c");
    assert_eq!(answer.json()["detail"].as_array().map(Vec::len), Some(5), "{answer:?}");
}

#[test]
fn pages_beyond_the_end_are_answered() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "sequence": QUERY, "q": "length:[1 TO 130]" }));
    for after in [u64::from(u32::MAX), u64::MAX / 16 - 1, u64::MAX / 16, u64::MAX / 8, u64::MAX - 1, u64::MAX] {
        for format in ["json", "ndjson", "parquet"] {
            let answer = client.hits(&id, &format!("format={format}&after={after}"));
            assert_eq!(answer.status, StatusCode::OK, "{format} {after}");
            assert!(format != "json" || answer.json()["results"] == json!([]), "{after}");
        }
    }
}

/// Returns the number of aligned parts.
fn num_rows(hits: &[Value]) -> usize {
    hits.iter().map(|hit| hit["domains"].as_array().expect("domains").len()).sum()
}

#[test]
fn hits_include_fields_of_records() {
    let site = Site::with_engine(TestFolder::of_sample(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "hmm": profile(&residues(&site)), "E": 10 }));
    let fields = "accession,length,full_length,cluster_size,sequence,md5,ga4gh,biomes,pfam,clans,studies,assemblies";
    let lines = json_lines(&client.text(&id, &format!("format=ndjson&fields={fields}")));
    assert!(lines.len() > 20, "{}", lines.len());
    let names = |line: &Value| line.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(",");
    assert!(lines.iter().all(|line| names(line) == format!("{fields},score,evalue,bias,domains")), "{}", lines[0]);
    let of_default = json_lines(&client.text(&id, "format=ndjson"));
    assert_eq!(names(&of_default[0]), "accession,length,full_length,cluster_size,score,evalue,bias,domains");
    let few = json_lines(&client.text(&id, "format=ndjson&fields=pfam"));
    assert_eq!(names(&few[0]), "accession,pfam,score,evalue,bias,domains");
    for (line, short) in lines.iter().zip(&of_default) {
        let accession = line["accession"].as_str().expect("text");
        let record = client.get(&format!("/proteins?q=accession:{accession}&fields={fields}")).json();
        let record = record["results"][0].as_object().expect("a record");
        for (name, value) in record {
            assert_eq!(line[name], *value, "{accession} {name}");
            assert!(short.get(name).is_none_or(|short| short == value), "{accession} {name}");
        }
        assert_eq!(record.len(), 12);
    }
    // Tables have a row for each part, and the columns of the rows of text.
    let fields = "sequence,full_length,cluster_size,md5,ga4gh,biomes,pfam,clans,studies,assemblies,accession";
    let text = client.text(&id, &format!("format=tsv&fields={fields}"));
    let mut rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let columns = rows.next().expect("names");
    assert_eq!(columns[..2], ["qseqid", "sseqid"]);
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), num_rows(&lines));
    let tables = [("parquet", "PAR1"), ("arrow", "")].map(|(format, magic)| {
        let answer = client.hits(&id, &format!("format={format}&fields={fields}"));
        assert!(answer.status == StatusCode::OK && answer.body.starts_with(magic.as_bytes()), "{format}");
        read_table(&answer.body)
    });
    assert_eq!(tables[0].rows, tables[1].rows);
    let metadata = |name: &str| tables[0].metadata.get(&format!("mgdex.{name}")).map(String::as_str);
    let state = client.state(&id);
    assert_eq!((metadata("search"), metadata("generation")), (Some(&*id), state["generation"].as_str()));
    assert_eq!(tables[0].rows.len(), rows.len());
    for (row, cells) in tables[0].rows.iter().zip(&rows) {
        for (name, cell) in columns.iter().zip(cells) {
            let value = match &row[*name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(";"),
                Value::Number(number) if number.is_f64() => {
                    let (number, cell): (_, f64) =
                        (number.as_f64().expect("a number"), cell.parse().expect("a number"));
                    // The fraction of identical residues is rounded in text.
                    let is_same = if *name == "pident" {
                        (number - cell).abs() < 6e-4
                    } else {
                        number.to_bits() == cell.to_bits()
                    };
                    assert!(is_same, "{name}: {number} {cell}");
                    continue;
                }
                other => other.to_string(),
            };
            assert_eq!(value, **cell, "{name}");
        }
    }
}

#[test]
fn equivalent_queries_are_the_same_search() {
    let site = Site::with_engine(TestFolder::of_sample(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let all = sequences(&site.data);
    let (accession, residues) = &all[4711];
    let wrapped: String = residues.as_bytes().chunks(60).map(|line| String::from_utf8_lossy(line) + "\r\n").collect();
    let bare = json!({ "sequence": residues, "E": 0.01, "Z": "selection", "q": "pfam:*" });
    let expected = site.run(&client.search(&bare));
    let with = |members: &[(&str, Value)]| {
        let mut order = bare.clone();
        order.as_object_mut().expect("an object").remove("sequence");
        for (name, value) in members {
            order[*name] = value.clone();
        }
        order
    };
    let number = accession.trim_start_matches("MGYP").trim_start_matches('0');
    let long = "=é".repeat(100);
    for (order, name) in [
        (with(&[("fasta", json!(residues))]), "query"),
        (with(&[("fasta", json!(format!(">sp|{accession} and more\n{wrapped}")))]), &*format!("sp|{accession}")),
        (with(&[("sequence", json!(format!(">{long}\n{}*\n\n", residues.to_lowercase())))]), &long[..199]),
        (with(&[("accession", json!(accession))]), accession),
        (with(&[("accession", json!(format!(" {number} ")))]), accession),
        (with(&[("sequence", json!(residues)), ("E", json!("1e-2")), ("q", json!(" pfam:* "))]), "query"),
        (with(&[("sequence", json!([residues])), ("Z", json!(" selection ")), ("E", json!(1e-2))]), "query"),
    ] {
        let answer = client.post(&order);
        let id = id(&answer);
        assert_eq!((answer.status, site.run(&id)), (StatusCode::OK, expected.clone()), "{order}");
        // Each search has its own name of the query.
        assert_eq!(client.state(&id)["query_name"], name);
        let rows = client.text(&id, "format=tsv&safe=1");
        let row = rows.lines().nth(1).expect("it finds itself");
        let guard = if name.starts_with('=') { "'" } else { "" };
        assert!(row.starts_with(&format!("{guard}{name}\t")), "{row}");
    }
    let form = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("fasta", &*format!(">one\n{wrapped}")), ("E", "0.01"), ("q", "pfam:*")])
        .finish();
    for content_type in ["application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=utf-8"] {
        let headers = [("content-type", content_type)];
        let answer = client.ask(Method::POST, &format!("{PROTEINS_V2}/searches"), &headers, &form);
        assert_eq!((answer.status, site.run(&id(&answer))), (StatusCode::OK, expected.clone()), "{answer:?}");
    }
}

#[test]
fn formulas_are_escaped_in_safe_tables() {
    let data = TestFolder::of_sample_with(true);
    let formula = "=HYPERLINK(\"http://evil.example\")";
    data.add_source("soil", &format!(">one\n{QUERY}\n"), &format!("name\tdescription\none\t{formula}\n"));
    let site = Site::with_engine(data, AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "sequence": QUERY, "q": "source:soil" }));
    for (safe, expected) in [("", formula.to_owned()), ("&safe=1", format!("'{formula}"))] {
        let text = client.text(&id, &format!("format=tsv&fields=description{safe}"));
        let mut rows = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(text.as_bytes());
        let row = rows.records().next().expect("a row").expect("as many cells");
        assert_eq!(row.iter().next_back(), Some(&*expected), "{text}");
    }
    assert_eq!(client.hits(&id, "format=tsv&safe=yes").status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn columns_of_a_table_have_unique_names() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "sequence": QUERY, "q": "length:[1 TO 130]" }));
    let fields =
        "accession,length,full_length,cluster_size,sequence,md5,ga4gh,biomes,pfam,clans,studies,assemblies,name,source";
    let text = client.text(&id, &format!("format=tsv&fields={fields}"));
    let mut of_tables = vec![text.lines().next().expect("names").split('\t').map(str::to_owned).collect::<Vec<_>>()];
    for format in ["parquet", "arrow"] {
        let table = read_table(&client.hits(&id, &format!("format={format}&fields={fields}")).body);
        of_tables.push(table.columns.into_iter().map(|(name, _)| name).collect());
    }
    for names in of_tables {
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!((names.len(), once.len()), (26, 26), "{names:?}");
    }
}
