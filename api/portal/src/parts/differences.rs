//! Families, clans or biomes of two groups of proteins: those that differ, and the most frequent.

use std::cmp::Reverse;

use store_proteins::{EnrichedValue, FacetKind, ProteinGeneration};

use crate::context::address::{Pairs, segment};
use crate::context::page_context::PageContext;
use crate::parts::facets::{Compared, Comparison};
use crate::parts::lineage::parent;
use crate::parts::number::Number;
use crate::plots::plot::Plot;
use crate::search::text_of;

/// The number of values per page.
const SHOWN: usize = 50;

/// A page of one of the lists of values.
pub(crate) struct Differences {
    pub(crate) by: FacetKind,
    pub(crate) comparison: Comparison,
    pub(crate) groups: [Group; 2],
    /// The name of the sums.
    pub(crate) whole: &'static str,
    pub(crate) lists: Vec<ValueList>,
    pub(crate) rows: Vec<ValueRow>,
    pub(crate) plot: Option<Plot>,
    /// The ranks of the first and last value of the page, 1-based, and the length of the list.
    pub(crate) ranks: [Number; 3],
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

/// The selection or the background.
pub(crate) struct Group {
    pub(crate) heading: String,
    /// The query for its proteins.
    pub(crate) text: String,
}

/// A list that can be shown.
pub(crate) struct ValueList {
    pub(crate) heading: &'static str,
    pub(crate) num_values: Number,
    pub(crate) href: String,
    pub(crate) is_shown: bool,
}

pub(crate) struct ValueRow {
    /// `None` for proteins without a value.
    pub(crate) value: Option<String>,
    pub(crate) name: String,
    /// The number of proteins of each group, and its share in thousandths.
    pub(crate) counts: [(Number, u64); 2],
    /// The addresses of these proteins, which may be empty.
    pub(crate) hrefs: [String; 2],
    pub(crate) compared: Option<Compared>,
}

impl Group {
    /// Returns the group of the proteins with a recorded biome that match all of these queries.
    pub(crate) fn new(data: &ProteinGeneration, heading: &str, queries: &[&str]) -> Self {
        let conditions = queries.iter().fold(Pairs::default(), |conditions, query| conditions.and("q", query));
        let tops = data.biomes().iter().filter(|biome| parent(&biome.lineage).is_empty());
        let conditions = tops.fold(conditions, |conditions, top| conditions.and("any_biome", &top.lineage));
        Self { heading: heading.to_owned(), text: text_of(&conditions) }
    }
}

impl Differences {
    /// Shows the list and the page that the address names. The default is the first list that has
    /// values: over-represented, then under-represented, then the most frequent ones. The page has
    /// this path below the portal and these other parameters. `list` is the parameter for the list,
    /// and the anchor.
    pub(crate) fn new(
        context: &PageContext,
        comparison: Comparison,
        by: FacetKind,
        groups: [Group; 2],
        path: &str,
        others: &Pairs,
        list: &str,
    ) -> Self {
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
            ("all", "All by difference", values.iter().collect()),
        ];
        let wanted = context.parameter(list);
        let of_address = lists.iter().position(|(name, ..)| *name == wanted);
        let first = || lists.iter().position(|(.., values)| !values.is_empty());
        let (name, _, shown) = &lists[of_address.or_else(first).unwrap_or_default()];
        let last_page = shown.len().div_ceil(SHOWN).max(1);
        let page = context.parameter("page").parse().unwrap_or(1).clamp(1, last_page);
        let address = |name: &str, page: usize| {
            let pairs = others.with(list, name);
            let pairs = if page > 1 { pairs.with("page", &page.to_string()) } else { pairs };
            format!("{}/portal/{path}{}#{list}", context.root(), pairs.to_query())
        };
        let start = (page - 1) * SHOWN;
        let count = |count, whole: u64| (Number(count), (count * 1000 + whole / 2) / whole.max(1));
        let href = |group: &Group, value: Option<&str>, count: u64| {
            let own = Pairs::default().with("q", &group.text);
            let own = match value {
                Some(value) => own.and(by.name(), value),
                None => own.and("q", "NOT has:pfam"),
            };
            let is_known = count > 0 && (value.is_some() || by == FacetKind::Pfam);
            if is_known { format!("{}/portal/search{}", context.root(), own.to_query()) } else { String::new() }
        };
        let row = |&value: &&EnrichedValue| ValueRow {
            hrefs: [(&groups[0], value.count), (&groups[1], value.background_count)]
                .map(|(group, count)| href(group, value.value.as_deref(), count)),
            compared: comparison.texts(value),
            counts: [
                count(value.count, comparison.0.num_selected),
                count(value.background_count, comparison.0.num_background),
            ],
            value: value.value.clone(),
            name: value.name.clone(),
        };
        let rows: Vec<ValueRow> = shown.iter().skip(start).take(SHOWN).map(row).collect();
        let previous = (page > 1).then(|| address(name, page - 1));
        let next = (page < last_page).then(|| address(name, page + 1));
        let ranks = [start + 1, start + rows.len(), shown.len()].map(Number::of);
        let lists = lists.iter().map(|(known, heading, values)| ValueList {
            heading,
            num_values: Number::of(values.iter().filter(|value| value.value.is_some()).count()),
            href: address(known, 1),
            is_shown: known == name,
        });
        let [first, second] = groups.each_ref().map(|group| &*group.heading);
        let title = format!("{first} and {second}: {}", words(by)[1]);
        let plot = comparison.volcano(context, title, [first, second], |value| {
            format!("{}/portal/{}/{}", context.root(), words(by)[1], segment(value))
        });
        let (lists, whole) = (lists.collect(), "All proteins");
        Self { by, comparison, groups, whole, lists, rows, plot, ranks, previous, next }
    }

    pub(crate) fn words(&self) -> [&'static str; 3] {
        words(self.by)
    }
}

/// Returns the words for a value, for several, and for none.
fn words(by: FacetKind) -> [&'static str; 3] {
    match by {
        FacetKind::Biome => ["Biome", "biomes", ""],
        FacetKind::Clan => ["Clan", "clans", "No clan"],
        _ => ["Family", "families", "No Pfam family"],
    }
}
