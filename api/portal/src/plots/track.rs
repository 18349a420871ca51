//! The domains of a protein along its sequence, in lanes without overlaps.

use html_escape::encode_text;
use store::grouped;
use store_proteins::{PfamAnnotation, PfamHit};

use super::FLUID;
use super::axis::{BELOW, Scale};
use super::drawing::{Drawing, real};
use super::plot::Plot;
use crate::parts::lanes::Lanes;

/// The height of a lane, and of its domains, in pixels.
const LANE: f64 = 28.0;
const DOMAIN: f64 = 24.0;

/// The approximate number of ticks.
const TICKS: u32 = 6;

/// Ticks outside of these shares of the length would overlap those at its ends.
const TICKS_BETWEEN: [f64; 2] = [0.06, 0.86];

/// Draws the domains of a protein in colours with these numbers. Their links lead to the rows
/// `hit-1`, `hit-2` and so on.
pub(crate) fn plot<'a>(length: u64, lanes: &Lanes, domains: impl Iterator<Item = (&'a PfamAnnotation, usize)>) -> Plot {
    let mut drawing = Drawing::default();
    let length = length.max(1);
    let bottom = real(lanes.num_lanes as u64) * LANE;
    add_axis(&mut drawing, length, bottom);
    for lane in 0..lanes.num_lanes {
        let y = (real(lane as u64) + 0.5) * LANE;
        drawing.add(format_args!(r#"<line class="protein" x1="0" x2="100%" y1="{y}" y2="{y}"/>"#));
    }
    for (number, ((PfamAnnotation { hit, name, .. }, colour), lane)) in (1..).zip(domains.zip(&lanes.lanes)) {
        let PfamHit { family, env_start, env_end, .. } = hit;
        let y = real(*lane as u64) * LANE + (LANE - DOMAIN) / 2.0;
        let before = env_start.saturating_sub(1);
        let [x, width] = [before, env_end.saturating_sub(before)].map(|residues| percent(residues.into(), length));
        let (tip, name) = (format!("{family} {name}, {env_start}–{env_end}"), encode_text(name));
        drawing.link(&format!("#hit-{number}"), &tip, |drawing| {
            drawing.clipped([x, y, width, DOMAIN], |drawing| {
                drawing.add(format_args!(
                    r#"<rect class="domain colour-{colour}" width="100%" height="100%" rx="5"/><text x="6" y="50%" dy=".35em">{name}</text>"#
                ));
            });
        });
    }
    Plot {
        name: "domains",
        note: "Domains in the same lane do not overlap. Domains of the same clan have the same colour.".to_owned(),
        size: [FLUID, bottom + BELOW],
        is_fluid: true,
        drawing,
        ..Plot::default()
    }
}

/// Adds ticks in the middle of the first residue, of those with round numbers and of the last one.
fn add_axis(drawing: &mut Drawing, length: u64, bottom: f64) {
    let scale = Scale::counts_to(length, [0.0, 1.0], TICKS);
    let mut ticks = scale.ticks();
    ticks.retain(|(tick, _)| (TICKS_BETWEEN[0]..TICKS_BETWEEN[1]).contains(&scale.at(*tick)));
    let ends = [(1.0, "1".to_owned()), (real(length), grouped(length))];
    let ticks = ticks.into_iter().chain(ends).map(|(tick, text)| (percent(tick - 0.5, length), text));
    drawing.fluid_axis(ticks, bottom, "Residues");
}

/// Returns a number of residues in percent of the length.
fn percent(residues: f64, length: u64) -> f64 {
    residues * 100.0 / real(length)
}

#[cfg(test)]
mod tests {
    use store::PfamAccession;

    use super::*;

    #[test]
    fn residues_have_the_same_width_and_the_last_has_a_tick() {
        let (family, env_start, env_end) = (PfamAccession(5), 26, 50);
        let hit = PfamHit { family, evalue: 0.0, bit_score: 1.0, hmm_start: 1, hmm_end: 2, env_start, env_end };
        let domain = PfamAnnotation { hit, name: "A<B".into(), clan: None };
        let svg = plot(1250, &Lanes::new(&[26..=50]), [(&domain, 3)].into_iter()).svg();
        let texts: Vec<_> = svg.split("</text>").filter_map(|part| part.rsplit('>').next()).collect();
        assert_eq!(texts, ["500", "1,000", "1", "1,250", "Residues", "A&lt;B", ""]);
        let link = r##"<a href="#hit-1" tabindex="-1" aria-hidden="true"><title>PF00005 A&lt;B, 26–50</title><svg x="2.000%" y="2.0" width="2.000%""##;
        assert!(svg.contains(link), "{svg}");
        assert!(svg.contains("x2=\"0.040%\"") && svg.contains("x2=\"99.960%\""), "{svg}");
    }
}
