//! A Parquet release gives the same index whichever program wrote it.
//!
//! `other_writer/rewrite.py` reads a synthetic release with pyarrow and writes its rows again: in
//! other integer widths, codecs, column orders, encodings, page versions, names and parts. Every
//! record and every search must be the same.
//!
//! pyarrow is in a virtual environment that `tests/python/setup` makes, once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use indexer::{Acceptance, Input, Report};
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};
use store::PfamAccession;
use store_proteins::{Protein, ProteinGeneration, ProteinHit, ProteinQuery};
use support::machine::rounds;
use support::{data, needed_python};
use tempfile::TempDir;

/// The tables of a release. None starts like another.
const TABLES: [&str; 8] = [
    "mgy_biome_counts",
    "mgy_biomes",
    "mgy_cluster_seqs",
    "mgy_clusters",
    "mgy_counts",
    "mgy_protein_sequences",
    "mgy_proteins_metadata",
    "mgy_proteins_pfam",
];

/// The variants that `rewrite.py` knows, with the least number of files that each must have.
const VARIANTS: [(&str, usize); 4] = [("prose", 8), ("draft", 8), ("parts", 29), ("encoded", 8)];

/// The number of proteins, members of clusters included: usually, and in a thorough run.
const NUM_PROTEINS: [usize; 2] = [4_000, 20_000];

/// The limits of searches: within and beyond the number of hits.
const LIMITS: [usize; 2] = [7, usize::MAX];

/// The rows of a table that were read, accepted and passed over.
type Counts = [u64; 3];

/// An index, and the counts made while it was built.
struct Index {
    folder: TempDir,
    report: Report,
}

impl Index {
    /// Indexes a release.
    fn of(release: &Path, all_proteins: bool) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let plan = ReleasePlan {
            generations: folder.path().join("proteins"),
            release: release.to_owned(),
            biomes: Input::Path(data("proteins/biomes_id_lineage.tsv")),
            pfam: Input::Path(data("proteins/Pfam-A.clans.tsv.gz")),
            pfam_version: None,
            superseded: None,
            checksums: false,
            previous: None,
            all_proteins,
            members: false,
            contigs: true,
            contig_names: true,
            memory_bytes: 64 << 20,
            num_threads: 2,
            max_rejects: 0,
            without_own: false,
            fresh: false,
            acceptance: Acceptance::default(),
        };
        let published = plan.run().unwrap_or_else(|error| panic!("{}: {error}", release.display()));
        Self { folder, report: published.report }
    }

    /// Opens the index.
    fn open(&self) -> ProteinGeneration {
        let generations = store::Generations::new(self.folder.path().join("proteins"));
        ProteinGeneration::open_current(&generations).expect("whole").expect("published")
    }

    /// Adds up the rows of the files of each table.
    fn counts(&self, release: &Path) -> BTreeMap<&'static str, Counts> {
        let mut counts = BTreeMap::new();
        for file in &self.report.files {
            let name = Path::new(&file.name).strip_prefix(release).expect("a file of the release");
            let is_named = |table: &&str| name.to_string_lossy().starts_with(*table);
            let table = TABLES.into_iter().find(is_named).unwrap_or_else(|| panic!("{} is not a table", file.name));
            let sum: &mut Counts = counts.entry(table).or_default();
            let of_file = [file.num_read, file.num_accepted, file.num_passed_over()];
            sum.iter_mut().zip(of_file).for_each(|(sum, number)| *sum += number);
        }
        counts
    }
}

/// The answers of an index: every record, and the hits of every search.
struct Answers {
    records: Vec<Protein>,
    searches: Vec<(String, usize, Vec<ProteinHit>)>,
}

