//! Finds resources that have proteins which match a query.

use api_http::SourceError;
use store_catalogue::model::{ASSEMBLIES, RUNS, SAMPLES, STUDIES};
use store_catalogue::{Condition, Ordinal};
use store_proteins::{PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use super::resolve::Unresolved;
use crate::known;
use crate::problem::CatalogueProblem;
use crate::request::query::WHERE;
use crate::snapshot::Snapshot;

/// The most studies or assemblies whose proteins are searched. Each needs a search for one protein.
const SEARCHED_MAX: usize = 10_000;

/// The work of a search that ends immediately.
const SEARCH_WORK: u64 = 10_000;

/// Finds the resources of a type that have proteins, among those that meet all other conditions.
pub(super) struct ProteinSearch<'a> {
    snapshot: &'a Snapshot,
    resource_type: &'a str,
    /// The type of the searched resources: studies or assemblies.
    searched_type: &'static str,
    /// The searched resources.
    ordinals: Vec<Ordinal>,
}

impl<'a> ProteinSearch<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        resource_type: &'a str,
        others: &[Condition],
    ) -> Result<Self, CatalogueProblem> {
        let searched_type = if resource_type == STUDIES { STUDIES } else { ASSEMBLIES };
        if ![STUDIES, ASSEMBLIES, SAMPLES, RUNS].contains(&resource_type) {
            return Err(CatalogueProblem::refused(WHERE, "Only studies, samples, runs and assemblies have proteins."));
        }
        let conditions = if resource_type == searched_type {
            others.to_vec()
        } else {
            vec![Condition::LinkedWith(resource_type.to_owned(), Box::new(Condition::AllOf(others.to_vec())))]
        };
        let listing = snapshot.select(searched_type, conditions, Vec::new())?;
        if listing.len() > SEARCHED_MAX {
            let detail = format!(
                "This searches the proteins of {} {searched_type}; at most {SEARCHED_MAX} are allowed. Add conditions to narrow them down.",
                listing.len()
            );
            return Err(CatalogueProblem::refused(WHERE, detail));
        }
        Ok(Self { snapshot, resource_type, searched_type, ordinals: listing.ordinals(0..listing.len()) })
    }

    /// Resolves a condition. A query on proteins becomes a condition for the resources in which
    /// they occur, among those that meet the other conditions.
    pub(super) fn resolve(&self, condition: Unresolved) -> Result<Condition, CatalogueProblem> {
        let (query, proteins) = match (condition, &self.snapshot.proteins) {
            (Unresolved::Plain(condition), _) => return Ok(condition),
            (Unresolved::Proteins(_), None) => return Ok(Condition::AnyOf(Vec::new())),
            (Unresolved::Proteins(query), Some(proteins)) => (query, proteins),
        };
        let mut found = Vec::new();
        for &ordinal in self.ordinals.iter().take_while(|_| self.snapshot.is_wanted()) {
            let accessions = known::accessions_of(&self.snapshot.data, ordinal, self.searched_type)?;
            if self.has_match(proteins, &query, &accessions)? {
                found.extend(accessions.into_iter().next());
            }
        }
        let found = Condition::Identified(found);
        Ok(if self.resource_type == self.searched_type {
            found
        } else {
            Condition::LinkedWith(self.searched_type.to_owned(), Box::new(found))
        })
    }

    /// Returns whether a matching protein occurs in a study or an assembly, which has these
    /// accessions.
    fn has_match(
        &self,
        proteins: &ProteinGeneration,
        query: &ProteinQuery,
        accessions: &[String],
    ) -> Result<bool, SourceError> {
        let of = if self.searched_type == STUDIES { ProteinQuery::Study } else { ProteinQuery::Assembly };
        for accession in accessions {
            let query = ProteinQuery::And(vec![of(accession.clone()), query.clone()]);
            let mut after = None;
            while self.snapshot.is_wanted() {
                let page = proteins.page(&query, after, 1, PAGE_BUDGET)?;
                let is_cut_off = page.hits.is_empty() && page.next.is_some();
                self.snapshot.effort.spend(if is_cut_off { PAGE_BUDGET } else { SEARCH_WORK });
                if !page.hits.is_empty() {
                    return Ok(true);
                }
                if page.next.is_none() {
                    break;
                }
                after = page.next;
            }
        }
        Ok(false)
    }
}
