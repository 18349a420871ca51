//! The genes around a protein on contigs.

use api_http::paths;
use api_proteins::{ContigItem, NeighbourParameters, PlaceItem, places_around};
use store::{FamilyTable, ProteinAccession, grouped};
use store_catalogue::model::ASSEMBLIES;
use store_proteins::Around;

use crate::context::address::{Pairs, segment};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::accession::Accession;
use crate::parts::family_colours::FamilyColours;
use crate::plots::genes::{self, NO_FAMILY};
use crate::plots::plot::Plot;

/// The parameter with the cursor of the places.
const PLACES: &str = "places";

/// The most places on the page, and the most genes and nucleotides on each side of one.
const PLACES_MAX: usize = 5;
const GENES_MAX: u64 = 5;
const BASES_MAX: u32 = 10_000;

/// Some of the places of a protein and of the other members of its cluster.
pub(super) struct Neighbours {
    pub(super) plot: Plot,
    pub(super) places: Vec<Place>,
    /// The path of the places in the API.
    pub(super) path: String,
    /// The addresses of the first and of the next places.
    pub(super) first: Option<String>,
    pub(super) next: Option<String>,
}

pub(super) struct Place {
    /// The contig with the ends of the gene, after the protein if that is another member of the
    /// cluster.
    pub(super) label: String,
    /// The address of the contig in the API.
    pub(super) contig: String,
    pub(super) assembly: Option<Accession>,
    pub(super) item: PlaceItem,
}

impl Neighbours {
    /// Returns the places after the cursor of the address, or `None` without any.
    pub(super) fn of(context: &PageContext, accession: ProteinAccession) -> Result<Option<Self>, PortalProblem> {
        let data = context.proteins()?;
        let Some(contigs) = data.contigs_of(accession) else { return Ok(None) };
        let around = Around { genes: Some(GENES_MAX), bases: Some(BASES_MAX), same_strand: false };
        let after: Option<u64> = context.parameter(PLACES).parse().ok();
        let wanted = NeighbourParameters { around, members: true, after, limit: PLACES_MAX };
        let (found, next) = places_around(data, contigs, accession, wanted)?;
        if found.is_empty() {
            return Ok(None);
        }
        let query = format!("?genes={GENES_MAX}&bases={BASES_MAX}&members=true&limit={PLACES_MAX}");
        let cursor = after.map(|after| format!("&after={after}")).unwrap_or_default();
        let (path, accession) = (paths::protein_neighbours(accession) + &query + &cursor, accession.to_string());
        let places = found.into_iter().map(|place| Place::new(context, place, &accession));
        let places = places.collect::<Result<Vec<_>, PortalProblem>>()?;
        let address =
            |pairs: Pairs| format!("{}/portal/proteins/{accession}{}#neighbours", context.root(), pairs.to_query());
        let others = Pairs::parse(context.query()).without(&[PLACES]);
        Ok(Some(Self {
            plot: plot(context, data.families(), &places, &accession),
            places,
            path,
            next: next.map(|next| address(others.with(PLACES, &next.to_string()))),
            first: after.map(|_| address(others)),
        }))
    }
}

impl Place {
    fn new(context: &PageContext, item: PlaceItem, protein: &str) -> Result<Self, PortalProblem> {
        let ContigItem { assembly, source, .. } = &item.contig;
        let (name, source) = (genes::contig_name(&item.contig), source.as_deref().unwrap_or("release"));
        let query = Pairs::default().with("source", source).with("assembly", assembly).tidied("", &[]).to_query();
        let (accession, start, end) =
            genes::own(&item).map_or((protein, 0, 0), |own| (&own.accession, own.start, own.end));
        let member = if accession == protein { String::new() } else { format!("{accession}, ") };
        Ok(Self {
            label: format!("{member}{name}, {start}–{end}"),
            contig: format!("{}{}{query}", context.root(), paths::contig(&segment(name))),
            assembly: Accession::of(context, ASSEMBLIES, assembly)?,
            item,
        })
    }
}

fn plot(context: &PageContext, families: &FamilyTable, places: &[Place], accession: &str) -> Plot {
    let mut colours = FamilyColours::new(families);
    // Near genes are the first that get colours.
    let mut genes: Vec<_> = places.iter().flat_map(|place| &place.item.genes).collect();
    genes.sort_by_key(|it| it.offset.unsigned_abs());
    for family in genes.iter().filter_map(|it| it.gene.pfam.first()?.parse().ok()) {
        colours.of(family);
    }
    let labelled: Vec<_> = places.iter().map(|place| (&*place.label, &place.item)).collect();
    let plot = genes::plot(&labelled, BASES_MAX, context.root(), &mut colours);
    let mut legend = colours.legend();
    legend.extend(genes.iter().any(|it| it.gene.pfam.is_empty()).then_some(NO_FAMILY.map(str::to_owned).into()));
    let is_of_member = |place: &Place| genes::own(&place.item).is_some_and(|own| own.accession != accession);
    let others = if places.iter().any(is_of_member) { ", or of another member of its cluster" } else { "" };
    let note = format!(
        "Up to {GENES_MAX} genes on each side, {} nucleotides away at most. The outlined gene in the middle is that of the protein{others}.",
        grouped(BASES_MAX.into())
    );
    Plot { title: format!("Genes around {accession}"), legend, note, ..plot }
}
