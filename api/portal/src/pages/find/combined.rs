//! Texts such as `PF00005 marine`: families and clans, and a biome by its name.

use api_proteins::suggestions::Kind;
use store::PfamAccession;
use store_proteins::{PAGE_BUDGET, ProteinQuery};

use crate::context::address::Pairs;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::completion::{Completion, completions};
use crate::parts::lineage::last_level;
use crate::parts::number::Count;

/// The searches that a text can mean.
pub(super) enum Combined {
    /// The path of the only search.
    One(String),
    /// Searches in each biome that the words can mean.
    Several(Vec<Completion>),
}

/// Returns the searches for a text with families or clans, and perhaps words of the name of a
/// biome. Returns `None` for other texts.
pub(super) fn searches(context: &PageContext, text: &str) -> Result<Option<Combined>, PortalProblem> {
    let Some(data) = context.proteins.as_ref() else { return Ok(None) };
    let (mut pairs, mut conditions, mut words) = (Pairs::default(), Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        if let Ok(family) = word.parse::<PfamAccession>() {
            pairs = pairs.and("pfam", &family.to_string());
            conditions.push(ProteinQuery::Family(family));
        } else if let Some(clan) = super::clan(data, word) {
            pairs = pairs.and("clan", &clan);
            conditions.push(ProteinQuery::Clan(clan));
        } else {
            words.push(word);
        }
    }
    if conditions.is_empty() {
        return Ok(None);
    }
    let path = |pairs: Pairs| format!("search{}", pairs.to_query());
    if words.is_empty() {
        return Ok(Some(Combined::One(path(pairs))));
    }
    let words = words.join(" ");
    let biomes = completions(context, &[Kind::Biome], &words)?;
    let mut named = biomes.iter().filter(|biome| last_level(&biome.text).eq_ignore_ascii_case(&words));
    if let (Some(biome), None) = (named.next(), named.next()) {
        return Ok(Some(Combined::One(path(pairs.and("biome", &biome.text)))));
    }
    let budget = PAGE_BUDGET / biomes.len().max(1) as u64;
    let mut searches = Vec::new();
    for biome in biomes {
        let Some(ordinal) = data.biomes().find_lineage(&biome.text) else { continue };
        let mut conditions = conditions.clone();
        conditions.push(ProteinQuery::Biome(ordinal));
        let count = Count::from(data.total(&ProteinQuery::And(conditions), budget)?);
        searches.push(Completion {
            href: format!("{}/portal/{}", context.root(), path(pairs.clone().and("biome", &biome.text))),
            text: biome.text,
            count: count.value,
            what: format!("{} with these families", count.counted("proteins")),
        });
    }
    Ok((!searches.is_empty()).then_some(Combined::Several(searches)))
}
