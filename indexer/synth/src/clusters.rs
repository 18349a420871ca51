//! The sizes of clusters, and the proteins in them.

use crate::draw::Draw;
use crate::random::{Purpose, Random, mix};

/// The share of clusters of 1, 2, 3, … proteins, in ten-thousandths. The last share is that of all
/// larger clusters.
const SIZE_SHARES: [u16; 11] = [7881, 788, 333, 169, 104, 82, 65, 49, 48, 45, 436];

/// The exponent of the power law that sizes follow up to [`BREAK_SIZE`]…
const TAIL_EXPONENT: f64 = 1.1;

/// …where it becomes steeper…
const BREAK_SIZE: f64 = 300.0;

/// …with this exponent, so that the mean is that of the real release.
const FAR_TAIL_EXPONENT: f64 = 2.34;

/// The largest cluster, and the number of clusters of the largest size that would hold all proteins
/// of a small release.
const LARGEST: (u64, u64) = (400_000, 20);

pub(crate) struct ClusterSizes {
    shares: Draw,
    stream: u64,
    largest: u64,
    /// Index and size of the last cluster, which has only the remaining proteins.
    last: Option<(u64, u64)>,
}

impl ClusterSizes {
    pub(crate) fn new(seed: u64, num_proteins: u64) -> Self {
        let largest = (num_proteins / LARGEST.1).clamp(2, LARGEST.0);
        let shares = Draw::new(SIZE_SHARES.map(f64::from));
        Self { shares, stream: Purpose::ClusterSizes.stream(seed), largest, last: None }
    }

    pub(crate) fn at(&self, cluster: u64) -> u64 {
        if let Some((last, size)) = self.last
            && cluster == last
        {
            return size;
        }
        let mut random = Random::new(self.stream, cluster);
        let class = self.shares.pick(&mut random) as u64;
        let size = if class + 1 < SIZE_SHARES.len() as u64 { class + 1 } else { tail(1.0 - random.unit()) };
        size.min(self.largest)
    }

    /// Cuts the sizes so that they add up to a number of proteins, and returns the number of
    /// clusters. `progress` is called with the sum of the sizes so far.
    pub(crate) fn fit(&mut self, num_proteins: u64, mut progress: impl FnMut(u64)) -> u64 {
        let (mut num_clusters, mut left) = (0, num_proteins);
        while left > 0 {
            let size = self.at(num_clusters).min(left);
            self.last = Some((num_clusters, size));
            left -= size;
            num_clusters += 1;
            progress(num_proteins - left);
        }
        num_clusters
    }
}

/// Returns the size that this share of the large clusters reaches or exceeds.
fn tail(share: f64) -> u64 {
    let smallest = f64::from(u16::try_from(SIZE_SHARES.len()).expect("few classes"));
    let share_at_break = (smallest / BREAK_SIZE).powf(TAIL_EXPONENT);
    let size = if share > share_at_break {
        smallest * share.powf(-1.0 / TAIL_EXPONENT)
    } else {
        BREAK_SIZE * (share / share_at_break).powf(-1.0 / FAR_TAIL_EXPONENT)
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and cut later")]
    let size = size as u64;
    size
}

/// The accessions of proteins, and the ranks of representatives. A rank is the 0-based position of
/// a protein among all in ascending order.
pub(crate) struct Ranks {
    pub(crate) num_proteins: u64,
    pub(crate) num_clusters: u64,
    stream: u64,
}

impl Ranks {
    pub(crate) fn new(seed: u64, num_proteins: u64, num_clusters: u64) -> Self {
        Self { num_proteins, num_clusters, stream: Purpose::Ids.stream(seed) }
    }

    /// Returns the number of a protein's accession. Real ones are about as dense.
    pub(crate) fn id(&self, rank: u64) -> u64 {
        let hash = mix(self.stream, rank);
        if self.num_clusters == self.num_proteins { 7 * rank + 1 + hash % 6 } else { 2 * rank + 1 + hash % 2 }
    }

    /// Returns the number after a protein's accession, unless it is an accession too.
    pub(crate) fn gap(&self, rank: u64) -> Option<u64> {
        let id = self.id(rank);
        (id + 1 < self.id(rank + 1)).then_some(id + 1)
    }

    /// Returns the rank of a cluster's representative. Representatives are spread evenly.
    pub(crate) fn representative_rank(&self, cluster: u64) -> u64 {
        scale(cluster, self.num_proteins, self.num_clusters, 0)
    }

    /// Returns the cluster that a protein represents, or `None` if it is another member.
    pub(crate) fn represented(&self, rank: u64) -> Option<u64> {
        let cluster = scale(rank, self.num_clusters, self.num_proteins, self.num_proteins - 1);
        (cluster < self.num_clusters && self.representative_rank(cluster) == rank).then_some(cluster)
    }
}

/// Returns `(number * times + plus) / by`, rounded down.
fn scale(number: u64, times: u64, by: u64, plus: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "the result is a rank or a cluster")]
    let scaled = ((u128::from(number) * u128::from(times) + u128::from(plus)) / u128::from(by)) as u64;
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_real_mean_and_tail() {
        let sizes = ClusterSizes::new(1, 1 << 40);
        let all: Vec<_> = (0..1_000_000).map(|cluster| sizes.at(cluster)).collect();
        let mean_hundredths = all.iter().sum::<u64>() / 10_000;
        assert!((330..360).contains(&mean_hundredths), "{mean_hundredths}");
        let share = |from: u64| all.iter().filter(|&&size| size >= from).count();
        assert!((209_000..215_000).contains(&share(2)) && (3200..5200).contains(&share(101)), "{}", share(101));
        assert!((900..1600).contains(&share(258)) && *all.iter().max().expect("some") > 2000);
    }

    #[test]
    fn representatives_are_in_the_order_of_their_clusters() {
        for (num_proteins, num_clusters) in [(1, 1), (10, 3), (1000, 289), (500, 500), (7, 1)] {
            let ranks = Ranks::new(3, num_proteins, num_clusters);
            let mut num_represented = 0;
            for rank in 0..num_proteins {
                if let Some(cluster) = ranks.represented(rank) {
                    assert_eq!((cluster, ranks.representative_rank(cluster)), (num_represented, rank));
                    num_represented += 1;
                }
                assert!(ranks.id(rank) < ranks.id(rank + 1));
                assert!(ranks.gap(rank).is_none_or(|gap| gap > ranks.id(rank) && gap < ranks.id(rank + 1)));
            }
            assert_eq!(num_represented, num_clusters);
        }
    }
}
