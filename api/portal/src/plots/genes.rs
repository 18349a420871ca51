//! The genes around places of a protein, as arrows to scale. The places are below one another, with
//! the gene of the protein in the middle.

use std::ops::RangeInclusive;

use api_proteins::{ContigItem, GeneItem, NeighbourItem, PlaceItem};
use html_escape::encode_text;
use store::PfamAccession;

use super::FLUID;
use super::axis::{BELOW, LINE, Scale};
use super::data::PlotData;
use super::drawing::{Drawing, real, width_of};
use super::plot::Plot;
use crate::parts::family_colours::FamilyColours;
use crate::parts::lanes::Lanes;

/// The height of the label of a place, of a lane and its arrows, and between places, in pixels.
const LABEL: f64 = 20.0;
const LANE: f64 = 28.0;
const ARROW: f64 = 24.0;
const BETWEEN: f64 = 8.0;

/// The length of the head of an arrow, and the least length of an arrow, in pixels.
const HEAD: f64 = 9.0;
const ARROW_MIN: f64 = 3.0;

/// Genes of one lane overlap by at most these nucleotides, as neighbours often do.
const OVERLAP: u32 = 60;

/// The class of genes without a family, and its meaning.
pub(crate) const NO_FAMILY: [&str; 2] = ["no-family", "no Pfam family"];

/// The approximate number of ticks, for which phones have room, and their places in percent.
const TICKS: u32 = 6;
const TICKS_BETWEEN: RangeInclusive<f64> = 6.0..=94.0;

/// The picture is this much wider than the genes.
const MARGIN: f64 = 1.02;

/// Draws the genes of places, each with its label, up to `reach` nucleotides on each side. Links
/// are below `root`.
pub(crate) fn plot(places: &[(&str, &PlaceItem)], reach: u32, root: &str, colours: &mut FamilyColours<'_>) -> Plot {
    let far = places.iter().map(|(_, place)| farthest(place, reach.into())).fold(1.0, f64::max);
    let scale = |position: f64| (position / far + 1.0) * FLUID / 2.0;
    let (mut rows, mut drawing, mut top) = (Drawing::default(), Drawing::default(), 0.0);
    for (label, place) in places {
        rows.text("label", [0.0, top + LINE], label);
        top += LABEL;
        let [start, end] = own_extent(place);
        let at = |position: f64| scale(position - f64::midpoint(start, end));
        let lanes = lanes(place);
        rows.contig(place, at, top + ARROW / 2.0);
        let mut genes: Vec<_> = place.genes.iter().zip(&lanes.lanes).collect();
        // The outline of the gene of the place must not be covered.
        genes.sort_by_key(|(it, _)| it.offset == 0);
        for (it, lane) in genes {
            let [left, right] = extent(&it.gene, &place.contig).map(at);
            rows.gene(it, [left, top + real(*lane as u64) * LANE, (right - left).max(ARROW_MIN)], root, colours);
        }
        top += real(lanes.num_lanes as u64) * LANE + BETWEEN;
    }
    let ticks = Scale::new([-far, far], [0.0, 1.0], TICKS).ticks();
    let ticks = ticks.into_iter().map(|(tick, text)| (percent(scale(tick)), text));
    // Others would be cut off.
    let ticks = ticks.filter(|(x, _)| TICKS_BETWEEN.contains(x));
    drawing.fluid_axis(ticks, top, "Nucleotides from the middle of the gene");
    drawing.svg += &rows.svg;
    let (size, data) = ([FLUID, top + BELOW], data(places));
    Plot { name: "neighbours", size, is_fluid: true, drawing, data, ..Plot::default() }
}

/// Returns the gene of a place.
pub(crate) fn own(place: &PlaceItem) -> Option<&GeneItem> {
    place.genes.iter().find(|it| it.offset == 0).map(|it| &it.gene)
}

/// Returns the accession of a contig, or the name of one of own data.
pub(crate) fn contig_name(contig: &ContigItem) -> &str {
    contig.accession.as_deref().unwrap_or(contig.label())
}

/// Returns the ends of a gene, 0-based. One over the origin continues after the end of the contig.
fn extent(gene: &GeneItem, contig: &ContigItem) -> [f64; 2] {
    let origin = if gene.end < gene.start { contig.length.unwrap_or_default().max(gene.start) } else { 0 };
    [f64::from(gene.start) - 1.0, f64::from(gene.end) + f64::from(origin)]
}

