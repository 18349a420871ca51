//! Choices that narrow a protein search, with the number of proteins left by each.

use api_http::error::shown;
use api_proteins::Release;
use store::PfamAccession;
use store_proteins::{Facet as FacetValue, FacetKind, PAGE_BUDGET, ProteinQuery};

use super::{form, text};
use crate::context::address::{ANY, Pairs};
use crate::context::problem::PortalProblem;
use crate::parts::biome_tree::{ALL_LEVELS, BiomeRow, BiomeTree, no_biome_query};
use crate::parts::choices::{self, COUNTED, Chip, Choice, Chooser, Conditions, Facet, RELAXED_MAX};
use crate::parts::facets;
use crate::parts::histogram::{Counted, LENGTHS, NumberRange, SIZES};
use crate::parts::lineage::last_first;
use crate::parts::number::Count;
use crate::parts::words;
use crate::plots::plot::Plot;

/// The choices beside the results.
#[derive(Default)]
pub(super) struct Choices {
    /// Biomes, families and clans.
    pub(super) facets: Vec<Facet>,
    /// The lengths and the cluster sizes of the results.
    pub(super) plots: Vec<Plot>,
    pub(super) full_length: Vec<Choice>,
}

/// Finds the choices of a search.
pub(super) struct ChoiceFinder<'a> {
    pub(super) release: &'a Release,
    pub(super) conditions: Conditions<'a>,
}

