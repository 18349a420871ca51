//! The page of a protein.

mod members;
mod neighbours;

use api_http::paths;
use api_proteins::{ProteinProblem, find_protein, write_fasta};
use askama::Template;
use axum::response::Response;
use store::FamilyTable;
use store_catalogue::model::{ASSEMBLIES, STUDIES};
use store_proteins::{
    DigestAlgorithm, Occurrence, PfamAnnotation, PfamHit, Protein, Strand, Successor, known_cluster_size,
};

use crate::context::address::encoded;
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::accession::Accession;
use crate::parts::family_colours::FamilyColours;
use crate::parts::lanes::Lanes;
use crate::parts::lineage::colour_of;
use crate::parts::number::{Bytes, Number};
use crate::parts::own::Mark;
use crate::parts::residues::{self, Line};
use crate::plots;
use crate::plots::data::PlotData;
use crate::plots::plot::Plot;
use crate::plots::track;
use members::Members;
use neighbours::Neighbours;

/// The parameter with the accession that the protein replaces.
const REPLACES: &str = "replaces";

/// The parameter with the accession of a member of its cluster.
const REPRESENTS: &str = "represents";

/// The maximum number of contigs on the page. The record has all of them.
const CONTIGS_MAX: usize = 200;

#[derive(Template)]
#[template(path = "protein.html")]
struct ProteinPage {
    layout: Layout,
    accession: String,
    finds_similar: bool,
    mark: Option<Mark>,
    protein: Protein,
    /// The requested accession, if this protein replaces it.
    replaces: String,
    /// The requested accession, if it is a member of the cluster of this protein.
    represents: String,
    length: Number,
    full_length: &'static str,
    cluster_size: Option<Number>,
    md5: String,
    ga4gh: String,
    hits: Vec<Hit>,
    /// `true` if positions in family profiles are known.
    has_models: bool,
    /// The domains along the sequence; `None` without any.
    domains: Option<Plot>,
    biomes: Vec<BiomeRow>,
    members: Option<Members>,
    neighbours: Option<Neighbours>,
    contigs: Contigs,
    sequence: Vec<Line>,
}

/// A match of a family.
struct Hit {
    found: PfamAnnotation,
    /// The colour of the clan, or of the family if it has none.
    colour: usize,
    hmm: String,
    bit_score: String,
    evalue: String,
}

struct BiomeRow {
    lineage: String,
    count: Number,
    /// The count, in thousandths of the largest one.
    share: u64,
    colour: Option<usize>,
}

/// The first contigs that encode a protein.
struct Contigs {
    rows: Vec<Contig>,
    num_all: Number,
    /// Set if any contig has a name other than its accession, or a study.
    have_names: bool,
    have_studies: bool,
}

struct Contig {
    occurrence: Occurrence,
    strand: char,
    study: Option<Accession>,
    assembly: Option<Accession>,
}

pub(crate) fn answer(context: &PageContext, requested: &str) -> Result<Response, PortalProblem> {
    let protein = match find_protein(context.proteins()?, requested, |by| by.to_string()) {
        Ok(protein) => protein,
        Err(ProteinProblem::Elsewhere { successor, location: by, .. }) => {
            let requested = encoded(requested);
            let parameter = match successor {
                Successor::Replacement(_) => REPLACES,
                Successor::Representative(_) => REPRESENTS,
            };
            return Ok(context.redirect(&format!("proteins/{by}?{parameter}={requested}")));
        }
        Err(ProteinProblem::SeveralSources { .. }) => {
            return Ok(context.redirect(&format!("find?text={}", encoded(requested))));
        }
        Err(ProteinProblem::Missing(missing)) => {
            let quoted = missing.to_string().replacen('\'', "“", 1).replacen('\'', "”", 1);
            return Err(PortalProblem::NotFound(quoted));
        }
        Err(problem) => return Err(PortalProblem::of_proteins(problem)),
    };
    let contigs = contigs(context, &protein)?;
    let mut page = of_protein(context, protein, contigs)?;
    if let Some(members) = Members::of(context, page.protein.accession)? {
        page.layout = page.layout.call("The members of its cluster", &members.path);
        page.members = Some(members);
    }
    if let Some(neighbours) = Neighbours::of(context, page.protein.accession)? {
        page.layout = page.layout.call("The genes around it", &neighbours.path);
        page.neighbours = Some(neighbours);
    }
    let genes = page.neighbours.as_ref().map(|neighbours| &neighbours.plot);
    plots::answer(context, &page, page.domains.iter().chain(genes))
}

