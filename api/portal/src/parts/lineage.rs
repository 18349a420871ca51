//! Lineages of biomes, as people read them.

/// Stands between the levels of a lineage.
pub(crate) const SEPARATOR: char = ':';

/// The biomes right below the root, in the order of their colours.
pub(crate) const TOPS: [&str; 5] = ["Environmental", "Host-associated", "Engineered", "Mixed", "Control"];

/// Returns the levels of a lineage below the root, as people read them.
pub(crate) fn as_levels(lineage: &str) -> String {
    lineage.strip_prefix("root:").unwrap_or(lineage).replace(SEPARATOR, " › ")
}

/// Returns the last level of a lineage.
pub(crate) fn last_level(lineage: &str) -> &str {
    lineage.rsplit(SEPARATOR).next().unwrap_or_default()
}

/// Returns the number of the colour that a biome has with all others below the same top; the root has none.
pub(crate) fn colour_of(lineage: &str) -> Option<usize> {
    let top = lineage.split(SEPARATOR).nth(1)?;
    Some(TOPS.iter().position(|known| *known == top).unwrap_or(TOPS.len()))
}

/// Returns the lineage of the biome right above; nothing if there is none.
pub(crate) fn parent(lineage: &str) -> &str {
    lineage.rsplit_once(SEPARATOR).map_or("", |(parent, _)| parent)
}
