//! All conditions of a form as one query.

use std::collections::BTreeSet;

use api_proteins::{ProteinProblem, QueryParameters, Release, ResultFormat};
use store::PfamAccession;

use crate::context::address::{self, ANY, Pairs};

/// The query for all proteins.
pub(super) const ALL: &str = "*";

/// Parameters of pages and display, which do not select proteins. The API has all except `rank`.
pub(super) const PAGE_PARAMETERS: [&str; 5] = ["limit", "after", "fields", "order", "rank"];

/// Returns the parameters with one query in place of the conditions.
pub(super) fn as_pairs(pairs: &Pairs) -> Pairs {
    let of_pages = ["limit", "fields", "order"].into_iter().filter(|name| !pairs.value(name).is_empty());
    of_pages.fold(Pairs::default().with("q", &of(pairs)), |text, name| text.with(name, pairs.value(name)))
}

/// Returns the parameters for the API, in which alternatives are a part of the query.
pub(super) fn for_api(pairs: &Pairs) -> Pairs {
    let is_of_query = |name: &str| name == "q" || name.starts_with(ANY);
    let pairs = pairs.without(&["rank"]);
    if pairs.iter().all(|(name, _)| !name.starts_with(ANY)) {
        return pairs;
    }
    pairs.filtered(|name| !is_of_query(name)).with("q", &of(&pairs.filtered(is_of_query)))
}

/// Reads parameters for the API.
pub(crate) fn parse(release: &Release, pairs: &Pairs) -> Result<QueryParameters, ProteinProblem> {
    QueryParameters::parse_in(release, pairs.to_query().trim_start_matches('?'), Some(ResultFormat::Json))
}

/// Returns all conditions as one query.
pub(crate) fn of(pairs: &Pairs) -> String {
    let mut conditions = Vec::new();
    let mut alternatives = BTreeSet::new();
    for (name, value) in pairs.iter() {
        match name {
            name if name.starts_with(ANY) => drop(alternatives.insert(name)),
            "q" => conditions.push((value.to_owned(), value.contains(' '))),
            name if PAGE_PARAMETERS.contains(&name) || bounded(name).is_some() => {}
            name => conditions.push((format!("{name}:{}", quoted(value)), false)),
        }
    }
    for name in alternatives {
        let values = pairs.values(name).map(quoted).collect::<Vec<_>>().join(" OR ");
        conditions.push((format!("{}:({values})", &name[ANY.len()..]), false));
    }
    conditions.extend(ranges(pairs).map(|(field, range)| (format!("{field}:{range}"), false)));
    let is_one = conditions.len() == 1;
    let texts = conditions.into_iter().map(
        |(text, is_compound)| {
            if is_compound && !is_one { format!("({text})") } else { text }
        },
    );
    let texts: Vec<_> = texts.collect();
    if texts.is_empty() { ALL.to_owned() } else { texts.join(" AND ") }
}

