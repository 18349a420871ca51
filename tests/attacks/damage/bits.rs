//! Single bits of all files of a generation are flipped, before it is opened and while it is
//! served.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use api::scrub::{RateLimit, scrubbed};
use api::{Api, ServiceConfig};
use api_catalogue::LocalCatalogue;
use api_proteins::LocalProteins;
use axum::http::StatusCode;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use store::{GenerationName, Generations};
use support::machine::acknowledged;
use support::profile_writers::copy_folder;
use support::{PROTEINS, PROTEINS_V2, TestFolder, get, program, services};

const SEED: u64 = 20_261_123;

/// The number of bits flipped in each file, one at a time.
const FLIPS: usize = 2;

/// As fast as possible.
const BYTES_PER_S: u64 = 1 << 40;

const NUM_ROWS: u64 = 60;

fn rows(state: u64) -> String {
    let mut rows = String::new();
    for number in 1..=NUM_ROWS {
        let (sequence, family) =
            ("MKVLAARSTW".repeat(usize::try_from(number % 7 + state).expect("small")), number % 2 * 4 + 1);
        let biome = [132, 62, 0][usize::try_from(number % 3).expect("small")];
        let size = number * number * state;
        let metadata = format!(r#"{{""b"":[[{biome},{number}]],""p"":[[""PF{family:05}"",1e-9,40.5,1,9,2,6]]}}"#);
        writeln!(rows, "{},{sequence},true,{size},\"{metadata}\"", number * 3).expect("memory");
    }
    rows
}

/// Loads samples, and returns the name of the generation.
fn load_samples(folder: &TestFolder, state: u64) -> GenerationName {
    let mut lines = String::new();
    for number in 1..=40 {
        let (latitude, soil) = (number * 3 / 2 + state, if number % 2 == 0 { "soil" } else { "sea" });
        writeln!(
            lines,
            r#"{{"type":"samples","id":"ERS{number:06}","attributes":{{"sample-name":"{soil} {}","latitude":{latitude},"longitude":{number},"sample-desc":"{}"}}}}"#,
            number * 7 % 41,
            format!("a {soil} of {state} ").repeat(20),
        )
        .expect("memory");
    }
    let file = folder.path().join("samples.jsonl");
    fs::write(&file, lines).expect("writable");
    let mut load = program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder.path()).arg(&file).stdin(Stdio::null());
    acknowledged(&load.output().expect("the binary"))
}

/// Two generations of a service, one of which is damaged again and again, and the answers of each.
struct Attacked {
    folder: TestFolder,
    kind: &'static str,
    questions: Vec<String>,
    generations: Generations,
    current: GenerationName,
    /// A whole copy of the current generation.
    whole: PathBuf,
    answers: BTreeMap<String, Vec<Response>>,
}

type Response = (StatusCode, Vec<u8>);

/// A server inside of this process.
struct Opened {
    proteins: Arc<LocalProteins>,
    catalogue: Arc<LocalCatalogue>,
    router: Api,
}

impl Opened {
    fn of(folder: &TestFolder) -> Self {
        let (proteins, catalogue) = (folder.proteins(), folder.catalogue());
        let services = services(Arc::clone(&proteins), Arc::clone(&catalogue));
        let router = Api::new(&services, &ServiceConfig::default());
        Self { proteins, catalogue, router }
    }

    fn scrub(&self) {
        for mut service in [scrubbed(&self.proteins), scrubbed(&self.catalogue)] {
            service.scrub_if_due(&mut RateLimit::new(BYTES_PER_S));
        }
    }

    async fn problem(&self, kind: &str) -> Value {
        get(&self.router, "/readyz").await.json()[kind].clone()
    }

    async fn answers(&self, questions: &[String]) -> Vec<Response> {
        let mut answers = Vec::new();
        for question in questions {
            let answer = get(&self.router, question).await;
            answers.push((answer.status, answer.body));
        }
        answers
    }
}

impl Attacked {
    async fn new(kind: &'static str, questions: Vec<String>, publish: impl Fn(&TestFolder, u64)) -> Self {
        let folder = TestFolder::empty();
        let generations = Generations::new(folder.path().join(kind));
        let mut answers = BTreeMap::new();
        for state in 1..=2 {
            publish(&folder, state);
            let server = Opened::of(&folder);
            let generation = server.problem(kind).await["generation"].as_str().expect("served").to_owned();
            let found = server.answers(&questions).await;
            assert!(found.iter().all(|(status, _)| *status == StatusCode::OK), "{found:?}");
            answers.insert(generation, found);
        }
        assert_eq!(answers.len(), 2);
        let current = generations.current().expect("readable").expect("published");
        let whole = folder.path().join("whole");
        fs::create_dir(&whole).expect("new");
        copy_folder(&generations.path(current), &whole);
        Self { folder, kind, questions, generations, current, whole, answers }
    }

    fn path(&self) -> PathBuf {
        self.generations.path(self.current)
    }

    /// Makes the current generation whole again.
    fn restore(&self) {
        fs::remove_dir_all(self.path()).expect("ours");
        fs::create_dir(self.path()).expect("new");
        copy_folder(&self.whole, &self.path());
    }

