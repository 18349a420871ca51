//! The members of clusters: one to a row, joined into a text, or in a list.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray};
use arrow_schema::ArrowError;

use crate::release::block::RowPlace;
use crate::release::rows::MemberRow;
use crate::release::source::Batch;
use crate::release::source::checks;
use crate::run::{Reason, Rejection};

use super::cells::WholesOrTexts;

/// The members of some clusters.
pub(super) struct Members {
    /// Where the members of each row stand in `values`, or `None` where each row has one value.
    lists: Option<ListArray>,
    /// The members.
    values: WholesOrTexts,
}

impl Members {
    /// Makes a column.
    pub(super) fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        let lists = original.as_list_opt::<i32>().cloned();
        let values = match &lists {
            Some(lists) => lists.values().clone(),
            None => original,
        };
        Ok(Self { lists, values: WholesOrTexts::of(name, values)? })
    }

    /// Puts the members of a row into the batch, each for itself; bad ones are left out alone.
    pub(super) fn push(
        &self,
        key: u64,
        row: usize,
        place: RowPlace,
        show: impl Fn() -> String,
        batch: &mut Batch,
    ) -> crate::Result<()> {
        let mut has_members = false;
        for index in self.range(row) {
            if let WholesOrTexts::Texts(texts) = &self.values
                && let Some(joined) = texts.get(index)
            {
                for member in checks::members(joined) {
                    has_members = true;
                    put(key, checks::protein_text(member), place, &show, batch)?;
                }
            } else {
                has_members = true;
                put(key, self.values.protein(index), place, &show, batch)?;
            }
        }
        if has_members {
            return Ok(());
        }
        batch.leave_out(Rejection::new(Reason::BadRow, "the cluster has no members").into(), place, show().as_bytes())
    }

    /// Returns where the members of a row stand.
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

/// Puts a member into the batch.
fn put(
    key: u64,
    member: Result<u64, Rejection>,
    place: RowPlace,
    show: impl Fn() -> String,
    batch: &mut Batch,
) -> crate::Result<()> {
    match member {
        Ok(member) => {
            batch.rows.push(key, place, |out| MemberRow { member }.put(out));
            Ok(())
        }
        Err(rejection) => batch.leave_out(rejection.into(), place, show().as_bytes()),
    }
}