/// Returns a query in which families and clans need no fields: `near(PF00005, CL0023, 2)` becomes
/// `near(pfam:PF00005, clan:CL0023, 2)`. Texts with backslashes, or with a space or a parenthesis
/// after a colon, stay as they are.
pub(crate) fn with_fields(query: &str) -> String {
    let is_apart = |value: &str| value.starts_with(|next: char| next == '(' || next.is_whitespace());
    if query.contains('\\') || query.split(':').skip(1).any(is_apart) {
        return query.to_owned();
    }
    let is_clan_number = |digits: &str| digits.len() == 4 && digits.parse::<u16>().is_ok();
    let field = |word: &str| match word.split_at_checked(2) {
        _ if word.parse::<PfamAccession>().is_ok() => "pfam:",
        Some((prefix, digits)) if prefix.eq_ignore_ascii_case("CL") && is_clan_number(digits) => "clan:",
        _ => "",
    };
    let ends = |letter: char| letter.is_whitespace() || ",()!".contains(letter);
    let parts = query.split('"').enumerate().map(|(index, part)| match index % 2 {
        0 => part.split_inclusive(ends).flat_map(|piece| [field(piece.trim_end_matches(ends)), piece]).collect(),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<String>>().join("\"")
}

/// Returns the fields with minimum or maximum, and their ranges.
pub(super) fn ranges(pairs: &Pairs) -> impl Iterator<Item = (&'static str, String)> {
    ["length", "cluster_size"].into_iter().filter_map(|field| {
        let bounds = ["min", "max"].map(|bound| pairs.value(&format!("{bound}_{field}")));
        let [min, max] = bounds.map(|bound| if bound.is_empty() { "*" } else { bound });
        (bounds != ["", ""]).then(|| (field, format!("[{min} TO {max}]")))
    })
}

/// Returns the field of a parameter for a minimum or a maximum.
pub(super) fn bounded(name: &str) -> Option<&str> {
    name.strip_prefix("min_").or_else(|| name.strip_prefix("max_"))
}

/// Quotes a value unless it is plain or a range.
fn quoted(value: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'*');
    if value.bytes().all(is_plain) || value.starts_with(['[', '{', '<', '>']) {
        return value.to_owned();
    }
    address::quoted(value)
}

#[cfg(test)]
mod tests {
    use store::BiomeTable;
    use store_proteins::ProteinQuery;

    use super::*;

    #[test]
    fn the_query_has_all_conditions_of_the_form() {
        let mut biomes = BiomeTable::default();
        biomes.insert(Some(7), "root:A (b)").expect("a lineage");
        for (given, expected) in [
            ("", "*"),
            ("pfam=5", "pfam:5"),
            ("pfam=5&pfam=6", "pfam:5 AND pfam:6"),
            ("biome=root:A (b)&clan=CL0023", "biome:\"root:A (b)\" AND clan:CL0023"),
            ("q=pfam:5 OR pfam:6", "pfam:5 OR pfam:6"),
            ("q=pfam:5 OR pfam:6&full_length=true&limit=7", "(pfam:5 OR pfam:6) AND full_length:true"),
            ("min_length=5&max_length=9&min_cluster_size=2", "length:[5 TO 9] AND cluster_size:[2 TO *]"),
            ("any_pfam=5&clan=CL0023&any_pfam=6&rank=51", "clan:CL0023 AND pfam:(5 OR 6)"),
            ("length=[5 TO 9]&has=pfam", "length:[5 TO 9] AND has:pfam"),
        ] {
            let text = of(&Pairs::parse(given));
            assert_eq!(text, expected);
            assert!(ProteinQuery::parse(&text, &biomes).is_ok(), "{text}");
        }
        for (given, expected) in [
            ("pfam=5&rank=51&after=MGYP000000000012", "?pfam=5&after=MGYP000000000012"),
            ("q=pfam:7 OR pfam:8&any_pfam=5&any_pfam=6&limit=9", "?limit=9&q=(pfam:7 OR pfam:8) AND pfam:(5 OR 6)"),
        ] {
            let api_pairs = for_api(&Pairs::parse(given)).to_query();
            assert_eq!(
                api_pairs.replace('+', " ").replace("%3A", ":").replace("%28", "(").replace("%29", ")"),
                expected
            );
        }
    }

    #[test]
    fn families_and_clans_need_no_fields() {
        for (given, expected) in [
            ("near(PF00005, CL0023, 2)", "near(pfam:PF00005, clan:CL0023, 2)"),
            ("near(pf00005,pfam:PF00664,2) AND NOT cl0023", "near(pfam:pf00005,pfam:PF00664,2) AND NOT clan:cl0023"),
            ("(PF00005 OR PF00664.26) AND length:>5", "(pfam:PF00005 OR pfam:PF00664.26) AND length:>5"),
            ("pfam:(PF00005 OR PF00664)", "pfam:(PF00005 OR PF00664)"),
            ("pfam: PF00005", "pfam: PF00005"),
            ("pfam: (PF00005 OR PF00664)", "pfam: (PF00005 OR PF00664)"),
            ("near(PF00005,\tPF00664, 2)", "near(pfam:PF00005,\tpfam:PF00664, 2)"),
            ("near(PF00005, name:\"PF1 PF2\", 1)", "near(pfam:PF00005, name:\"PF1 PF2\", 1)"),
            ("name:\"PF00005\" AND PF00005", "name:\"PF00005\" AND pfam:PF00005"),
            ("name:\"a\\\" PF00005\"", "name:\"a\\\" PF00005\""),
            ("PF CL00 CLé123 near(PFx, 5, 1)", "PF CL00 CLé123 near(PFx, 5, 1)"),
            ("", ""),
        ] {
            assert_eq!(with_fields(given), expected);
            assert_eq!(with_fields(expected), expected);
        }
    }
}
