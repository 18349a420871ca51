//! The permutations of a generation, read when they are first needed, and kept.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::permutation::Permutation;
use super::resources::Resources;
use super::{Order, TypeContents};
use crate::Result;

/// Each takes four bytes a resource of its type.
const COMPOSITES_MAX: NonZeroUsize = NonZeroUsize::new(8).expect("not 0");

type PermutationKey = (String, Vec<Order>);

pub(super) struct Permutations {
    /// By one field. All are kept: four bytes a resource, for each field and direction.
    singles: Mutex<HashMap<PermutationKey, Arc<Permutation>>>,
    /// By several fields. The last ones are kept.
    composites: Mutex<LruCache<PermutationKey, Arc<Permutation>>>,
}

impl Default for Permutations {
    fn default() -> Self {
        Self { singles: Mutex::default(), composites: Mutex::new(LruCache::new(COMPOSITES_MAX)) }
    }
}

impl Permutations {
    /// Returns the permutation of a type for some orders, or `None` for the default order. Orders that the type does not have are
    /// ignored.
    pub(super) fn get(
        &self,
        resources: &Resources,
        (resource_type, contents): (&str, &TypeContents),
        orders: &[Order],
    ) -> Result<Option<Arc<Permutation>>> {
        let orders: Vec<&Order> = orders.iter().filter(|order| contents.orders.contains(&order.field)).collect();
        let single = |order: &Order| self.single(resources, (resource_type, contents), order);
        let (last, others) = match orders.split_last() {
            None => return Ok(None),
            Some((only, [])) => return single(only).map(Some),
            Some(parts) => parts,
        };
        let key = (resource_type.to_owned(), orders.iter().copied().cloned().collect());
        if let Some(kept) = self.composites.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Some(Arc::clone(kept)));
        }
        let mut permutation = single(last)?;
        for order in others.iter().rev() {
            permutation = Arc::new(permutation.sorted_by(&*single(order)?, contents.first));
        }
        self.composites.lock().unwrap_or_else(PoisonError::into_inner).put(key, Arc::clone(&permutation));
        Ok(Some(permutation))
    }

    fn single(
        &self,
        resources: &Resources,
        (resource_type, contents): (&str, &TypeContents),
        order: &Order,
    ) -> Result<Arc<Permutation>> {
        let key = (resource_type.to_owned(), vec![order.clone()]);
        if let Some(kept) = self.singles.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(kept));
        }
        let permutation = resources.permutation(resource_type, &order.field, order.is_descending)?;
        if !permutation.is_of(contents.first, contents.num_resources) {
            return Err(resources.altered(format!("the order of {resource_type} by {} is damaged", order.field)));
        }
        let permutation = Arc::new(permutation);
        self.singles.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&permutation));
        Ok(permutation)
    }
}
