//! Own data next to the bundled release: two sources that share names, by name and source in all
//! answers.

mod by_name;
mod queried;
mod written;

use std::fmt::Write as _;
use std::sync::LazyLock;

use api::Api;
use axum::http::StatusCode;
use serde_json::Value;
use store_proteins::{Protein, ProteinGeneration, ProteinQuery};
use support::{Answer, PROTEINS_V2, TestFolder, encoded, get};

/// The sources with the names of their proteins. Two names are in both, and some look like other
/// identifiers.
const SOURCES: [(&str, &[&str]); 2] = [
    ("soil", &["k141_1", "k141_2", "shared", "12", "MGYP7", "NODE:7", "100%", "é_1", "search", "plain"]),
    ("Sea.2", &["k99_1", "shared", "soil:x", "soil:k141_1", "k141_2", "last"]),
];

/// The sequences of all own proteins, one for each. The first is also that of a protein of the
/// release.
const KNOWN: &str = "MIWIKYFTICKCTYKYLRYIIGGSDLSGTVPSELGLLTNVKRIYLCKYGRRVDLCLEEH";

/// An index of the bundled sample with both sources, and with digests of all sequences.
struct Site {
    _folder: TestFolder,
    api: Api,
    /// All proteins of both sources, ascending by accession.
    own: Vec<Protein>,
    release: Vec<Protein>,
}

static SITE: LazyLock<Site> = LazyLock::new(|| {
    let folder = TestFolder::of_sample_with(true);
    for (source, names) in SOURCES {
        let mut fasta = String::new();
        let mut annotations =
            "name\tbiome\tstudy\tassembly\tcontig\tstart\tend\tstrand\tcluster_size\tdescription\n".to_owned();
        for (number, name) in names.iter().enumerate() {
            let sequence = if number == 0 { KNOWN.to_owned() } else { format!("MK{}", "LA".repeat(number)) };
            writeln!(fasta, ">{name}\n{sequence}").expect("memory");
            let description = if number % 2 == 0 { format!("number {number} of \"mine\"") } else { String::new() };
            let study = if number % 3 == 0 { "" } else { "My soil study (é)" };
            let biome = ["root:Environmental:Terrestrial:Soil", "root:Mine"][number % 2];
            let start = number * 10 + 1;
            let columns =
                [name, biome, study, "Assembly no. 1", "contig 1", &start.to_string(), &(start + 9).to_string()];
            writeln!(annotations, "{}\t+\t{}\t{description}", columns.join("\t"), number + 1).expect("memory");
        }
        folder.add_source(source, &fasta, &annotations);
    }
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    let hits = generation.search(&ProteinQuery::Everything, usize::MAX).expect("sound");
    let fetch =
        |hit: &store_proteins::ProteinHit| generation.fetch(hit.accession).expect("sound").expect("it was found");
    let (own, release) = hits.iter().map(fetch).partition(|protein| protein.source.is_some());
    let api = folder.router();
    Site { _folder: folder, api, own, release }
});

impl Site {
    /// Returns the protein of a source with a name.
    fn protein(&self, source: &str, name: &str) -> &Protein {
        let found = self.own.iter().find(|own| own.source.as_deref() == Some(source) && own.name == name);
        found.expect("one of the sources")
    }
}

/// Quotes a text for a TSV file.
fn quoted(text: &str) -> String {
    if text.contains('"') { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

async fn ask(path: &str) -> Answer {
    get(&SITE.api, &format!("{PROTEINS_V2}{path}")).await
}

async fn post(path: &str, content_type: &str, body: impl Into<String>) -> Answer {
    support::post(&SITE.api, &format!("{PROTEINS_V2}{path}"), content_type, body.into()).await
}

/// Returns the detail of a refused request.
fn refused(answer: &Answer, status: StatusCode) -> Value {
    assert_eq!(answer.status, status, "{:?}", String::from_utf8_lossy(&answer.body));
    answer.json()["detail"].clone()
}

/// Escapes a segment of a path.
fn segment(text: &str) -> String {
    encoded(text).replace('+', "%20")
}
