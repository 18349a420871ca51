//! The files of a flat release, line by line.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use support::release::tables::lines;

use crate::loading::release::rows::{Hit, Place, Rows};

/// Returns the files of a release whose names start with a text.
fn parts(folder: &Path, start: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
    let mut parts: Vec<_> =
        entries.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))).collect();
    parts.sort();
    assert!(!parts.is_empty(), "{start}");
    parts
}

/// Returns the number of an accession.
fn number(accession: &str) -> u64 {
    accession.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).parse().expect(accession)
}

/// Reads all files that make records.
pub(crate) fn read(folder: &Path) -> Rows {
    let mut rows = Rows::default();
    read_sequences(folder, &mut rows);
    for line in lines(&folder.join("mgy_cluster_seqs.tsv.gz")) {
        let (representative, members) = line.split_once('\t').expect("two columns");
        let representative = number(representative);
        for member in members.split(';') {
            rows.representatives.insert(number(member), representative);
            *rows.sizes.entry(representative).or_default() += 1;
        }
    }
    for line in lines(&folder.join("mgy_biomes.tsv.gz")) {
        let [protein, count, lineage] = line.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
        rows.biomes.entry(number(protein)).or_default().push((lineage.to_owned(), number(count)));
    }
    for line in lines(&folder.join("mgy_proteins_pfam.tsv.gz")) {
        let columns: [&str; 8] = line.split('\t').collect::<Vec<_>>().try_into().expect("eight columns");
        let [protein, family, evalue, score, places @ ..] = columns;
        let [evalue, score] = [evalue, score].map(|value| value.parse().expect(value));
        let [hmm_from, hmm_to, env_from, env_to] = places.map(number);
        let (hmm, envelope) = ((hmm_from, hmm_to), (env_from, env_to));
        rows.hits.entry(number(protein)).or_default().push(Hit {
            family: number(family),
            evalue,
            score,
            hmm,
            envelope,
        });
    }
    read_places(folder, &mut rows);
    rows
}

/// Reads the sequences of representatives, and those of all proteins.
fn read_sequences(folder: &Path, rows: &mut Rows) {
    for path in
        [parts(folder, "mgy_proteins_1.fa"), parts(folder, "mgy_proteins_2.fa"), parts(folder, "mgy_clusters.fa")]
            .concat()
    {
        let mut protein = 0;
        let mut of_file: HashMap<u64, (Option<bool>, String)> = HashMap::new();
        for line in lines(&path) {
            if let Some(header) = line.strip_prefix('>') {
                protein = number(header.split(' ').next().expect("an accession"));
                let is_full = header.split(' ').any(|field| field == "FL=1");
                assert!(is_full || header.contains("FL=0"), "{header}");
                assert_eq!(of_file.insert(protein, (Some(is_full), String::new())), None, "{header}");
            } else {
                of_file.get_mut(&protein).expect("a header").1.push_str(&line);
            }
        }
        for (protein, sequence) in of_file {
            let known = rows.sequences.insert(protein, sequence.clone());
            assert!(known.is_none_or(|known| known == sequence), "{protein} has two sequences");
        }
    }
}

/// Reads the places on contigs and gives the contigs their names.
fn read_places(folder: &Path, rows: &mut Rows) {
    let mut names = HashMap::new();
    for path in parts(folder, "mgy_contig_map_") {
        for line in lines(&path) {
            let (contig, name) = line.split_once('\t').expect("two columns");
            names.insert(number(contig), name.to_owned());
        }
    }
    for path in parts(folder, "mgy_seq_metadata_") {
        for line in lines(&path) {
            let (protein, places) = line.split_once('\t').expect("two columns");
            for place in places.split(';') {
                let (assembly, rest) = place.split_once('.').expect("an assembly");
                let [contig, range, strand, _] = rest.split(':').collect::<Vec<_>>().try_into().expect("four fields");
                let (start, end) = range.split_once('-').expect("a range");
                assert!(["1", "-1"].contains(&strand), "{place}");
                let contig = number(contig);
                rows.places.entry(number(protein)).or_default().push(Place {
                    study: String::new(),
                    assembly: assembly.to_owned(),
                    contig,
                    start: number(start),
                    end: number(end),
                    is_reverse: strand == "-1",
                    contig_name: names[&contig].clone(),
                });
            }
        }
    }
}
