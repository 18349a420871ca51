//! Choices that narrow a protein search, with the number of proteins left by each.

use std::collections::BTreeSet;

use api_proteins::{QueryParameters, Release, ResultFormat};
use store::PfamAccession;
use store_proteins::{FacetKind, PAGE_BUDGET, ProteinQuery};

use super::text;
use crate::context::address::{ANY, Pairs};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::biome_tree::{ALL_LEVELS, BiomeTree, no_biome_query};
use crate::parts::facets;
use crate::parts::histogram::{self, Bar};
use crate::parts::number::Count;

/// The maximum number of biomes, families and clans, besides the selected ones.
const SHOWN: usize = 10;

/// The maximum number of conditions removed one by one.
const RELAXED_MAX: usize = 10;

/// The choices beside the results.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) biomes: Vec<Choice>,
    pub(super) families: Vec<Choice>,
    pub(super) clans: Vec<Choice>,
    /// Bars, and the addresses of the proteins with these lengths.
    pub(super) lengths: Vec<(Bar, String)>,
    pub(super) sizes: Vec<Choice>,
    pub(super) full_length: Vec<Choice>,
}

/// A value that can be selected or removed.
pub(super) struct Choice {
    pub(super) name: String,
    /// The accession; may be empty.
    pub(super) accession: String,
    pub(super) count: Count,
    pub(super) href: String,
    pub(super) is_chosen: bool,
    pub(super) depth: usize,
    pub(super) colour: Option<usize>,
}

impl Choice {
    fn plain(name: String, count: Count, href: String, is_chosen: bool) -> Self {
        Self { name, accession: String::new(), count, href, is_chosen, depth: 0, colour: None }
    }
}

/// Finds the choices of a search.
pub(super) struct ChoiceFinder<'a> {
    pub(super) context: &'a PageContext,
    pub(super) release: &'a Release,
    pub(super) pairs: &'a Pairs,
}

