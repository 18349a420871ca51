//! The families of a generation and their numbers of proteins, counted once.

use std::sync::{Arc, Mutex, PoisonError};

use store::{GenerationName, PfamAccession};
use store_proteins::{ProteinGeneration, ProteinQuery};

/// All families with their numbers of proteins, in descending order of these.
pub type FamilyCounts = Arc<[(PfamAccession, u64)]>;

/// The counts of the generation of the last call.
#[derive(Debug, Default)]
pub struct CountedFamilies(Mutex<Option<(GenerationName, FamilyCounts)>>);

impl CountedFamilies {
    /// Returns the counts of a generation. The first call looks up all families.
    pub fn of(&self, data: &ProteinGeneration) -> store::Result<FamilyCounts> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((name, counts)) = &*known
            && *name == data.name()
        {
            return Ok(Arc::clone(counts));
        }
        let mut counts = Vec::new();
        for (family, _) in data.families().iter() {
            // The index knows the number of matches of one term.
            counts.push((family, data.total(&ProteinQuery::Family(family), 0)?.value));
        }
        counts.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        let counts = FamilyCounts::from(counts);
        *known = Some((data.name(), Arc::clone(&counts)));
        Ok(counts)
    }
}
