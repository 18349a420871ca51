//! The query that a list of resources sends to the API: its rows of metadata and the chosen values
//! of its facets as conditions.

use std::collections::BTreeSet;

use api_catalogue::WHERE;

use crate::context::address::{ANY, Pairs, quoted};
use crate::parts::choices::is_range;
use crate::parts::countries::{self, spellings};
use crate::parts::metadata_rows;

/// The field of countries, each of which stands for all its spellings.
pub(crate) const COUNTRY: &str = "geo_loc_name";

/// Returns the parameters of a list for the API, in which rows of metadata and the chosen values of
/// each facet are conditions.
pub(crate) fn for_api(pairs: &Pairs) -> Pairs {
    let (chosen, others) = metadata_rows::for_api(pairs).split(|_, name| name.starts_with(ANY));
    let others = match countries::pattern(others.value(COUNTRY)) {
        Some(pattern) => others.with(COUNTRY, &pattern),
        None => others,
    };
    let names: BTreeSet<&str> = chosen.iter().map(|(name, _)| name).collect();
    names.into_iter().fold(others, |others, name| {
        let field = &name[ANY.len()..];
        let values: Vec<String> = chosen.values(name).map(|value| written(field, value)).collect();
        let values = if let [value] = &*values { value.clone() } else { format!("({})", values.join(" OR ")) };
        others.and(WHERE, &format!("{field}:{values}"))
    })
}

/// Returns a value of a field as in conditions. Stars in a typed value stand for any text.
fn written(field: &str, value: &str) -> String {
    match field {
        _ if is_range(value) => value.to_owned(),
        "collection_date" => format!("[{value} TO {value}]"),
        // The country may be followed by a place.
        COUNTRY => {
            let starts = spellings(value).into_iter().flat_map(|name| [name.to_owned(), format!("GAZ:{name}")]);
            let texts = starts.flat_map(|start| ["", ":*", ";*"].map(|end| pattern(&format!("{start}{end}"))));
            format!("({})", texts.collect::<Vec<_>>().join(" OR "))
        }
        _ if value.contains('*') => pattern(value),
        _ => quoted(value),
    }
}

/// Returns a text without quotes, in which all characters except stars stand for themselves.
fn pattern(text: &str) -> String {
    let escaped = |letter: char| {
        let is_plain = letter.is_alphanumeric() || letter == '*';
        (!is_plain).then_some('\\').into_iter().chain([letter])
    };
    text.chars().flat_map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_conditions() {
        for (given, expected) in [
            ("page=2&where=x", &[][..]),
            ("any_collection_date=2016&where=x", &["collection_date:[2016 TO 2016]"]),
            ("any_species=a \"b\"\\", &["species:\"a \\\"b\\\"\\\\\""]),
            ("any_species=a&any_species=b c*", &["species:(\"a\" OR b\\ c*)"]),
            ("any_depth=[0 TO 5}[m]&any_biome=root:A", &["biome:\"root:A\"", "depth:[0 TO 5}[m]"]),
            (
                "any_geo_loc_name=South Africa",
                &["geo_loc_name:(South\\ Africa OR South\\ Africa\\:* OR South\\ Africa\\;* OR \
                   GAZ\\:South\\ Africa OR GAZ\\:South\\ Africa\\:* OR GAZ\\:South\\ Africa\\;*)"],
            ),
        ] {
            let given = Pairs::parse(given);
            let api = for_api(&given);
            assert_eq!(api.values(WHERE).filter(|text| *text != "x").collect::<Vec<_>>(), expected);
            assert!(api.iter().all(|(name, _)| !name.starts_with(ANY)));
        }
    }
}
