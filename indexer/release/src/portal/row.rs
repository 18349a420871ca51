//! A portal row becomes a record.

use indexer::run::{Notes, Reason, Rejection};
use indexer::values;
use store::{BiomeTable, FamilyTable, PfamAccession, ProteinAccession};
use store_proteins::{BiomeCount, Occurrence, PfamHit, Record, Strand};

use super::columns::{Columns, Splitter};
use super::metadata::{Assemblies, Metadata, PfamRow};

pub(super) struct RowParser<'a> {
    biomes: &'a BiomeTable,
    families: &'a FamilyTable,
    splitter: Splitter,
    /// The notes of the rows since [`RowParser::take_notes`].
    notes: Notes,
}

impl<'a> RowParser<'a> {
    pub(super) fn new(biomes: &'a BiomeTable, families: &'a FamilyTable) -> Self {
        Self { biomes, families, splitter: Splitter::default(), notes: Notes::default() }
    }

    pub(super) fn take_notes(&mut self) -> Notes {
        std::mem::take(&mut self.notes)
    }

    pub(super) fn parse(&mut self, columns: &Columns, line: &[u8]) -> Result<(ProteinAccession, Record), Rejection> {
        let [accession, sequence, full_length, cluster_size, metadata] = columns.split(&mut self.splitter, line)?;
        let bad_accession = |error| Rejection::new(Reason::BadAccession, format!("{accession:?}: {error}"));
        let accession: ProteinAccession = accession.parse().map_err(bad_accession).and_then(values::of_release)?;
        values::sequence(accession.number(), sequence.as_bytes())?;
        let mut record = Record {
            sequence: sequence.to_owned(),
            full_length: values::full_length(full_length)?,
            cluster_size: parse_cluster_size(cluster_size)?,
            ..Record::default()
        };
        let metadata = parse_metadata(metadata)?;
        for &(id, count) in &metadata.biomes {
            let biome = self
                .biomes
                .find_id(id)
                .ok_or_else(|| Rejection::new(Reason::UnknownBiome, format!("id {id} is not in the biome table")))?;
            if record.biomes.iter().any(|known| known.biome == biome) {
                return Err(Rejection::new(Reason::DuplicateAnnotation, format!("biome {id} is listed twice")));
            }
            let count = values::biome_count(non_negative("count of a biome", count)?)?;
            record.biomes.push(BiomeCount { biome, count });
        }
        for row in &metadata.pfam_hits {
            record.pfam_hits.push(parse_pfam_hit(row)?);
        }
        parse_assemblies("", &metadata.assemblies, &mut record.occurrences)?;
        for (study, assemblies) in &metadata.studies {
            let study = format!("ERP{:06}", non_negative("study id", *study)?);
            parse_assemblies(&study, assemblies, &mut record.occurrences)?;
        }
        record.sort(self.biomes);
        note(&mut self.notes, self.families, &metadata, &record);
        Ok((accession, record))
    }
}

fn note(notes: &mut Notes, families: &FamilyTable, metadata: &Metadata, record: &Record) {
    notes.add_record(record, families);
    notes.pfam_hits_without_hmm_positions += metadata.pfam_hits.iter().filter(|row| row.hmm.is_none()).count() as u64;
    notes.mgnifam_hits_left_out += metadata.num_mgnifam_hits;
    notes.unknown_metadata_keys += metadata.num_unknown_keys;
}

fn parse_cluster_size(text: &str) -> Result<u64, Rejection> {
    let size: i64 =
        text.parse().map_err(|_| Rejection::new(Reason::BadClusterSize, format!("{text:?} is not a number")))?;
    values::cluster_size(non_negative("cluster size", size)?)
}

fn parse_metadata(text: &str) -> Result<Metadata, Rejection> {
    if text.is_empty() {
        return Ok(Metadata::default());
    }
    serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))
}

fn parse_pfam_hit(row: &PfamRow) -> Result<PfamHit, Rejection> {
    let family: PfamAccession =
        row.accession.parse().map_err(|error| unreadable(format!("{:?}: {error}", row.accession)))?;
    let (hmm_start, hmm_end) = row.hmm.unwrap_or_default();
    let (env_start, env_end) = row.envelope;
    Ok(PfamHit {
        family,
        evalue: row.evalue,
        bit_score: row.bit_score,
        hmm_start: position(hmm_start)?,
        hmm_end: position(hmm_end)?,
        env_start: position(env_start)?,
        env_end: position(env_end)?,
    })
}

