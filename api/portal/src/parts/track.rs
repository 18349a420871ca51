//! The domains of a protein along its sequence, in lanes without overlaps.

use std::ops::RangeInclusive;

/// The approximate maximum number of ticks below the lanes.
const TICKS: usize = 8;

pub(crate) struct Track {
    pub(crate) num_lanes: usize,
    /// The lane of each domain, from 0.
    pub(crate) lanes: Vec<usize>,
    /// The positions of ticks, 1-based, and their places in percent of the width.
    pub(crate) ticks: Vec<(usize, f64)>,
    length: f64,
}

impl Track {
    /// Assigns domains to lanes. Positions are 1-based.
    pub(crate) fn new(length: usize, domains: &[RangeInclusive<u32>]) -> Self {
        let lanes = lanes(domains);
        let num_lanes = lanes.iter().max().map_or(0, |last| last + 1);
        let steps = (0..).map(|power| 10_usize.pow(power)).flat_map(|unit| [unit, 2 * unit, 5 * unit]);
        let step = steps.into_iter().find(|step| length / step <= TICKS).unwrap_or(1);
        let ticks = std::iter::once(1).chain((step..=length).step_by(step).filter(|tick| *tick > 1));
        let length = f64::from(u32::try_from(length.max(1)).unwrap_or(u32::MAX));
        let middle = |tick| (f64::from(u32::try_from(tick).unwrap_or(u32::MAX)) - 0.5) * 100.0 / length;
        Self { num_lanes, lanes, ticks: ticks.map(|tick| (tick, middle(tick))).collect(), length }
    }

    /// Returns the start and the width of a domain, in percent of the whole.
    pub(crate) fn extent(&self, domain: &RangeInclusive<u32>) -> (f64, f64) {
        let (start, end) = (*domain.start(), *domain.end());
        let percent = |residues: u32| f64::from(residues) * 100.0 / self.length;
        (percent(start.saturating_sub(1)), percent(end.saturating_add(1).saturating_sub(start)))
    }
}

/// Assigns each domain the first lane that is free at its start; of domains with the same start,
/// the longest comes first.
fn lanes(domains: &[RangeInclusive<u32>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..domains.len()).collect();
    order.sort_by_key(|&number| (*domains[number].start(), u32::MAX - domains[number].end()));
    let mut ends: Vec<u32> = Vec::new();
    let mut lanes = vec![0; domains.len()];
    for number in order {
        let free = ends.iter().position(|last| last < domains[number].start());
        let lane = free.unwrap_or_else(|| {
            ends.push(0);
            ends.len() - 1
        });
        (ends[lane], lanes[number]) = (*domains[number].end(), lane);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_of_a_lane_do_not_overlap() {
        let domains = [20..=30, 1..=10, 5..=25, 11..=19, 1..=40];
        let track = Track::new(200, &domains);
        assert_eq!((track.lanes, track.num_lanes), (vec![1, 1, 2, 1, 0], 3));
        assert_eq!(track.ticks.iter().map(|tick| tick.0).collect::<Vec<_>>(), [1, 50, 100, 150, 200]);
        assert!(Track::new(0, &[]).lanes.is_empty());
    }

    #[test]
    fn residues_have_the_same_width() {
        let track = Track::new(50, &[]);
        assert_eq!([track.extent(&(1..=50)), track.extent(&(26..=26))], [(0.0, 100.0), (50.0, 2.0)]);
        assert_eq!(track.ticks.last(), Some(&(50, 99.0)));
    }
}
