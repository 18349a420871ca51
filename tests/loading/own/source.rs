//! Sources of own data: bundled proteins under other names, with annotations and Pfam hits.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use indexer::{Acceptance, Input, Published};
use indexer_own::OwnAddPlan;
use serde_json::Value;
use store::{PfamAccession, ProteinAccession};
use store_proteins::{Occurrence, PfamHit, Protein, Strand};
use support::{SAMPLE, TestFolder, data_text, program};

use super::plain::Tables;

/// The biome of proteins without one in the annotations.
const DEFAULT_BIOME: &str = "root:Environmental:Terrestrial:Soil";

/// The study of proteins without one in the annotations.
const DEFAULT_STUDY: &str = "soils-2026";

/// The biomes in annotations: a lineage of the table, one that it lacks, an id, and nothing.
const BIOMES: [(&str, &str); 4] = [
    ("root:Environmental:Aquatic:Marine", "root:Environmental:Aquatic:Marine"),
    ("root:Environmental:Terrestrial:Meadow", "root:Environmental:Terrestrial:Meadow"),
    ("158", "root:Environmental:Aquatic:Marine:Oceanic"),
    ("", DEFAULT_BIOME),
];

/// A source and the contents of its files.
pub(crate) struct Source {
    name: String,
    fasta: String,
    annotations: String,
    hits: String,
    /// In the order of the files. The accessions are unknown.
    pub(crate) proteins: Vec<Protein>,
}

impl Source {
    /// Makes a source of some rows of the bundled sample.
    pub(crate) fn of_sample(name: &str, rows: Range<usize>, tables: &Tables) -> Self {
        let text = data_text(SAMPLE);
        let mut source = Self {
            name: name.to_owned(),
            fasta: String::new(),
            annotations: "name\tbiome\tstudy\tassembly\tcontig\tstart\tend\tstrand\tcluster_size\tdescription\n"
                .to_owned(),
            hits: String::new(),
            proteins: Vec::new(),
        };
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for (number, row) in reader.records().enumerate().skip(rows.start).take(rows.len()) {
            let row = row.expect("a row");
            let metadata = serde_json::from_str(&row[4]).expect("JSON");
            source.add(number, &row[1], &metadata, tables);
        }
        source
    }

    fn add(&mut self, number: usize, sequence: &str, metadata: &Value, tables: &Tables) {
        let (name, description) = (format!("k141_{number}_1"), format!("bundled protein {number}"));
        let is_complete = number.is_multiple_of(3);
        let partial = if is_complete { "00" } else { "10" };
        let end = 3 * sequence.len();
        // The residues of a fifth are in lower case, and some end with a stop.
        let written = if number.is_multiple_of(5) { sequence.to_lowercase() } else { sequence.to_owned() };
        writeln!(self.fasta, ">{name} # 1 # {end} # -1 # ID=1_1;partial={partial}\n{written}*").expect("memory");
        let mut protein = Protein {
            accession: ProteinAccession::MIN,
            name: name.clone(),
            description: String::new(),
            source: Some(self.name.clone()),
            sequence: sequence.to_owned(),
            full_length: Some(is_complete),
            cluster_size: 1,
            biomes: vec![tables.biome(DEFAULT_BIOME, 1)],
            pfam_annotations: self.add_hits(&name, sequence, metadata, tables),
            occurrences: vec![Occurrence {
                study: DEFAULT_STUDY.to_owned(),
                assembly: String::new(),
                contig: format!("k141_{number}"),
                start: 1,
                end: u32::try_from(end).expect("short"),
                strand: Strand::Reverse,
                contig_name: format!("k141_{number}"),
            }],
        };
        if !number.is_multiple_of(4) {
            let (requested, lineage) = BIOMES[number % BIOMES.len()];
            // Without a table of biomes, ids are not known.
            let requested = if tables.has_ids() || requested.is_empty() { requested } else { lineage };
            let (study, assembly) = (format!("Plot-{}", number % 7), format!("ERZ{:06}", number % 11));
            let size = 1 + number % 50;
            let columns =
                [&*name, requested, &study, &assembly, "own contig", "7", "90", "+", &size.to_string(), &description];
            writeln!(self.annotations, "{}", columns.join("\t")).expect("memory");
            let contig = "own contig".to_owned();
            protein.biomes = vec![tables.biome(lineage, 1)];
            protein.occurrences = vec![Occurrence {
                study,
                assembly,
                contig: contig.clone(),
                start: 7,
                end: 90,
                strand: Strand::Forward,
                contig_name: contig,
            }];
            (protein.cluster_size, protein.description) = (size as u64, description);
        }
        self.proteins.push(protein);
    }