impl Answers {
    /// Requests every record and every search.
    fn of(generation: &ProteinGeneration) -> Self {
        let search = |query: &ProteinQuery, limit| generation.search(query, limit).expect("readable");
        let root = generation.biomes().find_lineage("root").expect("a lineage");
        let hits = search(&ProteinQuery::Biome(root), usize::MAX);
        let fetch = |accession| generation.fetch(accession).expect("readable").expect("found by a search");
        let records: Vec<Protein> = hits.iter().map(|hit| fetch(hit.accession)).collect();
        assert_eq!(records.len() as u64, generation.statistics().num_proteins, "every protein is from somewhere");

        let annotations = records.iter().flat_map(|record| &record.pfam_annotations);
        let families: BTreeSet<PfamAccession> = annotations.map(|annotation| annotation.hit.family).collect();
        let mut queries: Vec<_> =
            families.into_iter().map(|family| (family.to_string(), ProteinQuery::Family(family))).collect();
        let mut biomes: Vec<_> = (0..).zip(generation.biomes().iter()).collect();
        biomes.sort_by(|(_, left), (_, right)| left.lineage.cmp(&right.lineage));
        for (ordinal, biome) in biomes {
            queries.push((biome.lineage.clone(), ProteinQuery::Biome(ordinal)));
            queries.push((format!("{:?}", biome.id), ProteinQuery::BiomeExact(ordinal)));
        }
        let each = queries.iter().flat_map(|(name, query)| LIMITS.map(|limit| (name, query, limit)));
        let searches = each.map(|(name, query, limit)| (name.clone(), limit, search(query, limit))).collect();
        Self { records, searches }
    }

    /// Compares with the answers of the original. The first difference is shown, since all would be
    /// too long.
    fn assert_eq(&self, original: &Self, context: &str) {
        assert_eq!(self.records.len(), original.records.len(), "{context}: records");
        for (record, expected) in self.records.iter().zip(&original.records) {
            assert_eq!(record, expected, "{context}");
        }
        assert_eq!(self.searches.len(), original.searches.len(), "{context}: searches");
        for (search, expected) in self.searches.iter().zip(&original.searches) {
            assert_eq!(search, expected, "{context}");
        }
    }
}

/// Writes the release that the others are made of.
fn write_original(folder: &Path) {
    let [usual, thorough] = NUM_PROTEINS;
    let plan = SynthPlan {
        out: folder.to_owned(),
        num_proteins: rounds(usual, thorough) as u64,
        layout: SynthLayout::Parquet,
        seed: 20_260_717,
        shuffle: false,
        faults: false,
        only_representatives: false,
        memory_bytes: 64 << 20,
    };
    plan.run().expect("room on the disk");
}

/// Writes a variant of a release, and returns the number of rows of each table as pyarrow has read
/// them.
fn rewrite(python: &Path, release: &Path, variant: &str, target: &Path) -> BTreeMap<String, u64> {
    let script = support::project("tests/tiers/readers/other_writer/rewrite.py");
    let output = Command::new(python).arg(script).args([release, target]).arg(variant).output().expect("Python");
    assert!(output.status.success(), "{variant}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("numbers of rows")
}

/// Counts the files of a folder and the folders below.
fn num_files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    entries.map(|path| if path.is_dir() { num_files(&path) } else { 1 }).sum()
}

#[test]
#[expect(clippy::print_stdout, reason = "shown with --nocapture, and where the test fails")]
fn releases_of_any_writer_give_the_same_index() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let folder = TempDir::new().expect("a temporary folder");
    let original = folder.path().join("original");
    write_original(&original);
    let releases = VARIANTS.map(|(variant, num_files_min)| {
        let target = folder.path().join(variant);
        let rows = rewrite(&python, &original, variant, &target);
        assert!(rows.keys().eq(TABLES), "{rows:?}");
        assert!(num_files(&target) >= num_files_min, "{variant} has {} files", num_files(&target));
        (variant, target, rows)
    });

    for all_proteins in [false, true] {
        let index = Index::of(&original, all_proteins);
        let (counts, answers) = (index.counts(&original), Answers::of(&index.open()));
        let num_hits = answers.records.iter().map(|record| record.pfam_annotations.len()).sum::<usize>();
        assert!(answers.records.len() > 300 && num_hits > 300, "there is something to compare");
        println!("original, all proteins {all_proteins}: rows read, accepted, passed over {counts:?}");
        for (variant, release, rows) in &releases {
            let context = format!("variant {variant}, all proteins {all_proteins}");
            let rewritten = Index::of(release, all_proteins);
            assert_eq!(rewritten.counts(release), counts, "{context}");
            for (table, [num_read, ..]) in &counts {
                assert!([0, rows[*table]].contains(num_read), "{context}: {num_read} of {} {table}", rows[*table]);
            }
            Answers::of(&rewritten.open()).assert_eq(&answers, &context);
            println!("{context}: the same {} records and {} searches", answers.records.len(), answers.searches.len());
        }
    }
}
