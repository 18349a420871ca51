//! Records of proteins, assembled from all their rows.

use indexer::run::{Notes, PassedOver, Progress, Rows, Unit};
use indexer::sort::SortedEntries;
use indexer::{Error, Result};
use store::{BiomeTable, FamilyTable};
use store_proteins::{BiomeCount, Occurrence, PfamHit, Record, Strand};

use super::entry::{Facts, Feature, JoinedProtein, Part};

/// The number of proteins between two updates of the progress.
const PROGRESS_INTERVAL: u64 = 4096;

/// Assembles each protein from its parts. Annotations take precedence over features, these over
/// headers, and these over the defaults.
pub(super) fn assemble(
    mut parts: SortedEntries,
    defaults: &Facts,
    biomes: &BiomeTable,
    families: &FamilyTable,
    notes: &mut Notes,
    rows: &mut Rows,
    mut put: impl FnMut(Record) -> Result<()>,
) -> Result<()> {
    let num_proteins = rows.files.iter().filter(|file| file.kind == Some(super::Kind::Proteins.into()));
    let progress = Progress::start("joining", Unit::Proteins, num_proteins.map(|file| file.num_read).sum());
    let (mut payload, mut num_put) = (Vec::new(), 0_u64);
    let mut pending: Option<(JoinedProtein, Option<Feature>)> = None;
    loop {
        let part = parts.next_value(&mut payload)?.map(|(_, part)| part);
        if let Some(Part::Feature { file, feature }) = part {
            let (_, gene) = pending.as_mut().ok_or(Error::CorruptSpill)?;
            take_feature(feature, file, gene, rows);
            continue;
        }
        if let Some((protein, gene)) = pending.take() {
            let file = protein.file;
            put(finish(protein, gene, defaults, biomes, families, notes))?;
            rows.files[file].num_accepted += 1;
            num_put += 1;
            if num_put.is_multiple_of(PROGRESS_INTERVAL) {
                progress.set(num_put);
            }
        }
        match part {
            Some(Part::Protein(protein)) => pending = Some((*protein, None)),
            _ => break,
        }
    }
    for file in &mut rows.files {
        file.passed_over.retain(|_, number| *number > 0);
    }
    progress.set(num_put);
    progress.finish();
    Ok(())
}

/// Adds a feature to the gene of the protein. A further line of the same gene makes it longer, or
/// is its other range.
fn take_feature(feature: Feature, file: usize, gene: &mut Option<Feature>, rows: &mut Rows) {
    let is_part = match gene {
        None => {
            *gene = Some(feature);
            true
        }
        Some(Feature { id, facts, after_origin, .. }) if *id == feature.id && facts.contig == feature.facts.contig => {
            let longer = |one: (u32, u32), other: (u32, u32)| (one.0.min(other.0), one.1.max(other.1));
            if let Some((one, other)) = facts.range.zip(feature.facts.range) {
                match after_origin {
                    Some(second) if other.1 < one.0 => *second = longer(*second, other),
                    None if is_over_origin(one, other, facts.is_reverse) => {
                        (facts.range, *after_origin) = (Some(one.max(other)), Some(one.min(other)));
                    }
                    _ => facts.range = Some(longer(one, other)),
                }
            }
            true
        }
        Some(_) => false,
    };
    // It was counted as a feature without a protein when it was read.
    let report = &mut rows.files[file];
    if let Some(number) = report.passed_over.get_mut(&PassedOver::NoProtein) {
        *number -= 1;
    }
    if is_part {
        report.num_accepted += 1;
    } else {
        *report.passed_over.entry(PassedOver::OtherGene).or_default() += 1;
    }
}

/// Returns whether two parts of a gene, in the order of the file, lie before and after the origin
/// of a circular contig: the gene is read from the first to the second, and one of them begins at
/// the origin.
fn is_over_origin(one: (u32, u32), other: (u32, u32), is_reverse: Option<bool>) -> bool {
    let is_backwards = if is_reverse == Some(true) { one < other } else { other < one };
    is_backwards && one.min(other).0 == 1
}

fn finish(
    protein: JoinedProtein,
    gene: Option<Feature>,
    defaults: &Facts,
    biomes: &BiomeTable,
    families: &FamilyTable,
    notes: &mut Notes,
) -> Record {
    let JoinedProtein { name, sequence, header, annotation, hits, .. } = protein;
    let (gene, after_origin) = gene.map(|gene| (gene.facts, gene.after_origin)).unwrap_or_default();
    // If an annotation gives another range, the gene has no second one.
    let after_origin = after_origin.filter(|_| annotation.range.is_none());
    let facts = annotation.or(gene).or(header).or(defaults.clone());
    let Facts { biome, study, assembly, contig, range, is_reverse, cluster_size, full_length, description } = facts;
    let mut record = Record {
        name,
        description,
        sequence,
        full_length,
        cluster_size: cluster_size.unwrap_or(1),
        biomes: biome.into_iter().map(|biome| BiomeCount { biome, count: 1 }).collect(),
        pfam_hits: hits.into_iter().map(PfamHit::from).collect(),
        occurrences: Vec::new(),
    };
    if range.is_some() || ![&study, &assembly, &contig].into_iter().all(String::is_empty) {
        let (start, end) = range.unwrap_or_default();
        let strand = if is_reverse == Some(true) { Strand::Reverse } else { Strand::Forward };
        let contig_name = contig.clone();
        let place = Occurrence { study, assembly, contig, start, end, strand, contig_name };
        record.occurrences.extend(after_origin.map(|(start, end)| Occurrence { start, end, ..place.clone() }));
        record.occurrences.push(place);
    }
    record.sort(biomes);
    notes.add_record(&record, families);
    record
}
