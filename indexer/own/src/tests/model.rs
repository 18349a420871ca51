//! Compares the join with one in memory, over any files, in any order, with any memory.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use store::{PfamAccession, ProteinAccession};
use store_proteins::PfamHit;

use super::*;

/// Names that differ only slightly; two of them belong to no protein.
const NAMES: [&str; 7] = ["a", "A", "a_1", "aa", "á", "B", "b"];
const NUM_PROTEIN_NAMES: usize = 5;

#[derive(Clone, Debug)]
enum Row {
    Protein {
        name: usize,
        length: usize,
    },
    Annotation {
        name: usize,
        study: u8,
        size: u64,
    },
    Hit {
        name: usize,
        family: u64,
        end: usize,
    },
    /// A coding sequence under several names: `protein_id`, `locus_tag`, `ID`.
    Feature {
        names: [Option<usize>; 3],
        contig: u8,
        start: u32,
    },
}

impl Row {
    /// Returns the position of the kind among all.
    const fn kind(&self) -> usize {
        match self {
            Self::Protein { .. } => 0,
            Self::Annotation { .. } => 1,
            Self::Hit { .. } => 2,
            Self::Feature { .. } => 3,
        }
    }
}

/// A row, and the file of its kind that it is in.
type Placed = (Row, usize);

fn row() -> impl Strategy<Value = Placed> {
    let name = 0..NAMES.len();
    let names = prop::array::uniform3(prop::option::of(name.clone()));
    let row = prop_oneof![
        (0..NUM_PROTEIN_NAMES, 1_usize..6).prop_map(|(name, length)| Row::Protein { name, length }),
        (name.clone(), 0_u8..3, 1_u64..4).prop_map(|(name, study, size)| Row::Annotation { name, study, size }),
        (name, 1_u64..4, 1_usize..7).prop_map(|(name, family, end)| Row::Hit { name, family, end }),
        // None begins at the origin of its contig.
        (names, 0_u8..2, 2_u32..50).prop_map(|(names, contig, start)| Row::Feature { names, contig, start }),
    ];
    (row, 0_usize..2)
}

/// Writes the rows of a file of a kind.
fn write(rows: &[Placed], file: usize, of: impl Fn(&Row) -> Option<String>) -> Vec<u8> {
    rows.iter().filter(|&&(_, place)| place == file).filter_map(|(row, _)| of(row)).collect::<String>().into_bytes()
}

fn texts(rows: &[Placed]) -> Texts {
    let files = |of: fn(&Row) -> Option<String>| vec![write(rows, 0, of), write(rows, 1, of)];
    let proteins = files(|row| match row {
        Row::Protein { name, length } => Some(format!(">{}\n{}\n", NAMES[*name], "M".repeat(*length))),
        _ => None,
    });
    let mut annotations = files(|row| match row {
        Row::Annotation { name, study: 0, size } => Some(format!("{}\t\t{size}\n", NAMES[*name])),
        Row::Annotation { name, study, size } => Some(format!("{}\tS{study}\t{size}\n", NAMES[*name])),
        _ => None,
    });
    for table in &mut annotations {
        table.splice(..0, *b"name\tstudy\tcluster_size\n");
    }
    let pfam = files(|row| match row {
        Row::Hit { name, family, end } => {
            Some(format!("{} - 9 m PF0000{family}.1 9 1 9 0 1 1 1 1e-5 9 0 1 9 1 9 1 {end} 1 -\n", NAMES[*name]))
        }
        _ => None,
    });
    let gff = files(|row| match row {
        Row::Feature { names, contig, start } => {
            let keys = ["protein_id", "locus_tag", "ID"].into_iter().zip(names);
            let named = keys.filter_map(|(key, name)| name.map(|name| format!("{key}={};", NAMES[name])));
            Some(format!("c{contig}\tx\tCDS\t{start}\t{}\t.\t+\t0\t{}\n", start + 9, named.collect::<String>()))
        }
        _ => None,
    });
    Texts { proteins, annotations, pfam, gff }
}

/// The join in memory.
#[derive(Default)]
struct Model {
    proteins: Vec<Record>,
    by_name: HashMap<usize, usize>,
    annotated: Vec<usize>,
    /// The id and the contig of the gene of each protein that has one.
    genes: HashMap<usize, (String, u8)>,
    /// Rows by file.
    accepted: [u64; 8],
    /// Rows by file and reason.
    others: BTreeMap<(usize, &'static str), u64>,
}

impl Model {
    fn new(rows: &[Placed]) -> Self {
        let mut model = Self::default();
        for kind in 0..4 {
            for file in 0..2 {
                let of_file = |(row, place): &&Placed| row.kind() == kind && *place == file;
                rows.iter().filter(of_file).for_each(|(row, _)| model.add(row, kind * 2 + file));
            }
        }
        let biomes = BiomeTable::default();
        model.proteins.iter_mut().for_each(|protein| protein.sort(&biomes));
        model
    }