    /// Writes the hits of a row, and returns the values expected from them.
    fn add_hits(
        &mut self,
        name: &str,
        sequence: &str,
        metadata: &Value,
        tables: &Tables,
    ) -> Vec<store_proteins::PfamAnnotation> {
        let mut hits: Vec<PfamHit> = Vec::new();
        for hit in metadata["p"].as_array().into_iter().flatten() {
            let position =
                |index: usize| hit[index].as_u64().and_then(|number| u32::try_from(number).ok()).expect("small");
            let (family, env_start, env_end): (PfamAccession, u32, u32) =
                (hit[0].as_str().expect("a text").parse().expect("a family"), position(3), position(4));
            if hits.iter().any(|known| (known.family, known.env_start) == (family, env_start)) {
                continue;
            }
            let (evalue, score) = (hit[1].as_f64().expect("a number"), hit[2].as_f64().expect("a number"));
            writeln!(
                self.hits,
                "{name} - {} a_name {family}.7 150 1e-9 50.0 0.1 1 1 1e-9 {evalue} {score} 0.1 2 33 {env_start} {env_end} {env_start} {env_end} 0.9 -",
                sequence.len()
            )
            .expect("memory");
            hits.push(PfamHit { family, evalue, bit_score: score, hmm_start: 2, hmm_end: 33, env_start, env_end });
        }
        hits.sort_by_key(|hit| (hit.env_start, hit.family));
        hits.into_iter().map(|hit| tables.annotation(hit)).collect()
    }

    /// Writes the files into a folder: FASTA, annotations and Pfam hits.
    pub(crate) fn write(&self, folder: &Path) -> [PathBuf; 3] {
        let files = [("own.faa", &self.fasta), ("own.tsv", &self.annotations), ("own.domtblout", &self.hits)];
        files.map(|(name, text)| {
            let path = folder.join(name);
            fs::write(&path, text).expect("writable");
            path
        })
    }

    /// Returns the command that adds the source to the index of a data folder, with its files from
    /// a folder.
    pub(crate) fn command(&self, data: &Path, files: &Path) -> Command {
        let [proteins, annotations, pfam] = self.write(files);
        let mut command = program();
        command.args(["own", "add", &self.name, "--quiet", "--data"]).arg(data).arg("--proteins").arg(proteins);
        command.arg("--allow-new-biomes").arg("--annotations").arg(annotations).arg("--pfam").arg(pfam);
        command.args(["--biome", DEFAULT_BIOME, "--study", DEFAULT_STUDY, "--memory", "64M"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Returns a plan that adds the source to the index of a folder.
    pub(crate) fn plan(&self, folder: &TestFolder) -> OwnAddPlan {
        let [proteins, annotations, pfam] = self.write(folder.path()).map(|path| vec![Input::Path(path)]);
        OwnAddPlan {
            generations: folder.generations().root().to_owned(),
            name: self.name.clone(),
            proteins,
            annotations,
            pfam,
            gff: Vec::new(),
            biome: Some(DEFAULT_BIOME.to_owned()),
            study: DEFAULT_STUDY.to_owned(),
            assembly: String::new(),
            replace: false,
            allow_nucleotides: false,
            allow_new_biomes: true,
            memory_bytes: 64 << 20,
            max_rejects: 0,
            acceptance: Acceptance::default(),
        }
    }

    /// Adds the source, checks that its report adds up, and returns its proteins with the
    /// accessions from a number on.
    pub(crate) fn add_to(&self, folder: &TestFolder, first: u64, replace: bool) -> Vec<Protein> {
        let published = OwnAddPlan { replace, ..self.plan(folder) }.run().expect("well formed");
        self.assert_report(&published);
        self.numbered(first)
    }

    fn assert_report(&self, Published { report, .. }: &Published) {
        let lines = |text: &str| text.lines().count() as u64;
        let num_rows = [self.proteins.len() as u64, lines(&self.annotations) - 1, lines(&self.hits)];
        let read: Vec<(u64, u64, u64)> =
            report.files.iter().map(|file| (file.num_read, file.num_accepted, file.num_rejected())).collect();
        assert_eq!(read, num_rows.map(|num_rows| (num_rows, num_rows, 0)));
        assert_eq!(report.num_accepted, num_rows.iter().sum::<u64>());
        assert_eq!(report.notes.pfam_hits, num_rows[2]);
    }

    /// Returns the proteins with the accessions from a number on.
    pub(crate) fn numbered(&self, first: u64) -> Vec<Protein> {
        let numbered = |(accession, protein): (u64, &Protein)| Protein {
            accession: ProteinAccession::new(accession).expect("an accession"),
            ..protein.clone()
        };
        (first..).zip(&self.proteins).map(numbered).collect()
    }
}
