//! Labels, groups and order of attributes, filters and orders.

use std::sync::LazyLock;

/// The words for a name of attributes, filters and orders. Names have dashes.
pub(crate) struct Word {
    group: &'static str,
    name: &'static str,
    label: &'static str,
    /// The place of the filter among the fields that forms show first; empty for all others.
    pub(crate) first: &'static str,
    /// The kind of names that complete the value of the filter; may be empty.
    pub(crate) completed: &'static str,
    /// An example of the filter; may be empty.
    pub(crate) example: &'static str,
}

/// The names with words, in the order in which pages show them.
static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
    let word = |row| {
        let [group, name, label, first, completed, example] = cells(row);
        Word { group, name, label, first, completed, example }
    };
    include_str!("words.tsv").lines().skip(1).map(word).collect()
});

/// The words for all other names, which come last.
static OTHER: Word = Word { group: "Other", name: "", label: "", first: "", completed: "", example: "" };

/// Suffixes of filters for bounds, and their labels.
const BOUNDS: [(&str, &str); 5] =
    [("-gte", ", from"), ("-lte", ", to"), ("-gt", ", after"), ("-lt", ", before"), ("-icontains", ", part")];

/// Returns the cells of a row of a table. Missing ones are empty.
pub(crate) fn cells<const N: usize>(row: &'static str) -> [&'static str; N] {
    let mut cells = row.split('\t');
    std::array::from_fn(|_| cells.next().unwrap_or_default())
}

/// Returns the label of an attribute or a filter: `Alias` for `sample-alias`, `Latitude, from` for
/// `latitude_gte`.
pub(crate) fn label(name: &str) -> String {
    let (plain, bound) = parts(name);
    let label = word(name).label;
    if label.is_empty() { in_words(&plain) + bound } else { format!("{label}{bound}") }
}

/// Returns the words for a name.
pub(crate) fn word(name: &str) -> &'static Word {
    WORDS.get(place(name)).unwrap_or(&OTHER)
}

/// Puts things with names into the order of pages.
pub(crate) fn sort<T>(things: &mut [T], name: impl Fn(&T) -> &str) {
    things.sort_by_cached_key(|thing| place(name(thing)));
}

/// Sorts things with names into groups with headings.
pub(crate) fn grouped<T>(mut things: Vec<T>, name: impl Fn(&T) -> &str) -> Vec<(&'static str, Vec<T>)> {
    sort(&mut things, &name);
    let mut groups: Vec<(&'static str, Vec<T>)> = Vec::new();
    for thing in things {
        let group = word(name(&thing)).group;
        match groups.last_mut() {
            Some((last, members)) if *last == group => members.push(thing),
            _ => groups.push((group, vec![thing])),
        }
    }
    groups
}

fn place(name: &str) -> usize {
    let (name, _) = parts(name);
    WORDS.iter().position(|word| word.name == name).unwrap_or(WORDS.len())
}

/// Returns a name with dashes and without its bound, and the label of the bound.
fn parts(name: &str) -> (String, &'static str) {
    let name = name.replace("__", "_").replace('_', "-");
    let bound = BOUNDS.iter().find_map(|(end, label)| Some((name.strip_suffix(end)?.to_owned(), *label)));
    bound.unwrap_or((name, ""))
}

/// Returns a name as words: `Sample alias` for `sample-alias`.
pub(crate) fn in_words(name: &str) -> String {
    capitalized(&name.replace(['-', '_'], " "))
}

pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn labels_are_readable() {
        for (name, expected) in [
            ("sample-alias", "Alias"),
            ("geo_loc_name", "Country or sea"),
            ("latitude_gte", "Latitude, from"),
            ("collection_date_lte", "Collected, to"),
            ("metadata_value_gte", "Metadata value, from"),
            ("num_contigs__gte", "Contigs, from"),
            ("name__icontains", "Name, part"),
            ("samples-count", "Number of samples"),
            ("min-gap-length", "Min gap length"),
        ] {
            assert_eq!(label(name), expected);
        }
    }

    #[test]
    fn the_table_has_each_name_once_and_each_group_in_one_place() {
        let rows = include_str!("words.tsv").lines().count() - 1;
        let names: BTreeSet<&str> = WORDS.iter().map(|word| word.name).collect();
        assert_eq!((WORDS.len(), names.len()), (rows, rows));
        let mut groups: Vec<&str> = WORDS.iter().map(|word| word.group).collect();
        groups.dedup();
        assert_eq!(groups.len(), groups.iter().collect::<BTreeSet<_>>().len(), "{groups:?}");
    }

    #[test]
    fn names_are_grouped_in_order() {
        let grouped = grouped(vec!["coverage", "last-update", "geo-loc-name", "collection_date_gte"], |name| name);
        let expected: [(&str, Vec<&str>); 3] = [
            ("Place", vec!["geo-loc-name"]),
            ("Dates", vec!["collection_date_gte", "last-update"]),
            ("Other", vec!["coverage"]),
        ];
        assert_eq!(grouped, expected);
    }
}
