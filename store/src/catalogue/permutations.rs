//! The permutations of a generation, read when they are first asked for and kept.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::contents::TypeContents;
use super::permutation::Permutation;
use super::resources::Resources;
use super::{Order, Ordinal};
use crate::Result;

/// How many orders by several fields are kept, each of four bytes a resource of its type.
const COMPOSITES_MAX: NonZeroUsize = NonZeroUsize::new(8).expect("not 0");

/// What tells permutations apart: type and orders.
type PermutationKey = (String, Vec<Order>);

/// The permutations that were asked for.
pub(super) struct Permutations {
    /// Those by one field, which stay: four bytes a resource, for each field and direction.
    singles: Mutex<HashMap<PermutationKey, Arc<Permutation>>>,
    /// Those by several fields, which give way to others.
    composites: Mutex<LruCache<PermutationKey, Arc<Permutation>>>,
}

impl Default for Permutations {
    fn default() -> Self {
        Self { singles: Mutex::default(), composites: Mutex::new(LruCache::new(COMPOSITES_MAX)) }
    }
}

impl Permutations {
    /// Returns the permutation of a type for some orders, or `None` for the default order. Orders that the type does not have are left
    /// out.
    pub(super) fn get(
        &self,
        resources: &Resources,
        (resource_type, contents): (&str, &TypeContents),
        orders: &[Order],
    ) -> Result<Option<Arc<Permutation>>> {
        let known: Vec<&Order> = orders.iter().filter(|order| contents.orders.contains(&order.field)).collect();
        let single = |order: &Order| self.single(resources, (resource_type, contents), order);
        let (lightest, weightier) = match known.split_last() {
            None => return Ok(None),
            Some((only, [])) => return single(only).map(Some),
            Some(parts) => parts,
        };
        let key = (resource_type.to_owned(), known.iter().copied().cloned().collect());
        if let Some(kept) = self.composites.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Some(Arc::clone(kept)));
        }
        let mut permutation = single(lightest)?;
        for order in weightier.iter().rev() {
            permutation = Arc::new(permutation.sorted_by(&*single(order)?, contents.first));
        }
        self.composites.lock().unwrap_or_else(PoisonError::into_inner).put(key, Arc::clone(&permutation));
        Ok(Some(permutation))
    }

    /// Returns the permutation by one field.
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
        check(resources, &permutation, &key, contents.first, contents.num_resources)?;
        let permutation = Arc::new(permutation);
        self.singles.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&permutation));
        Ok(permutation)
    }
}

/// Refuses what is no permutation of a type.
fn check(
    resources: &Resources,
    permutation: &Permutation,
    (resource_type, orders): &PermutationKey,
    first: Ordinal,
    num_resources: u32,
) -> Result<()> {
    if permutation.is_of(first, num_resources) {
        return Ok(());
    }
    let field = orders.first().map_or("", |order| &order.field);
    Err(resources.altered(format!("the order of {resource_type} by {field} is damaged")))
}