    fn add(&mut self, row: &Row, file: usize) {
        let added = match row {
            Row::Protein { name, length } => self.add_protein(*name, *length),
            Row::Annotation { name, study, size } => self.annotate(*name, *study, *size),
            Row::Hit { name, family, end } => self.add_hit(*name, *family, *end),
            Row::Feature { names, contig, start } => self.add_feature(*names, *contig, *start),
        };
        match added {
            Ok(()) => self.accepted[file] += 1,
            Err(reason) => *self.others.entry((file, reason)).or_default() += 1,
        }
    }

    fn find(&mut self, name: usize) -> Option<&mut Record> {
        self.by_name.get(&name).map(|&protein| &mut self.proteins[protein])
    }

    fn add_protein(&mut self, name: usize, length: usize) -> Result<(), &'static str> {
        if self.find(name).is_some() {
            return Err("duplicate_name");
        }
        self.by_name.insert(name, self.proteins.len());
        let sequence = "M".repeat(length);
        self.proteins.push(Record { name: NAMES[name].to_owned(), sequence, cluster_size: 1, ..Record::default() });
        Ok(())
    }

    fn annotate(&mut self, name: usize, study: u8, size: u64) -> Result<(), &'static str> {
        let is_first = !self.annotated.contains(&name);
        let protein = self.find(name).ok_or("unknown_name")?;
        if !is_first {
            return Err("duplicate_annotation");
        }
        protein.cluster_size = size;
        if study > 0 {
            let study = format!("S{study}");
            protein.occurrences = vec![Occurrence { study, ..occurrence("", 0, 0, Strand::Forward) }];
        }
        self.annotated.push(name);
        Ok(())
    }

    fn add_hit(&mut self, name: usize, family: u64, end: usize) -> Result<(), &'static str> {
        let Record { sequence, pfam_hits, .. } = self.find(name).ok_or("unknown_name")?;
        let (family, env_end) = (PfamAccession(family), u32::try_from(end).expect("small"));
        let (evalue, bit_score) = (1e-5, 9.0);
        let hit = PfamHit { family, evalue, bit_score, hmm_start: 1, hmm_end: 9, env_start: 1, env_end };
        if end > sequence.len() {
            return Err("bad_number");
        }
        if pfam_hits.contains(&hit) {
            return Err("duplicate_annotation");
        }
        pfam_hits.push(hit);
        Ok(())
    }

    fn add_feature(&mut self, names: [Option<usize>; 3], contig: u8, start: u32) -> Result<(), &'static str> {
        let id = names[2].map_or("", |name| NAMES[name]).to_owned();
        let protein = names.into_iter().flatten().find_map(|name| self.by_name.get(&name));
        let &protein = protein.ok_or("of no protein")?;
        let gene = (id, contig);
        if *self.genes.entry(protein).or_insert_with(|| gene.clone()) != gene {
            return Err("of another gene of a protein");
        }
        let occurrences = &mut self.proteins[protein].occurrences;
        if occurrences.is_empty() {
            occurrences.push(occurrence("", 0, 0, Strand::Forward));
        }
        let known = &mut occurrences[0];
        known.start = if known.start == 0 { start } else { known.start.min(start) };
        known.end = known.end.max(start + 9);
        known.contig = format!("c{contig}");
        known.contig_name.clone_from(&known.contig);
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_joined_as_in_memory(
        rows in prop::collection::vec(row(), 0..120),
        memory_bytes in prop_oneof![Just(1_usize), 100_usize..5000, Just(1 << 20)],
    ) {
        let Model { proteins, accepted, others, .. } = Model::new(&rows);
        prop_assume!(!proteins.is_empty());
        let outcome = read_texts(&texts(&rows), &OwnAddPlan::default(), memory_bytes).expect("readable");
        prop_assert_eq!(&outcome.proteins, &proteins);
        let num_accepted: Vec<u64> = outcome.files.iter().map(|file| file.num_accepted).collect();
        prop_assert_eq!(num_accepted, accepted);
        let mut actual = BTreeMap::new();
        for (position, file) in outcome.files.iter().enumerate() {
            actual.extend(file.rejected.iter().map(|(&reason, &number)| ((position, reason), number)));
            actual.extend(passed_over(file).into_iter().map(|(why, number)| ((position, why), number)));
        }
        prop_assert_eq!(actual, others);
        // Records without an assembly or a contig can be stored.
        let accession = ProteinAccession::new(900_000_000_000).expect("in range");
        for protein in proteins {
            let mut stored = Vec::new();
            protein.encode(accession, &mut stored);
            prop_assert_eq!(Record::decode(accession, &stored).expect("whole"), protein);
        }
    }
}