fn of_protein(context: &PageContext, protein: Protein, contigs: Contigs) -> Result<ProteinPage, PortalProblem> {
    let accession = protein.accession.to_string();
    let (record, fasta) =
        (paths::protein_v2(protein.accession), format!("{}.fasta", paths::protein_v2(protein.accession)));
    let num_residues = protein.sequence.len();
    let mut fasta_text = Vec::new();
    write_fasta(&protein, &mut fasta_text);
    let layout = context
        .layout(&*accession)
        .section("search")
        .scripts(&["track"])
        .download("FASTA", &fasta, Bytes(fasta_text.len() as u64).to_string())
        .download("JSON", &record, "")
        .call("The record", &record)
        .call("The sequence", &fasta);
    let domains: Vec<_> =
        protein.pfam_annotations.iter().map(|found| found.hit.env_start..=found.hit.env_end).collect();
    let names: Vec<_> = protein.pfam_annotations.iter().map(|found| found.hit.family.to_string()).collect();
    let (lanes, (hits, legend)) = (Lanes::new(&domains), hits(&protein, context.proteins()?.families()));
    let picture = Plot {
        title: format!("Pfam domains of {accession}"),
        legend,
        data: data(&protein),
        ..track::plot(num_residues as u64, &lanes, hits.iter().map(|hit| (&hit.found, hit.colour)))
    };
    let most = protein.biomes.iter().map(|biome| biome.count).max().unwrap_or_default().max(1);
    let biomes = protein.biomes.iter().map(|biome| BiomeRow {
        lineage: biome.lineage.clone(),
        count: Number(biome.count),
        share: biome.count * 1000 / most,
        colour: colour_of(&biome.lineage),
    });
    let biomes = biomes.collect();
    Ok(ProteinPage {
        layout,
        finds_similar: context.finds_similar(),
        mark: Mark::of(&protein),
        replaces: context.parameter(REPLACES),
        represents: context.parameter(REPRESENTS),
        length: Number::of(num_residues),
        full_length: is_full_length(&protein),
        cluster_size: known_cluster_size(protein.cluster_size).map(Number),
        md5: DigestAlgorithm::Md5.digest(&protein.sequence).to_string(),
        ga4gh: DigestAlgorithm::Sha512t24u.digest(&protein.sequence).to_string(),
        has_models: protein.pfam_annotations.iter().any(|found| found.hit.hmm_end > 0),
        domains: (!hits.is_empty()).then_some(picture),
        hits,
        biomes,
        members: None,
        neighbours: None,
        contigs,
        sequence: residues::lines(&protein.sequence, &domains, &names, &lanes),
        accession,
        protein,
    })
}

/// Returns the matches of families, and the classes of their colours with their meanings, in order
/// of first match.
fn hits(protein: &Protein, families: &FamilyTable) -> (Vec<Hit>, Vec<(String, String)>) {
    let mut colours = FamilyColours::new(families);
    let hit = |found: &PfamAnnotation| {
        let hit = &found.hit;
        Hit {
            colour: colours.of(hit.family),
            hmm: if hit.hmm_end > 0 { format!("{}–{}", hit.hmm_start, hit.hmm_end) } else { String::new() },
            bit_score: format!("{:.1}", hit.bit_score),
            evalue: if hit.evalue == 0.0 { "0".to_owned() } else { format!("{:.1e}", hit.evalue) },
            found: found.clone(),
        }
    };
    (protein.pfam_annotations.iter().map(hit).collect(), colours.legend())
}

/// Returns the matches as rows, with the names of the record.
fn data(protein: &Protein) -> PlotData {
    let names = ["accession", "name", "clan", "env_start", "env_end", "hmm_start", "hmm_end", "bit_score", "evalue"];
    let mut data = PlotData::new(&names);
    for PfamAnnotation { hit, name, clan } in &protein.pfam_annotations {
        let PfamHit { family, env_start, env_end, hmm_start, hmm_end, bit_score, .. } = hit;
        let (clan, evalue) = (clan.as_deref().unwrap_or_default(), format!("{:e}", hit.evalue));
        data.add(&[family, name, &clan, env_start, env_end, hmm_start, hmm_end, bit_score, &evalue]);
    }
    data
}

pub(crate) fn is_full_length(protein: &Protein) -> &'static str {
    match protein.full_length {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    }
}

fn contigs(context: &PageContext, protein: &Protein) -> Result<Contigs, PortalProblem> {
    let first = protein.occurrences.iter().take(CONTIGS_MAX);
    let contigs = first.map(|occurrence| {
        let strand = match occurrence.strand {
            Strand::Forward => '+',
            Strand::Reverse => '−',
        };
        let study = Accession::of(context, STUDIES, &occurrence.study)?;
        let assembly = Accession::of(context, ASSEMBLIES, &occurrence.assembly)?;
        Ok(Contig { occurrence: occurrence.clone(), strand, study, assembly })
    });
    let rows = contigs.collect::<Result<Vec<_>, PortalProblem>>()?;
    Ok(Contigs {
        num_all: Number::of(protein.occurrences.len()),
        have_names: rows.iter().any(|contig| contig.occurrence.contig_name != contig.occurrence.contig),
        have_studies: rows.iter().any(|contig| contig.study.is_some()),
        rows,
    })
}
