//! Questions at random places of the data, each asked once.

use std::path::Path;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use support::encoded;

use super::catalogue::Corpus;
use super::corpus::first_column;

/// The number of questions of each kind, if there are as many biomes or pages.
pub(super) const NUM_QUESTIONS: usize = 200;

/// The number of pages of 25 bundled samples.
const NUM_PAGES: usize = 366;

/// The number of biomes of conjunctions, the most frequent ones.
const NUM_FREQUENT: usize = 20;

const SEED: u64 = 60;

/// The paths of one kind of request.
pub(super) struct Questions {
    pub(super) name: &'static str,
    pub(super) paths: Vec<String>,
}

/// Random values, none of which is drawn twice.
struct Deck {
    values: Vec<String>,
}

impl Deck {
    fn new(mut values: Vec<String>) -> Self {
        values.shuffle(&mut SmallRng::seed_from_u64(SEED));
        Self { values }
    }

    /// Draws values and makes each a path.
    fn draw(&mut self, mut path: impl FnMut(&str) -> String) -> Vec<String> {
        let first = self.values.len().saturating_sub(NUM_QUESTIONS);
        self.values.drain(first..).map(|value| path(&encoded(&value))).collect()
    }
}

/// Returns all questions about a data folder.
pub(super) fn questions(data_folder: &Path) -> Vec<Questions> {
    const PROTEINS: &str = "/metagenomics/proteins/api";
    let values = |arguments: &[&str]| first_column(data_folder, arguments);
    let biomes = values(&["facets", "--by", "biome", "--top", "100000"]);
    // For records, and for where deep pages begin.
    let number = (2 * NUM_QUESTIONS).to_string();
    let sample = ["--query", "length:[1 TO *]", "--fields", "accession", "--seed", "60", "--random", &number];
    let mut accessions = Deck::new(values(&[&["search"], &sample[..]].concat()));
    let mut families = Deck::new(values(&["facets", "--by", "pfam", "--top", "100000"]));
    let mut pages = Deck::new((1..=NUM_PAGES).map(|number| number.to_string()).collect());
    // The families differ.
    let mut conjunctions = |path: &str| {
        let mut frequent = biomes[..NUM_FREQUENT].iter().cycle();
        families.draw(|family| {
            let biome = encoded(frequent.next().expect("a cycle"));
            format!("{PROTEINS}/v2/{path}biome=%22{biome}%22&pfam={family}")
        })
    };
    let selected = conjunctions("proteins?limit=50&");
    let first_pages = conjunctions("proteins?limit=50&").into_iter();
    let deep = first_pages.zip(accessions.draw(str::to_owned));
    let deep = deep.map(|(path, accession)| format!("{path}&after={accession}")).collect();
    let counted = conjunctions("facets?by=pfam&");
    let search = |value: &str, name: &str| format!("{PROTEINS}/v1/protein/search?limit=50&{name}={value}");
    [
        ("search of 50, a family", families.draw(|family| search(family, "pfam_accession"))),
        ("search of 50, a biome", Deck::new(biomes.clone()).draw(|biome| search(biome, "biome_lineage"))),
        ("record", accessions.draw(|accession| format!("{PROTEINS}/v1/protein/{accession}"))),
        ("conjunction, 50", selected),
        ("conjunction, 50, deep", deep),
        ("facet of a family", families.draw(|family| format!("{PROTEINS}/v2/facets?by=biome&pfam={family}"))),
        ("facet of a conjunction", counted),
        ("page of 25 samples", pages.draw(|page| format!("/metagenomics/api/v1/samples?page={page}"))),
    ]
    .map(|(name, paths)| Questions { name, paths })
    .into()
}

/// Returns all questions about a catalogue.
pub(super) fn of_catalogue(corpus: &Corpus) -> Vec<Questions> {
    const CATALOGUE: &str = "/metagenomics/api/v1";
    let num_pages = corpus.num_samples / 25;
    let mut pages = Deck::new((1..=num_pages).map(|number| number.to_string()).collect());
    let mut pages_of = |list: &str| pages.draw(|page| format!("{CATALOGUE}/{list}page={page}"));
    let samples = corpus.some_accessions();
    [
        ("page of 25 samples", pages_of("samples?")),
        ("the same by name", pages_of("samples?ordering=-sample_name&")),
        ("page of 25 analyses", pages_of("analyses?")),
        ("sample", samples.iter().map(|accession| format!("{CATALOGUE}/samples/{accession}")).collect()),
    ]
    .map(|(name, paths)| Questions { name, paths })
    .into()
}
