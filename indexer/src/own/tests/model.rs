//! The join beside one in memory, over any files, in any order, with any memory.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use store::{PfamAccession, PfamHit};

use super::*;

/// Names that differ in little, two of which no protein has.
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

/// A row, and the file of its kind that it is in.
type Placed = (Row, usize);

fn row() -> impl Strategy<Value = Placed> {
    let name = 0..NAMES.len();
    let names = prop::array::uniform3(prop::option::of(name.clone()));
    let row = prop_oneof![
        (0..NUM_PROTEIN_NAMES, 1_usize..6).prop_map(|(name, length)| Row::Protein { name, length }),
        (name.clone(), 0_u8..3, 1_u64..4).prop_map(|(name, study, size)| Row::Annotation { name, study, size }),
        (name, 1_u64..4, 1_usize..7).prop_map(|(name, family, end)| Row::Hit { name, family, end }),
        (names, 0_u8..2, 1_u32..50).prop_map(|(names, contig, start)| Row::Feature { names, contig, start }),
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

/// The join in memory: proteins in their order, the rows accepted of each file, and the reasons of the others.
fn model(rows: &[Placed]) -> (Vec<OwnProtein>, [u64; 8], BTreeMap<(usize, &'static str), u64>) {
    let mut in_order: Vec<&Placed> = rows.iter().collect();
    in_order.sort_by_key(|(row, file)| (matches!(row, Row::Feature { .. }), *file));
    let (mut proteins, mut by_name): (Vec<OwnProtein>, HashMap<usize, usize>) = Default::default();
    let mut accepted = [0; 8];
    let mut others: BTreeMap<(usize, &'static str), u64> = BTreeMap::new();
    let mut annotated = Vec::new();
    let mut genes: HashMap<usize, (String, u8)> = HashMap::new();
    for (row, file) in &in_order {
        let Row::Protein { name, length } = row else { continue };
        if by_name.contains_key(name) {
            *others.entry((*file, "duplicate_name")).or_default() += 1;
            continue;
        }
        by_name.insert(*name, proteins.len());
        let record = Record { sequence: "M".repeat(*length), cluster_size: 1, ..Record::default() };
        proteins.push(OwnProtein { name: NAMES[*name].to_owned(), description: String::new(), record });
        accepted[*file] += 1;
    }
    for (row, file) in in_order {
        let (position, outcome) = match row {
            Row::Protein { .. } => continue,
            Row::Annotation { name, study, size } => (
                2 + file,
                match by_name.get(name) {
                    None => Err("unknown_name"),
                    Some(_) if annotated.contains(name) => Err("duplicate_annotation"),
                    Some(&protein) => {
                        annotated.push(*name);
                        let record = &mut proteins[protein].record;
                        record.cluster_size = *size;
                        if *study > 0 {
                            record.occurrences = vec![Occurrence {
                                study: format!("S{study}"),
                                ..occurrence("", 0, 0, Strand::Forward)
                            }];
                        }
                        Ok(())
                    }
                },
            ),
            Row::Hit { name, family, end } => (
                4 + file,
                match by_name.get(name) {
                    None => Err("unknown_name"),
                    Some(&protein) => {
                        let Record { sequence, pfam_hits, .. } = &mut proteins[protein].record;
                        let env_end = u32::try_from(*end).expect("small");
                        let hit = PfamHit {
                            family: PfamAccession(*family),
                            evalue: 1e-5,
                            bit_score: 9.0,
                            hmm_start: 1,
                            hmm_end: 9,
                            env_start: 1,
                            env_end,
                        };
                        if *end > sequence.len() {
                            Err("bad_number")
                        } else if pfam_hits.contains(&hit) {
                            Err("duplicate_annotation")
                        } else {
                            pfam_hits.push(hit);
                            Ok(())
                        }
                    }
                },
            ),
            Row::Feature { names, contig, start } => {
                let id = names[2].map_or("", |name| NAMES[name]);
                let found = names.iter().flatten().find_map(|name| by_name.get(name));
                (
                    6 + file,
                    match found {
                        None => Err("of no protein"),
                        Some(protein) => {
                            let gene = genes.entry(*protein).or_insert_with(|| (id.to_owned(), *contig));
                            if *gene == (id.to_owned(), *contig) {
                                let record = &mut proteins[*protein].record;
                                if record.occurrences.is_empty() {
                                    record.occurrences.push(occurrence("", 0, 0, Strand::Forward));
                                }
                                let known = &mut record.occurrences[0];
                                known.start = if known.start == 0 { *start } else { known.start.min(*start) };
                                known.end = known.end.max(start + 9);
                                known.contig = format!("c{contig}");
                                known.contig_name = known.contig.clone();
                                Ok(())
                            } else {
                                Err("of another gene of a protein")
                            }
                        }
                    },
                )
            }
        };
        match outcome {
            Ok(()) => accepted[position] += 1,
            Err(reason) => *others.entry((position, reason)).or_default() += 1,
        }
    }
    let biomes = BiomeTable::default();
    proteins.iter_mut().for_each(|protein| protein.record.sort(&biomes));
    (proteins, accepted, others)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_joined_as_in_memory(
        rows in prop::collection::vec(row(), 0..120),
        memory_bytes in prop_oneof![Just(1_usize), 100_usize..5000, Just(1 << 20)],
    ) {
        let (proteins, accepted, others) = model(&rows);
        prop_assume!(!proteins.is_empty());
        let outcome = read_texts(&texts(&rows), &OwnDefaults::default(), memory_bytes).expect("readable");
        prop_assert_eq!(outcome.proteins, proteins);
        let num_accepted: Vec<u64> = outcome.files.iter().map(|file| file.num_accepted).collect();
        prop_assert_eq!(num_accepted, accepted);
        let mut told = BTreeMap::new();
        for (position, file) in outcome.files.iter().enumerate() {
            told.extend(file.rejected.iter().map(|(&reason, &number)| ((position, reason), number)));
            told.extend(passed_over(file).into_iter().map(|(why, number)| ((position, why), number)));
        }
        prop_assert_eq!(told, others);
    }
}
