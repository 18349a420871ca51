//! Where proteins occur: the resources among some that have proteins which match a query.

use api_http::SourceError;
use store_catalogue::model::{ASSEMBLIES, RUNS, SAMPLES, STUDIES};
use store_catalogue::{Condition, Ordinal};
use store_proteins::{PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use super::resolve::Asked;
use crate::known;
use crate::problem::CatalogueProblem;
use crate::request::query::WHERE;
use crate::snapshot::Snapshot;

/// The most studies or assemblies whose proteins are asked for. Each costs a search for one protein.
const LOOKED_AT_MAX: usize = 10_000;

/// The work of a search that ends at once.
const SEARCH_WORK: u64 = 10_000;

/// Finds the resources of a type that have proteins, among those that satisfy all other conditions.
pub(super) struct Occurring<'a> {
    snapshot: &'a Snapshot,
    resource_type: &'a str,
    /// Studies or assemblies.
    looked_at: &'static str,
    /// Those of the resources.
    ordinals: Vec<Ordinal>,
}

impl<'a> Occurring<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        resource_type: &'a str,
        others: &[Condition],
    ) -> Result<Self, CatalogueProblem> {
        let looked_at = if resource_type == STUDIES { STUDIES } else { ASSEMBLIES };
        if ![STUDIES, ASSEMBLIES, SAMPLES, RUNS].contains(&resource_type) {
            return Err(CatalogueProblem::refused(
                WHERE,
                "Proteins occur in studies, samples, runs and assemblies only.",
            ));
        }
        let conditions = if resource_type == looked_at {
            others.to_vec()
        } else {
            vec![Condition::LinkedWith(resource_type.to_owned(), Box::new(Condition::AllOf(others.to_vec())))]
        };
        let listing = snapshot.select(looked_at, conditions, Vec::new())?;
        if listing.len() > LOOKED_AT_MAX {
            let detail = format!(
                "This asks for the proteins of {} {looked_at}; {LOOKED_AT_MAX} are the most. Add conditions that narrow them down.",
                listing.len()
            );
            return Err(CatalogueProblem::refused(WHERE, detail));
        }
        Ok(Self { snapshot, resource_type, looked_at, ordinals: listing.ordinals(0..listing.len()) })
    }

    /// Makes a condition of one that was asked for: proteins that match a query become the resources in which they occur, among those that
    /// satisfy the other conditions.
    pub(super) fn condition(&self, asked: Asked) -> Result<Condition, CatalogueProblem> {
        let (query, proteins) = match (asked, &self.snapshot.proteins) {
            (Asked::Plain(condition), _) => return Ok(condition),
            (Asked::Proteins(_), None) => return Ok(Condition::AnyOf(Vec::new())),
            (Asked::Proteins(query), Some(proteins)) => (query, proteins),
        };
        let mut found = Vec::new();
        for &ordinal in self.ordinals.iter().take_while(|_| self.snapshot.is_wanted()) {
            let accessions = known::accessions_of(&self.snapshot.data, ordinal, self.looked_at)?;
            if self.occur(proteins, &query, &accessions)? {
                found.extend(accessions.into_iter().next());
            }
        }
        let found = Condition::Identified(found);
        Ok(if self.resource_type == self.looked_at {
            found
        } else {
            Condition::LinkedWith(self.looked_at.to_owned(), Box::new(found))
        })
    }

    /// Tells whether a protein that matches occurs in a study or an assembly, by any of its accessions.
    fn occur(
        &self,
        proteins: &ProteinGeneration,
        query: &ProteinQuery,
        accessions: &[String],
    ) -> Result<bool, SourceError> {
        let of = if self.looked_at == STUDIES { ProteinQuery::Study } else { ProteinQuery::Assembly };
        for accession in accessions {
            let asked = ProteinQuery::And(vec![of(accession.clone()), query.clone()]);
            let mut after = None;
            while self.snapshot.is_wanted() {
                let page = proteins.page(&asked, after, 1, PAGE_BUDGET)?;
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
