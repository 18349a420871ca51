//! Lineages in the form that MGnify's version 2 compares.

/// Returns the path of a lineage, with dots between its levels: `root.engineered` for
/// `root:Engineered`, ` ROOT:engineered:` and `root.Engineered`. Levels have only lower-case
/// letters, digits and underscores. A text without any of these has an empty path.
///
/// ```
/// use store_catalogue::model::lineage_path;
///
/// assert_eq!(lineage_path("root:Aquatic:Hot (42-90C)"), "root.aquatic.hot_42_90c");
/// ```
pub fn lineage_path(lineage: &str) -> String {
    let replaced: String = lineage
        .chars()
        .filter(char::is_ascii)
        .map(|c| match c.to_ascii_lowercase() {
            ':' => '.',
            ' ' | '(' | ')' | '-' => '_',
            c => c,
        })
        .collect();
    let joined = replaced.replace("__", "_");
    let is_label = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '_' || *c == '.';
    let path: String = joined.trim_matches(['_', '.']).chars().filter(is_label).collect();
    // Each level of a loaded tree is trimmed alike, so that a level has one path at any depth.
    path.split('.').map(|level| level.trim_matches('_')).collect::<Vec<_>>().join(".")
}

/// Returns whether a path is that of another lineage or below it. All paths are below an empty
/// path.
pub(crate) fn is_within(path: &str, above: &str) -> bool {
    above.is_empty() || path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lineages_have_paths() {
        for (lineage, path) in [
            ("root", "root"),
            (" root ", "root"),
            ("root:Engineered:", "root.engineered"),
            ("Root.ENGINEERED", "root.engineered"),
            ("root:Host-associated", "root.host_associated"),
            ("root:Thermal springs:Hot (42-90C):Acidic", "root.thermal_springs.hot_42_90c.acidic"),
            ("root\u{0}", "root"),
            ("\u{e9}", ""),
            (":::", ""),
            ("root::x", "root..x"),
        ] {
            assert_eq!(lineage_path(lineage), path, "{lineage:?}");
        }
    }

    #[test]
    fn paths_are_below_others_level_by_level() {
        assert!(is_within("root.a", "root") && is_within("root", "root") && is_within("root", ""));
        assert!(!is_within("root.ab", "root.a") && !is_within("root", "root.a"));
    }
}
