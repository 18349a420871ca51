//! The record of a protein.

use std::collections::BTreeSet;
use std::mem;

use api_http::json::json_answer;
use api_http::paths;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use serde::Serialize;
use serde_json::Value;
use store_proteins::{DigestAlgorithm, Protein, ProteinGeneration, known_cluster_size};
use utoipa::ToSchema;

use super::parameters::{NO_PROTEIN_PARAMETERS, refuse_parameters};
use crate::ProteinProblem;
use crate::question::{Answer, Question};
use crate::shared::detail;
use crate::shared::result_field::ResultField;
use crate::shared::results::write_fasta;
use crate::shared::wire::{Biome, PfamAnnotationDetail, ProteinDetail, StudyAssemblyContig};

/// The full record of a protein.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ProteinRecord {
    /// The accession: `MGYP` and a number, zero-padded to 12 digits.
    #[schema(example = "MGYP000261684433")]
    accession: String,
    /// The name of a protein of own data in its source. A protein of the release has none of these
    /// three.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    name: Option<String>,
    /// The source of own data that the protein is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    source: Option<String>,
    /// The description from its source; null without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Option<String>)]
    description: Option<Value>,
    /// The number of residues.
    length: usize,
    /// The residues: `A` to `Z`, `*` and `-`.
    sequence: String,
    /// The MD5 digest of the sequence, in hexadecimal digits.
    md5: String,
    /// The GA4GH identifier of the sequence (refget 2.0).
    #[schema(example = "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2")]
    ga4gh: String,
    /// True if the gene is complete; null if that is unknown.
    #[schema(required)]
    full_length: Option<bool>,
    /// The number of proteins in the cluster that this one represents; null if that is unknown.
    #[schema(required)]
    cluster_size: Option<u64>,
    /// The representative of its cluster, which can be itself. Missing if the index has no members
    /// of clusters, and for own data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, example = "MGYP000261684433")]
    representative: Option<String>,
    /// The lineages of the biomes in which it was found.
    biomes: BTreeSet<String>,
    /// The accessions of its Pfam families.
    pfam: BTreeSet<String>,
    /// The accessions of their clans.
    clans: BTreeSet<String>,
    /// The accessions of the studies in which it occurs.
    studies: BTreeSet<String>,
    /// The accessions of the assemblies in which it occurs.
    assemblies: BTreeSet<String>,
    /// The number of times that it was found in each biome, by falling count, then name.
    biome_details: Vec<Biome>,
    /// The matching Pfam families by `env_start`, then accession, then `hmm_start`.
    pfam_annotations: Vec<PfamAnnotationDetail>,
    /// The contigs that code for the protein by study, assembly, contig accession, start.
    study_assembly_contigs: Vec<StudyAssemblyContig>,
    /// Further addresses.
    links: Links,
}

/// Addresses of a protein.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Links {
    /// The record.
    #[serde(rename = "self")]
    own: String,
    /// The sequence in FASTA.
    fasta: String,
    /// The members of its cluster, if the record has their representative.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    members: Option<String>,
    /// The genes around it, if the index has its contigs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    neighbours: Option<String>,
}

impl ProteinRecord {
    /// # Errors
    ///
    /// * The members of clusters cannot be read.
    pub(super) fn new(data: &ProteinGeneration, mut protein: Protein, base: &str) -> store::Result<Self> {
        let accession = protein.accession;
        let own = format!("{base}{}", paths::protein_v2(accession));
        let representative = match data.members() {
            Some(members) if !accession.is_own() => Some(members.representative(accession)?.unwrap_or(accession)),
            _ => None,
        };
        let texts = |field: ResultField| field.texts(&protein);
        let [biomes, pfam, clans] = [ResultField::Biomes, ResultField::Pfam, ResultField::Clans].map(texts);
        let [studies, assemblies] = [ResultField::Studies, ResultField::Assemblies].map(texts);
        let source = protein.source.take();
        let [name, description] = [&mut protein.name, &mut protein.description].map(mem::take);
        let cluster_size = known_cluster_size(protein.cluster_size);
        let detail = ProteinDetail::from(protein);
        Ok(Self {
            accession: detail.mgyp,
            name: source.is_some().then_some(name),
            description: source
                .is_some()
                .then(|| if description.is_empty() { Value::Null } else { description.into() }),
            source,
            length: detail.sequence.len(),
            md5: DigestAlgorithm::Md5.digest(&detail.sequence).to_string(),
            ga4gh: DigestAlgorithm::Sha512t24u.digest(&detail.sequence).to_string(),
            sequence: detail.sequence,
            full_length: detail.full_length,
            cluster_size,
            representative: representative.map(|representative| representative.to_string()),
            biomes,
            pfam,
            clans,
            studies,
            assemblies,
            biome_details: detail.biomes,
            pfam_annotations: detail.pfam_annotations,
            study_assembly_contigs: detail.study_assembly_contigs,
            links: Links {
                fasta: format!("{own}.fasta"),
                members: representative.map(|_| format!("{base}{}", paths::protein_members(accession))),
                neighbours: data
                    .contigs_of(accession)
                    .map(|_| format!("{base}{}", paths::protein_neighbours(accession))),
                own,
            },
        })
    }
}

/// Answers with the record of a protein.
pub(crate) fn record(question: &Question) -> Answer {
    let protein = find(question, "")?;
    let record = ProteinRecord::new(&question.release.data, protein, &question.base)?;
    Ok(json_answer(serde_json::to_vec(&record)?))
}

/// Answers with the sequence of a protein in FASTA.
pub(crate) fn fasta(question: &Question) -> Answer {
    let mut text = Vec::new();
    write_fasta(&find(question, ".fasta")?, &mut text);
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static("text/x-fasta; charset=utf-8"))], text).into_response())
}

/// Finds the protein of a segment, without the suffix.
fn find(question: &Question, suffix: &str) -> Result<Protein, ProteinProblem> {
    refuse_parameters(question.query(), NO_PROTEIN_PARAMETERS)?;
    let (segment, base) = (&*question.segment, &question.base);
    let requested = detail::decoded(segment.strip_suffix(suffix).unwrap_or(segment));
    let address = |other| format!("{base}{}{suffix}", paths::protein_v2(other));
    detail::find(&question.release.data, &requested, address)
}