/// Reads the contigs of the assemblies of a study. Rows have the numbers of accessions, but no
/// names of contigs.
fn parse_assemblies(study: &str, assemblies: &Assemblies, occurrences: &mut Vec<Occurrence>) -> Result<(), Rejection> {
    for (assembly, contigs) in assemblies {
        let assembly = format!("ERZ{:06}", non_negative("assembly id", *assembly)?);
        for &(contig, start, end, strand) in contigs {
            let contig = format!("MGYC{:012}", non_negative("contig id", contig)?);
            let strand = match strand {
                1 => Strand::Forward,
                -1 => Strand::Reverse,
                other => return Err(unreadable(format!("strand {other} is neither 1 nor -1"))),
            };
            occurrences.push(Occurrence {
                study: study.to_owned(),
                assembly: assembly.clone(),
                contig_name: contig.clone(),
                contig,
                start: position(start)?,
                end: position(end)?,
                strand,
            });
        }
    }
    Ok(())
}

/// Reads a coordinate, 1-based; 0 if the source lacks it.
fn position(value: i64) -> Result<u32, Rejection> {
    let value = non_negative("position", value)?;
    u32::try_from(value).map_err(|_| unreadable(format!("position {value} is too large")))
}

fn non_negative(what: &str, value: i64) -> Result<u64, Rejection> {
    u64::try_from(value).map_err(|_| Rejection::new(Reason::NegativeCount, format!("{what} {value}")))
}

fn unreadable(detail: String) -> Rejection {
    Rejection::new(Reason::UnreadableMetadata, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> (BiomeTable, FamilyTable) {
        let mut biomes = BiomeTable::default();
        for (id, lineage) in [(0, "root"), (120, "root:Soil"), (158, "root:Air")] {
            biomes.insert(Some(id), lineage).expect("new");
        }
        let mut families = FamilyTable::default();
        families.insert(PfamAccession(462), "Glutaredoxin", None);
        (biomes, families)
    }

    fn parse(line: &str) -> (Result<(ProteinAccession, Record), Rejection>, Notes) {
        let (biomes, families) = tables();
        let mut parser = RowParser::new(&biomes, &families);
        (parser.parse(&Columns::default(), line.as_bytes()), parser.take_notes())
    }

    #[test]
    fn each_fault_has_its_reason() {
        for (line, reason, detail) in [
            ("x,MK,true,1,{}", Reason::BadAccession, "\"x\""),
            ("0,MK,true,1,{}", Reason::BadAccession, "\"0\""),
            ("1,MkK,true,1,{}", Reason::BadSequence, "MGYP000000000001: 'k' at position 2"),
            ("1,,true,1,{}", Reason::BadSequence, "MGYP000000000001: the sequence is empty"),
            ("1,MK,maybe,1,{}", Reason::BadFullLength, "\"maybe\""),
            ("1,MK,true,many,{}", Reason::BadClusterSize, "\"many\""),
            ("1,MK,true,9223372036854775807,{}", Reason::BadClusterSize, "9223372036854775807 is too large"),
            ("1,MK,true,0,{}", Reason::BadClusterSize, "0: a cluster has at least one protein"),
            ("1,MK,true,-1,{}", Reason::NegativeCount, "cluster size -1"),
            (r#"1,MK,true,1,"{""b"":[[120,0]]}""#, Reason::BadNumber, "the count of a biome is 0"),
            (
                r#"1,MK,true,1,"{""b"":[[120,1],[158,1],[120,2]]}""#,
                Reason::DuplicateAnnotation,
                "biome 120 is listed twice",
            ),
            (r#"1,MK,true,1,"{""b"":[[120,-1]]}""#, Reason::NegativeCount, "count of a biome -1"),
            (r#"1,MK,true,1,"{""a"":[[1,[[2,-3,4,1]]]]}""#, Reason::NegativeCount, "position -3"),
            (r#"1,MK,true,1,"{""a"":[[1,[[2,3,4,0]]]]}""#, Reason::UnreadableMetadata, "strand 0"),
            (r#"1,MK,true,1,"{""a"":[[1,[[2,3,4294967296,1]]]]}""#, Reason::UnreadableMetadata, "position 4294967296"),
            (r#"1,MK,true,1,"{""p"":[[""CL0193"",1,2,3,4]]}""#, Reason::UnreadableMetadata, "\"CL0193\""),
            ("1,MK,true,1,{", Reason::UnreadableMetadata, "EOF"),
            (r#"1,MK,true,1,"{""b"":[[999,1]]}""#, Reason::UnknownBiome, "id 999"),
            ("1,MK,true,1\r,{}", Reason::BadClusterSize, "\"1\\r\""),
            ("1,MK,true,1", Reason::BadRow, "expected 5 columns, found 4"),
        ] {
            let rejection = parse(line).0.expect_err(line);
            assert_eq!(rejection.reason, reason, "{line}");
            assert!(rejection.detail.starts_with(detail), "{}", rejection.detail);
        }
    }
}
