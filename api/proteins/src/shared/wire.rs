//! The JSON of version 1, with the fields in the order of its specification.

use serde::Serialize;
use store_proteins::{Occurrence, PfamAnnotation, Protein, ProteinBiome, ProteinHit, Strand};
use utoipa::ToSchema;

/// A hit of a search.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProteinSearchResult {
    /// The accession: `MGYP` and a number, zero-padded to 12 digits.
    #[schema(example = "MGYP000000000012")]
    pub mgyp: String,
    /// True if the gene is complete; null if that is unknown.
    #[schema(required)]
    pub full_length: Option<bool>,
    /// The number of proteins in the cluster that this one represents; 1 if that is unknown.
    pub cluster_size: u64,
}

/// The full record of a protein.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProteinDetail {
    /// The accession: `MGYP` and a number, zero-padded to 12 digits.
    #[schema(example = "MGYP000261684433")]
    pub mgyp: String,
    /// The residues: `A` to `Z`, `*` and `-`.
    pub sequence: String,
    /// True if the gene is complete; null if that is unknown.
    #[schema(required)]
    pub full_length: Option<bool>,
    /// The number of proteins in the cluster that this one represents; 1 if that is unknown.
    pub cluster_size: u64,
    /// The biomes of the protein, by falling count, then name.
    pub biomes: Vec<Biome>,
    /// The matching Pfam families by `env_start`, then accession, then `hmm_start`.
    pub pfam_annotations: Vec<PfamAnnotationDetail>,
    /// The contigs that code for the protein by study, assembly, contig accession, start.
    pub study_assembly_contigs: Vec<StudyAssemblyContig>,
}

/// A biome in which a protein was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Biome {
    /// The number of times that the protein was found there.
    pub count: u64,
    /// The id in MGnify's biome table; null for a lineage that the table lacks.
    #[schema(required)]
    pub id: Option<i64>,
    /// The full lineage.
    #[schema(example = "root:Environmental:Aquatic:Marine")]
    pub name: String,
}

/// A match of a Pfam family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PfamAnnotation)]
pub struct PfamAnnotationDetail {
    /// The family's accession.
    #[schema(example = "PF04659")]
    pub accession: String,
    /// The family's description.
    pub name: String,
    /// The accession of the family's clan; null for a family without one.
    #[schema(required, example = "CL0023")]
    pub clan: Option<String>,
    /// The expectation value.
    pub evalue: f64,
    /// The score in bits.
    pub bit_score: f64,
    /// The start of the match in the profile HMM; 0 if it is unknown.
    pub hmm_start: u32,
    /// The end of the match in the profile HMM; 0 if it is unknown.
    pub hmm_end: u32,
    /// The start of the envelope in the sequence.
    pub env_start: u32,
    /// The end of the envelope in the sequence.
    pub env_end: u32,
}

/// The locus of a protein: the part of a contig that codes for it.
#[derive(Debug, Serialize, ToSchema)]
pub struct StudyAssemblyContig {
    /// The study; empty where the source does not name it.
    #[schema(example = "ERP108403")]
    pub study_accession: String,
    /// The assembly.
    #[schema(example = "ERZ534239")]
    pub assembly_accession: String,
    /// The contig.
    #[schema(example = "MGYC000564781877")]
    pub contig_accession: String,
    /// The contig's name in its assembly; its accession if no name is known.
    pub contig_name: String,
    /// The start of the gene, in nucleotides.
    pub start: u32,
    /// The end of the gene, in nucleotides.
    pub end: u32,
    /// The strand: `+` or `-`.
    #[schema(example = "-", pattern = "^[+-]$")]
    pub strand: &'static str,
}

/// The most bytes of a hit, including its comma.
const HIT_BYTES_MAX: usize = 90;

/// The bytes of most records, without the sequence.
const RECORD_BYTES: usize = 4 << 10;

