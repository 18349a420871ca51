//! The families of a biome: those that are characteristic, and the most frequent.

use std::cmp::Reverse;

use store_proteins::EnrichedValue;

use crate::context::address::{Pairs, segment};
use crate::context::page_context::PageContext;
use crate::parts::facets::{Compared, Comparison};
use crate::parts::number::Number;

/// The number of families per page.
const SHOWN: usize = 50;

/// A page of one of the lists of families.
pub(super) struct Families {
    pub(super) lists: Vec<FamilyList>,
    pub(super) rows: Vec<FamilyRow>,
    /// The ranks of the first and last family of the page, 1-based, and the length of the list.
    pub(super) ranks: [Number; 3],
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

/// A list that can be shown.
pub(super) struct FamilyList {
    pub(super) heading: &'static str,
    pub(super) num_families: Number,
    pub(super) href: String,
    pub(super) is_shown: bool,
}

pub(super) struct FamilyRow {
    /// `None` for proteins without a family.
    pub(super) accession: Option<String>,
    pub(super) name: String,
    pub(super) count: Number,
    pub(super) compared: Option<Compared>,
}

impl Families {
    /// Shows the list and the page that the address names. The default is the first list that has
    /// families: over-represented, then under-represented, then the most frequent ones.
    pub(super) fn new(context: &PageContext, lineage: &str, comparison: &Comparison) -> Self {
        let values = &comparison.0.values;
        let [over, under] = [true, false].map(|is_over| {
            values.iter().filter(|value| value.is_enriched == Some(is_over) && value.value.is_some()).collect()
        });
        let mut frequent: Vec<&EnrichedValue> = values.iter().filter(|value| value.count > 0).collect();
        frequent.sort_by_key(|value| (value.value.is_none(), Reverse(value.count), value.value.as_deref()));
        let lists = [
            ("over", "Over-represented", over),
            ("under", "Under-represented", under),
            ("frequent", "Most frequent", frequent),
        ];
        let wanted = context.parameter("families");
        let of_address = lists.iter().position(|(name, ..)| *name == wanted);
        let first = || lists.iter().position(|(.., list)| !list.is_empty());
        let shown = of_address.or_else(first).unwrap_or_default();
        let (name, _, list) = &lists[shown];
        let last_page = list.len().div_ceil(SHOWN).max(1);
        let page = context.parameter("page").parse().unwrap_or(1).clamp(1, last_page);
        let own_path = format!("{}/portal/biomes/{}", context.root(), segment(lineage));
        let address = |name: &str, page: usize| {
            let pairs = Pairs::default().with("families", name);
            let pairs = if page > 1 { pairs.with("page", &page.to_string()) } else { pairs };
            format!("{own_path}{}#families", pairs.to_query())
        };
        let start = (page - 1) * SHOWN;
        let row = |&value: &&EnrichedValue| FamilyRow {
            compared: comparison.texts(value),
            accession: value.value.clone(),
            name: value.name.clone(),
            count: Number(value.count),
        };
        let rows: Vec<FamilyRow> = list.iter().skip(start).take(SHOWN).map(row).collect();
        Self {
            ranks: [start + 1, start + rows.len(), list.len()].map(Number::of),
            rows,
            previous: (page > 1).then(|| address(name, page - 1)),
            next: (page < last_page).then(|| address(name, page + 1)),
            lists: lists
                .iter()
                .map(|(known, heading, list)| FamilyList {
                    heading,
                    num_families: Number::of(list.iter().filter(|value| value.value.is_some()).count()),
                    href: address(known, 1),
                    is_shown: known == name,
                })
                .collect(),
        }
    }
}