impl ChoiceFinder<'_> {
    pub(super) fn choices(&self) -> Result<Choices, PortalProblem> {
        Ok(Choices {
            biomes: self.biomes()?,
            families: self.values("pfam", FacetKind::Pfam)?,
            clans: self.values("clan", FacetKind::Clan)?,
            lengths: self.lengths()?,
            sizes: self.sizes()?,
            full_length: self.full_length()?,
        })
    }

    /// Returns the conditions whose removal gives results: texts, counts and addresses.
    pub(super) fn relaxed(&self) -> Result<Vec<(String, Count, String)>, PortalProblem> {
        let pairs = self.pairs.without(&text::PAGE_PARAMETERS);
        let mut names: Vec<&str> = pairs.iter().map(|(name, _)| name).collect();
        // Alternatives form one condition.
        names.dedup();
        let mut relaxed = Vec::new();
        for name in names.into_iter().take(RELAXED_MAX) {
            let without = pairs.without(&[name]);
            let total = self.release.data.total(&self.query(&without)?, PAGE_BUDGET / RELAXED_MAX as u64)?;
            if total.value > 0 && without != Pairs::default() {
                let condition = text::of(&pairs.filtered(|known| known == name));
                relaxed.push((condition, total.into(), self.address(&without)));
            }
        }
        Ok(relaxed)
    }

    fn biomes(&self) -> Result<Vec<Choice>, PortalProblem> {
        let (others, chosen) = self.without("biome");
        let tree = BiomeTree::new(&self.release.data, &self.query(&others)?, None, ALL_LEVELS)?;
        let mut by_count: Vec<_> =
            tree.rows.iter().map(|row| (u64::MAX - row.count.value, row.depth, &*row.lineage)).collect();
        by_count.sort_unstable();
        let shown: BTreeSet<&str> = by_count.into_iter().map(|(.., lineage)| lineage).take(SHOWN).collect();
        let rows = tree.rows.iter().filter(|row| shown.contains(&*row.lineage) || chosen.contains(&row.lineage));
        let mut biomes: Vec<_> = rows
            .map(|row| Choice {
                name: row.name.clone(),
                accession: String::new(),
                count: row.count,
                href: self.toggled("biome", &row.lineage),
                is_chosen: chosen.contains(&row.lineage),
                depth: row.depth,
                colour: row.colour,
            })
            .collect();
        if let Some(rest) = tree.not_recorded.filter(|rest| rest.count.value > 0) {
            let condition = no_biome_query(&self.release.data);
            biomes.push(self.condition("Biome not recorded", rest.count, &others, &condition));
        }
        Ok(biomes)
    }

    fn values(&self, name: &'static str, kind: FacetKind) -> Result<Vec<Choice>, PortalProblem> {
        let (others, chosen) = self.without(name);
        let query = self.query(&others)?;
        let facets = facets::most_frequent(&self.release.data, &query, kind, SHOWN + 1)?.facets;
        let has_others = facets.iter().any(|facet| facet.value.is_some());
        let (mut choices, mut shown) = (Vec::new(), BTreeSet::new());
        for facet in facets {
            let count = facet.count.into();
            match facet.value {
                Some(value) => {
                    choices.push(self.value(name, &value, facet.name, count, chosen.contains(&value)));
                    shown.insert(value);
                }
                None if kind == FacetKind::Pfam && has_others => {
                    choices.push(self.condition("No Pfam family", count, &others, "NOT has:pfam"));
                }
                None => {}
            }
        }
        for value in chosen.iter().filter(|value| !shown.contains(*value)) {
            let all = self.query(&others.with(name, value))?;
            let count = self.release.data.total(&all, PAGE_BUDGET / SHOWN as u64)?.into();
            choices.push(self.value(name, value, value.clone(), count, true));
        }
        Ok(choices)
    }

    fn value(&self, name: &str, value: &str, text: String, count: Count, is_chosen: bool) -> Choice {
        let accession = if text == value { String::new() } else { value.to_owned() };
        Choice { accession, ..Choice::plain(text, count, self.toggled(name, value), is_chosen) }
    }

    fn lengths(&self) -> Result<Vec<(Bar, String)>, PortalProblem> {
        let others = self.pairs.without(&["min_length", "max_length"]);
        let bars = histogram::lengths(&self.release.data, &self.query(&others)?)?;
        let addressed = bars.into_iter().map(|bar| {
            let address = self.address(&between(&others, "length", bar.from, bar.to));
            (bar, address)
        });
        Ok(addressed.collect())
    }

    fn sizes(&self) -> Result<Vec<Choice>, PortalProblem> {
        let others = self.pairs.without(&["min_cluster_size", "max_cluster_size"]);
        let chosen = text::of(self.pairs);
        let bars = histogram::sizes(&self.release.data, &self.query(&others)?)?.into_iter().map(|bar| {
            let pairs = between(&others, "cluster_size", bar.from, bar.to);
            let is_chosen = text::of(&pairs) == chosen;
            Choice::plain(bar.label(), bar.count, self.address(if is_chosen { &others } else { &pairs }), is_chosen)
        });
        Ok(bars.collect())
    }

    fn full_length(&self) -> Result<Vec<Choice>, PortalProblem> {
        let others = self.pairs.without(&["full_length"]);
        let mut choices = Vec::new();
        for (name, value) in [("yes", "true"), ("no", "false")] {
            let pairs = others.with("full_length", value);
            let count = self.release.data.total(&self.query(&pairs)?, PAGE_BUDGET / 2)?;
            let is_chosen = self.pairs.value("full_length") == value;
            let href = self.address(if is_chosen { &others } else { &pairs });
            choices.push(Choice::plain(name.to_owned(), count.into(), href, is_chosen));
        }
        Ok(choices)
    }

    /// Returns a choice that adds a condition to the query.
    fn condition(&self, name: &str, count: Count, others: &Pairs, condition: &str) -> Choice {
        let query = match others.value("q") {
            "" => condition.to_owned(),
            query => format!("({query}) AND {condition}"),
        };
        Choice::plain(name.to_owned(), count, self.address(&others.with("q", &query)), false)
    }

    /// Returns the search without a parameter, and the values of the parameter.
    fn without(&self, name: &str) -> (Pairs, Vec<String>) {
        let any = format!("{ANY}{name}");
        let is_it = |known: &str| known == name || known == any;
        let values = self.pairs.iter().filter(|(known, _)| is_it(known)).map(|(_, value)| written(name, value));
        (self.pairs.filtered(|known| !is_it(known)), values.collect())
    }

    /// Returns the address of the search with a value added, or removed if it is selected.
    fn toggled(&self, name: &str, value: &str) -> String {
        let (others, mut values) = self.without(name);
        match values.iter().position(|known| known == value) {
            Some(place) => drop(values.remove(place)),
            None => values.push(value.to_owned()),
        }
        let name = if values.len() > 1 { format!("{ANY}{name}") } else { name.to_owned() };
        self.address(&values.iter().fold(others, |pairs, value| pairs.and(&name, value)))
    }

    fn query(&self, pairs: &Pairs) -> Result<ProteinQuery, PortalProblem> {
        let text = text::for_api(&pairs.without(&text::PAGE_PARAMETERS)).to_query();
        let parameters =
            QueryParameters::parse_in(self.release, text.trim_start_matches('?'), Some(ResultFormat::Json));
        Ok(parameters.map_err(PortalProblem::of_proteins)?.query)
    }

    /// Returns the address of the first page.
    fn address(&self, pairs: &Pairs) -> String {
        super::address(self.context, &pairs.without(&["after", "rank"]))
    }
}

fn between(pairs: &Pairs, name: &str, from: u64, to: Option<u64>) -> Pairs {
    let pairs = pairs.with(&format!("min_{name}"), &from.to_string());
    to.map_or_else(|| pairs.clone(), |to| pairs.with(&format!("max_{name}"), &to.to_string()))
}

/// Returns a value as written in facets.
fn written(name: &str, value: &str) -> String {
    match name {
        "pfam" => PfamAccession::parse_short(value).map_or_else(|_| value.to_owned(), |family| family.to_string()),
        "clan" => value.to_uppercase(),
        _ => value.to_owned(),
    }
}
