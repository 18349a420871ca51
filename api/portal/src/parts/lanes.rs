//! Lanes of ranges, such as domains and genes, that do not overlap.

use std::ops::RangeInclusive;

pub(crate) struct Lanes {
    pub(crate) num_lanes: usize,
    /// The lane of each range, from 0.
    pub(crate) lanes: Vec<usize>,
}

impl Lanes {
    /// Assigns each range the first lane that is free at its start; of those with the same
    /// start, the longest comes first.
    pub(crate) fn new(ranges: &[RangeInclusive<u32>]) -> Self {
        let mut order: Vec<usize> = (0..ranges.len()).collect();
        order.sort_by_key(|&number| (*ranges[number].start(), u32::MAX - ranges[number].end()));
        let mut ends: Vec<u32> = Vec::new();
        let mut lanes = vec![0; ranges.len()];
        for number in order {
            let free = ends.iter().position(|last| last < ranges[number].start());
            let lane = free.unwrap_or_else(|| {
                ends.push(0);
                ends.len() - 1
            });
            (ends[lane], lanes[number]) = (*ranges[number].end(), lane);
        }
        Self { num_lanes: ends.len(), lanes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_of_a_lane_do_not_overlap() {
        let lanes = Lanes::new(&[20..=30, 1..=10, 5..=25, 11..=19, 1..=40]);
        assert_eq!((lanes.lanes, lanes.num_lanes), (vec![1, 1, 2, 1, 0], 3));
        assert!(Lanes::new(&[]).lanes.is_empty());
    }
}
