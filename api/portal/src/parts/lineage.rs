//! Readable lineages of biomes.

/// Separates the levels of a lineage.
pub(crate) const SEPARATOR: char = ':';

/// The biomes directly below the root, in the order of their colours.
pub(crate) const TOPS: [&str; 5] = ["Environmental", "Host-associated", "Engineered", "Mixed", "Control"];

/// Returns the levels below the root in readable form.
pub(crate) fn as_levels(lineage: &str) -> String {
    lineage.strip_prefix("root:").unwrap_or(lineage).replace(SEPARATOR, " › ")
}

/// Returns the last level of a lineage.
pub(crate) fn last_level(lineage: &str) -> &str {
    lineage.rsplit(SEPARATOR).next().unwrap_or_default()
}

/// Returns the colour that all biomes below the same top share; the root has none.
pub(crate) fn colour_of(lineage: &str) -> Option<usize> {
    let top = lineage.split(SEPARATOR).nth(1)?;
    Some(TOPS.iter().position(|known| *known == top).unwrap_or(TOPS.len()))
}

/// Returns the lineage of the parent biome, or an empty text.
pub(crate) fn parent(lineage: &str) -> &str {
    lineage.rsplit_once(SEPARATOR).map_or("", |(parent, _)| parent)
}
