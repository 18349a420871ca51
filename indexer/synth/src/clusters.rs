//! The sizes of clusters, and where their proteins stand among the accessions.

use crate::chance::{Chance, Purpose, mix};
use crate::draw::Draw;

/// The share of clusters of 1, 2, 3, … proteins, in ten-thousandths; the last stands for all larger ones.
const SIZE_SHARES: [u16; 11] = [7881, 788, 333, 169, 104, 82, 65, 49, 48, 45, 436];

/// The tail of the sizes falls with this power up to [`BREAK_SIZE`]…
const TAIL_EXPONENT: f64 = 1.1;

/// …where the tail becomes steeper.
const BREAK_SIZE: f64 = 300.0;

/// The power behind [`BREAK_SIZE`], so that the mean is that of the release.
const FAR_TAIL_EXPONENT: f64 = 2.34;

/// The largest cluster, and the largest part of all proteins that one may take.
const LARGEST: (u64, u64) = (400_000, 20);

/// The sizes of all clusters.
pub(crate) struct ClusterSizes {
    /// See [`SIZE_SHARES`].
    shares: Draw,
    /// Chance for each cluster.
    stream: u64,
    /// The largest size.
    largest: u64,
}

impl ClusterSizes {
    /// Prepares the sizes for a number of proteins.
    pub(crate) fn new(seed: u64, num_proteins: u64) -> Self {
        let largest = (num_proteins / LARGEST.1).clamp(2, LARGEST.0);
        Self { shares: Draw::new(SIZE_SHARES.map(f64::from)), stream: Purpose::ClusterSizes.stream(seed), largest }
    }

    /// Returns the size of a cluster.
    pub(crate) fn at(&self, cluster: u64) -> u64 {
        let mut chance = Chance::new(self.stream, cluster);
        let class = self.shares.pick(&mut chance) as u64;
        let size = if class + 1 < SIZE_SHARES.len() as u64 { class + 1 } else { tail(1.0 - chance.unit()) };
        size.min(self.largest)
    }

    /// Returns how many clusters a number of proteins makes, and the size of the last one, which takes what is left.
    pub(crate) fn count(&self, num_proteins: u64, mut progress: impl FnMut(u64)) -> (u64, u64) {
        let (mut num_clusters, mut left, mut last) = (0, num_proteins, 0);
        while left > 0 {
            last = self.at(num_clusters).min(left);
            left -= last;
            num_clusters += 1;
            if num_clusters.is_multiple_of(1 << 16) {
                progress(num_proteins - left);
            }
        }
        (num_clusters, last)
    }
}

/// Returns the size that a share of the large clusters has at least.
fn tail(share: f64) -> u64 {
    let smallest = f64::from(u16::try_from(SIZE_SHARES.len()).expect("few classes"));
    let share_at_break = (smallest / BREAK_SIZE).powf(TAIL_EXPONENT);
    let size = if share > share_at_break {
        smallest * share.powf(-1.0 / TAIL_EXPONENT)
    } else {
        BREAK_SIZE * (share / share_at_break).powf(-1.0 / FAR_TAIL_EXPONENT)
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive; whatever is too large is cut"
    )]
    let size = size as u64;
    size
}

/// Which accession each protein has, and which are representatives. A rank is the position among the proteins.
pub(crate) struct Ranks {
    /// The number of proteins.
    pub(crate) num_proteins: u64,
    /// The number of clusters, and so of representatives.
    pub(crate) num_clusters: u64,
    /// Chance for each accession.
    stream: u64,
}

impl Ranks {
    /// Lays out proteins.
    pub(crate) fn new(seed: u64, num_proteins: u64, num_clusters: u64) -> Self {
        Self { num_proteins, num_clusters, stream: Purpose::Ids.stream(seed) }
    }

    /// Returns the number of the accession of a protein. Real ones are about as dense.
    pub(crate) fn id(&self, rank: u64) -> u64 {
        let chance = mix(self.stream, rank);
        if self.num_clusters == self.num_proteins { 7 * rank + 1 + chance % 6 } else { 2 * rank + 1 + chance % 2 }
    }

    /// Returns the number directly behind a protein's where no protein has it.
    pub(crate) fn gap(&self, rank: u64) -> Option<u64> {
        let id = self.id(rank);
        (id + 1 < self.id(rank + 1)).then_some(id + 1)
    }

    /// Returns the rank of the representative of a cluster. They are spread evenly.
    pub(crate) fn of_representative(&self, cluster: u64) -> u64 {
        scale(cluster, self.num_proteins, self.num_clusters, 0)
    }

    /// Returns the cluster that a protein represents, or `None` where it is another member.
    pub(crate) fn represented(&self, rank: u64) -> Option<u64> {
        let cluster = self.num_representatives_before(rank);
        (cluster < self.num_clusters && self.of_representative(cluster) == rank).then_some(cluster)
    }

    /// Returns the position of a member among those that are no representatives.
    pub(crate) fn slot(&self, rank: u64) -> u64 {
        rank - self.num_representatives_before(rank)
    }

    /// Returns how many representatives stand before a rank.
    fn num_representatives_before(&self, rank: u64) -> u64 {
        scale(rank, self.num_clusters, self.num_proteins, self.num_proteins - 1)
    }
}

/// Returns `(number * times + plus) / by`, rounded down.
fn scale(number: u64, times: u64, by: u64, plus: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "a rank or a cluster, which has 64 bits")]
    let scaled = ((u128::from(number) * u128::from(times) + u128::from(plus)) / u128::from(by)) as u64;
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_mean_and_the_tail_of_the_real_ones() {
        let sizes = ClusterSizes::new(1, 1 << 40);
        let all: Vec<_> = (0..1_000_000).map(|cluster| sizes.at(cluster)).collect();
        let mean_hundredths = all.iter().sum::<u64>() / 10_000;
        assert!((330..360).contains(&mean_hundredths), "{mean_hundredths}");
        let share = |from: u64| all.iter().filter(|&&size| size >= from).count();
        assert!((209_000..215_000).contains(&share(2)) && (3200..5200).contains(&share(101)), "{}", share(101));
        assert!((900..1600).contains(&share(258)) && *all.iter().max().expect("some") > 2000);
    }

    #[test]
    fn every_protein_is_a_representative_or_has_a_slot() {
        for (num_proteins, num_clusters) in [(1, 1), (10, 3), (1000, 289), (500, 500), (7, 1)] {
            let ranks = Ranks::new(3, num_proteins, num_clusters);
            let (mut clusters, mut slots) = (0, 0);
            for rank in 0..num_proteins {
                if let Some(cluster) = ranks.represented(rank) {
                    assert_eq!((cluster, ranks.of_representative(cluster)), (clusters, rank));
                    clusters += 1;
                } else {
                    assert_eq!(ranks.slot(rank), slots);
                    slots += 1;
                }
                assert!(ranks.id(rank) < ranks.id(rank + 1));
                assert!(ranks.gap(rank).is_none_or(|gap| gap > ranks.id(rank) && gap < ranks.id(rank + 1)));
            }
            assert_eq!((clusters, slots), (num_clusters, num_proteins - num_clusters));
        }
    }
}
