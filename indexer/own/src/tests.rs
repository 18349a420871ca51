//! Own proteins from files of all formats.

mod joining;
mod model;
mod real;
mod refusing;

use std::collections::BTreeMap;
use std::fs;

use indexer::input::Input;
use indexer::run::FileReport;
use store_proteins::{Occurrence, Strand};

use super::*;

/// The texts of the files of each kind.
#[derive(Clone, Debug, Default)]
struct Texts {
    proteins: Vec<Vec<u8>>,
    annotations: Vec<Vec<u8>>,
    pfam: Vec<Vec<u8>>,
    gff: Vec<Vec<u8>>,
}

/// The result of a run over some files.
#[derive(Debug)]
struct Outcome {
    proteins: Vec<Record>,
    notes: Notes,
    new_lineages: Vec<String>,
    files: Vec<FileReport>,
    /// File, line, reason and detail of each rejected row.
    rejected: Vec<(String, u64, String, String)>,
    biomes: BiomeTable,
}

fn tables() -> (BiomeTable, FamilyTable) {
    let mut biomes = BiomeTable::default();
    for (id, lineage) in [(0, "root"), (120, "root:Soil"), (158, "root:Air")] {
        biomes.insert(Some(id), lineage).expect("new");
    }
    let mut families = FamilyTable::default();
    families.insert("PF02826".parse().expect("a family"), "D-isomer specific 2-hydroxyacid dehydrogenase", None);
    (biomes, families)
}

/// Reads texts. Their files are named by kind and position, such as `proteins1`.
fn read_texts(texts: &Texts, defaults: &OwnAddPlan, memory_bytes: usize) -> Result<Outcome> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |kind: &str, texts: &[Vec<u8>]| -> Vec<Input> {
        let paths = (1..=texts.len()).map(|number| folder.path().join(format!("{kind}{number}")));
        let written = paths.zip(texts).map(|(path, text)| {
            fs::write(&path, text).expect("writable");
            Input::Path(path)
        });
        written.collect()
    };
    let plan = OwnAddPlan {
        proteins: write("proteins", &texts.proteins),
        annotations: write("annotations", &texts.annotations),
        pfam: write("pfam", &texts.pfam),
        gff: write("gff", &texts.gff),
        ..defaults.clone()
    };
    let names = plan.inputs().map(Input::name).collect();
    let mut rows = Rows::create(folder.path(), folder.path(), names, u64::MAX)?;
    let (mut biomes, families) = tables();
    let space = SortSpace { folder: folder.path(), memory_bytes };
    let mut proteins = Vec::new();
    let read = super::read(&plan, &mut biomes, space, &mut rows)?;
    let new_lineages = read.new_lineages.clone();
    let put = |protein| {
        proteins.push(protein);
        Ok(())
    };
    let (notes, _) = read.put(&biomes, &families, &mut rows, put)?;
    rows.finish(plan.inputs().count())?;
    for FileReport { name, num_read, num_accepted, passed_over, rejected, .. } in &rows.files {
        let num_left_out = passed_over.values().sum::<u64>() + rejected.values().sum::<u64>();
        assert_eq!(*num_read, num_accepted + num_left_out, "{name}");
    }
    let listed = fs::read_to_string(folder.path().join(indexer::run::REJECTS)).expect("written");
    let prefix = format!("{}/", folder.path().display());
    let rejected = listed.lines().skip(1).map(|line| {
        let line = line.replace(&prefix, "");
        let cells: Vec<&str> = line.split('\t').collect();
        (cells[0].to_owned(), cells[1].parse().expect("a line"), cells[2].to_owned(), cells[3].to_owned())
    });
    Ok(Outcome { proteins, notes, new_lineages, files: rows.files, rejected: rejected.collect(), biomes })
}

fn read_all(texts: &Texts) -> Outcome {
    read_texts(texts, &OwnAddPlan::default(), 1 << 20).expect("readable")
}

fn passed_over(file: &FileReport) -> BTreeMap<&'static str, u64> {
    file.passed_over.iter().map(|(why, &number)| (why.name(), number)).collect()
}

/// Returns rejected rows as file, line and reason.
fn rejected(outcome: &Outcome) -> Vec<(&str, u64, &str)> {
    outcome.rejected.iter().map(|(file, line, reason, _)| (&**file, *line, &**reason)).collect()
}

fn occurrence(contig: &str, start: u32, end: u32, strand: Strand) -> Occurrence {
    let (contig, contig_name) = (contig.to_owned(), contig.to_owned());
    Occurrence { study: String::new(), assembly: String::new(), contig, start, end, strand, contig_name }
}
