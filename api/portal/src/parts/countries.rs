//! Countries with several spellings in the data.

use std::sync::LazyLock;

/// Countries: their names, followed by the other spellings.
static COUNTRIES: LazyLock<Vec<Vec<&'static str>>> =
    LazyLock::new(|| include_str!("countries.tsv").lines().map(|row| row.split('\t').collect()).collect());

/// Returns the spellings of the country with a name or a spelling, its name first, or the spelling
/// alone.
pub(crate) fn spellings(spelling: &str) -> Vec<&str> {
    let known = COUNTRIES.iter().find(|spellings| spellings.iter().any(|known| known.eq_ignore_ascii_case(spelling)));
    known.cloned().unwrap_or_else(|| vec![spelling])
}

/// Returns the regular expression of all spellings of a country, or `None` if there is only one.
pub(crate) fn pattern(spelling: &str) -> Option<String> {
    match &*spellings(spelling) {
        [_] => None,
        several => Some(format!("\\b({})\\b", several.join("|"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_have_one_name() {
        for (spelling, name) in
            [("USA", "United States"), ("usa", "United States"), ("Russia", "Russia"), ("Norway", "Norway")]
        {
            assert_eq!(spellings(spelling)[0], name);
        }
        assert_eq!((pattern("Norway"), pattern("viet nam")), (None, Some("\\b(Vietnam|Viet Nam)\\b".to_owned())));
        let mut all: Vec<&str> = COUNTRIES.iter().flatten().copied().collect();
        let num_all = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), num_all, "each spelling is of one country");
    }
}
