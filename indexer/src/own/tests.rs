//! Own proteins from files of all formats.

use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::run::FileReport;

/// The texts of the files of each kind.
#[derive(Clone, Debug, Default)]
struct Texts {
    proteins: Vec<Vec<u8>>,
    annotations: Vec<Vec<u8>>,
    pfam: Vec<Vec<u8>>,
    gff: Vec<Vec<u8>>,
}

/// What a run over some files gives.
#[derive(Debug)]
struct Outcome {
    proteins: Vec<OwnProtein>,
    gathered: OwnGathered,
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

/// Reads texts, whose files are called by their kinds and positions, such as `proteins1`.
fn read_texts(texts: &Texts, defaults: &OwnDefaults, memory_bytes: usize) -> Result<Outcome> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |kind: &str, texts: &[Vec<u8>]| -> Vec<Input> {
        let paths = (1..=texts.len()).map(|number| folder.path().join(format!("{kind}{number}")));
        let written = paths.zip(texts).map(|(path, text)| {
            fs::write(&path, text).expect("writable");
            Input::Path(path)
        });
        written.collect()
    };
    let files = [
        write("proteins", &texts.proteins),
        write("annotations", &texts.annotations),
        write("pfam", &texts.pfam),
        write("gff", &texts.gff),
    ];
    let [proteins, annotations, pfam, gff] = &files;
    let inputs = OwnInputs { proteins, annotations, pfam, gff };
    let names = inputs.iter().map(Input::name).collect();
    let mut rows = Rows::create(folder.path(), folder.path(), names, u64::MAX)?;
    let (mut biomes, families) = tables();
    let space = SortSpace { folder: folder.path(), memory_bytes };
    let mut proteins = Vec::new();
    let gathered = super::read(&inputs, defaults, &mut biomes, &families, space, &mut rows, |protein| {
        proteins.push(protein);
        Ok(())
    })?;
    rows.finish(inputs.iter().count())?;
    for FileReport { name, num_read, num_accepted, passed_over, rejected, .. } in &rows.files {
        let num_left_out = passed_over.values().sum::<u64>() + rejected.values().sum::<u64>();
        assert_eq!(*num_read, num_accepted + num_left_out, "{name}");
    }
    let listed = fs::read_to_string(folder.path().join(crate::run::REJECTS)).expect("written");
    let prefix = format!("{}/", folder.path().display());
    let rejected = listed.lines().skip(1).map(|line| {
        let line = line.replace(&prefix, "");
        let cells: Vec<&str> = line.split('\t').collect();
        (cells[0].to_owned(), cells[1].parse().expect("a line"), cells[2].to_owned(), cells[3].to_owned())
    });
    Ok(Outcome { proteins, gathered, files: rows.files, rejected: rejected.collect(), biomes })
}

fn read_all(texts: &Texts) -> Outcome {
    read_texts(texts, &OwnDefaults::default(), 1 << 20).expect("readable")
}

fn passed_over(file: &FileReport) -> BTreeMap<&'static str, u64> {
    file.passed_over.iter().map(|(why, &number)| (why.name(), number)).collect()
}

#[test]
fn a_name_alone_is_a_protein() {
    let texts = Texts { proteins: vec![b">one\nmkv*\n".to_vec()], ..Texts::default() };
    let outcome = read_all(&texts);
    let record = Record { sequence: "MKV".to_owned(), cluster_size: 1, ..Record::default() };
    assert_eq!(outcome.proteins, [OwnProtein { name: "one".to_owned(), description: String::new(), record }]);
    assert!(outcome.rejected.is_empty() && outcome.gathered.new_lineages.is_empty());
    assert_eq!(outcome.gathered.inputs.len(), 1);
}
