//! Contigs against a plain list of genes.

mod beside;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use store::ProteinAccession;

use super::*;

/// A gene as it is in a release: assembly, contig, range, strand, protein, representative.
type Row = (String, u64, (u32, u32), bool, u64, u64);

fn accession(number: u64) -> ProteinAccession {
    ProteinAccession::new(number).expect("an accession")
}

fn name_of(assembly: &str, number: u64) -> String {
    match number % 4 {
        0 => String::new(),
        1 => format!("{assembly}.{number}-NODE-{number}-length-{}", number * 3),
        2 => format!("contig {}", number / 8),
        _ => format!("k141_{number}"),
    }
}

fn length_of(number: u64) -> u32 {
    u32::try_from(number % 5 * 1000).expect("small")
}

/// Writes sorted genes without duplicates, as an indexer does.
fn written(rows: &[Row], with_names: bool, has_all_proteins: bool) -> (tempfile::TempDir, ContigsEntry, Contigs) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = ContigsWriter::create(folder.path(), "contigs", with_names, has_all_proteins, rows.len() as u64)
        .expect("an empty folder");
    let (mut places, mut names, mut contigs) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (assembly, number, (start, end), is_reverse, protein, representative) in rows {
        let name = name_of(assembly, *number);
        let (protein, representative) = (accession(*protein), accession(*representative));
        let added = writer.add(&GeneRow {
            assembly,
            contig: *number,
            name: &name,
            length: length_of(*number),
            start: *start,
            end: *end,
            is_reverse: *is_reverse,
            protein,
            representative,
        });
        let added = added.expect("ascending");
        assert_eq!(added.is_first, contigs.insert((*number, added.contig)));
        names.extend(added.name);
        if has_all_proteins || protein == representative {
            places.insert((protein, false, added.page));
        }
        if protein != representative {
            places.insert((representative, true, added.page));
        }
    }
    places.into_iter().try_for_each(|(protein, of, page)| writer.add_place(protein, of, page)).expect("ascending");
    contigs.into_iter().try_for_each(|(_, key)| writer.add_contig(key)).expect("ascending");
    names.into_iter().try_for_each(|(hash, page)| writer.add_name(hash, page)).expect("ascending");
    let entry = writer.finish(&GeneCounts::default()).expect("read back");
    let opened = Contigs::open(folder.path(), &entry).expect("just written");
    opened.verify().expect("undamaged");
    (folder, entry, opened)
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let position = || prop_oneof![1..50_u32, 1..3000_u32];
    let protein = || prop_oneof![1..12_u64, 9_000_000_000..9_000_000_003_u64];
    let row = (0..4_u32, 1..9_u64, (position(), position()), any::<bool>(), protein(), protein());
    let row = row.prop_map(|(assembly, number, range, is_reverse, protein, representative)| {
        let representative = if protein % 3 == 0 { representative } else { protein };
        (
            if assembly == 0 { String::new() } else { format!("ERZ{assembly}") },
            number,
            range,
            is_reverse,
            protein,
            representative,
        )
    });
    prop::collection::btree_set(row, 0..300).prop_map(|rows| {
        // A protein has one representative.
        let mut seen = BTreeMap::new();
        let mut rows = Vec::from_iter(rows);
        for row in &mut rows {
            row.5 = *seen.entry(row.4).or_insert(row.5);
        }
        rows
    })
}

