//! Readable lineages of biomes.

/// Separates the levels of a lineage.
pub(crate) const SEPARATOR: char = ':';

/// The biomes directly below the root, in the order of their colours.
pub(crate) const TOPS: [&str; 5] = ["Environmental", "Host-associated", "Engineered", "Mixed", "Control"];

/// Returns whether a value is the lineage of a biome.
pub(crate) fn is_lineage(value: &str) -> bool {
    value == "root" || value.starts_with("root:")
}

/// Returns the levels below the root in readable form.
pub(crate) fn as_levels(lineage: &str) -> String {
    lineage.strip_prefix("root:").unwrap_or(lineage).replace(SEPARATOR, " › ")
}

/// Returns the last level, and up to two levels above it, without the first level below the root if
/// there are others: `Fecal · Human › Digestive system`.
pub(crate) fn last_first(lineage: &str) -> String {
    let levels: Vec<&str> = lineage.strip_prefix("root:").unwrap_or(lineage).split(SEPARATOR).collect();
    let above = match &levels[..levels.len() - 1] {
        [_, above @ ..] if !above.is_empty() => above,
        above => above,
    };
    let above = above.iter().take(2).copied().collect::<Vec<_>>().join(" › ");
    if above.is_empty() { last_level(lineage).to_owned() } else { format!("{} · {above}", last_level(lineage)) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_level_is_the_first_word() {
        for (lineage, expected) in [
            ("root", "root"),
            ("root:Mixed", "Mixed"),
            ("root:Environmental:Aquatic", "Aquatic · Environmental"),
            ("root:Environmental:Aquatic:Marine", "Marine · Aquatic"),
            ("root:Host-associated:Human:Digestive system:Large intestine:Fecal", "Fecal · Human › Digestive system"),
        ] {
            assert_eq!(last_first(lineage), expected);
        }
    }
}
