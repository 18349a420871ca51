//! The members of clusters: one to a row, joined into a text, or in a list.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray};
use arrow_schema::ArrowError;

use crate::rejects::Rejection;
use crate::release::read::checks;

use super::cells::{Cells, WholesOrTexts};

pub(super) struct Members {
    /// The range of each row in `values`, or `None` where each row has one value.
    lists: Option<ListArray>,
    values: WholesOrTexts,
}

impl Cells for Members {
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        let lists = original.as_list_opt::<i32>().cloned();
        let values = match &lists {
            Some(lists) => lists.values().clone(),
            None => original,
        };
        Ok(Self { lists, values: WholesOrTexts::of(name, values)? })
    }
}

impl Members {
    /// Returns the members of a row, good and bad.
    pub(super) fn of_row(&self, row: usize) -> impl Iterator<Item = Result<u64, Rejection>> {
        self.range(row).flat_map(|index| {
            let joined = match &self.values {
                WholesOrTexts::Texts(texts) => texts.get(index),
                WholesOrTexts::Wholes(_) => None,
            };
            let single = joined.is_none().then(|| self.values.protein(index));
            joined.into_iter().flat_map(checks::members).map(checks::protein_text).chain(single)
        })
    }

    fn range(&self, row: usize) -> Range<usize> {
        let Some(lists) = &self.lists else { return row..row + 1 };
        if lists.is_null(row) {
            return 0..0;
        }
        let offsets = lists.value_offsets();
        let at = |index: usize| usize::try_from(offsets[index]).expect("offsets are not negative");
        at(row)..at(row + 1)
    }
}
