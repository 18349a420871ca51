//! Rows: the proteins of a generation, counted over all its segments, 0-based and ascending by
//! accession.

use store::Result;
use tantivy::DocId;

use super::found_protein::FoundProtein;
use super::segments::segment::Segment;

/// The rows of the segments of a generation.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a>(pub(super) &'a [Segment]);

impl<'a> Rows<'a> {
    pub(super) fn len(self) -> u64 {
        self.0.iter().map(num_rows).sum()
    }

    /// Cuts ascending rows at the ends of the segments. Returns the rows of each segment, with its
    /// first row.
    pub(super) fn by_segment<T>(
        self,
        mut items: &'a [T],
        row_of: impl Fn(&T) -> u64,
    ) -> impl Iterator<Item = (&'a Segment, u64, &'a [T])> {
        let mut end = 0;
        self.0.iter().map(move |segment| {
            let start = end;
            end += num_rows(segment);
            let (here, others) = items.split_at(items.partition_point(|item| row_of(item) < end));
            items = others;
            (segment, start, here)
        })
    }

    /// Returns the hits of some rows, in their order.
    pub(super) fn found(self, rows: &[u64]) -> Result<Vec<FoundProtein>> {
        let mut ascending: Vec<(u64, usize)> = rows.iter().copied().zip(0..).collect();
        ascending.sort_unstable();
        let mut found = Vec::with_capacity(rows.len());
        for (segment, start, here) in self.by_segment(&ascending, |&(row, _)| row) {
            let docs: Vec<DocId> = here.iter().map(|&(row, _)| doc(row - start)).collect();
            segment.found(&docs, &mut found)?;
        }
        let mut in_order: Vec<(usize, FoundProtein)> =
            ascending.into_iter().map(|(_, index)| index).zip(found).collect();
        in_order.sort_unstable_by_key(|&(index, _)| index);
        Ok(in_order.into_iter().map(|(_, protein)| protein).collect())
    }
}

fn num_rows(segment: &Segment) -> u64 {
    segment.entry.num_docs.into()
}

/// Returns the document of a row that is relative to the first row of its segment.
pub(super) fn doc(row: u64) -> DocId {
    DocId::try_from(row).expect("segments are small")
}
