//! The tables of a Parquet release, row by row and without Arrow.

use std::path::Path;

use parquet::record::Field;
use support::release::tables::for_each_row;

use crate::loading::release::rows::{Hit, Place, Rows};

/// Returns a whole number that is not negative.
pub(crate) fn whole(field: &Field) -> u64 {
    let value = match field {
        Field::Int(value) => i64::from(*value),
        Field::Long(value) => *value,
        other => panic!("{other} is not a whole number"),
    };
    u64::try_from(value).expect("not negative")
}

/// Returns a real number.
fn real(field: &Field) -> f64 {
    match field {
        Field::Float(value) => f64::from(*value),
        Field::Double(value) => *value,
        other => panic!("{other} is not a real number"),
    }
}

/// Returns a text.
pub(crate) fn text(field: &Field) -> &str {
    match field {
        Field::Str(value) => value,
        other => panic!("{other} is not a text"),
    }
}

/// Reads all tables that make records.
pub(crate) fn read(folder: &Path) -> Rows {
    let mut rows = Rows::default();
    let path = |name: &str| folder.join(name).with_extension("parquet");
    for_each_row(&path("mgy_protein_sequences"), ["protein_id", "full_length", "sequence"], |row| {
        let [protein, full_length, sequence] = row;
        let full_length = match full_length {
            Field::Bool(value) => Some(*value),
            _ => None,
        };
        let known = rows.sequences.insert(whole(protein), (full_length, text(sequence).to_owned()));
        assert_eq!(known, None, "{protein}");
    });
    for_each_row(&path("mgy_cluster_seqs"), ["cluster_rep", "cluster_member"], |[representative, member]| {
        rows.representatives.insert(whole(member), whole(representative));
    });
    for_each_row(&path("mgy_clusters"), ["cluster_rep", "cluster_size"], |[representative, size]| {
        rows.sizes.insert(whole(representative), whole(size));
    });
    for_each_row(&path("mgy_biomes"), ["protein_id", "lineage_count", "biome"], |[protein, count, lineage]| {
        rows.biomes.entry(whole(protein)).or_default().push((text(lineage).to_owned(), whole(count)));
    });
    let columns = ["protein_id", "pfam_accession", "i_evalue", "score", "hmm_from", "hmm_to", "env_from", "env_to"];
    for_each_row(&path("mgy_proteins_pfam"), columns, |[protein, family, evalue, score, places @ ..]| {
        let [hmm_from, hmm_to, env_from, env_to] = places.map(whole);
        let (hmm, envelope) = ((hmm_from, hmm_to), (env_from, env_to));
        let hit = Hit { family: whole(family), evalue: real(evalue), score: real(score), hmm, envelope };
        rows.hits.entry(whole(protein)).or_default().push(hit);
    });
    let columns = [
        "protein_id",
        "study_accession",
        "assembly_accession",
        "contig_id",
        "contig_name",
        "start_position",
        "end_position",
        "strand",
    ];
    for_each_row(&path("mgy_proteins_metadata"), columns, |row| {
        let [protein, study, assembly, contig, contig_name, start, end, strand] = row;
        let place = Place {
            study: text(study).to_owned(),
            assembly: text(assembly).to_owned(),
            contig: whole(contig),
            start: whole(start),
            end: whole(end),
            is_reverse: matches!(strand, Field::Int(-1) | Field::Long(-1)),
            contig_name: text(contig_name).to_owned(),
        };
        rows.places.entry(whole(protein)).or_default().push(place);
    });
    rows
}
