//! The families of a generation and their numbers of proteins, counted once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use store::{GenerationName, PfamAccession};
use store_proteins::{FacetKind, ProteinGeneration, ProteinQuery};

/// All families with their numbers of proteins, in descending order of these: those of the table of
/// families, and others that proteins have.
pub type FamilyCounts = Arc<[(PfamAccession, u64)]>;

/// The counts of the generation of the last call.
#[derive(Debug, Default)]
pub struct CountedFamilies(Mutex<Option<(GenerationName, FamilyCounts)>>);

impl CountedFamilies {
    /// Returns the counts of a generation. The first call counts all families.
    pub fn of(&self, data: &ProteinGeneration) -> store::Result<FamilyCounts> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((name, counts)) = &*known
            && *name == data.name()
        {
            return Ok(Arc::clone(counts));
        }
        let mut counts: BTreeMap<_, _> = data.families().iter().map(|(family, _)| (family, 0)).collect();
        // The index knows the numbers of all proteins.
        let found = data.facets(&ProteinQuery::Everything, FacetKind::Pfam, usize::MAX, 0, u64::MAX)?;
        for facet in found.into_iter().flat_map(|found| found.facets) {
            let family = facet.value.and_then(|value| value.parse::<PfamAccession>().ok());
            counts.extend(family.map(|family| (family, facet.count.value)));
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        let counts = FamilyCounts::from(counts);
        *known = Some((data.name(), Arc::clone(&counts)));
        Ok(counts)
    }
}