fn own_extent(place: &PlaceItem) -> [f64; 2] {
    own(place).map_or([0.0, 0.0], |own| extent(own, &place.contig))
}

/// Returns the greatest distance of an end of a gene from the middle of the gene of the place. More
/// than `reach` nucleotides from its ends, genes are cut off.
fn farthest(place: &PlaceItem, reach: f64) -> f64 {
    let [start, end] = own_extent(place);
    let ends = place.genes.iter().flat_map(|it| extent(&it.gene, &place.contig));
    let far = ends.map(|end_of| (end_of - f64::midpoint(start, end)).abs()).fold(0.0, f64::max);
    far.min((end - start) / 2.0 + reach) * MARGIN
}

fn lanes(place: &PlaceItem) -> Lanes {
    let ranges = place.genes.iter().map(|NeighbourItem { gene, .. }| {
        let end = if gene.end < gene.start { u32::MAX } else { gene.end };
        gene.start..=end.saturating_sub(OVERLAP).max(gene.start)
    });
    Lanes::new(&ranges.collect::<Vec<_>>())
}

fn percent(pixels: f64) -> f64 {
    pixels * 100.0 / FLUID
}

impl Drawing {
    /// Adds a contig as a line from end to end, or up to the last gene if its length is unknown.
    fn contig(&mut self, place: &PlaceItem, at: impl Fn(f64) -> f64, y: f64) {
        let last = place.genes.iter().map(|it| extent(&it.gene, &place.contig)[1]).fold(0.0, f64::max);
        let [from, to] =
            [0.0, place.contig.length.map_or(last, f64::from)].map(|end| percent(at(end).clamp(0.0, FLUID)));
        self.add(format_args!(r#"<line class="protein" x1="{from:.3}%" x2="{to:.3}%" y1="{y}" y2="{y}"/>"#));
    }

    /// Adds a gene as an arrow, from its left end and with this length. The length of the head
    /// changes with the width of the page.
    fn gene(&mut self, it: &NeighbourItem, [x, y, width]: [f64; 3], root: &str, colours: &mut FamilyColours<'_>) {
        let GeneItem { accession, name, start, end, strand, pfam, .. } = &it.gene;
        let families: Vec<PfamAccession> = pfam.iter().filter_map(|family| family.parse().ok()).collect();
        let colour = families.first().map(|family| format!("colour-{}", colours.of(*family)));
        let class = colour.unwrap_or_else(|| NO_FAMILY[0].to_owned()) + if it.offset == 0 { " itself" } else { "" };
        let families: Vec<_> = families.into_iter().map(|family| colours.described(family)).collect();
        let families = if families.is_empty() { NO_FAMILY[1].to_owned() } else { families.join(", ") };
        let name = name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        let tip = format!("{accession}{name}, {families}, {start}–{end} {strand}");
        let (head, middle, [left, length]) = (HEAD.min(width), ARROW / 2.0, [x, width].map(percent));
        let [back, neck, point] = if *strand == "-" { [width, head, 0.0] } else { [0.0, width - head, width] };
        self.link(&format!("{root}/portal/proteins/{accession}"), &tip, |drawing| {
            drawing.add(format_args!(
                r#"<svg x="{left:.3}%" y="{y:.1}" width="{length:.3}%" height="{ARROW}" viewBox="0 0 {width:.2} {ARROW}" preserveAspectRatio="none" overflow="visible"><path class="domain {class}" vector-effect="non-scaling-stroke" d="M{back:.2} 0H{neck:.2}L{point:.2} {middle}L{neck:.2} {ARROW}H{back:.2}Z"/></svg>"#
            ));
            if let Some(family) = pfam.first().filter(|family| width_of(family) + 1.5 * HEAD <= width) {
                let text = format!(r#"<text class="count middle" x="50%" y="50%" dy=".35em">{}</text>"#, encode_text(family));
                drawing.clipped([left, y, length, ARROW], |drawing| drawing.svg += &text);
            }
        });
    }
}

/// Returns the genes as rows, with the names of the record.
fn data(places: &[(&str, &PlaceItem)]) -> PlotData {
    let names = ["assembly", "contig", "offset", "accession", "representative", "start", "end", "strand", "pfam"];
    let mut data = PlotData::new(&names);
    for (_, PlaceItem { contig, genes }) in places {
        let (assembly, contig) = (&contig.assembly, contig_name(contig));
        for NeighbourItem { offset, gene } in genes {
            let GeneItem { accession, representative, start, end, strand, pfam, .. } = gene;
            let pfam = pfam.iter().map(|family| &**family).collect::<Vec<_>>().join(",");
            data.add(&[assembly, &contig, offset, accession, representative, start, end, strand, &pfam]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use store::FamilyTable;

    use super::*;

    fn gene(offset: i64, start: u32, end: u32, strand: &'static str, families: &[&str]) -> NeighbourItem {
        let accession = format!("MGYP{:012}", 100 + offset);
        let pfam: BTreeSet<_> = families.iter().map(|family| (*family).to_owned()).collect();
        let gene = GeneItem { representative: accession.clone(), accession, name: None, start, end, strand, pfam };
        NeighbourItem { offset, gene }
    }

    fn place(length: Option<u32>, genes: Vec<NeighbourItem>) -> PlaceItem {
        let contig = ContigItem { accession: None, name: None, assembly: String::new(), source: None, length };
        PlaceItem { contig, genes }
    }

    fn drawn(place: &PlaceItem) -> String {
        plot(&[("a<b", place)], 1000, "/at", &mut FamilyColours::new(&FamilyTable::default())).svg()
    }

    #[test]
    fn arrows_are_to_scale_in_lanes_and_point_along_their_strand() {
        let genes = vec![
            gene(-1, 601, 1020, "+", &["PF00005"]),
            gene(0, 1001, 1400, "-", &[]),
            gene(1, 1001, 1100, "+", &["PF00005", "PF00006"]),
        ];
        // The middle is at 1200, the farthest end at 600, and the width 2 * 600 * 1.02.
        let svg = drawn(&place(Some(1500), genes));
        for expected in [
            r#"<text class="label" x="0.0" y="15.0">a&lt;b</text>"#,
            r#"<a href="/at/portal/proteins/MGYP000000000099""#,
            "<title>MGYP000000000099, PF00005, 601–1020 +</title>",
            r#"<svg x="0.980%" y="20.0" width="34.314%" height="24" viewBox="0 0 329.41 24""#,
            r#"class="domain colour-0" vector-effect="non-scaling-stroke" d="M0.00 0H320.41L329.41 12L320.41 24H0.00Z""#,
            "<title>MGYP000000000100, no Pfam family, 1001–1400 -</title>",
            r#"<svg x="33.660%" y="20.0""#,
            r#"class="domain no-family itself" vector-effect="non-scaling-stroke" d="M313.73 0H9.00L0.00 12"#,
            "<title>MGYP000000000101, PF00005, PF00006, 1001–1100 +</title>",
            r#"<svg x="33.660%" y="48.0""#,
            r#"<line class="protein" x1="0.000%" x2="74.510%" y1="32" y2="32"/>"#,
            r#"<text class="tick middle" x="50.000%" y="99.0">0</text>"#,
        ] {
            assert!(svg.contains(expected), "{expected}: {svg}");
        }
        assert!(svg.rfind(" itself\"") > svg.rfind("colour-0"), "its outline is above the others");
    }

    #[test]
    fn genes_over_the_origin_continue_and_far_ends_are_cut_off() {
        let svg = drawn(&place(Some(2000), vec![gene(0, 1901, 100, "+", &[])]));
        assert!(svg.contains(r#"<svg x="0.980%" y="20.0" width="98.039%""#), "{svg}");
        let unknown = drawn(&place(None, vec![gene(0, 1901, 100, "+", &[])]));
        assert!(unknown.contains(r#"width="98.039%""#), "{unknown}");
        let giant =
            vec![gene(0, 1, 200, "+", &[]), gene(1, 301, 90_000, "+", &[]), gene(2, 4_000_000_000, 7, "+", &[])];
        let cut = drawn(&place(None, giant));
        assert!(cut.contains(r#"<svg x="45.544%" y="20.0" width="8.913%""#), "{cut}");
    }
}