impl ChoiceFinder<'_> {
    /// Returns the choices. The width of plots is in pixels.
    pub(super) fn choices(&self, width: f64) -> Result<Choices, PortalProblem> {
        Ok(Choices {
            facets: vec![
                self.biomes()?,
                self.values("pfam", FacetKind::Pfam, "Pfam family")?,
                self.values("clan", FacetKind::Clan, "Clan")?,
            ],
            plots: vec![self.plot(&LENGTHS, "Lengths", width)?, self.plot(&SIZES, "Cluster sizes", width)?],
            full_length: self.full_length()?,
        })
    }

    /// Returns the conditions of the search.
    pub(super) fn chips(&self) -> Vec<Chip> {
        let families = self.release.data.families();
        let describe = |condition: &Pairs| {
            if let Some((field, range)) = text::ranges(condition).next() {
                return Some((words::in_words(field), choices::in_words(&range)));
            }
            let (name, value) = condition.iter().next()?;
            Some(match (name.strip_prefix(ANY).unwrap_or(name), value) {
                ("q", query) => ("Query".to_owned(), query.to_owned()),
                ("pfam", accession) => {
                    let known = PfamAccession::parse_short(accession).ok().and_then(|family| families.get(family));
                    let name = known.map(|family| format!("{} ", family.name)).unwrap_or_default();
                    ("Pfam family".to_owned(), format!("{name}{accession}"))
                }
                ("full_length", "true") => ("Full length".to_owned(), "yes".to_owned()),
                ("full_length", "false") => ("Full length".to_owned(), "no".to_owned()),
                (name, value) => (words::in_words(name), choices::in_words(value)),
            })
        };
        self.conditions.chips(describe)
    }

    /// Returns the conditions whose removal gives results.
    pub(super) fn relaxed(&self) -> Result<Vec<Choice>, PortalProblem> {
        let count = |others: &Pairs| {
            Ok(self.release.data.total(&self.query(others)?, PAGE_BUDGET / RELAXED_MAX as u64)?.into())
        };
        self.conditions.relaxed(text::of, count)
    }

    fn chooser(&self, name: &str) -> Chooser<'_> {
        Chooser::new(&form::as_alternatives(self.conditions.pairs), name, self.conditions.address)
    }

    fn biomes(&self) -> Result<Facet, PortalProblem> {
        let chooser = self.chooser("biome");
        let tree = BiomeTree::new(&self.release.data, &self.query(&chooser.others)?, None, ALL_LEVELS)?;
        let choice = |row: &BiomeRow| Choice {
            name: row.name.clone(),
            depth: row.depth,
            colour: row.colour,
            ..chooser.choice(&row.lineage, Some(row.count))
        };
        let mut facet = chooser.facet("Biome", tree.rows.iter().map(choice).collect(), tree.rows.len());
        // The biomes above these may not be among them.
        for further in &mut facet.more {
            (further.name, further.depth) = (last_first(&further.value), 0);
        }
        if let Some(rest) = tree.not_recorded.filter(|rest| rest.count.value > 0) {
            let condition = no_biome_query(&self.release.data);
            facet.shown.push(self.condition("Biome not recorded", rest.count, &chooser.others, &condition));
        }
        Ok(facet)
    }

    fn values(&self, name: &str, kind: FacetKind, heading: &'static str) -> Result<Facet, PortalProblem> {
        let chooser = self.chooser(name);
        let counted = facets::count(&self.release.data, &self.query(&chooser.others)?, kind, COUNTED + 1)?;
        let without = counted.facets.iter().find(|facet| facet.value.is_none()).map(|facet| facet.count.into());
        let choice = |facet: FacetValue| {
            let value = facet.value?;
            let choice = chooser.choice(&value, Some(facet.count.into()));
            let accession = if facet.name == value { String::new() } else { value };
            Some(Choice { name: facet.name, accession, ..choice })
        };
        let choices: Vec<_> = counted.facets.into_iter().filter_map(choice).collect();
        let mut facet = chooser.facet(heading, choices, counted.num_values - usize::from(without.is_some()));
        if let Some(count) = without.filter(|_| kind == FacetKind::Pfam && !facet.shown.is_empty()) {
            facet.shown.push(self.condition("No Pfam family", count, &chooser.others, "NOT has:pfam"));
        }
        Ok(facet)
    }

    /// Counts the results by a number, without the conditions on it.
    fn plot(&self, counted: &Counted, heading: &str, width: f64) -> Result<Plot, PortalProblem> {
        let field = counted.field;
        let names = [format!("min_{field}"), format!("max_{field}")];
        let others = self.conditions.pairs.without(&[&names[0], &names[1]]);
        let [low, high] = names.each_ref().map(|name| self.conditions.pairs.value(name).parse::<u64>().ok());
        let text = text::of(self.conditions.pairs);
        let place = |range: NumberRange| {
            let is_inside = low.is_none_or(|low| low <= range.from)
                && high.is_none_or(|high| range.to.is_some_and(|to| to <= high));
            let is_chosen = is_inside && (low.is_some() || high.is_some());
            let pairs = range.add_to(&others, field);
            ((self.conditions.address)(if text::of(&pairs) == text { &others } else { &pairs }), is_chosen)
        };
        let range = (self.conditions.address)(&others.with(&names[0], "{from}").with(&names[1], "{to}"));
        let counts = counted.histogram(&self.release.data, &self.query(&others)?, place, range)?;
        Ok(counts.draw(format!("{heading}: {}", shown(&text)), width))
    }

    fn full_length(&self) -> Result<Vec<Choice>, PortalProblem> {
        let others = self.conditions.pairs.without(&["full_length"]);
        let choice = |(name, value)| {
            let pairs = others.with("full_length", value);
            let count = self.release.data.total(&self.query(&pairs)?, PAGE_BUDGET / 2)?;
            let is_chosen = self.conditions.pairs.value("full_length") == value;
            Ok(self.plain(name, count.into(), if is_chosen { &others } else { &pairs }, is_chosen))
        };
        [("yes", "true"), ("no", "false")].into_iter().map(choice).collect()
    }

    /// Returns a choice that adds a condition to the query.
    fn condition(&self, name: &str, count: Count, others: &Pairs, condition: &str) -> Choice {
        let query = match others.value("q") {
            "" => condition.to_owned(),
            query => format!("({query}) AND {condition}"),
        };
        self.plain(name, count, &others.with("q", &query), false)
    }

    fn plain(&self, name: impl Into<String>, count: Count, pairs: &Pairs, is_chosen: bool) -> Choice {
        let href = (self.conditions.address)(pairs);
        Choice { name: name.into(), count: Some(count), href, is_chosen, ..Choice::default() }
    }

    fn query(&self, pairs: &Pairs) -> Result<ProteinQuery, PortalProblem> {
        let parameters = text::parse(self.release, &text::for_api(&pairs.without(&text::PAGE_PARAMETERS)));
        Ok(parameters.map_err(PortalProblem::of_proteins)?.query)
    }
}