    /// Returns the bits to flip: files, and positions in them.
    fn flips(&self) -> Vec<(PathBuf, u64)> {
        let mut random = StdRng::seed_from_u64(SEED);
        let mut flips = Vec::new();
        for file in files(&self.whole) {
            let num_bits = fs::metadata(self.whole.join(&file)).expect("there").len() * 8;
            let positions = (0..FLIPS).filter(|_| num_bits > 0).map(|_| random.random_range(0..num_bits));
            flips.extend(positions.map(|position| (file.clone(), position)).collect::<Vec<_>>());
        }
        flips
    }

    fn flip(&self, (file, position): &(PathBuf, u64)) {
        let opened = OpenOptions::new().read(true).write(true).open(self.path().join(file)).expect("there");
        let mut byte = [0];
        opened.read_exact_at(&mut byte, position / 8).expect("inside");
        byte[0] ^= 1 << (position % 8);
        opened.write_all_at(&byte, position / 8).expect("writable");
    }

    /// Checks that each answer is that of the generation reported as served, or an error. Returns
    /// whether a problem is reported.
    async fn check(&self, server: &Opened, context: &str) -> bool {
        let readiness = server.problem(self.kind).await;
        let answers = server.answers(&self.questions).await;
        let expected = readiness["generation"].as_str().map(|served| &self.answers[served]);
        for (number, (status, body)) in answers.iter().enumerate() {
            let is_right = expected.is_some_and(|expected| expected[number] == (*status, body.clone()));
            let (question, body) = (&self.questions[number], String::from_utf8_lossy(body));
            assert!(
                is_right || status.is_server_error(),
                "{context}: {question} is in silence {status} {body}; {readiness}"
            );
        }
        readiness.get("problem").is_some()
    }

    /// Flips bits before the generation is opened, and returns how many were reported and how many
    /// caused a fallback to an earlier generation.
    async fn flip_before_opening(&self) -> (usize, usize) {
        let (mut num_reported, mut num_earlier) = (0, 0);
        for flip in self.flips() {
            self.flip(&flip);
            let server = Opened::of(&self.folder);
            let is_reported = self.check(&server, &format!("{flip:?} before opening")).await;
            num_reported += usize::from(is_reported);
            num_earlier += usize::from(server.problem(self.kind).await["generation"] != self.current.to_string());
            drop(server);
            self.restore();
        }
        (num_reported, num_earlier)
    }

    /// Flips bits while the generation is served, and checks that all are found that anything is
    /// read from.
    async fn flip_while_serving(&self, is_read: impl Fn(&Path) -> bool) {
        for flip in self.flips().into_iter().filter(|(file, _)| is_read(file)).step_by(FLIPS) {
            let server = Opened::of(&self.folder);
            self.flip(&flip);
            server.scrub();
            let is_reported = self.check(&server, &format!("{flip:?} while serving")).await;
            assert!(is_reported, "{flip:?} is not reported");
            drop(server);
            assert!(self.generations.is_marked_damaged(self.current).expect("readable"), "{flip:?} is forgotten");
            self.restore();
        }
    }
}

/// Returns the paths of all files of a folder inside it, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).expect("inside").to_owned());
            }
        }
    }
    found.sort_unstable();
    found
}

fn is_manifest(file: &Path) -> bool {
    file.to_string_lossy().starts_with("manifest.json")
}

async fn attacked_proteins() -> Attacked {
    let mut questions = vec![
        format!("{PROTEINS}/protein/search?biome_lineage=root&limit=1000"),
        format!("{PROTEINS}/protein/search?biome_id=132&limit=1000"),
        format!("{PROTEINS}/protein/search?pfam_accession=5&limit=1000"),
        format!("{PROTEINS_V2}/proteins?q=length:%5B20%20TO%2050%5D&limit=1000"),
        format!("{PROTEINS_V2}/proteins?q=cluster_size:%5B100%20TO%205000%5D%20AND%20NOT%20pfam:1&format=tsv"),
    ];
    questions.extend((1..=NUM_ROWS).step_by(7).map(|number| format!("{PROTEINS}/protein/{}", number * 3)));
    Attacked::new("proteins", questions, |folder, state| drop(folder.publish_rows(&rows(state)))).await
}

async fn attacked_catalogue() -> Attacked {
    let v1 = "/metagenomics/api/v1";
    let questions = vec![
        format!("{v1}/samples?page_size=250"),
        format!("{v1}/samples?ordering=-sample_name&page_size=250"),
        format!("{v1}/samples?search=soil&page_size=250"),
        format!("{v1}/samples?latitude_gte=20&latitude_lte=50&page_size=250"),
        format!("{v1}/samples?search=%22a%20soil%20of%22&ordering=relevance"),
        format!("{v1}/samples/ERS000007"),
    ];
    Attacked::new("catalogue", questions, |folder, state| {
        load_samples(folder, state);
    })
    .await
}

#[tokio::test]
async fn flipped_bits_of_the_proteins_are_detected() {
    let attacked = attacked_proteins().await;
    let num_flips = attacked.flips().len();
    assert!(num_flips > 20, "{num_flips}");
    assert_eq!(attacked.flip_before_opening().await, (num_flips, num_flips), "all files are small");
    // The manifest is in memory.
    attacked.flip_while_serving(|file| !is_manifest(file)).await;
}

#[tokio::test]
async fn flipped_bits_of_the_catalogue_are_detected() {
    let attacked = attacked_catalogue().await;
    let (num_reported, num_earlier) = attacked.flip_before_opening().await;
    assert!(num_reported >= num_earlier && num_earlier > 20, "{num_reported} {num_earlier}");
    attacked.flip_while_serving(|file| file.starts_with("index")).await;
}