/// Returns a gene as a row.
fn row_of(contigs: &Contigs, gene: &Gene) -> Row {
    let contig = contigs.describe(gene.contig).expect("undamaged");
    let (protein, representative) = (gene.protein.number(), gene.representative.number());
    (contig.assembly, gene.contig.number(), (gene.start, gene.end), gene.is_reverse, protein, representative)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn contigs_answer_as_a_plain_list(rows in rows(), with_names: bool, has_all_proteins: bool, limit in 1..40_usize) {
        let (_folder, _, contigs) = written(&rows, with_names, has_all_proteins);
        let mut by_contig: BTreeMap<(String, u64), Vec<Row>> = BTreeMap::new();
        for row in &rows {
            by_contig.entry((row.0.clone(), row.1)).or_default().push(row.clone());
        }
        for ((assembly, number), genes) in &by_contig {
            let found = contigs.find(*number).expect("undamaged");
            let described: Vec<Contig> = found.iter().map(|key| contigs.describe(*key).expect("undamaged")).collect();
            let expected = by_contig.keys().filter(|key| key.1 == *number).map(|key| &key.0);
            prop_assert!(described.iter().map(|contig| &contig.assembly).eq(expected));
            let contig = described.iter().find(|contig| contig.assembly == *assembly).expect("found");
            let name = Some(name_of(assembly, *number)).filter(|name| with_names && !name.is_empty());
            let length = Some(length_of(*number)).filter(|length| with_names && *length > 0);
            prop_assert_eq!((&contig.name, contig.length), (&name, length));
            if let Some(name) = name {
                let find = |assembly| contigs.find_name(&name, assembly).expect("undamaged");
                prop_assert!(find(None).contains(&contig.key), "{}", name);
                prop_assert!(find(Some(contig.key.assembly())).contains(&contig.key), "{}", name);
                prop_assert_eq!(find(Some(9)), []);
            }
            let read = contigs.genes(contig.key, 0, usize::MAX).expect("undamaged");
            prop_assert_eq!(&read.iter().map(|gene| row_of(&contigs, gene)).collect::<Vec<_>>(), genes);
            prop_assert_eq!(contigs.num_genes(contig.key).expect("undamaged"), genes.len() as u64);
            let rest = contigs.genes(contig.key, 2, limit).expect("undamaged");
            prop_assert!(rest.iter().eq(read.iter().skip(2).take(limit)));
        }
        prop_assert_eq!(contigs.find(9).expect("undamaged"), []);
        prop_assert_eq!(contigs.find_name("unknown", None).expect("undamaged"), []);
    }

    #[test]
    fn assemblies_list_their_contigs_in_pages(rows in rows(), with_names: bool, limit in 1..5_usize) {
        let (_folder, _, contigs) = written(&rows, with_names, false);
        for assembly in ["", "ERZ1", "ERZ2", "ERZ3", "ERZ4"] {
            let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
            rows.iter().filter(|row| row.0 == assembly).for_each(|row| *expected.entry(row.1).or_default() += 1);
            let position = contigs.find_assembly(assembly).expect("undamaged");
            prop_assert_eq!(position.is_some(), !expected.is_empty());
            let (mut found, mut after) = (BTreeMap::new(), None);
            while let Some(position) = position {
                let page = contigs.contigs_of(position, after, limit).expect("undamaged");
                after = page.last().map(|(contig, _)| contig.key.number());
                for (contig, num_genes) in &page {
                    prop_assert_eq!(contig, &contigs.describe(contig.key).expect("undamaged"));
                    found.insert(contig.key.number(), *num_genes);
                }
                if page.len() < limit {
                    break;
                }
            }
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn places_come_in_pages(rows in rows(), with_members: bool, has_all_proteins: bool, limit in 1..9_usize) {
        let (_folder, _, contigs) = written(&rows, false, has_all_proteins);
        for protein in rows.iter().flat_map(|row| [row.4, row.5]).collect::<BTreeSet<u64>>() {
            let is_own = |row: &&Row| row.4 == protein && (has_all_proteins || row.4 == row.5);
            let is_others = |row: &&Row| row.5 == protein && row.4 != protein && with_members;
            let mut expected: Vec<Row> = rows.iter().filter(is_own).cloned().collect();
            expected.extend(rows.iter().filter(is_others).cloned());
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let page = contigs.places().find(accession(protein), with_members, after, limit).expect("undamaged");
                prop_assert!(page.len() <= limit);
                found.extend(page.iter().map(|place| row_of(&contigs, &place.gene)));
                let Some(last) = page.last() else { break };
                after = Some(last.cursor);
            }
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn neighbours_are_those_of_the_list(
        rows in rows(),
        genes in prop::option::of(0..5_u64),
        bases in prop::option::of(0..2000_u32),
        same_strand: bool,
    ) {
        let (_folder, _, contigs) = written(&rows, false, true);
        for protein in rows.iter().map(|row| row.4).collect::<BTreeSet<u64>>() {
            let mut places = contigs.places();
            for found in places.find(accession(protein), false, None, 9).expect("undamaged") {
                let gene = found.gene;
                let all = contigs.genes(gene.contig, 0, usize::MAX).expect("undamaged");
                let place = usize::try_from(gene.index).expect("small");
                let end = |gene: &Gene| if gene.end < gene.start { u32::MAX } else { gene.end };
                let is_near = |other: &&Gene| {
                    bases.is_none_or(|bases| {
                        other.start <= end(&gene).saturating_add(bases) && end(other) >= gene.start.saturating_sub(bases)
                    }) && (!same_strand || other.is_reverse == gene.is_reverse)
                };
                let most = genes.map_or(usize::MAX, |genes| usize::try_from(genes).expect("small"));
                let mut expected: Vec<Gene> = all[..place].iter().rev().filter(is_near).take(most).copied().collect();
                expected.reverse();
                expected.push(gene);
                expected.extend(all[place + 1..].iter().filter(is_near).take(most));
                let around = places.around(&found, Around { genes, bases, same_strand });
                prop_assert_eq!(around.expect("undamaged"), expected);
            }
        }
    }
}

/// Returns the genes of an assembly in a large release: contigs with seven genes each.
fn many_rows(num_contigs: u64) -> Vec<Row> {
    let num_genes = num_contigs * 7;
    let protein = |place: u64| 11_000_000_000 + 7 * (place * 10_007 % num_genes);
    let row = |place: u64| {
        let (contig, gene) = (place / 7, u32::try_from(place % 7).expect("small"));
        let representative = if place % 7 < 2 { place } else { place * 31 % num_genes };
        let start = 1 + 700 * gene;
        ("ERZ1".to_owned(), 1 + contig, (start, start + 560), gene % 3 == 0, protein(place), protein(representative))
    };
    (0..num_genes).map(row).collect()
}

#[test]
fn a_neighbourhood_takes_three_reads_and_a_gene_few_bytes() {
    let rows = many_rows(6000);
    let (_folder, entry, contigs) = written(&rows, true, false);
    assert!(entry.genes.num_pages > 50, "{entry:?}");
    let (mut num_longer, wanted) = (0, Around { genes: Some(5), ..Around::default() });
    for row in rows.iter().filter(|row| row.4 == row.5).step_by(97) {
        let mut places = contigs.places();
        let found = places.find(accession(row.4), false, None, 1).expect("undamaged");
        assert_eq!(row_of(&contigs, &found[0].gene), *row);
        assert_eq!(places.take_reads(), 3);
        assert!(places.around(&found[0], wanted).expect("undamaged").len() >= 6);
        let num_reads = places.take_reads();
        assert!(num_reads <= 1, "{num_reads}");
        num_longer += num_reads;
    }
    assert!(num_longer < 12, "{num_longer} of 123 neighbourhoods are in two pages");
    let num_bytes = (entry.genes.num_pages + entry.places.num_pages) * 2048;
    assert!(num_bytes < 14 * rows.len() as u64, "{num_bytes} bytes for {} genes", rows.len());
}

#[test]
fn damage_and_contradictions_are_found() {
    let (folder, entry, _) = written(&many_rows(300), true, false);
    for file in ["genes", "places", "assemblies", "runs", "names", "name_hashes"] {
        let path = folder.path().join(format!("contigs/{file}.pages"));
        let whole = std::fs::read(&path).expect("just written");
        let mut bytes = whole.clone();
        bytes[100] ^= 1;
        std::fs::write(&path, bytes).expect("room");
        let verified = Contigs::open(folder.path(), &entry).and_then(|contigs| contigs.verify());
        assert!(verified.expect_err(file).is_damage());
        std::fs::write(&path, whole).expect("room");
    }
    // Undamaged files of different contigs.
    let (other, others, _) = written(&many_rows(301), true, false);
    for (file, entry) in [
        ("genes", ContigsEntry { genes: others.genes.clone(), ..entry.clone() }),
        ("places", ContigsEntry { places: others.places.clone(), ..entry.clone() }),
        ("names", ContigsEntry { names: others.names.clone(), ..entry.clone() }),
    ] {
        let [from, to] = [&other, &folder].map(|folder| folder.path().join(format!("contigs/{file}.pages")));
        let whole = std::fs::read(&to).expect("written");
        std::fs::copy(from, &to).expect("room");
        let verified = Contigs::open(folder.path(), &entry).and_then(|contigs| contigs.verify());
        assert!(verified.expect_err(file).is_damage());
        std::fs::write(&to, whole).expect("room");
    }
}
