//! Proteins beside others.

use super::*;

#[test]
fn proteins_beside_others_are_found_across_pages() {
    let mut rows = many_rows(700);
    // A protein with genes in all pages.
    rows.iter_mut().skip(3).step_by(500).for_each(|row| (row.4, row.5) = (11_000_000_000, 11_000_000_000));
    for has_all_proteins in [false, true] {
        let (_folder, entry, contigs) = written(&rows, false, has_all_proteins);
        assert!(entry.genes.num_pages > 4, "{entry:?}");
        let counted = |row: &Row| if has_all_proteins { row.4 } else { row.5 };
        let proteins: BTreeSet<u64> =
            rows.iter().step_by(13).map(counted).chain([1, 11_000_000_000, 99_000_000_000]).collect();
        for (num_genes, same_strand) in [(1, false), (6, true), (100, false)] {
            let mut places = contigs.places();
            for &protein in &proteins {
                let (mut found, mut after) = (Vec::new(), None);
                loop {
                    let beside = places.beside(accession(protein), (num_genes, same_strand), after, &mut found);
                    after = beside.expect("undamaged");
                    if after.is_none() {
                        break;
                    }
                }
                let mut expected = Vec::new();
                for (place, row) in rows.iter().enumerate().filter(|(_, row)| counted(row) == protein) {
                    let reach = usize::try_from(num_genes).expect("small");
                    let around = place.saturating_sub(reach)..rows.len().min(place + reach + 1);
                    let others = around.filter(|other| *other != place).map(|other| &rows[other]);
                    let near = others.filter(|other| other.1 == row.1 && (!same_strand || other.3 == row.3));
                    expected.extend(near.map(|other| accession(counted(other))));
                }
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{protein}");
            }
            let reads = places.take_reads();
            assert!(reads > proteins.len() as u64 && places.take_reads() == 0, "{reads}");
        }
    }
}

#[test]
fn samples_of_places_are_random_unless_they_are_all() {
    // One gene of a protein on each page, and several: then there are fewer pages than are wanted.
    for (distance, num_wanted) in [(500, 2), (60, 8)] {
        let mut rows = many_rows(700);
        let protein = 11_000_000_000;
        rows.iter_mut().skip(3).step_by(distance).take(20).for_each(|row| (row.4, row.5) = (protein, protein));
        let (_folder, _, contigs) = written(&rows, false, false);
        let mut places = contigs.places();
        let mut sample = |limit, random: fn(usize) -> usize| {
            let (found, has_all) = places.sample(accession(protein), limit, random).expect("undamaged");
            assert!(found.iter().all(|place| contigs.counted(&place.gene) == accession(protein)));
            (found.into_iter().map(|place| place.cursor).collect::<BTreeSet<u64>>(), has_all)
        };
        let num_all = rows.iter().filter(|row| row.5 == protein).count();
        let all = sample(num_all, |_| 0);
        assert_eq!((all.0.len(), all.1), (num_all, true));
        assert_eq!(all, sample(usize::MAX, |below| below - 1));
        let [first, last] = [sample(num_wanted, |_| 0), sample(num_wanted, |below| below - 1)];
        assert_eq!([(first.0.len(), first.1), (last.0.len(), last.1)], [(num_wanted, false); 2]);
        assert_ne!(first.0, last.0);
    }
}