/// Writes hits in JSON, as a list of [`ProteinSearchResult`].
pub fn hits_json(hits: &[ProteinHit]) -> Vec<u8> {
    const START: &[u8; 9] = br#"{"mgyp":""#;
    /// The end of the accession.
    const ACCESSION_END: usize = START.len() + 16;
    let (mut json, mut decimal) = (vec![0; 1 + hits.len() * HIT_BYTES_MAX], itoa::Buffer::new());
    json[0] = b'[';
    let mut end = 1;
    for hit in hits {
        // Parts of fixed lengths are copied faster. Shorter ones end with spaces, which the next
        // part overwrites.
        let (middle, num_spaces) = match hit.full_length {
            Some(true) => (br#"","full_length":true,"cluster_size": "#, 1),
            Some(false) => (br#"","full_length":false,"cluster_size":"#, 0),
            None => (br#"","full_length":null,"cluster_size": "#, 1),
        };
        let text = &mut json[end..end + HIT_BYTES_MAX];
        text[..START.len()].copy_from_slice(START);
        hit.accession.write_ascii(&mut text[START.len()..ACCESSION_END]);
        text[ACCESSION_END..ACCESSION_END + middle.len()].copy_from_slice(middle);
        let (size, start) =
            (decimal.format(hit.cluster_size.max(1)).as_bytes(), ACCESSION_END + middle.len() - num_spaces);
        text[start..start + size.len()].copy_from_slice(size);
        text[start + size.len()..][..2].copy_from_slice(b"},");
        end += start + size.len() + 2;
    }
    json.truncate(end);
    if !hits.is_empty() {
        json.pop();
    }
    json.push(b']');
    json
}

/// Writes a record as a [`ProteinDetail`].
///
/// # Errors
///
/// * None in practice: all keys are texts.
pub(crate) fn record(protein: Protein) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::with_capacity(protein.sequence.len() + RECORD_BYTES);
    serde_json::to_writer(&mut json, &ProteinDetail::from(protein))?;
    Ok(json)
}

impl From<Protein> for ProteinDetail {
    fn from(protein: Protein) -> Self {
        Self {
            mgyp: protein.accession.to_string(),
            sequence: protein.sequence,
            full_length: protein.full_length,
            cluster_size: protein.cluster_size.max(1),
            biomes: protein.biomes.into_iter().map(Into::into).collect(),
            pfam_annotations: protein.pfam_annotations.into_iter().map(Into::into).collect(),
            study_assembly_contigs: protein.occurrences.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<ProteinBiome> for Biome {
    fn from(biome: ProteinBiome) -> Self {
        Self { count: biome.count, id: biome.id, name: biome.lineage }
    }
}

impl From<PfamAnnotation> for PfamAnnotationDetail {
    fn from(PfamAnnotation { hit, name, clan }: PfamAnnotation) -> Self {
        Self {
            accession: hit.family.to_string(),
            name: name.to_string(),
            clan: clan.as_deref().map(str::to_owned),
            evalue: hit.evalue,
            bit_score: hit.bit_score,
            hmm_start: hit.hmm_start,
            hmm_end: hit.hmm_end,
            env_start: hit.env_start,
            env_end: hit.env_end,
        }
    }
}

impl From<Occurrence> for StudyAssemblyContig {
    fn from(occurrence: Occurrence) -> Self {
        Self {
            study_accession: occurrence.study,
            assembly_accession: occurrence.assembly,
            contig_accession: occurrence.contig,
            contig_name: occurrence.contig_name,
            start: occurrence.start,
            end: occurrence.end,
            strand: match occurrence.strand {
                Strand::Forward => "+",
                Strand::Reverse => "-",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hits_of_any_size_have_the_described_type() {
        let hit = |number, full_length, cluster_size| ProteinHit {
            accession: store::ProteinAccession::new(number).expect("an accession"),
            full_length,
            cluster_size,
        };
        let hits = [hit(12, Some(true), 0), hit(999_999_999_999, Some(false), u64::MAX), hit(1, None, 7)];
        let written: serde_json::Value = serde_json::from_slice(&hits_json(&hits)).expect("JSON");
        let expected = json!([
            {"mgyp": "MGYP000000000012", "full_length": true, "cluster_size": 1},
            {"mgyp": "MGYP999999999999", "full_length": false, "cluster_size": u64::MAX},
            {"mgyp": "MGYP000000000001", "full_length": null, "cluster_size": 7},
        ]);
        assert_eq!(written, expected);
        assert_eq!(hits_json(&[]), b"[]");
    }
}
